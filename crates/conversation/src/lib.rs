//! The functional core: a pure state machine of conversations.
