//! Agents that a test controls.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use assent_service::{
    agents::{Agent, Answer, AnswerFuture, Ending, Turn},
    profile::Profile,
};
use tokio::sync::Semaphore;

pub fn profile(id: &str) -> Profile {
    Profile {
        id: id.to_owned(),
        name: id.to_owned(),
        handle: format!("@{id}"),
        build_id: "1".to_owned(),
        build_type: "TEST".to_owned(),
    }
}

/// Says "first", then waits for a permit, then says " second".
pub struct Gate {
    profile: Profile,
    pub open: Arc<Semaphore>,
}

impl Gate {
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            profile: profile("gate"),
            open: Arc::new(Semaphore::new(0)),
        })
    }
}

impl Agent for Gate {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn answer<'a>(&'a self, _: Turn, answer: &'a mut dyn Answer) -> AnswerFuture<'a> {
        Box::pin(async move {
            answer.say(None, "first").await?;
            self.open.acquire().await.unwrap().forget();
            answer.say(None, " second").await?;
            Ok(Ending::Done)
        })
    }
}

/// Says `count` texts of `size` characters as fast as it can.
pub struct Flood {
    profile: Profile,
    pub count: usize,
    pub size: usize,
}

impl Flood {
    pub fn new(count: usize, size: usize) -> Arc<Self> {
        Arc::new(Self {
            profile: profile("flood"),
            count,
            size,
        })
    }
}

impl Agent for Flood {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn answer<'a>(&'a self, _: Turn, answer: &'a mut dyn Answer) -> AnswerFuture<'a> {
        Box::pin(async move {
            let text = "x".repeat(self.size);
            for _ in 0..self.count {
                answer.say(None, &text).await?;
            }
            Ok(Ending::Done)
        })
    }
}

/// Panics in the middle of a sentence.
pub struct Faulty(Profile);

impl Faulty {
    pub fn new() -> Arc<Self> {
        Arc::new(Self(profile("faulty")))
    }
}

impl Agent for Faulty {
    fn profile(&self) -> &Profile {
        &self.0
    }

    fn answer<'a>(&'a self, _: Turn, answer: &'a mut dyn Answer) -> AnswerFuture<'a> {
        Box::pin(async move {
            answer.say(None, "So far").await?;
            panic!("a fault in the agent");
        })
    }
}

/// An agent that works until it is armed; then asking for its profile panics.
pub struct Nameless {
    profile: Profile,
    pub armed: AtomicBool,
}

impl Nameless {
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            profile: profile("nameless"),
            armed: AtomicBool::new(false),
        })
    }
}

impl Agent for Nameless {
    fn profile(&self) -> &Profile {
        assert!(!self.armed.load(Ordering::Relaxed), "a fault in a handler");
        &self.profile
    }

    fn answer<'a>(&'a self, _: Turn, _: &'a mut dyn Answer) -> AnswerFuture<'a> {
        Box::pin(async { Ok(Ending::Done) })
    }
}
