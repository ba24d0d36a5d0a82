//! What a person is told of the effect of a call, and who says it.

use assent_protocol::ApprovalRequest;

use super::Tool;
use crate::transcript::Effect;

/// The effect of a call as a person is told of it, and who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ToldEffect {
    effect: Effect,
    source: EffectSource,
}

/// Who says what the effect of a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EffectSource {
    /// The operator, by a rule.
    Policy,
    /// The tool's server, by a hint, which is no more than a claim.
    Server,
}

impl ToldEffect {
    /// Returns `effect` as one that the operator declared.
    pub(crate) fn by_policy(effect: Effect) -> Self {
        Self {
            effect,
            source: EffectSource::Policy,
        }
    }

    /// Returns the effect that a person is told of a call; `None` if nobody says one. `declared` is
    /// what the rules say. The server's hint may make the call sound less harmless than that, and
    /// never more.
    pub(super) fn new(declared: Option<Effect>, tool: &Tool) -> Option<Self> {
        let declared = declared.map(Self::by_policy);
        let hinted = tool.hinted_effect().map(|effect| Self {
            effect,
            source: EffectSource::Server,
        });
        match (declared, hinted) {
            (Some(declared), Some(hinted))
                if comparable_effect(hinted) <= comparable_effect(declared) =>
            {
                Some(declared)
            }
            (declared, hinted) => hinted.or(declared),
        }
    }

    /// Writes the effect into a request for approval.
    pub(crate) fn write(self, request: &mut ApprovalRequest) {
        let effect = match self.effect {
            Effect::Read => "reads",
            Effect::Idempotent | Effect::Write => "writes",
            Effect::Delete => "deletes",
        };
        let source = match self.source {
            EffectSource::Policy => "policy",
            EffectSource::Server => "server",
        };
        effect.clone_into(&mut request.effect);
        source.clone_into(&mut request.effect_source);
    }
}

/// Returns the effect by which the harm of two effects is compared. It is the same for writes that
/// may be made twice and for those that may not, since a person is not told the difference.
fn comparable_effect(told: ToldEffect) -> Effect {
    match told.effect {
        Effect::Idempotent => Effect::Write,
        effect => effect,
    }
}

#[cfg(test)]
mod tests {
    use assent_protocol::ApprovalRequest;
    use serde_json::json;

    use super::{ToldEffect, Tool};
    use crate::transcript::Effect;

    /// Returns what a request says of a tool with these hints.
    fn told(declared: Option<Effect>, read_only: bool, destructive: Option<bool>) -> [String; 2] {
        let tool = Tool::new("files", "any", "A tool.", json!({}), read_only).unwrap();
        let mut request = ApprovalRequest::default();
        if let Some(told) = ToldEffect::new(declared, &tool.with_destructive_hint(destructive)) {
            told.write(&mut request);
        }
        [request.effect, request.effect_source]
    }

    #[test]
    fn a_hint_is_told_as_the_servers_word() {
        assert_eq!(told(None, true, None), ["reads", "server"]);
        assert_eq!(told(None, false, Some(false)), ["writes", "server"]);
        assert_eq!(told(None, false, Some(true)), ["deletes", "server"]);
        assert_eq!(told(None, false, None), ["", ""], "nobody says it");
    }

    #[test]
    fn a_hint_never_lowers_what_the_policy_says() {
        for (declared, word) in [
            (Effect::Read, "reads"),
            (Effect::Idempotent, "writes"),
            (Effect::Write, "writes"),
            (Effect::Delete, "deletes"),
        ] {
            assert_eq!(told(Some(declared), true, None), [word, "policy"]);
        }
        assert_eq!(
            told(Some(Effect::Write), false, Some(true)),
            ["deletes", "server"],
            "but may raise it"
        );
        assert_eq!(
            told(Some(Effect::Idempotent), false, Some(false)),
            ["writes", "policy"]
        );
    }
}
