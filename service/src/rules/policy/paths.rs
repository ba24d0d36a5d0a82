//! Conditions on paths: a path is compared by its segments, and one that may be spelled to lead
//! somewhere else cannot be evaluated. Symbolic links cannot be seen from here.

use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;
use unicode_normalization::UnicodeNormalization as _;

use crate::settings::fault::{AtPlace as _, Fault};

/// A condition on a path as a file gives it: exactly one of `under` and `glob`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PathConfig {
    /// The folder that the path is, or is in at any depth.
    under: Option<String>,
    /// A pattern of the whole path, in which `*` stays within one segment.
    glob: Option<String>,
    /// The folder from which the tool reads relative paths. Without one, relative paths cannot be
    /// evaluated.
    base: Option<String>,
    /// True where the file system of the tool does not tell `A` from `a`.
    #[serde(default)]
    ignore_case: bool,
}

/// A condition on a path that is ready to be evaluated.
#[derive(Clone, Debug)]
pub(super) struct PathCheck {
    place: PathTarget,
    base: Option<Segments>,
    ignore_case: bool,
}

#[derive(Clone, Debug)]
enum PathTarget {
    Under(Segments),
    Glob(GlobMatcher),
}

/// A path from the root, without `.`, `..` and empty segments, in NFC.
type Segments = Vec<String>;

impl PathConfig {
    /// Returns the condition ready to be evaluated.
    ///
    /// # Errors
    ///
    /// The fault of a path or pattern, with its place.
    pub(super) fn compile(&self) -> Result<PathCheck, Fault> {
        let absolute = |text: &String| {
            let segments = segments(text, None, self.ignore_case);
            segments.ok_or("this has to be an absolute path without .. and special characters")
        };
        let place = match (&self.under, &self.glob) {
            (Some(folder), None) => PathTarget::Under(absolute(folder).at("under")?),
            (None, Some(pattern)) if !pattern.starts_with('/') => {
                return Err("this has to begin with /").at("glob");
            }
            (None, Some(pattern)) => PathTarget::Glob(self.matcher(pattern).at("glob")?),
            _ => return Err("it needs exactly one of under and glob".into()),
        };
        Ok(PathCheck {
            place,
            base: self.base.as_ref().map(absolute).transpose().at("base")?,
            ignore_case: self.ignore_case,
        })
    }

    fn matcher(&self, pattern: &str) -> Result<GlobMatcher, String> {
        let pattern = normalize(pattern, self.ignore_case);
        let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
        let glob = glob.map_err(|error| error.to_string())?;
        Ok(glob.compile_matcher())
    }
}

impl PathCheck {
    /// Returns true if a path meets the condition; `None` if that cannot be said of its spelling.
    pub(super) fn holds(&self, text: &str) -> Option<bool> {
        let path = segments(text, self.base.as_deref(), self.ignore_case)?;
        Some(match &self.place {
            PathTarget::Under(folder) => path.starts_with(folder),
            PathTarget::Glob(pattern) => pattern.is_match(format!("/{}", path.join("/"))),
        })
    }
}

/// Returns the segments of the place that a path leads to; `None` for a path that programs read in
/// different ways.
fn segments(text: &str, base: Option<&[String]>, ignore_case: bool) -> Option<Segments> {
    let first = text.split('/').next().unwrap_or_default();
    // A home, a drive or an address; and what a program may trim, decode or end at.
    let is_special = first.starts_with('~') || first.contains(':');
    let is_odd = text.trim() != text
        || text.chars().any(|c| c == '\\' || c.is_control())
        || has_percent_encoding(text);
    if text.is_empty() || is_special || is_odd {
        return None;
    }
    let mut path = match text.starts_with('/') {
        true => Segments::new(),
        false => base?.to_vec(),
    };
    for segment in text.split('/') {
        match segment {
            "" | "." => {}
            ".." => return None,
            segment => path.push(normalize(segment, ignore_case)),
        }
    }
    Some(path)
}

fn normalize(text: &str, ignore_case: bool) -> String {
    let text: String = text.nfc().collect();
    if ignore_case {
        text.to_lowercase().nfc().collect()
    } else {
        text
    }
}

fn has_percent_encoding(text: &str) -> bool {
    let is_encoded = |it: &[u8]| matches!(it, [b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit());
    text.as_bytes().windows(3).any(is_encoded)
}

#[cfg(test)]
mod tests {
    use super::{PathCheck, PathConfig};

    fn check(text: &str) -> Result<PathCheck, String> {
        let file: PathConfig = toml::from_str(text).map_err(|error| error.to_string())?;
        file.compile().map_err(|fault| fault.to_string())
    }

    #[test]
    fn no_spelling_leads_out_of_a_folder_or_into_it() {
        let secret = check("under = \"/srv/secret\"\nbase = \"/srv\"").unwrap();
        for inside in [
            "/srv/secret",
            "/srv/secret/",
            "/srv/secret/k",
            "/srv//secret/k",
            "//srv/secret/k",
            "/srv/./secret/k",
            "secret/k",
            "./secret/k",
            "/srv/secret/a/b/c",
        ] {
            assert_eq!(secret.holds(inside), Some(true), "{inside}");
        }
        for outside in [
            "/srv/secrets/k",
            "/srv",
            "/",
            "/srv/Secret/k",
            "open/k",
            "/srv/100%.txt",
        ] {
            assert_eq!(secret.holds(outside), Some(false), "{outside}");
        }
        for unclear in [
            "",
            " /srv/secret/k",
            "/srv/secret/k\n",
            "~/secret/k",
            "~root/k",
            "file:///srv/secret/k",
            "file:/srv/secret/k",
            "C:/srv/secret/k",
            "/srv/open/../secret/k",
            "..",
            "/srv\\secret\\k",
            "/srv/%73ecret/k",
            "/srv/secret%2fk",
            "/srv/secret\0",
        ] {
            assert_eq!(secret.holds(unclear), None, "{unclear:?}");
        }
    }

    #[test]
    fn relative_paths_need_a_folder_and_letters_have_one_form() {
        assert_eq!(check("under = \"/srv\"").unwrap().holds("k"), None);
        let composed = check("under = \"/srv/\u{fc}\"").unwrap();
        assert_eq!(composed.holds("/srv/u\u{308}/k"), Some(true));
        let any = check("under = \"/srv/Secret\"\nignore_case = true").unwrap();
        assert_eq!(any.holds("/SRV/sECRET/k"), Some(true));
        let notes = check("glob = \"/srv/*/Notes/**\"\nignore_case = true").unwrap();
        assert_eq!(notes.holds("/srv/a/notes/b/c"), Some(true));
        assert_eq!(notes.holds("/srv/a/b/notes/c"), Some(false));
    }

    #[test]
    fn what_is_no_condition_is_a_fault() {
        for (text, fault) in [
            ("", "exactly one of under and glob"),
            (
                "under = \"/a\"\nglob = \"/b\"",
                "exactly one of under and glob",
            ),
            ("under = \"a\"", "under: this has to be an absolute path"),
            (
                "under = \"/a/../b\"",
                "under: this has to be an absolute path",
            ),
            ("glob = \"*.md\"", "glob: this has to begin with /"),
            (
                "glob = \"/a\"\nbase = \"a\"",
                "base: this has to be an absolute path",
            ),
            ("glob = \"/[\"", "glob: "),
            ("beneath = \"/a\"", "unknown field"),
        ] {
            let said = check(text).unwrap_err();
            assert!(said.contains(fault), "{text}: {said}");
        }
    }
}
