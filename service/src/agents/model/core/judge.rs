//! The judgement of each call before anything runs, and again right before it runs.

use crate::{
    agents::model::{provider::completion::WantedCall, tools::offered::OfferedTool},
    rules::{
        arguments::Arguments,
        audit::{AuditEntry, Decision, DecisionSource},
        policy::{Action, Grants, MAX_ARGUMENT_BYTES, Policy, Ruling, Tool},
    },
    transcript::{Call, Effect},
};

/// A call, and the ruling about it: whether it runs, is asked about or refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::agents::model) struct JudgedCall {
    pub(in crate::agents::model) call: Call,
    pub(in crate::agents::model) ruling: Ruling,
    /// The version of the policy that the call was judged by.
    pub(in crate::agents::model) policy: String,
}

/// What calls are judged by: the tools, the policy, and the user's grants.
#[derive(Clone, Copy, Debug)]
pub(in crate::agents::model) struct JudgingContext<'a> {
    pub(in crate::agents::model) tools: &'a [OfferedTool],
    pub(in crate::agents::model) policy: &'a Policy,
    pub(in crate::agents::model) grants: &'a Grants,
}

impl JudgedCall {
    /// Returns the entry of the audit about this ruling.
    pub(in crate::agents::model) fn entry(&self) -> AuditEntry {
        AuditEntry {
            call: self.call.clone(),
            edited: None,
            effect: self.ruling.effect,
            decision: match self.ruling.action {
                Action::Auto => Decision::Allowed,
                Action::Ask => Decision::Asked,
                Action::Deny => Decision::Refused,
            },
            source: self.ruling.source,
            rule: self.ruling.rule.clone(),
            policy: self.policy.clone(),
        }
    }
}

/// Judges a call that the model wants; `id` becomes the id of the call.
pub(in crate::agents::model) fn judge(
    wanted: &WantedCall,
    id: String,
    rules: &JudgingContext<'_>,
) -> JudgedCall {
    let tools = rules.tools;
    let found = tools.iter().find(|it| it.function == wanted.name);
    let found = found.map(|it| &it.tool);
    let parsed = Arguments::parse(&wanted.arguments);
    let arguments = parsed
        .as_ref()
        .map_or_else(|_| wanted.arguments.clone(), ToString::to_string);
    let call = Call {
        id,
        tool: found.map_or_else(|| wanted.name.clone(), Tool::id),
        arguments,
        definition: found.map_or_else(String::new, |tool| tool.definition.clone()),
    };
    let ruling = decide_ruling(&call, found, parsed, rules);
    JudgedCall {
        call,
        ruling,
        policy: rules.policy.version().to_owned(),
    }
}

/// Judges a call again right before it runs: its tool may have changed or be gone by then.
pub(in crate::agents::model) fn judge_again(call: &Call, rules: &JudgingContext<'_>) -> Ruling {
    let mut tools = rules.tools.iter().map(|it| &it.tool);
    let found = tools.find(|tool| tool.id() == call.tool);
    if found.is_some_and(|tool| tool.definition != call.definition) {
        let why = "The tool changed since it was asked for. Ask for it again if it is needed.";
        return denying_ruling(DecisionSource::Rule, "definition changed", why);
    }
    decide_ruling(call, found, Arguments::parse(&call.arguments), rules)
}

fn decide_ruling(
    call: &Call,
    tool: Option<&Tool>,
    arguments: Result<Arguments, String>,
    rules: &JudgingContext<'_>,
) -> Ruling {
    let Some(tool) = tool else {
        return denying_ruling(
            DecisionSource::Rule,
            "no such tool",
            "There is no such tool.",
        );
    };
    if call.arguments.len() > MAX_ARGUMENT_BYTES {
        let why = format!(
            "The arguments are longer than {MAX_ARGUMENT_BYTES} bytes; nobody could read them. \
             Use shorter ones."
        );
        return denying_ruling(DecisionSource::Limit, "length of arguments", &why);
    }
    match arguments {
        Ok(arguments) => {
            let mut ruling = rules.policy.decide(tool, &arguments.to_map(), rules.grants);
            if ruling.action == Action::Deny {
                ruling.why = format!("This is not allowed. {}", ruling.why)
                    .trim()
                    .to_owned();
            }
            ruling
        }
        Err(fault) => denying_ruling(
            DecisionSource::Rule,
            "form of arguments",
            &format!("The arguments must be one JSON object: {fault}"),
        ),
    }
}

/// Returns a ruling that denies a call for another reason than the policy: `rule` names the reason
/// in the audit, and `why` tells it to the model.
pub(in crate::agents::model) fn denying_ruling(
    source: DecisionSource,
    rule: &str,
    why: &str,
) -> Ruling {
    Ruling {
        action: Action::Deny,
        effect: Effect::default(),
        why: why.to_owned(),
        source,
        rule: rule.to_owned(),
        told: None,
        change: None,
        grants: None,
        expires: None,
        editable: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use serde_json::json;

    use super::{JudgingContext, judge, judge_again};
    use crate::{
        agents::model::{
            provider::completion::{Completion, WantedCall},
            tools::offered::OfferedTool,
        },
        rules::arguments::Arguments,
        rules::policy::{Action, Grants, Policy, PolicyConfig, Tool},
    };

    fn policy(text: &str) -> Policy {
        let file: PolicyConfig = toml::from_str(text).unwrap();
        file.compile(&["files"]).unwrap()
    }

    static NO_GRANTS: LazyLock<Grants> = LazyLock::new(Grants::default);

    fn rules<'a>(tools: &'a [OfferedTool], policy: &'a Policy) -> JudgingContext<'a> {
        JudgingContext {
            tools,
            policy,
            grants: &NO_GRANTS,
        }
    }

    fn wanted(name: &str, arguments: &str) -> WantedCall {
        let mut completion = Completion::default();
        completion.push(&json!({ "choices": [{ "delta": { "tool_calls": [
            { "function": { "name": name, "arguments": arguments } },
        ] } }] }));
        completion.calls.remove(0)
    }

    #[test]
    fn a_call_that_cannot_run_is_refused_and_nobody_is_asked() {
        let tools = [OfferedTool::test("files", "write")];
        let policy = policy("");
        let long = format!("{{\"text\":\"{}\"}}", "x".repeat(70_000));
        for (name, arguments, why) in [
            ("files__erase", "{}", "no such tool"),
            ("files__write", "[1]", "one JSON object"),
            ("files__write", "{\"path\":", "one JSON object"),
            ("files__write", long.as_str(), "longer than 65536"),
        ] {
            let judged = judge(
                &wanted(name, arguments),
                "1".to_owned(),
                &rules(&tools, &policy),
            );
            assert_eq!(judged.ruling.action, Action::Deny, "{name}");
            assert!(judged.ruling.why.contains(why), "{}", judged.ruling.why);
        }
        let asked = judge(
            &wanted("files__write", ""),
            "1".to_owned(),
            &rules(&tools, &policy),
        );
        assert_eq!(asked.ruling.action, Action::Ask);
        assert_eq!(asked.call.arguments, "{}");
    }

    #[test]
    fn what_is_shown_is_what_runs() {
        let tools = [OfferedTool::test("files", "write")];
        let text = "{ \"path\": \"a\", \"mode\": 420, \"path\": \"b\", \"tags\": [\"x\"] }";
        let call = judge(
            &wanted("files__write", text),
            "1".to_owned(),
            &rules(&tools, &policy("")),
        )
        .call;
        // Of a name that comes twice the last value counts, on the screen and at the tool.
        assert_eq!(call.arguments, r#"{"path":"b","mode":420,"tags":["x"]}"#);
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            Arguments::parse(&call.arguments).unwrap().into_display(),
            [
                pair("path", "b"),
                pair("mode", "420"),
                pair("tags", "[\"x\"]")
            ]
        );
    }

    #[test]
    fn a_tool_that_changed_or_was_forbidden_since_does_not_run() {
        let tools = [OfferedTool::test("files", "write")];
        let open = policy("default = \"auto\"");
        let call = judge(
            &wanted("files__write", "{}"),
            "1".to_owned(),
            &rules(&tools, &open),
        )
        .call;
        assert_eq!(
            judge_again(&call, &rules(&tools, &open)).action,
            Action::Auto
        );
        let changed = Tool::new("files", "write", "Sends all.", json!({}), false).unwrap();
        let ruling = judge_again(&call, &rules(&[changed.into()], &open));
        assert!(ruling.why.contains("changed since"), "{}", ruling.why);
        assert_eq!(judge_again(&call, &rules(&[], &open)).action, Action::Deny);
        let closed = policy("rule = [{ tool = \"files/*\", do = \"deny\" }]");
        assert_eq!(
            judge_again(&call, &rules(&tools, &closed)).action,
            Action::Deny
        );
    }
}
