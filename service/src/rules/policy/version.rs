//! The version of a policy: a short hash of what its two files say, whatever their layout is.

use toml::{Table, Value};

use crate::rules::audit::hash;

/// The number of digits of a version.
const DIGITS: usize = 12;

/// What a file says of a policy, as one text in which neither the layout of the file nor the order of
/// its keys counts. The order of rules does: of two that are equally strict the first one decides.
#[derive(Clone, Debug, Default)]
pub(super) struct Canonical(String);

impl Canonical {
    /// Reads the rules of the whole service in the text of a `policy.toml`.
    pub(super) fn of_service(text: &str) -> Self {
        Self::of(Value::Table(parse(text)))
    }

    /// Reads the table `[policy]` of the text of an agent file. A file without one says the same as
    /// one in which it is empty.
    fn of_agent(text: &str) -> Self {
        let policy = parse(text).remove("policy");
        Self::of(policy.unwrap_or_else(|| Table::new().into()))
    }

    fn of(said: Value) -> Self {
        // Each value of TOML can be written as JSON.
        Self(serde_json::to_string(&in_order(said)).unwrap_or_default())
    }
}

/// Returns the version of the policy of an agent: of its file's text, and of the rules of the service.
pub(super) fn version(agent_file: &str, service: &Canonical) -> String {
    let Canonical(agent) = Canonical::of_agent(agent_file);
    let mut digits = hash(&format!("{agent}\n{}", service.0));
    digits.truncate(DIGITS);
    digits
}

/// Reads a text of which the policy was read before, so that it is TOML.
fn parse(text: &str) -> Table {
    text.parse().unwrap_or_default()
}

/// Returns a value with the keys of all its tables in alphabetical order.
fn in_order(value: Value) -> Value {
    match value {
        Value::Table(table) => {
            let mut members: Vec<_> = table.into_iter().collect();
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            let members = members.into_iter();
            Value::Table(members.map(|(key, it)| (key, in_order(it))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(in_order).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::{Canonical, version};

    const FILE: &str = "[agent]\nname = \"Desk\"\n\
                        [policy]\ndefault = \"ask\"\ntrust_read_only = [\"files\"]\n\
                        [[policy.rule]]\ntool = \"files/write\"\ndo = \"deny\"\n\
                        [[policy.rule]]\ntool = \"files/*\"\ndo = \"auto\"\n";

    fn of_agent(text: &str) -> String {
        version(text, &Canonical::default())
    }

    #[test]
    fn the_same_rules_have_the_same_version_however_they_are_written() {
        let same = "# What may run.\n\
                    policy = { trust_read_only = ['files'], default = 'ask', rule = [\n\
                    { do = 'deny', tool = 'files/write' }, { do = 'auto', tool = 'files/*' },\n] }\n\
                    agent = { name = 'Another' }\n";
        let of_file = of_agent(FILE);
        assert_eq!(of_file, of_agent(same));
        // It is written down: a version means the same in each release.
        assert_eq!(of_file, "bca8c78ca736");
        assert_eq!(of_agent(""), of_agent("[policy]\n"));
    }

    #[test]
    fn each_other_rule_makes_another_version() {
        let of_file = of_agent(FILE);
        for (from, to) in [
            ("\"ask\"", "\"deny\""),
            ("[\"files\"]", "[]"),
            ("files/write", "files/erase"),
            ("do = \"auto\"", "do = \"auto\"\neffect = \"read\""),
        ] {
            assert_ne!(of_file, of_agent(&FILE.replace(from, to)), "{to}");
        }
        let service = Canonical::of_service("[[deny]]\ntool = \"files/erase\"\n");
        assert_ne!(of_file, version(FILE, &service));
        let other = Canonical::of_service("[[deny]]\ntool = \"files/erase_all\"\n");
        assert_ne!(version(FILE, &service), version(FILE, &other));
    }
}
