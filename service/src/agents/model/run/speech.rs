//! The text of an answer, as a run writes it: its parts are paragraphs, and its notifications say
//! what is being done.

use assent_protocol::EventType;

use crate::{
    Result,
    agents::agent::{Answer, StepDetails},
    sentence::Sentence,
};

/// The answer of one run, whose parts are paragraphs of one text.
pub(in crate::agents::model) struct Speech<'a> {
    pub(in crate::agents::model) answer: &'a mut dyn Answer,
    /// True if something was said since the text began.
    spoken: bool,
    /// True if an empty line stands before the next text.
    breaks: bool,
}

impl<'a> Speech<'a> {
    pub(super) fn new(answer: &'a mut dyn Answer) -> Self {
        Self {
            answer,
            spoken: false,
            breaks: false,
        }
    }

    pub(super) fn new_paragraph(&mut self) {
        self.breaks = self.spoken;
    }

    pub(super) async fn say(&mut self, text: &str) -> Result<()> {
        self.begin().await?;
        self.answer.say(None, text).await
    }

    /// Writes the empty line before the text that follows, if one is due.
    async fn begin(&mut self) -> Result<()> {
        if self.breaks {
            self.answer.say(None, "\n\n").await?;
        }
        self.breaks = false;
        self.spoken = true;
        Ok(())
    }

    /// Lets the next text begin without an empty line before it, since somebody else spoke last.
    pub(in crate::agents::model) fn begin_anew(&mut self) {
        self.spoken = false;
        self.breaks = false;
    }

    /// Says a sentence of the service as a paragraph of its own.
    pub(in crate::agents::model) async fn sentence(&mut self, sentence: &Sentence) -> Result<()> {
        self.new_paragraph();
        self.begin().await?;
        self.answer.say_sentence(None, &sentence.words()).await
    }

    /// Says a text as a paragraph of its own.
    pub(super) async fn paragraph(&mut self, text: &str) -> Result<()> {
        self.new_paragraph();
        self.say(text).await
    }

    /// Shows the reader what is being done: `event` says what it is, in the words `text`.
    pub(in crate::agents::model) async fn tell(&mut self, event: EventType, text: &str) {
        self.answer.notify(event, text).await;
    }

    /// Shows the reader what is being done: `event` says what it is, in its usual words and those
    /// of `detail`.
    pub(in crate::agents::model) async fn notify(&mut self, event: EventType, detail: &str) {
        let text = event_text(&event, detail);
        self.answer.notify(event, &text).await;
    }

    /// Shows the reader what is being done, as [`Speech::notify`] does, with what belongs to it.
    pub(super) async fn show(&mut self, event: EventType, detail: &str, details: StepDetails) {
        let text = event_text(&event, detail);
        self.answer.show(event, &text, details).await;
    }
}

fn event_text(event: &EventType, detail: &str) -> String {
    let default = event.info().map_or("", |info| info.text);
    if detail.is_empty() {
        default.to_owned()
    } else {
        format!("{default}: {detail}")
    }
}
