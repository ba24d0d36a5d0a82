//! What was learned of one server: the only state beside the habits that its file gives it. It is
//! kept until the agents are read anew.

use std::sync::{Arc, Mutex, PoisonError};

use super::lessons::Lesson;

/// The habits that were learned of one server of models; clones share them.
#[derive(Clone, Debug, Default)]
pub(in crate::agents::model) struct LearnedLessons(Arc<Mutex<Vec<Lesson>>>);

impl LearnedLessons {
    /// Returns the habits that were learned so far, the oldest first.
    pub(in crate::agents::model) fn lessons(&self) -> Vec<Lesson> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Adds a habit, unless it is there already.
    pub(in crate::agents::model) fn add(&self, lesson: Lesson) {
        let mut lessons = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !lessons.contains(&lesson) {
            lessons.push(lesson);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LearnedLessons, Lesson};

    #[test]
    fn what_two_requests_learn_at_once_is_learned_once() {
        let learned = LearnedLessons::default();
        let other = learned.clone();
        learned.add(Lesson::NoSystem);
        other.add(Lesson::NoSystem);
        other.add(Lesson::Alternate);
        let lessons = [Lesson::NoSystem, Lesson::Alternate];
        assert_eq!(learned.lessons(), lessons);
    }
}
