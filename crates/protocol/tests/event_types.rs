//! The table of event types (specification, Event types).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests may fail loudly"
)]

use std::collections::BTreeSet;

use assent_protocol::{EVENT_TYPES, EventGroup, EventPhase, EventType};
use serde_json::json;

/// Names of the specification, one per line.
const NAMES: &str = include_str!("../test_data/event_types.txt");

#[test]
fn the_table_holds_every_declared_type_once() {
    let declared: Vec<&str> = NAMES.lines().collect();
    let table: Vec<&str> = EVENT_TYPES.iter().map(|row| row.name).collect();
    assert_eq!(table, declared);
    assert_eq!(table.iter().collect::<BTreeSet<_>>().len(), 54);
}

#[test]
fn every_declared_type_is_read_and_written_by_its_name() {
    for name in NAMES.lines() {
        let read: EventType = serde_json::from_value(json!(name)).unwrap();
        assert!(!matches!(read, EventType::Unknown(_)), "{name}");
        assert_eq!(read.info().unwrap().name, name);
        assert_eq!(
            matches!(read, EventType::Notification(_)),
            name.starts_with("NOTIFICATION_")
        );
        assert_eq!(serde_json::to_value(&read).unwrap(), json!(name));
    }
}

#[test]
fn every_row_has_a_text_and_the_phase_that_its_name_says() {
    for row in &EVENT_TYPES {
        assert!(!row.text.trim().is_empty(), "{}", row.name);
        let expected = match row.name.rsplit('_').next().unwrap() {
            // In a plan, and in a collaboration, these begin no step of their own.
            _ if row.name.ends_with("KNOWLEDGE_RETRIEVAL_INITIATED")
                && row.group == EventGroup::PlanKnowledgeBase =>
            {
                EventPhase::InProgress
            }
            _ if row.name.ends_with("UNIFIED_RESPONSE_STARTED") => EventPhase::InProgress,
            "INITIATED" | "STARTED" | "ESTABLISHED" | "REQUEST" => EventPhase::Started,
            "PROGRESS" | "CHUNK" => EventPhase::InProgress,
            "COMPLETED" | "COMPLETE" | "CACHED" | "RESPONSE" => EventPhase::Completed,
            "FAILED" | "ERROR" => EventPhase::Failed,
            "ABORTED" if row.group == EventGroup::PlanReflection => EventPhase::Failed,
            _ => EventPhase::Other,
        };
        assert_eq!(row.phase, expected, "{}", row.name);
    }
}

#[test]
fn an_undeclared_type_keeps_its_name() {
    for name in ["NOTIFICATION_TELEPATHY_STARTED", "agent_response_chunk", ""] {
        let read: EventType = serde_json::from_value(json!(name)).unwrap();
        assert_eq!(read, EventType::Unknown(name.to_owned()));
        assert_eq!((read.name(), read.info()), (name, None));
        assert_eq!(serde_json::to_value(&read).unwrap(), json!(name));
    }
}

#[test]
fn the_specification_lists_every_type_in_this_order() {
    let page = include_str!("../../../docs/SPECIFICATION.md");
    let (_, section) = page.split_once("### Event types\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let entries = section
        .lines()
        .map(|line| line.trim_start_matches(['|', '-', ' ']));
    let listed: Vec<&str> = entries
        .filter_map(|entry| entry.strip_prefix('`')?.split('`').next())
        .collect();
    let declared: Vec<&str> = NAMES.lines().collect();
    assert_eq!(listed, declared);
}
