//! Conditions on the arguments of a call, and patterns. A condition that cannot be evaluated is
//! neither true nor false.

use std::collections::BTreeMap;

use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::paths::{PathCheck, PathConfig};
use crate::settings::fault::{AtPlace as _, Fault};

/// Conditions as a file gives them: by JSON pointer; all of them have to hold.
pub(super) type ConditionsConfig = BTreeMap<String, Condition>;

/// A condition on one argument: exactly one of these.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) enum Condition {
    /// The argument is a number above this one.
    Over(f64),
    /// The argument is a number below this one.
    Under(f64),
    /// The argument is a text equal to this one.
    Equals(String),
    /// The argument is this very value.
    Same(Value),
    /// The argument is a text that this pattern matches as a whole, letter by letter.
    Glob(String),
    /// The argument is a path that leads where this says, however it is spelled.
    Path(PathConfig),
}

/// How many of the values that a pointer reaches have to be as a condition says: `*` in it reaches
/// each item of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// One of the values has to be so, which is enough to ask or deny.
    Any,
    /// All of the values have to be so, and there has to be one: nothing less lets a call run by
    /// itself.
    All,
}

/// Conditions that are ready to be evaluated.
#[derive(Clone, Debug)]
pub(super) struct Conditions(Vec<(Pointer, Check)>);

/// A JSON pointer (RFC 6901), in which `*` is each item of a list.
#[derive(Clone, Debug)]
struct Pointer {
    text: String,
    first: String,
    rest: Vec<String>,
}

#[derive(Clone, Debug)]
enum Check {
    Over(f64),
    Under(f64),
    Equals(String),
    Same(Value),
    Glob(GlobMatcher),
    Path(PathCheck),
}

/// True if a condition holds, false if it does not; `None` if that cannot be said of the arguments.
type Tristate = Option<bool>;

impl Conditions {
    /// Reads the conditions of a file, so that they can be evaluated.
    ///
    /// # Errors
    ///
    /// The fault of a pointer or a pattern, with its place.
    pub(super) fn compile(file: &ConditionsConfig) -> Result<Self, Fault> {
        let conditions = file.iter().map(|(pointer, condition)| {
            let compiled = Pointer::compile(pointer).at(pointer.as_str())?;
            let check = condition.compile().at(pointer.as_str())?;
            Ok((compiled, check))
        });
        Ok(Self(conditions.collect::<Result<_, Fault>>()?))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the JSON pointers of the arguments that the conditions look at.
    pub(super) fn pointers(&self) -> Vec<&str> {
        let pointers = self.0.iter();
        pointers.map(|(pointer, _)| pointer.text.as_str()).collect()
    }

    /// Returns the pointers whose condition cannot be evaluated for these arguments.
    pub(super) fn unclear_pointers(
        &self,
        arguments: &Map<String, Value>,
        extent: Extent,
    ) -> Vec<&str> {
        let unclear = self.0.iter().filter(|(pointer, check)| {
            check
                .holds_for(&pointer.values(arguments), extent)
                .is_none()
        });
        unclear.map(|(pointer, _)| pointer.text.as_str()).collect()
    }

    /// Returns the pointers of conditions that compare a path letter by letter (`glob`).
    pub(super) fn globs_of_paths(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|(pointer, check)| match check {
            Check::Glob(pattern) if pattern.glob().glob().starts_with(['/', '~', '.']) => {
                Some(pointer.text.as_str())
            }
            _ => None,
        })
    }

    /// Returns true if all conditions hold, and false if one surely does not, even where others
    /// cannot be evaluated.
    pub(super) fn all_hold(&self, arguments: &Map<String, Value>, extent: Extent) -> Tristate {
        let mut known = true;
        for (pointer, check) in &self.0 {
            match check.holds_for(&pointer.values(arguments), extent) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => known = false,
            }
        }
        known.then_some(true)
    }
}

impl Pointer {
    fn compile(text: &str) -> Result<Self, &'static str> {
        let path = text.strip_prefix('/');
        let path = path.ok_or("this is no JSON pointer: it begins with /")?;
        let mut names = path
            .split('/')
            .map(|it| it.replace("~1", "/").replace("~0", "~"));
        Ok(Self {
            text: text.to_owned(),
            first: names.next().unwrap_or_default(),
            rest: names.collect(),
        })
    }

    /// Returns the values that the pointer reaches; `None` stands for each that is not there.
    fn values<'a>(&self, arguments: &'a Map<String, Value>) -> Vec<Option<&'a Value>> {
        let mut found = Vec::new();
        collect_values(arguments.get(&self.first), &self.rest, &mut found);
        found
    }
}

fn collect_values<'a>(
    value: Option<&'a Value>,
    path: &[String],
    found: &mut Vec<Option<&'a Value>>,
) {
    let Some((name, rest)) = path.split_first() else {
        found.push(value);
        return;
    };
    match value {
        Some(Value::Array(items)) if name == "*" => {
            for item in items {
                collect_values(Some(item), rest, found);
            }
        }
        Some(Value::Array(items)) => {
            let at = name
                .parse()
                .ok()
                .filter(|at: &usize| at.to_string() == *name);
            collect_values(at.and_then(|at| items.get(at)), rest, found);
        }
        Some(Value::Object(members)) => collect_values(members.get(name), rest, found),
        _ => found.push(None),
    }
}

impl Condition {
    fn compile(&self) -> Result<Check, Fault> {
        Ok(match self {
            Self::Over(bound) => Check::Over(*bound),
            Self::Under(bound) => Check::Under(*bound),
            Self::Equals(text) => Check::Equals(text.clone()),
            Self::Same(value) => Check::Same(value.clone()),
            Self::Glob(pattern) => Check::Glob(glob(pattern)?),
            Self::Path(path) => Check::Path(path.compile().at("path")?),
        })
    }
}

impl Check {
    fn holds_for(&self, values: &[Option<&Value>], extent: Extent) -> Tristate {
        let settles = extent == Extent::Any;
        let mut known = settles || !values.is_empty();
        for value in values {
            match self.holds(*value) {
                Some(holds) if holds == settles => return Some(settles),
                Some(_) => {}
                None => known = false,
            }
        }
        known.then_some(!settles)
    }

    fn holds(&self, value: Option<&Value>) -> Tristate {
        match self {
            Self::Over(bound) => Some(value?.as_f64()? > *bound),
            Self::Under(bound) => Some(value?.as_f64()? < *bound),
            Self::Equals(text) => Some(value?.as_str()? == text),
            Self::Same(same) => Some(value? == same),
            Self::Glob(pattern) => {
                let text = value?.as_str()?;
                // Such a path may lead anywhere, whatever its letters match.
                let odd = |part: &str| matches!(part, "." | "..");
                if text.split(['/', '\\']).any(odd) || text.contains('\0') {
                    return None;
                }
                Some(pattern.is_match(text))
            }
            Self::Path(path) => path.holds(value?.as_str()?),
        }
    }
}

/// Compiles a pattern in which `*` stays within one part of a path.
pub(super) fn glob(pattern: &str) -> Result<GlobMatcher, String> {
    GlobBuilder::new(pattern)
        .literal_separator(true)
        .build()
        .map(|glob| glob.compile_matcher())
        .map_err(|error| error.to_string())
}
