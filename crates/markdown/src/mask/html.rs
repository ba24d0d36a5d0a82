//! The one tag of HTML that an answer may use: a line break.

/// Returns the length of the line break at the start of a text: `<br>`, `<br/>` or `</br>`, in any
/// case and without attributes.
pub(crate) fn line_break(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('<')?;
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let rest = rest
        .get(..2)
        .filter(|name| name.eq_ignore_ascii_case("br"))
        .and(rest.get(2..))?
        .trim_start();
    let rest = rest.strip_prefix('/').unwrap_or(rest).trim_start();
    let rest = rest.strip_prefix('>')?;
    Some(text.len() - rest.len())
}

/// Returns true if a line may begin with such a tag.
pub(super) fn may_begin_a_line(text: &str) -> bool {
    text.match_indices('<').any(|(place, _)| {
        text.get(place..)
            .is_some_and(|rest| line_break(rest).is_some())
    })
}
