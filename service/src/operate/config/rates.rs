//! Options that bound what one user and one key may ask for.

use std::num::{NonZeroU32, NonZeroUsize};

use clap::Args;

use crate::settings::RateLimits;

/// Bounds on what one user and one key may ask for; 0 is none.
#[derive(Clone, Copy, Debug, Args)]
pub struct RateOptions {
    /// Requests that one user may make in a minute; 0 is any number.
    #[arg(long = "user-rate", value_name = "N", default_value_t = number_or_zero(RateLimits::default().user))]
    pub user: u32,

    /// Requests that may be made with one API key in a minute, for all its users together; 0 is any
    /// number.
    #[arg(long = "key-rate", value_name = "N", default_value_t = number_or_zero(RateLimits::default().key))]
    pub key: u32,

    /// Requests of one user that may be answered at the same time, a quarter of all connections at
    /// most; 0 is any number.
    #[arg(long = "user-requests", value_name = "N", default_value_t = size_or_zero(RateLimits::default().open_user))]
    pub open_user: usize,

    /// Requests with one API key that may be answered at the same time, three quarters of all
    /// connections at most; 0 is any number.
    #[arg(long = "key-requests", value_name = "N", default_value_t = size_or_zero(RateLimits::default().open_key))]
    pub open_key: usize,

    /// Answers that may be written for one user at the same time; 0 is any number.
    #[arg(long = "user-answers", value_name = "N", default_value_t = size_or_zero(RateLimits::default().answers))]
    pub answers: usize,

    /// Answers that may be written at the same time, for all users together; 0 is any number.
    #[arg(long = "answers", value_name = "N", default_value_t = size_or_zero(RateLimits::default().all_answers))]
    pub all_answers: usize,
}

fn number_or_zero(limit: Option<NonZeroU32>) -> u32 {
    limit.map_or(0, NonZeroU32::get)
}

fn size_or_zero(limit: Option<NonZeroUsize>) -> usize {
    limit.map_or(0, NonZeroUsize::get)
}

impl RateOptions {
    pub(super) fn limits(self) -> RateLimits {
        RateLimits {
            user: NonZeroU32::new(self.user),
            key: NonZeroU32::new(self.key),
            open_user: NonZeroUsize::new(self.open_user),
            open_key: NonZeroUsize::new(self.open_key),
            answers: NonZeroUsize::new(self.answers),
            all_answers: NonZeroUsize::new(self.all_answers),
        }
    }
}
