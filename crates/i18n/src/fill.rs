//! Replacement of names in braces by values, in a text.

/// Returns `template` with each `{name}` replaced by the value that `values` has for this name.
/// Other braces stay, and braces inside values are text.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let found = after.split_once('}').and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((*value, after))
        });
        rest = if let Some((value, after)) = found {
            filled.push_str(value);
            after
        } else {
            filled.push('{');
            after
        };
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn values_take_the_places_of_their_names() {
        assert_eq!(
            fill("“{name}” of {agent}", &[("agent", "B"), ("name", "A")]),
            "“A” of B"
        );
        assert_eq!(fill("{name}, {name}", &[("name", "A")]), "A, A");
        assert_eq!(fill("none", &[("name", "A")]), "none");
    }

    #[test]
    fn braces_of_a_value_are_text() {
        let values = [("name", "{count}"), ("count", "3")];
        assert_eq!(fill("{name}: {count}", &values), "{count}: 3");
    }

    #[test]
    fn other_braces_stay() {
        let values = [("name", "A")];
        assert_eq!(fill("{ {name} {other} {", &values), "{ A {other} {");
        assert_eq!(fill("{{name}}", &values), "{A}");
    }
}
