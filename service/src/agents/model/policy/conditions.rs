//! Conditions on the arguments of a call, and patterns. What cannot be evaluated is neither true nor
//! false.

use std::collections::BTreeMap;

use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::agents::model::fault::{At as _, Fault};

/// Conditions as a file gives them: by JSON pointer; all of them have to hold.
pub(super) type ConditionsFile = BTreeMap<String, Condition>;

/// A condition on one argument: exactly one of these.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) enum Condition {
    /// A number above this one.
    Over(f64),
    /// A number below this one.
    Under(f64),
    /// A text equal to this one.
    Equals(String),
    /// A text, usually a path, that this pattern matches as a whole.
    Glob(String),
}

/// Conditions that are ready to be evaluated.
#[derive(Clone, Debug)]
pub(super) struct Conditions(Vec<(String, Check)>);

#[derive(Clone, Debug)]
enum Check {
    Over(f64),
    Under(f64),
    Equals(String),
    Glob(GlobMatcher),
}

/// Returns true if the condition holds, `None` if that cannot be said.
type Holds = Option<bool>;

impl Conditions {
    /// Compiles conditions.
    ///
    /// # Errors
    ///
    /// The fault of a pointer or a pattern, with its place.
    pub(super) fn compile(file: &ConditionsFile) -> Result<Self, Fault> {
        let conditions = file.iter().map(|(pointer, condition)| {
            if !pointer.starts_with('/') {
                let fault = "this is no JSON pointer: it begins with /";
                return Err(fault).at(pointer.as_str());
            }
            let check = condition.compile().at(pointer.as_str())?;
            Ok((pointer.clone(), check))
        });
        Ok(Self(conditions.collect::<Result<_, Fault>>()?))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the JSON pointers of the arguments that they look at.
    pub(super) fn pointers(&self) -> Vec<&str> {
        self.0.iter().map(|(pointer, _)| pointer.as_str()).collect()
    }

    /// All conditions hold; one that surely does not settles it.
    pub(super) fn hold(&self, arguments: &Map<String, Value>) -> Holds {
        let mut known = true;
        for (pointer, check) in &self.0 {
            match check.holds(at(arguments, pointer)) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => known = false,
            }
        }
        known.then_some(true)
    }
}

impl Condition {
    fn compile(&self) -> Result<Check, String> {
        Ok(match self {
            Self::Over(bound) => Check::Over(*bound),
            Self::Under(bound) => Check::Under(*bound),
            Self::Equals(text) => Check::Equals(text.clone()),
            Self::Glob(pattern) => Check::Glob(glob(pattern)?),
        })
    }
}

impl Check {
    fn holds(&self, value: Option<&Value>) -> Holds {
        match self {
            Self::Over(bound) => Some(value?.as_f64()? > *bound),
            Self::Under(bound) => Some(value?.as_f64()? < *bound),
            Self::Equals(text) => Some(value?.as_str()? == text),
            Self::Glob(pattern) => {
                let text = value?.as_str()?;
                // Such a path may lead anywhere, whatever its letters match.
                let odd = |part: &str| matches!(part, "." | "..");
                if text.split(['/', '\\']).any(odd) || text.contains('\0') {
                    return None;
                }
                Some(pattern.is_match(text))
            }
        }
    }
}

/// Follows a JSON pointer into the arguments.
fn at<'a>(arguments: &'a Map<String, Value>, pointer: &str) -> Option<&'a Value> {
    let (first, rest) = pointer
        .strip_prefix('/')?
        .split_once('/')
        .map_or((pointer.strip_prefix('/')?, ""), |(first, rest)| {
            (first, rest)
        });
    let name = first.replace("~1", "/").replace("~0", "~");
    let value = arguments.get(&name)?;
    if rest.is_empty() {
        return Some(value);
    }
    value.pointer(&format!("/{rest}"))
}

/// Compiles a pattern in which `*` stays within one part of a path.
pub(super) fn glob(pattern: &str) -> Result<GlobMatcher, String> {
    GlobBuilder::new(pattern)
        .literal_separator(true)
        .build()
        .map(|glob| glob.compile_matcher())
        .map_err(|error| error.to_string())
}
