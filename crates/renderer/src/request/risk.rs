//! What a tool does, by the service's policy or by its server's own word.

use web_sys::Element;

use super::{data::Data, node_builder::NodeBuilder, texts};
use crate::node::{DomResult, add};

const DELETES: &str = "deletes";

/// Returns true if what the tool does cannot be undone.
pub(super) fn is_final(data: &Data) -> bool {
    data.effect == DELETES
}

/// Appends what the tool does, and who says so. An effect that is not known is not shown.
pub(super) fn effect(nodes: &NodeBuilder, head: &Element, data: &Data) -> DomResult<()> {
    let label = match &*data.effect {
        "reads" => texts::READS,
        "writes" => texts::WRITES,
        DELETES => texts::DELETES,
        _ => return Ok(()),
    };
    let effect = nodes.element("span", "tool-effect")?;
    effect.set_attribute("data-effect", &data.effect)?;
    nodes.say(&effect, "span", "effect-name", label)?;
    let source = match &*data.effect_source {
        "policy" => Some(texts::BY_POLICY),
        "server" => Some(texts::BY_SERVER),
        _ => None,
    };
    if let Some(source) = source {
        nodes.append_text(&effect, " ")?;
        nodes.say(&effect, "span", "effect-source", source)?;
    }
    add(head, &effect)
}
