//! What a tool does, by the service's policy or by its server's own word.

use web_sys::Element;

use super::{data::RequestParts, node_builder::NodeBuilder, texts};
use crate::node::{DomResult, append_element};

const DELETES_EFFECT: &str = "deletes";
const SERVER_SOURCE: &str = "server";

/// Returns true if what the tool does cannot be undone. A server's word is not enough: with
/// `destructiveHint`, which it is taken from, it says "may perform destructive updates" (Model
/// Context Protocol, `ToolAnnotations`), and servers set it on a tool that overwrites, too. A
/// warning at each of those is one that nobody reads.
pub(super) fn is_irreversible(data: &RequestParts) -> bool {
    data.effect == DELETES_EFFECT && data.effect_source != SERVER_SOURCE
}

/// Appends what the tool does, and who says so. An effect that is not known is not shown.
pub(super) fn append_effect(
    nodes: &NodeBuilder,
    head: &Element,
    data: &RequestParts,
) -> DomResult<()> {
    let (label, style) = match &*data.effect {
        "reads" => (texts::READS, "reads"),
        "writes" => (texts::WRITES, "writes"),
        DELETES_EFFECT if is_irreversible(data) => (texts::DELETES, DELETES_EFFECT),
        DELETES_EFFECT => (texts::MAY_DELETE, "writes"),
        _ => return Ok(()),
    };
    let effect = nodes.element("span", "tool-effect")?;
    effect.set_attribute("data-effect", style)?;
    nodes.append_own_text(&effect, "span", "effect-name", label)?;
    let source = match &*data.effect_source {
        "policy" => Some(texts::BY_POLICY),
        SERVER_SOURCE => Some(texts::BY_SERVER),
        _ => None,
    };
    if let Some(source) = source {
        nodes.append_text(&effect, " ")?;
        nodes.append_own_text(&effect, "span", "effect-source", source)?;
    }
    append_element(head, &effect)
}
