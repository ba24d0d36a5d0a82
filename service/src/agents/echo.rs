//! The smallest agent: it repeats the user's message. Good for trying files and odd characters.

use super::agent::{Agent, Answer, AnswerFuture, Ending, Turn, TurnInput};
use crate::{profile::Profile, rules::content::UserContent};

/// The agent that repeats the user's message.
#[derive(Clone, Debug)]
pub struct Echo(Profile);

impl Default for Echo {
    fn default() -> Self {
        Self(Profile {
            id: "echo".to_owned(),
            name: "Echo".to_owned(),
            handle: "@echo".to_owned(),
            build_id: env!("CARGO_PKG_VERSION").to_owned(),
            build_type: "BUILT_IN".to_owned(),
        })
    }
}

impl Agent for Echo {
    fn profile(&self) -> &Profile {
        &self.0
    }

    fn answer<'a>(&'a self, turn: Turn, answer: &'a mut dyn Answer) -> AnswerFuture<'a> {
        Box::pin(async move {
            let content = match turn.input {
                TurnInput::Message(content) => content,
                TurnInput::Decided(outcome) => outcome.feedback,
            };
            answer.say(None, &repeated(&content)).await?;
            Ok(Ending::Done)
        })
    }
}

/// Returns the user's text as it came, then a line for each file.
fn repeated(content: &UserContent) -> String {
    let documents = content
        .documents
        .iter()
        .map(|id| format!("Document: `{id}`"));
    let images = content.images.iter().map(|id| format!("Image: `{id}`"));
    let text = Some(content.text.clone()).filter(|text| !text.is_empty());
    let parts = text.into_iter().chain(documents).chain(images);
    parts.collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::{UserContent, repeated};

    #[test]
    fn text_and_files_are_repeated() {
        let content = UserContent {
            text: "hello".to_owned(),
            documents: vec!["d".to_owned()],
            images: vec!["i".to_owned()],
        };
        assert_eq!(repeated(&content), "hello\n\nDocument: `d`\n\nImage: `i`");
    }
}
