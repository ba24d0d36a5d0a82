//! Finds the top-level modules of its own crate that a file names.

/// Returns the top-level modules of its crate that the code of the file `path` names, as
/// `crate::name`, `crate::{name, …}` or with `super::`, each with the position in the code.
pub(super) fn module_paths<'code>(path: &str, code: &'code str) -> Vec<(usize, &'code str)> {
    // A file `components/app.rs` of a crate's `src` is two `super::` away from the root.
    let within = path.rsplit_once("src/").map_or(path, |(_, within)| within);
    let depth = within.trim_end_matches("/mod.rs").split('/').count();
    let to_root = "super::".repeat(depth);
    let mut found = Vec::new();
    for root in ["crate::", &to_root] {
        for position in occurrences(code, root) {
            let tail = code.get(position + root.len()..).unwrap_or_default();
            match tail.strip_prefix('{') {
                Some(group) => found.extend(group_heads(group).map(|name| (position, name))),
                None => found.push((position, first_name(tail))),
            }
        }
    }
    found
}

/// Returns the first name of each entry in a group of imports, the text behind its opening brace:
/// `a` and `c` for `a::b, c::{d, e}}`.
fn group_heads(group: &str) -> impl Iterator<Item = &str> {
    let mut depth = 1_i32;
    let mut is_start = true;
    group
        .char_indices()
        .map_while(move |(position, character)| {
            depth += i32::from(character == '{') - i32::from(character == '}');
            let starts = is_start && depth == 1 && (character.is_alphabetic() || character == '_');
            if starts || (depth == 1 && character == ',') {
                is_start = !starts;
            }
            (depth > 0).then_some(starts.then_some(position))
        })
        .flatten()
        .filter_map(|position| group.get(position..))
        .map(first_name)
}

fn first_name(text: &str) -> &str {
    text.split(|character: char| !is_word(character))
        .next()
        .unwrap_or_default()
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Returns the positions at which `word` stands in the code as a whole word.
pub(super) fn occurrences(code: &str, word: &str) -> Vec<usize> {
    code.match_indices(word)
        .filter(|(position, _)| {
            let before = code
                .get(..*position)
                .and_then(|head| head.chars().next_back());
            let after = code
                .get(position + word.len()..)
                .and_then(|tail| tail.chars().next());
            let ends = word.ends_with(':') || after.is_none_or(|character| !is_word(character));
            before.is_none_or(|character| !is_word(character)) && ends
        })
        .map(|(position, _)| position)
        .collect()
}
