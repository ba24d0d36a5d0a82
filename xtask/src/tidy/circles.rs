//! The rule that no modules of one crate use each other in a circle, directly or over others. What
//! both need belongs into a module below both. A module and those inside it count as one.
//!
//! A module uses another one by an import. In a crate without a browser it does so, too, by a call
//! of a method of its own type that the other one defines: an `impl` over many files is a knot that
//! no import shows. In the client this holds for a module and those inside it, too: its runtime
//! calls its parts, and no part calls it.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::{SourceFile, Violation};
use crate::comments::without_comments;

/// The path of a module in its crate, as a list of names: `["scroll", "target"]`.
type ModulePath = Vec<String>;

/// Names of crates for the browser. In a crate that depends on one of them, a call of a method is
/// no use of the method's module.
const BROWSER_CRATES: [&str; 2] = ["web-sys", "leptos"];

/// The folder of the crate in which a call between a module and one inside it counts as a use, too.
const CLIENT_FOLDER: &str = "crates/client/";

/// Which calls of methods in a crate count as uses of the module that defines the method.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CountedCalls {
    /// No calls count as uses.
    None,
    /// Calls count between two modules of which none is inside the other.
    Apart,
    /// Calls count between any two modules.
    All,
}

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let mut crates: BTreeMap<&str, BTreeMap<ModulePath, &SourceFile>> = BTreeMap::new();
    let is_code = |it: &&SourceFile| {
        it.extension() == "rs" && !it.is_test_or_data() && !it.path.ends_with("tests.rs")
    };
    for source in sources.iter().filter(is_code) {
        if let Some((name, file)) = source.path.split_once("src/") {
            let modules = crates.entry(name).or_default();
            modules.insert(module_of(file), source);
        }
    }
    let has_no_browser = |name: &str| {
        let mut manifests = sources.iter();
        let manifest = manifests.find(|it| it.path.strip_suffix("Cargo.toml") == Some(name));
        manifest.is_some_and(|it| !BROWSER_CRATES.iter().any(|other| it.text.contains(other)))
    };
    let calls = |name: &str| match name {
        CLIENT_FOLDER => CountedCalls::All,
        _ if has_no_browser(name) => CountedCalls::Apart,
        _ => CountedCalls::None,
    };
    let circles = |(name, modules): (&&str, _)| circles(modules, calls(name));
    crates.iter().flat_map(circles).collect()
}

/// Returns the path in its crate of the module in `file`, a path below the crate's `src`.
fn module_of(file: &str) -> ModulePath {
    let names = file.trim_end_matches(".rs").split('/');
    let mut module: ModulePath = names.map(str::to_owned).collect();
    if matches!(
        module.last().map(String::as_str),
        Some("mod" | "lib" | "main")
    ) {
        module.pop();
    }
    module
}

/// Returns a violation for each circle among the modules of a crate; `calls` says which calls are
/// uses.
fn circles(modules: &BTreeMap<ModulePath, &SourceFile>, calls: CountedCalls) -> Vec<Violation> {
    let mut uses: BTreeMap<&ModulePath, BTreeSet<&ModulePath>> = modules
        .iter()
        .map(|(module, source)| (module, used_modules(module, &source.text, modules)))
        .collect();
    if calls != CountedCalls::None {
        for (module, called) in called_modules(modules, calls) {
            uses.entry(module).or_default().extend(called);
        }
    }
    let reached = |from| {
        let mut reached: BTreeSet<&ModulePath> = BTreeSet::new();
        let mut next: Vec<&ModulePath> = vec![from];
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
    let mut reported: BTreeSet<&ModulePath> = BTreeSet::new();
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

/// Returns the other modules that the code `text` of a module imports or names.
fn used_modules<'a>(
    module: &[String],
    text: &str,
    modules: &'a BTreeMap<ModulePath, &SourceFile>,
) -> BTreeSet<&'a ModulePath> {
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
            let mut base: ModulePath = module.iter().take(depth).cloned().collect();
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

/// The `impl` blocks with the methods of one type in one module.
struct Impl<'a, 'code> {
    module: &'a ModulePath,
    receiver: &'code str,
    body: &'code str,
}

/// Returns for each module the other modules that define the methods which it calls on `self`.
/// Modules behind a feature are left out.
fn called_modules<'a>(
    modules: &'a BTreeMap<ModulePath, &SourceFile>,
    counted: CountedCalls,
) -> BTreeMap<&'a ModulePath, BTreeSet<&'a ModulePath>> {
    let optional: Vec<&str> = modules
        .values()
        .flat_map(|it| optional_modules(&it.text))
        .collect();
    let is_built = |module: &&ModulePath| {
        let mut names = module.iter();
        !names.any(|name| optional.contains(&name.as_str()))
    };
    let built = modules.iter().filter(|(module, _)| is_built(module));
    let code: Vec<(&ModulePath, String)> = built
        .map(|(module, source)| (module, without_comments(&source.text)))
        .collect();
    let blocks = code.iter().flat_map(|(module, code)| impls(module, code));
    let impls: Vec<Impl<'_, '_>> = blocks.collect();
    let mut defined: BTreeMap<(&str, &str), BTreeSet<&ModulePath>> = BTreeMap::new();
    for it in &impls {
        for name in names_after(it.body, "fn ") {
            let modules = defined.entry((it.receiver, name)).or_default();
            modules.insert(it.module);
        }
    }
    let mut called: BTreeMap<&ModulePath, BTreeSet<&ModulePath>> = BTreeMap::new();
    for it in &impls {
        for name in called_methods(it.body) {
            let definers = defined.get(&(it.receiver, name)).into_iter().flatten();
            let others = definers.filter(|definer| {
                let is_inside = definer.starts_with(it.module) || it.module.starts_with(definer);
                **definer != it.module && (!is_inside || counted == CountedCalls::All)
            });
            called.entry(it.module).or_default().extend(others);
        }
    }
    called
}

/// Returns the names of the modules that are declared behind a feature.
fn optional_modules(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let pairs = lines.windows(2);
    let behind = pairs.filter(|pair| matches!(pair, [it, _] if it.starts_with("#[cfg(feature")));
    let declared = behind.filter_map(|pair| pair.last()?.strip_suffix(';')?.split_once("mod "));
    declared.map(|(_, name)| name).collect()
}

/// Returns the `impl` blocks in the code `text` of a module, except those of traits.
fn impls<'a, 'code>(module: &'a ModulePath, text: &'code str) -> Vec<Impl<'a, 'code>> {
    let starts = text.match_indices("\nimpl").map(|(at, _)| at + 1);
    let blocks = starts.filter_map(|start| {
        let block = text.get(start..)?;
        let block = block.split_once("\n}").map_or(block, |(block, _)| block);
        let (head, body) = block.split_once('{')?;
        let head = head.strip_prefix("impl")?;
        let generics = head.strip_prefix('<').and_then(|it| it.split_once("> "));
        let receiver = generics.map_or(head, |(_, receiver)| receiver).trim();
        let is_of_trait = receiver.contains(" for ");
        let receiver = receiver.split('<').next()?;
        (!is_of_trait).then_some(Impl {
            module,
            receiver,
            body,
        })
    });
    blocks.collect()
}

/// Returns the names of the methods that the code `body` calls on `self`.
fn called_methods(body: &str) -> Vec<&str> {
    let mut calls = Vec::new();
    for (position, _) in body.match_indices("self") {
        let (before, after) = body.split_at(position);
        let is_part = before.ends_with(|it: char| it.is_alphanumeric() || it == '_');
        let call = after.trim_start_matches("self").trim_start();
        if let Some(call) = call.strip_prefix('.').filter(|_| !is_part) {
            let name = leading_name(call);
            let is_call = call.get(name.len()..).is_some_and(|it| it.starts_with('('));
            calls.extend(Some(name).filter(|_| is_call));
        }
    }
    calls.extend(names_after(body, "Self::"));
    calls
}

/// Returns the name behind each `word` in the text, such as behind `fn `.
fn names_after<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(word).skip(1).map(leading_name)
}

/// Returns the identifier with which a text starts; empty if it starts with anything else.
fn leading_name(text: &str) -> &str {
    let end = text.find(|it: char| !it.is_alphanumeric() && it != '_');
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

/// Returns the paths that a tree of imports stands for: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(tree: &str) -> Vec<ModulePath> {
    if let Some(group) = tree.strip_prefix('{') {
        return group_entries(group).into_iter().flat_map(paths).collect();
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

/// Returns the entries of a group of imports, the text behind its opening brace, up to its closing
/// brace.
fn group_entries(group: &str) -> Vec<&str> {
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
        let source = |(path, text): &(&str, &str)| SourceFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        };
        let sources: Vec<SourceFile> = files.iter().map(source).collect();
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
    fn in_the_client_a_part_calls_no_method_of_the_module_around_it() {
        let manifest = "[dependencies]\nweb-sys = \"1\"";
        let around = "mod part;\nimpl Inner {\n    fn take(&self) {\n        self.act();\n    }\n}";
        let part = |call: &str| {
            let call = format!("self.{call}();");
            format!("\nimpl Inner {{\n    fn act(&self) {{\n        {call}\n    }}\n}}")
        };
        let with = |name: &str, part: &str| {
            let path = |file: &str| format!("crates/{name}/{file}");
            say(&[
                (&path("Cargo.toml"), manifest),
                (&path("src/lib.rs"), "mod a;"),
                (&path("src/a/mod.rs"), around),
                (&path("src/a/part.rs"), part),
            ])
        };
        let circle = "crates/client/src/a/mod.rs:1: these modules use each other: a, a::part";
        assert_eq!(with("client", &part("take")), [circle]);
        assert_eq!(with("client", &part("inputs.take")), [""; 0]);
        assert_eq!(with("renderer", &part("take")), [""; 0]);
    }

    #[test]
    fn calls_of_one_receiver_over_files_are_a_circle_in_a_crate_without_a_browser() {
        let ending = "impl Step<'_> {\n    fn end(&mut self) {\n        self.send();\n    }\n}\n";
        let sending = "\nimpl Step<'_> {\n    pub(super) fn send(&self) {\n        self\n            .end()\n    }\n}\n";
        let leaf = "\nimpl Step<'_> {\n    pub(super) fn send(&self) {}\n}\n";
        let ending = format!("use crate::Step;\n\n{ending}");
        let root = "mod ending;\nmod sending;\n";
        let with = |manifest, sending, root| {
            say(&[
                ("crates/x/Cargo.toml", manifest),
                ("crates/x/src/lib.rs", root),
                ("crates/x/src/ending.rs", &ending),
                ("crates/x/src/sending.rs", sending),
            ])
        };
        let pure = "[dependencies]\nserde = \"1\"";
        let circle = "crates/x/src/ending.rs:1: these modules use each other: ending, sending";
        assert_eq!(with(pure, sending, root), [circle]);
        assert_eq!(
            with("[dependencies]\ntokio = \"1\"", sending, root),
            [circle]
        );
        assert_eq!(with(pure, leaf, root), [""; 0]);
        assert_eq!(
            with("[dependencies]\nleptos = \"1\"", sending, root),
            [""; 0]
        );
        let of_other = sending.replace("Step", "Other");
        assert_eq!(with(pure, &of_other, root), [""; 0]);
        let behind = "#[cfg(feature = \"checks\")]\nmod sending;\nmod ending;\n";
        assert_eq!(with(pure, sending, behind), [""; 0]);
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
