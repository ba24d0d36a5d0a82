//! Generates from bytes the data that pages leave behind: drafts and unsent messages.

use crate::{
    Draft, FileRef, Input, Millis, PostStatus, ReadingPosition, UnsentMessage, UploadedFile,
};

use super::sequence::SequenceCheck;

impl SequenceCheck<'_> {
    pub(super) fn any_left_behind(&mut self) -> Input {
        let count = self.next_byte() % 3;
        if self.next_byte().is_multiple_of(5) {
            let position = |_| ("t1".into(), self.any_position());
            return Input::Positions((0..count.min(1)).map(position).collect());
        }
        if self.next_byte().is_multiple_of(2) {
            if count == 0 {
                return Input::DraftsUnstored(vec![self.any_draft().thread]);
            }
            return Input::Drafts((0..count).map(|_| self.any_draft()).collect());
        }
        Input::Unsent((0..count).map(|_| self.any_unsent()).collect())
    }

    pub(super) fn any_position(&mut self) -> ReadingPosition {
        ReadingPosition {
            message: usize::from(self.next_byte()),
            below: -i32::from(self.next_byte()),
        }
    }

    fn any_draft(&mut self) -> Draft {
        let is_bound = !self.next_byte().is_multiple_of(3);
        let thread = is_bound.then(|| self.pick(&["t0", "t1"], "").into());
        Draft {
            thread,
            text: self.any_text(),
            files: self.any_uploaded_files(),
        }
    }

    fn any_unsent(&mut self) -> UnsentMessage {
        let Draft {
            thread,
            text,
            files,
        } = self.any_draft();
        let statuses = [
            PostStatus::Unposted,
            PostStatus::Refused,
            PostStatus::Posted,
            PostStatus::Accepted,
        ];
        UnsentMessage {
            thread,
            text,
            files,
            at: Millis(i64::from(self.next_byte())),
            older: u32::from(self.next_byte() % 2),
            // No message of another page has the same, as the bytes only get fewer.
            key: Some(format!("left-{}", self.bytes.len())),
            status: self.pick(&statuses, PostStatus::Posted),
        }
    }

    fn any_uploaded_files(&mut self) -> Vec<UploadedFile> {
        let file = UploadedFile {
            name: "f.pdf".to_owned(),
            size: 7,
            file: FileRef::Document("f".to_owned()),
        };
        let count = usize::from(self.next_byte() % 2);
        std::iter::repeat_n(file, count).collect()
    }
}
