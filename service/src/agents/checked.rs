//! The check of agents by their operator: what each may do, and what of it does not work.

use std::collections::BTreeSet;

/// What a check of agents found, as lines for an operator: what each agent may do, and what does
/// not work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Lines about what the agent may do, those about faults included.
    pub lines: Vec<String>,
    /// The number of lines that tell a fault.
    pub faults: usize,
    /// The service's rules that name no tool of this agent, as sentences; `None` where the agent's
    /// tools are not all known.
    pub idle_rules: Option<BTreeSet<String>>,
}

impl CheckReport {
    /// Adds a line about something that does not work, and counts it as a fault.
    pub fn fault(&mut self, line: String) {
        self.lines.push(line);
        self.faults += 1;
    }

    /// Adds the outcome of the check of a further agent, under a heading that names that agent.
    pub fn add(&mut self, heading: String, other: Self) {
        self.lines.push(heading);
        let lines = other.lines.into_iter();
        self.lines.extend(lines.map(|line| format!("  {line}")));
        self.faults += other.faults;
        // A rule of the service is for all agents: it is idle where no agent has its tool.
        self.idle_rules = match (self.idle_rules.take(), other.idle_rules) {
            (Some(of_all), Some(idle)) => Some(of_all.intersection(&idle).cloned().collect()),
            (of_all, idle) => of_all.or(idle),
        };
    }

    /// Adds a fault for each rule of the service that names no tool of any agent.
    #[must_use]
    pub fn with_idle_rules(mut self) -> Self {
        for rule in self.idle_rules.take().unwrap_or_default() {
            self.fault(rule);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::CheckReport;

    fn idle(rules: &[&str]) -> CheckReport {
        CheckReport {
            idle_rules: Some(rules.iter().map(|&rule| rule.to_owned()).collect()),
            ..CheckReport::default()
        }
    }

    #[test]
    fn a_rule_of_the_service_is_idle_where_no_agent_has_its_tool() {
        let mut all = CheckReport::default();
        all.add("a".to_owned(), idle(&["one", "two"]));
        all.add("without tools".to_owned(), CheckReport::default());
        all.add("b".to_owned(), idle(&["two", "three"]));
        let all = all.with_idle_rules();
        assert_eq!(all.lines, ["a", "without tools", "b", "two"]);
        assert_eq!(all.faults, 1);
    }

    #[test]
    fn faults_are_counted_and_stand_among_the_lines() {
        let mut one = CheckReport::default();
        one.lines.push("a tool".to_owned());
        one.fault("a fault".to_owned());
        let mut all = CheckReport::default();
        all.add("desk".to_owned(), one);
        assert_eq!(all.lines, ["desk", "  a tool", "  a fault"]);
        assert_eq!(all.faults, 1);
    }
}
