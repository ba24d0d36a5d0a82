//! Generates from bytes the data that pages leave behind: drafts and unsent messages.

use crate::{
    Draft, FileRef, Input, Millis, PostStatus, ReadingPosition, UnsentMessage, UploadedFile,
};

use super::sequence::SequenceCheck;

impl SequenceCheck<'_> {
    pub(super) fn any_left_behind(&mut self) -> Input {
        let count = self.byte() % 3;
        if self.byte().is_multiple_of(5) {
            let position = |_| ("t1".into(), self.position());
            return Input::Positions((0..count.min(1)).map(position).collect());
        }
        if self.byte().is_multiple_of(2) {
            if count == 0 {
                return Input::DraftsUnstored(vec![self.draft().thread]);
            }
            return Input::Drafts((0..count).map(|_| self.draft()).collect());
        }
        Input::Unsent((0..count).map(|_| self.unsent()).collect())
    }

    pub(super) fn position(&mut self) -> ReadingPosition {
        ReadingPosition {
            message: usize::from(self.byte()),
            below: -i32::from(self.byte()),
        }
    }

    fn draft(&mut self) -> Draft {
        let is_bound = !self.byte().is_multiple_of(3);
        let thread = is_bound.then(|| self.pick(&["t0", "t1"], "").into());
        Draft {
            thread,
            text: self.text(),
            files: self.uploaded_files(),
        }
    }

    fn unsent(&mut self) -> UnsentMessage {
        let Draft {
            thread,
            text,
            files,
        } = self.draft();
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
            at: Millis(i64::from(self.byte())),
            older: u32::from(self.byte() % 2),
            status: self.pick(&statuses, PostStatus::Posted),
        }
    }

    fn uploaded_files(&mut self) -> Vec<UploadedFile> {
        let file = UploadedFile {
            name: "f.pdf".to_owned(),
            size: 7,
            file: FileRef::Document("f".to_owned()),
        };
        let count = usize::from(self.byte() % 2);
        std::iter::repeat_n(file, count).collect()
    }
}
