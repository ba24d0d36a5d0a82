//! Circles of imports: modules of one crate that use each other, be it over others. What both need
//! belongs into a module below both. A module and those inside it are one.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::{Source, Violation};
use crate::comments::without_comments;

/// The place of a module in its crate: `["scroll", "target"]`.
type Module = Vec<String>;

pub(crate) fn check(sources: &[Source]) -> Vec<Violation> {
    let mut crates: BTreeMap<&str, BTreeMap<Module, &Source>> = BTreeMap::new();
    let is_code = |it: &&Source| {
        it.extension() == "rs" && !it.is_test_or_data() && !it.path.ends_with("tests.rs")
    };
    for source in sources.iter().filter(is_code) {
        if let Some((name, file)) = source.path.split_once("src/") {
            let modules = crates.entry(name).or_default();
            modules.insert(module(file), source);
        }
    }
    crates.values().flat_map(circles).collect()
}

/// Returns the module of a file of `src`.
fn module(file: &str) -> Module {
    let names = file.trim_end_matches(".rs").split('/');
    let mut module: Module = names.map(str::to_owned).collect();
    if matches!(
        module.last().map(String::as_str),
        Some("mod" | "lib" | "main")
    ) {
        module.pop();
    }
    module
}

/// Returns a violation for each circle of a crate.
fn circles(modules: &BTreeMap<Module, &Source>) -> Vec<Violation> {
    let uses: BTreeMap<&Module, BTreeSet<&Module>> = modules
        .iter()
        .map(|(module, source)| (module, used(module, &source.text, modules)))
        .collect();
    let reached = |from| {
        let mut reached: BTreeSet<&Module> = BTreeSet::new();
        let mut next: Vec<&Module> = vec![from];
        while let Some(module) = next.pop() {
            for used in uses.get(module).into_iter().flatten() {
                if reached.insert(*used) {
                    next.push(used);
                }
            }
        }
        reached
    };
    let mut violations = Vec::new();
    let mut reported: BTreeSet<&Module> = BTreeSet::new();
    for (module, source) in modules {
        let of_module = reached(module);
        if of_module.contains(module) && !reported.contains(module) {
            let circle = of_module
                .into_iter()
                .filter(|it| reached(it).contains(module));
            let circle: Vec<_> = circle.collect();
            let names: Vec<String> = circle.iter().map(|it| it.join("::")).collect();
            let message = format!("these modules use each other: {}", names.join(", "));
            violations.push(source.violation(1, message));
            reported.extend(circle);
        }
    }
    violations
}

/// Returns the other modules that the code of a module names.
fn used<'a>(
    module: &[String],
    text: &str,
    modules: &'a BTreeMap<Module, &Source>,
) -> BTreeSet<&'a Module> {
    let code = without_comments(text);
    let code = code
        .split("#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or_default();
    let mut used = BTreeSet::new();
    for (root, levels) in [("crate::", module.len()), ("super::", 1)] {
        for (position, _) in code.match_indices(root) {
            let (before, path) = code.split_at(position);
            if before.ends_with(|it: char| it.is_alphanumeric() || it == '_' || it == ':') {
                continue;
            }
            let mut tree = &path[root.len()..];
            let depth = module.len().saturating_sub(levels);
            let mut base: Module = module.iter().take(depth).cloned().collect();
            while let Some(tail) = tree.strip_prefix("super::") {
                base.pop();
                tree = tail;
            }
            for path in paths(tree) {
                let mut whole = base.clone();
                whole.extend(path);
                while !modules.contains_key(&whole) && whole.pop().is_some() {}
                let within = whole.starts_with(module) || module.starts_with(whole.as_slice());
                used.extend(
                    modules
                        .get_key_value(&whole)
                        .map(|(it, _)| it)
                        .filter(|_| !within),
                );
            }
        }
    }
    used
}

/// Returns the paths of a tree of names: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(tree: &str) -> Vec<Module> {
    if let Some(group) = tree.strip_prefix('{') {
        return entries(group).into_iter().flat_map(paths).collect();
    }
    let end = tree.find(|it: char| !it.is_alphanumeric() && it != '_');
    let (name, rest) = tree.split_at(end.unwrap_or(tree.len()));
    let tails = rest
        .strip_prefix("::")
        .map_or_else(|| vec![Vec::new()], paths);
    let prefixed = tails
        .into_iter()
        .map(|tail| [vec![name.to_owned()], tail].concat());
    prefixed.collect()
}

/// Returns the entries of a group, up to its closing brace.
fn entries(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut entries) = (1, 0, Vec::new());
    for (position, character) in group.char_indices() {
        depth += i32::from(character == '{') - i32::from(character == '}');
        if depth == 0 || (depth == 1 && character == ',') {
            entries.push(group[start..position].trim());
            start = position + 1;
        }
        if depth == 0 {
            break;
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(files: &[(&str, &str)]) -> Vec<String> {
        let source = |(path, text): &(&str, &str)| Source {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        };
        let sources: Vec<Source> = files.iter().map(source).collect();
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn modules_that_use_each_other_are_reported_once() {
        let files = [
            ("src/lib.rs", "mod a; mod b; mod c;"),
            ("src/a.rs", "use crate::{c::C, b::{self, B}};"),
            ("src/b/mod.rs", "use super::c::C;"),
            ("src/b/within.rs", "use super::super::c::C;"),
            (
                "src/c.rs",
                "fn c() { crate::a::a(); crate::b::within::b() }",
            ),
        ];
        let circle = "src/a.rs:1: these modules use each other: a, b, b::within, c";
        assert_eq!(say(&files), [circle]);
        let broken = [files[0], files[1], files[2], files[3]];
        assert_eq!(say(&broken), [""; 0]);
    }

    #[test]
    fn a_module_and_those_inside_it_are_one_and_tests_may_use_anything() {
        let files = [
            ("src/a/mod.rs", "mod b; use crate::a::b::B;"),
            ("src/a/b.rs", "use super::A; use crate::a::A;"),
            ("src/c.rs", "#[cfg(test)]\nmod tests { use crate::d::D; }"),
            ("src/d.rs", "use crate::c::C; // crate::a::A"),
            ("crates/x/src/c.rs", "use crate::d::D;"),
        ];
        assert_eq!(say(&files), [""; 0]);
    }
}
