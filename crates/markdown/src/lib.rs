//! An answer that grows: text in, blocks out.
