//! What became of one call of a tool: its steps, made of what the store has of it.

use assent_protocol::{ExecutionStep, Timestamp};

use super::audit::{AuditLine, Decision, DecisionSource, hash};
use crate::transcript::{CallEnd, CallResult};

/// All that is stored of a call of a tool.
#[derive(Clone, Debug, Default)]
pub struct KnownExecution {
    /// The id of the call (`toolExecutionId`).
    pub id: String,
    /// The tool as `server/tool`.
    pub tool: String,
    /// The id of the thread.
    pub thread_id: String,
    /// The id of the agent that called the tool.
    pub agent_id: String,
    /// The arguments that the agent proposed; `None` if they are not stored.
    pub proposed: Option<String>,
    /// The arguments with which the call runs if it may.
    pub effective: Option<String>,
    /// The time at which a person was asked, and the arguments that the request showed.
    pub shown: Option<(String, String)>,
    /// The lines of the audit about the call, oldest first.
    pub lines: Vec<AuditLine>,
    /// The time at which the call began to run.
    pub started_at: Option<String>,
    /// The time at which the call ended, in whichever way.
    pub ended_at: Option<String>,
    /// The result of the call, as the agent was given it.
    pub result: Option<CallResult>,
}

impl KnownExecution {
    /// Returns the steps of the call so far, in their order.
    #[must_use]
    pub fn steps(&self) -> Vec<ExecutionStep> {
        let decided = self.decided();
        let may_run = decided.last().filter(|line| allows(line.decision));
        let steps = [self.proposed_step(), self.shown_step()].into_iter();
        steps
            .flatten()
            .chain(decided.iter().map(|line| self.decided_step(line)))
            .chain(may_run.and_then(|line| self.effective_step(line)))
            .chain(self.run_step())
            .chain(self.result_step())
            .collect()
    }

    /// Returns the lines that say whether the call may run. One that is written again after a crash
    /// counts once.
    fn decided(&self) -> Vec<&AuditLine> {
        let lines = self.lines.iter();
        let mut decided: Vec<_> = lines.filter(|line| name(line.decision).is_some()).collect();
        decided.dedup_by_key(|line| (line.decision, line.source, line.rule.as_str()));
        decided
    }

    fn proposed_step(&self) -> Option<ExecutionStep> {
        let first = self.lines.first();
        let asked_at = self.shown.as_ref().map(|(at, _)| at);
        let at = first.map(|line| &line.at).into_iter().chain(asked_at).min();
        let audited = || first.map(|line| line.arguments_hash.clone());
        Some(ExecutionStep {
            hash: self.proposed.as_deref().map(hash).or_else(audited)?,
            arguments: self.proposed.clone().unwrap_or_default(),
            ..step("proposed", at?)
        })
    }

    fn shown_step(&self) -> Option<ExecutionStep> {
        let (at, arguments) = self.shown.as_ref()?;
        let mut lines = self.lines.iter().rev();
        let asked = lines.find(|line| line.decision == Decision::Asked);
        let shown = ExecutionStep {
            hash: hash(arguments),
            arguments: arguments.clone(),
            ..step("shown", at)
        };
        Some(match asked {
            Some(line) => decided_by(shown, line),
            None => shown,
        })
    }

    /// A decision with which a person also allowed what comes names that grant.
    fn decided_step(&self, line: &AuditLine) -> ExecutionStep {
        let mut step = decided_step(line);
        if line.decision == Decision::Approved {
            let granted = self.last_line(|decision| decision == Decision::Granted);
            step.grant_id = granted.map_or_else(String::new, |line| line.rule.clone());
        }
        step
    }

    fn effective_step(&self, decided: &AuditLine) -> Option<ExecutionStep> {
        let effective = self.effective.as_ref()?;
        Some(ExecutionStep {
            hash: hash(effective),
            arguments: effective.clone(),
            ..step("effective", &decided.at)
        })
    }

    fn run_step(&self) -> Option<ExecutionStep> {
        Some(ExecutionStep {
            hash: hash(self.effective.as_ref()?),
            ..step("run", self.started_at.as_ref()?)
        })
    }

    fn result_step(&self) -> Option<ExecutionStep> {
        let unknown = self.last_line(|decision| decision == Decision::Unknown);
        let refused = || self.last_line(|decision| !allows(decision));
        let at = match &self.ended_at {
            Some(at) => at,
            None => &unknown.or_else(refused)?.at,
        };
        let outcome = match &self.result {
            Some(result) => result.end.as_str(),
            None => unknown.map(|_| CallEnd::Unknown.as_str())?,
        };
        let text = self.result.as_ref().map(|result| result.text.clone());
        Some(ExecutionStep {
            hash: text.as_deref().map(hash).unwrap_or_default(),
            text: text.unwrap_or_default(),
            outcome: outcome.to_owned(),
            by: unknown.map_or_else(String::new, |line| source(line.source).to_owned()),
            ..step("result", at)
        })
    }

    fn last_line(&self, is_wanted: impl Fn(Decision) -> bool) -> Option<&AuditLine> {
        let mut lines = self.lines.iter().rev();
        lines.find(|line| is_wanted(line.decision))
    }
}

fn step(name: &str, at: &str) -> ExecutionStep {
    ExecutionStep {
        step: name.to_owned(),
        at: Timestamp(at.to_owned()),
        ..ExecutionStep::default()
    }
}

fn decided_step(line: &AuditLine) -> ExecutionStep {
    // What a person approved is what they made of the arguments.
    let hash = match line.edited_hash.as_str() {
        "" => &line.arguments_hash,
        edited => edited,
    };
    let decided = ExecutionStep {
        hash: hash.to_owned(),
        decision: name(line.decision).unwrap_or_default().to_owned(),
        ..step("decided", &line.at)
    };
    decided_by(decided, line)
}

/// Adds who or what decided.
fn decided_by(step: ExecutionStep, line: &AuditLine) -> ExecutionStep {
    let is_grant = line.source == DecisionSource::Grant;
    let (grant_id, rule) = match is_grant {
        true => (line.rule.clone(), String::new()),
        false => (String::new(), line.rule.clone()),
    };
    ExecutionStep {
        by: source(line.source).to_owned(),
        rule,
        grant_id,
        policy: line.policy.clone(),
        ..step
    }
}

fn allows(decision: Decision) -> bool {
    matches!(decision, Decision::Allowed | Decision::Approved)
}

/// Returns the name of a decision about whether a call may run; `None` for any other one.
fn name(decision: Decision) -> Option<&'static str> {
    Some(match decision {
        Decision::Allowed => "allowed",
        Decision::Refused => "refused",
        Decision::Approved => "approved",
        Decision::Denied => "denied",
        Decision::Aborted => "aborted",
        Decision::Asked | Decision::Unknown | Decision::Granted | Decision::Ended => return None,
    })
}

fn source(source: DecisionSource) -> &'static str {
    match source {
        DecisionSource::Person => "person",
        DecisionSource::Rule => "rule",
        DecisionSource::Grant => "grant",
        DecisionSource::Limit => "limit",
        DecisionSource::Timeout => "timeout",
        DecisionSource::Crash => "crash",
    }
}

#[cfg(test)]
mod tests {
    use super::KnownExecution;
    use crate::{
        rules::audit::{AuditEntry, AuditLine, AuditedThread, ChainHead, Decision, DecisionSource},
        transcript::{Call, Effect},
    };

    fn line(minute: usize, decision: Decision, source: DecisionSource) -> AuditLine {
        let place = AuditedThread {
            user_id: "ada".to_owned(),
            agent_id: "desk".to_owned(),
            thread_id: "thread".to_owned(),
        };
        let entry = AuditEntry {
            call: Call {
                id: "run".to_owned(),
                tool: "files/write".to_owned(),
                arguments: "{}".to_owned(),
                definition: String::new(),
            },
            edited: None,
            effect: Effect::Write,
            decision,
            source,
            rule: String::new(),
            policy: String::new(),
        };
        AuditLine::after(&ChainHead::default(), at(minute), &place, entry)
    }

    fn at(minute: usize) -> String {
        format!("2026-01-31T12:0{minute}:00.000Z")
    }

    fn told(known: &KnownExecution) -> Vec<String> {
        let steps = known.steps().into_iter();
        let told = steps.map(|it| format!("{} {} {}{}", it.step, it.at.0, it.by, it.outcome));
        told.collect()
    }

    #[test]
    fn what_a_crash_interrupted_ends_with_an_outcome_that_nobody_knows() {
        let allowed = line(1, Decision::Allowed, DecisionSource::Rule);
        let mut known = KnownExecution {
            proposed: Some("{}".to_owned()),
            effective: Some("{}".to_owned()),
            started_at: Some(at(2)),
            // It was judged again after another crash.
            lines: vec![allowed.clone(), allowed],
            ..KnownExecution::default()
        };
        let runs = [
            "proposed 2026-01-31T12:01:00.000Z ",
            "decided 2026-01-31T12:01:00.000Z rule",
            "effective 2026-01-31T12:01:00.000Z ",
            "run 2026-01-31T12:02:00.000Z ",
        ];
        assert_eq!(told(&known), runs);
        known.ended_at = Some(at(3));
        known
            .lines
            .push(line(3, Decision::Unknown, DecisionSource::Crash));
        let ended = "result 2026-01-31T12:03:00.000Z crashunknown";
        assert_eq!(told(&known), [&runs[..], &[ended]].concat());
    }

    #[test]
    fn what_is_said_of_a_grant_is_no_step_of_the_call() {
        let mut granted = line(2, Decision::Granted, DecisionSource::Person);
        granted.rule = "grant".to_owned();
        let known = KnownExecution {
            lines: vec![
                line(1, Decision::Asked, DecisionSource::Rule),
                line(2, Decision::Approved, DecisionSource::Person),
                granted,
                line(5, Decision::Ended, DecisionSource::Timeout),
            ],
            ..KnownExecution::default()
        };
        assert_eq!(
            told(&known),
            [
                "proposed 2026-01-31T12:01:00.000Z ",
                "decided 2026-01-31T12:02:00.000Z person",
            ]
        );
        assert_eq!(known.steps()[0].hash.len(), 64, "the audit has it");
        assert_eq!(known.steps()[1].grant_id, "grant", "it was given with that");
    }
}
