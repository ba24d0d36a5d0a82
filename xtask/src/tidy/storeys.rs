//! The rule for the storeys of the service, the folders of `service/src`: a module names only its
//! own storey and those below it. The list at the top of `lib.rs` has their order. Storeys in one
//! entry of it do not name each other, and files beside `lib.rs` name none.

use std::collections::BTreeMap;

use super::imports::module_paths;
use super::sources::{SourceFile, Violation, line_of};
use crate::comments::without_comments;

const ROOT: &str = "service/src/";
const LIST: &str = "service/src/lib.rs";

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let Some(list) = sources.iter().find(|source| source.path == LIST) else {
        return Vec::new();
    };
    let storeys = Storeys::of(&list.text);
    let mut violations = Vec::new();
    for source in sources {
        let Some(place) = source.path.strip_prefix(ROOT) else {
            continue;
        };
        if source.extension() != "rs" || matches!(place, "lib.rs" | "main.rs") {
            continue;
        }
        let folder = place.split_once('/').map(|(folder, _)| folder);
        if let Some(folder) = folder
            && !storeys.levels.contains_key(folder)
        {
            let message = format!("{LIST} does not list the storey {folder}");
            violations.push(source.violation(1, message));
            continue;
        }
        let code = without_comments(&source.text);
        for (position, name) in module_paths(&source.path, &code) {
            let used = storeys.folder_of(name);
            if !storeys.may_use(folder, used) {
                let message = format!(
                    "{} must not use crate::{name}",
                    folder.unwrap_or("a file of all storeys")
                );
                violations.push(source.violation(line_of(&code, position), message));
            }
        }
    }
    violations
}

struct Storeys<'list> {
    /// The folders of the service, each with the number of its entry in the list, counted from the
    /// top.
    levels: BTreeMap<&'list str, usize>,
    /// The names that `lib.rs` exports from the storeys, each with the folder that it comes from.
    given: BTreeMap<&'list str, &'list str>,
}

impl<'list> Storeys<'list> {
    /// Reads the list of storeys in the text of `lib.rs`: each entry begins with a dash and names
    /// its folders as ``[`name`] –``.
    fn of(list: &'list str) -> Self {
        let mut levels = BTreeMap::new();
        let mut level = 0;
        for line in list.lines().filter_map(|line| line.strip_prefix("//! ")) {
            level += usize::from(line.starts_with("- "));
            for (before, _) in line.match_indices("`] –") {
                let head = line.get(..before).unwrap_or_default();
                if let Some((_, name)) = head.rsplit_once("[`") {
                    levels.insert(name, level);
                }
            }
        }
        let given = list
            .lines()
            .filter_map(|line| line.strip_prefix("pub use ")?.strip_suffix(';'))
            .filter_map(|path| Some((path.rsplit_once("::")?.1, path.split_once("::")?.0)))
            .collect();
        Self { levels, given }
    }

    fn folder_of<'name>(&self, name: &'name str) -> &'name str
    where
        'list: 'name,
    {
        self.given.get(name).copied().unwrap_or(name)
    }

    fn may_use(&self, folder: Option<&str>, used: &str) -> bool {
        let Some(below) = self.levels.get(used) else {
            return true;
        };
        folder.is_some_and(|folder| {
            folder == used || self.levels.get(folder).is_some_and(|level| level < below)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STOREYS: &str = "//! - [`http`] – requests.\n//! - [`agents`] – agents. [`store`] – the\n//!   database.\n//! - [`rules`] – rules.\npub use http::state::AppState;\npub use error::{Error, Result};\n";

    fn count(path: &str, text: &str) -> usize {
        let source = |path: &str, text: &str| SourceFile {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        check(&[source(LIST, STOREYS), source(path, text)]).len()
    }

    #[test]
    fn nothing_uses_what_is_above_or_beside_it() {
        for (path, text) in [
            ("service/src/agents/echo.rs", "use crate::store::Store;\n"),
            ("service/src/agents/echo.rs", "use crate::AppState;\n"),
            (
                "service/src/agents/model/mod.rs",
                "use super::super::{http::routes, rules};\n",
            ),
            (
                "service/src/store/mod.rs",
                "use crate::{Error, agents::Agent};\n",
            ),
            ("service/src/rules/content.rs", "crate::store::open();\n"),
            ("service/src/error.rs", "use crate::rules::content;\n"),
            ("service/src/other/mod.rs", ""),
        ] {
            assert_eq!(count(path, text), 1, "{path}: {text}");
        }
    }

    #[test]
    fn everything_uses_what_is_below_it() {
        for (path, text) in [
            (
                "service/src/http/routes/mod.rs",
                "use crate::{agents, store::Store, AppState};\n",
            ),
            (
                "service/src/agents/echo.rs",
                "use crate::{Result, rules::content, agents::Agent};\n",
            ),
            (
                "service/src/rules/content.rs",
                "use super::approval; // crate::store\n",
            ),
            ("service/src/main.rs", "use crate::http;\n"),
        ] {
            assert_eq!(count(path, text), 0, "{path}: {text}");
        }
    }
}
