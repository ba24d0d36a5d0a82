//! The kind of a request, decided before anything else is done with it.

use assent_protocol::{EventType, notification};

use super::{
    inquire::inquire,
    next_stage::Abilities,
    questions::{self, RouteAnswer, read_route},
};
use crate::{
    Result,
    agents::model::{ModelAgent, run::turn::TurnState, tools::own::OWN},
    transcript::{Note, RequestKind},
};

/// Decides what kind of request the message is, and adds that to the transcript. The model is asked
/// where more than one kind is possible.
pub(super) async fn route(agent: &ModelAgent, turn: &mut TurnState<'_>) -> Result<()> {
    let tools = turn.tools.iter().any(|it| it.tool.server != OWN);
    let possible = possible_kinds(&agent.abilities, tools);
    let way = match possible.as_slice() {
        [only] => Some(*only),
        // The rule that needs no model: there is one thing to do with any request.
        [
            _,
            only @ (RequestKind::KnowledgeBase | RequestKind::ToolUsage),
            RequestKind::Capabilities,
        ] => Some(*only),
        _ => {
            let inquiry = questions::route(&possible, &agent.colleagues.choices());
            let answer: Option<RouteAnswer> = inquire(agent, &inquiry, turn).await?;
            answer.and_then(|answer| read_route(&answer, &possible))
        }
    };
    let known = way.is_some();
    let way = way.unwrap_or(RequestKind::Simple);
    let detail = if known {
        ""
    } else {
        "nothing else was decided"
    };
    turn.speech.notify(event_of(way), detail).await;
    turn.note(Note::Route { way }).await?;
    if way == RequestKind::Capabilities {
        let lines = capabilities(agent, turn);
        turn.note(Note::Abilities { lines }).await?;
    }
    Ok(())
}

fn capabilities(agent: &ModelAgent, turn: &TurnState<'_>) -> Vec<String> {
    let tools = turn.tools.iter();
    let tools = tools.map(|it| format!("Tool {}: {}", it.tool.id(), it.tool.description));
    let folders = agent.knowledge.ids().into_iter();
    let folders = folders.map(|id| format!("Folder of knowledge: {id}"));
    let colleagues = agent.colleagues.choices().into_iter();
    let colleagues = colleagues.map(|c| format!("Colleague {}: {}", c.agent, c.when));
    let plan = agent
        .abilities
        .plan
        .then(|| "Plans of several steps".to_owned());
    tools.chain(folders).chain(colleagues).chain(plan).collect()
}

/// Returns the kinds of request that an agent with these abilities treats differently; `tools` is
/// true if it has tools of servers.
fn possible_kinds(abilities: &Abilities, tools: bool) -> Vec<RequestKind> {
    let any = abilities.knowledge || tools || abilities.plan || abilities.colleagues;
    [
        (RequestKind::Simple, true),
        (RequestKind::KnowledgeBase, abilities.knowledge),
        (RequestKind::ToolUsage, tools),
        (RequestKind::Complex, abilities.plan),
        (RequestKind::Collaboration, abilities.colleagues),
        (RequestKind::Capabilities, any),
    ]
    .into_iter()
    .filter_map(|(way, can)| can.then_some(way))
    .collect()
}

fn event_of(way: RequestKind) -> EventType {
    match way {
        RequestKind::Simple => notification::REQUEST_ORCHESTRATION_SIMPLE,
        RequestKind::Complex => notification::REQUEST_ORCHESTRATION_COMPLEX,
        RequestKind::Capabilities => notification::REQUEST_ORCHESTRATION_CAPABILITIES,
        RequestKind::KnowledgeBase => notification::REQUEST_ORCHESTRATION_KNOWLEDGE_BASE,
        RequestKind::ToolUsage => notification::REQUEST_ORCHESTRATION_TOOL_USAGE,
        RequestKind::Collaboration => notification::REQUEST_ORCHESTRATION_COLLABORATION,
    }
}

#[cfg(test)]
mod tests {
    use super::{Abilities, RequestKind, possible_kinds};

    #[test]
    fn requests_are_told_apart_by_what_the_agent_can_do() {
        assert_eq!(
            possible_kinds(&Abilities::default(), false),
            [RequestKind::Simple]
        );
        let knowledge = Abilities {
            knowledge: true,
            ..Abilities::default()
        };
        assert_eq!(
            possible_kinds(&knowledge, false),
            [
                RequestKind::Simple,
                RequestKind::KnowledgeBase,
                RequestKind::Capabilities
            ]
        );
        assert_eq!(possible_kinds(&knowledge, true).len(), 4);
    }
}
