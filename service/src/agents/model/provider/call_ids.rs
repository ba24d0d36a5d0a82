//! The ids of calls in requests.
//!
//! A server's own ids are no use to another one: Mistral takes nine letters and digits and nothing
//! else, others repeat an id, or give none. Nine letters and digits are taken by all.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    rules::audit::hash,
    transcript::{Call, Item, Transcript},
};

/// The number of letters and digits of the id that a call has in requests.
const LENGTH: usize = 9;

/// The ids that all calls of a transcript have in requests, by their own ids. A call has the same
/// one in every request, as calls are only ever added at the end.
pub(in crate::agents::model) struct CallIds(BTreeMap<String, String>);

impl CallIds {
    pub(in crate::agents::model) fn of(transcript: &Transcript) -> Self {
        let mut ids = BTreeMap::new();
        let mut taken = BTreeSet::new();
        let calls = transcript.items.iter().filter_map(|item| match item {
            Item::Model { calls, .. } => Some(calls),
            _ => None,
        });
        for call in calls.flatten() {
            let mut id = short(&call.id);
            while !taken.insert(id.clone()) {
                id = short(&id);
            }
            ids.insert(call.id.clone(), id);
        }
        Self(ids)
    }

    /// Returns the id that a call has in requests.
    pub(in crate::agents::model) fn of_call<'a>(&'a self, call: &'a Call) -> &'a str {
        self.0.get(&call.id).map_or(&call.id, String::as_str)
    }
}

fn short(id: &str) -> String {
    hash(id).chars().take(LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{CallIds, LENGTH};
    use crate::transcript::{Call, Item, Transcript};

    fn transcript(ids: &[String]) -> Transcript {
        let call = |id: &String| Call {
            id: id.clone(),
            tool: "files/read".to_owned(),
            arguments: "{}".to_owned(),
            definition: String::new(),
        };
        let model = |id| Item::Model {
            text: String::new(),
            calls: vec![call(id)],
            tokens: 0,
        };
        Transcript {
            items: ids.iter().map(model).collect(),
            ..Transcript::default()
        }
    }

    fn ids(transcript: &Transcript) -> Vec<String> {
        let ids = CallIds::of(transcript);
        let calls = transcript.items.iter().filter_map(|item| match item {
            Item::Model { calls, .. } => calls.first(),
            _ => None,
        });
        calls.map(|call| ids.of_call(call).to_owned()).collect()
    }

    #[test]
    fn ids_have_nine_letters_and_digits_and_stay_when_calls_are_added() {
        // Among so many of nine hexadecimal digits two may well be the same.
        let calls: Vec<String> = (0..20_000).map(|number| format!("call_{number}")).collect();
        let all = ids(&transcript(&calls));
        let distinct: BTreeSet<&String> = all.iter().collect();
        assert_eq!(distinct.len(), calls.len());
        let fits = |id: &str| id.len() == LENGTH && id.chars().all(|c| c.is_ascii_alphanumeric());
        assert!(all.iter().all(|id| fits(id)));
        let before = ids(&transcript(&calls[..1_000]));
        assert_eq!(before, all[..1_000]);
    }
}
