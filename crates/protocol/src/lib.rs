//! The wire types of the session thread service.
