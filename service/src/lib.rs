//! The session thread service.
