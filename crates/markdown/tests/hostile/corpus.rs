//! Reads the corpus. `README.md` beside this file describes its format.

/// One hostile input.
#[derive(Debug)]
pub(crate) struct Case {
    /// Group and name.
    pub name: String,
    /// Text of the answer.
    pub text: String,
}

const GROUPS: [(&str, &str); 8] = [
    ("html", include_str!("html.txt")),
    ("links", include_str!("links.txt")),
    ("lookalikes", include_str!("lookalikes.txt")),
    ("images", include_str!("images.txt")),
    ("notes", include_str!("notes.txt")),
    ("math", include_str!("math.txt")),
    ("characters", include_str!("characters.txt")),
    ("shapes", include_str!("shapes.txt")),
];

/// Returns all inputs.
pub(crate) fn cases() -> Vec<Case> {
    GROUPS.iter().flat_map(|(name, _)| group(name)).collect()
}

/// Returns the inputs of one file.
pub(crate) fn group(group: &str) -> Vec<Case> {
    let (_, file) = GROUPS
        .iter()
        .find(|(name, _)| *name == group)
        .expect("a group");
    format!("\n{file}")
        .split("\n%% ")
        .skip(1)
        .map(|case| {
            let (name, text) = case.split_once('\n').expect("a name");
            Case {
                name: format!("{group}: {name}"),
                text: repeated(&unescaped(text.strip_suffix('\n').unwrap_or(text))),
            }
        })
        .collect()
}

/// Decodes escapes: `\u{41}` is the letter A.
fn unescaped(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let mut whole = parts.next().expect("a part").to_owned();
    for part in parts {
        let (number, rest) = part.split_once('}').expect("an end");
        let number = u32::from_str_radix(number, 16).expect("a number");
        whole.push(char::from_u32(number).expect("a character"));
        whole.push_str(rest);
    }
    whole
}

/// Expands repetitions: `«ab»×3` is `ababab`.
fn repeated(text: &str) -> String {
    let mut parts = text.split('«');
    let mut whole = parts.next().expect("a part").to_owned();
    for part in parts {
        let (unit, rest) = part.split_once("»×").expect("a count");
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (count, rest) = rest.split_at(digits);
        whole.push_str(&unit.repeat(count.parse().expect("a number")));
        whole.push_str(rest);
    }
    whole
}
