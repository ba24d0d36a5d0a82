//! All 54 event types of the specification are really sent by the shipped agents.

use std::collections::BTreeSet;

use assent_protocol::{EVENT_TYPES, SseEvent};

use crate::common::{self, Service, body, decided, requests, service};

/// Plays a scenario, answers everything it asks with `decision`, and returns all events.
async fn play(service: &Service, agent: &str, phrase: &str, decision: &str) -> Vec<SseEvent> {
    let thread = service.thread(agent).await;
    let mut events = service.say(&thread, phrase).await;
    let mut open = requests(&events);
    while let Some(asked) = open.pop() {
        let answer = body(&[decided(&asked, &vec![decision; asked.len()])]);
        let more = service.stream(&thread, &answer).await;
        open.extend(requests(&more));
        events.extend(more);
    }
    events
}

/// Returns the list of `help`, as a person reads it.
async fn phrases(service: &Service, agent: &str) -> Vec<String> {
    let thread = service.thread(agent).await;
    let events = service.say(&thread, "help").await;
    let help = common::content(&events, "AGENT_RESPONSE_COMPLETE").to_owned();
    let listed = help
        .lines()
        .filter_map(|line| line.strip_prefix("- `")?.split('`').next());
    listed.map(str::to_owned).collect()
}

#[tokio::test]
async fn the_shipped_scenarios_send_all_54_event_types() {
    let service = service().await;
    let mut sent = BTreeSet::new();
    for agent in ["demo", "travel"] {
        let phrases = phrases(&service, agent).await;
        assert!(phrases.len() >= 4, "{phrases:?}");
        for phrase in phrases {
            // The connection that is cut has its own test; here its error would hide the events.
            if phrase == "cut" {
                continue;
            }
            for decision in ["APPROVED", "DENIED", "ABORTED_WITH_FEEDBACK"] {
                let events = play(&service, agent, &phrase, decision).await;
                sent.extend(
                    events
                        .iter()
                        .map(|event| event.event_type.name().to_owned()),
                );
            }
        }
    }
    let declared: BTreeSet<_> = EVENT_TYPES
        .iter()
        .map(|info| info.name.to_owned())
        .collect();
    assert_eq!(declared.len(), 54);
    let missing: Vec<_> = declared.difference(&sent).collect();
    assert!(missing.is_empty(), "never sent: {missing:?}");
    let unknown: Vec<_> = sent.difference(&declared).collect();
    assert!(unknown.is_empty(), "not in the specification: {unknown:?}");
}

#[tokio::test]
async fn every_decision_of_every_scenario_is_answered_with_words() {
    let service = service().await;
    for agent in ["demo", "travel"] {
        for phrase in phrases(&service, agent).await {
            if ["cut", "fail", "fail at once"].contains(&phrase.as_str()) {
                continue;
            }
            for decision in ["APPROVED", "DENIED", "ABORTED_WITH_FEEDBACK"] {
                let events = play(&service, agent, &phrase, decision).await;
                let words =
                    |event: &&SseEvent| !event.event_type.name().starts_with("NOTIFICATION_");
                let last = events.iter().rfind(words).unwrap();
                let place = format!("{agent}: {phrase}: {decision}");
                assert_eq!(last.event_type.name(), "AGENT_RESPONSE_COMPLETE", "{place}");
                let text = &last.event_message.content;
                assert!(!text.trim().is_empty(), "{place}");
                for placeholder in ["{quote}", "{outcome}", "{feedback}", "{scenarios}"] {
                    assert!(!text.contains(placeholder), "{place}: {text}");
                }
                // The sum in this answer has an `{n}` of its own, in a text that is not repeated.
                let has_formula = phrase == "rich answer";
                assert_eq!(text.contains("{n}"), has_formula, "{place}: {text}");
            }
        }
    }
}
