//! The arguments of a call, in the order in which the model wrote them. As a rule that is the order
//! of the tool's schema, so that a path comes before the long text that is written there.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Map, Value};

/// Most characters of an argument that is shown beside the name of a tool.
const MAX_SHORT_CHARACTERS: usize = 60;

/// The arguments of a call: one JSON object. Of a name that comes twice the last value counts, at
/// the place of the first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Arguments(Vec<(String, Value)>);

impl Arguments {
    /// Reads the arguments that a model wrote; an empty text is an empty object. The error is a
    /// text for the model.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        match text.trim() {
            "" => Ok(Self::default()),
            object if object.starts_with('{') => {
                serde_json::from_str(object).map_err(|error| error.to_string())
            }
            other => Err(serde_json::from_str::<Value>(other).map_or_else(
                |error| error.to_string(),
                |_| "this is another value.".to_owned(),
            )),
        }
    }

    /// Returns the arguments as rules look at them: as a map, where no order counts.
    pub(crate) fn to_map(&self) -> Map<String, Value> {
        self.0.iter().cloned().collect()
    }

    /// Returns what says best what a call is about: the first text that is one short line.
    pub(crate) fn first_short_text(&self) -> Option<&str> {
        let is_short = |text: &&str| {
            let length = text.chars().take(MAX_SHORT_CHARACTERS + 1).count();
            (1..=MAX_SHORT_CHARACTERS).contains(&length) && !text.contains(char::is_control)
        };
        let texts = self.0.iter().filter_map(|(_, value)| value.as_str());
        texts.map(str::trim).find(is_short)
    }

    /// Returns the arguments as a request for approval shows them: texts as they are, everything
    /// else as compact JSON. A text that would be taken for something else, such as "false", is in
    /// quotes.
    pub(crate) fn into_display(self) -> Vec<(String, String)> {
        let pair = |(name, value)| (name, shown(&value));
        self.0.into_iter().map(pair).collect()
    }

    /// Returns the arguments whose values differ from those of `before`.
    pub(crate) fn changed_from(&self, before: &Self) -> Self {
        let differs = |argument: &&(String, Value)| !before.0.contains(argument);
        Self(self.0.iter().filter(differs).cloned().collect())
    }

    /// Sets an argument, which is the last one if it is new.
    pub(crate) fn insert(&mut self, name: String, value: Value) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => self.0.push((name, value)),
        }
    }
}

/// Returns a value as a request for approval shows it.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if !is_compact_json(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns the value that is shown as this text, the inverse of [`shown`]: a text, unless it is compact
/// JSON of something else.
pub(crate) fn value_of_shown(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(Value::String(inner)) if is_compact_json(&inner) => Value::String(inner),
        Ok(Value::String(_)) | Err(_) => Value::String(text.to_owned()),
        Ok(_) if !is_compact_json(text) => Value::String(text.to_owned()),
        Ok(value) => value,
    }
}

/// Returns the arguments that shown texts stand for, as the compact JSON of an object.
pub(crate) fn exact_arguments(texts: &[(String, String)]) -> String {
    let value = |(name, text): &(String, String)| (name.clone(), value_of_shown(text));
    Arguments(texts.iter().map(value).collect()).to_string()
}

/// Returns true if a text reads as compact JSON, such as `false`, so that it could be taken for
/// that value.
fn is_compact_json(text: &str) -> bool {
    let compact = serde_json::from_str::<Value>(text).and_then(|it| serde_json::to_string(&it));
    compact.is_ok_and(|compact| compact == text.trim())
}

/// Returns true if both texts are the same arguments, in whatever order.
pub(crate) fn same_arguments(one: &str, other: &str) -> bool {
    let map = |text| Arguments::parse(text).map(|arguments| arguments.to_map());
    one == other || matches!((map(one), map(other)), (Ok(one), Ok(other)) if one == other)
}

impl Serialize for Arguments {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Writes the arguments as compact JSON.
impl fmt::Display for Arguments {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        to.write_str(&text)
    }
}

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Arguments;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut entries: M) -> Result<Arguments, M::Error> {
                let mut arguments = Arguments::default();
                while let Some((name, value)) = entries.next_entry()? {
                    arguments.insert(name, value);
                }
                Ok(arguments)
            }
        }
        from.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Arguments, exact_arguments, same_arguments, value_of_shown};

    #[test]
    fn arguments_keep_the_order_in_which_the_model_wrote_them() {
        let text = r#"{ "path": "a", "content": "long", "mode": 420, "path": "b", "tags": ["x"] }"#;
        let arguments = Arguments::parse(text).unwrap();
        let compact = r#"{"path":"b","content":"long","mode":420,"tags":["x"]}"#;
        assert_eq!(arguments.to_string(), compact);
        assert_eq!(Arguments::parse(compact).unwrap(), arguments);
        assert!(same_arguments(r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#));
        assert!(!same_arguments(r#"{"a":1}"#, r#"{"a":2}"#));
        let shown: Vec<String> = arguments
            .into_display()
            .into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        assert_eq!(
            shown,
            ["path=b", "content=long", "mode=420", r#"tags=["x"]"#]
        );
    }

    #[test]
    fn values_that_differ_are_shown_differently() {
        let values = [
            "false",
            "1",
            "1.5",
            "null",
            "{}",
            r#"{"a":[1]}"#,
            "[]",
            r#""a""#,
        ];
        for value in values {
            let text = serde_json::Value::from(value);
            let both = format!(r#"{{"text":{text},"value":{value}}}"#);
            let shown = Arguments::parse(&both).unwrap().into_display();
            let (text, other) = (&shown[0].1, &shown[1].1);
            assert_ne!(text, other);
            assert_eq!(serde_json::from_str::<String>(text).unwrap(), value);
            assert_eq!(value_of_shown(text), value);
            assert_eq!(value_of_shown(other).to_string(), *value);
        }
        let plain = r#"{"a":"plain","b":"1 apple","c":"","d":"falsehood","e":"{ \"a\": 1 }"}"#;
        let shown = Arguments::parse(plain).unwrap().into_display();
        let shown: Vec<&str> = shown.iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(
            shown,
            ["plain", "1 apple", "", "falsehood", r#"{ "a": 1 }"#]
        );
        for text in shown {
            assert_eq!(value_of_shown(text), text);
        }
    }

    proptest! {
        /// What is shown and stored is what is sent: reading it once more changes nothing.
        #[test]
        fn a_number_is_one_text_from_the_request_to_the_tool(number: f64) {
            prop_assume!(number.is_finite());
            let once = Arguments::parse(&format!(r#"{{"n":{number:e}}}"#)).unwrap();
            let stored = once.to_string();
            let again = Arguments::parse(&stored).unwrap();
            prop_assert_eq!(again.to_string(), stored);
            let sent: f64 = again.into_display()[0].1.parse().unwrap();
            prop_assert_eq!(sent, number);
        }
    }

    #[test]
    fn what_is_shown_stands_for_exactly_the_arguments() {
        for text in [
            r#"{"z":"plain","a":"1","n":1,"w":" 1 ","e":1e3,"f":-0.5,"t":"true","b":true}"#,
            r#"{"list":["x",{"b":1,"a":null}],"quoted":"\"x\"","object":"{\"a\":1}","none":""}"#,
            r#"{"lines":"a\n\u0000b","null":null,"word":"null","empty":{}}"#,
            "{}",
        ] {
            let arguments = Arguments::parse(text).unwrap();
            let exact = arguments.to_string();
            let shown = arguments.into_display();
            assert_eq!(exact_arguments(&shown), exact);
        }
    }

    #[test]
    fn a_call_is_named_by_its_first_short_text() {
        let long = "x".repeat(61);
        for (text, expected) in [
            (
                r#"{"mode":1,"path":" a/b ","content":"c"}"#.to_owned(),
                Some("a/b"),
            ),
            (format!(r#"{{"content":"{long}","path":"a"}}"#), Some("a")),
            (
                r#"{"lines":"a\nb","empty":" ","list":["c"]}"#.to_owned(),
                None,
            ),
        ] {
            let arguments = Arguments::parse(&text).unwrap();
            assert_eq!(arguments.first_short_text(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_object_is_refused_and_nothing_is_an_empty_one() {
        assert_eq!(Arguments::parse(" ").unwrap().to_string(), "{}");
        for (text, why) in [
            ("[1]", "another value"),
            ("{\"a\":", "EOF"),
            ("nonsense", "expected"),
        ] {
            let fault = Arguments::parse(text).unwrap_err();
            assert!(fault.contains(why), "{text}: {fault}");
        }
    }
}
