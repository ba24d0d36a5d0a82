//! What a tool does to the world, according to the service's policy or to the tool's own server.

use web_sys::Element;

use super::{data::RequestParts, node_builder::NodeBuilder, texts};
use crate::node::{DomResult, append_element};

const DELETES_EFFECT: &str = "deletes";
const SERVER_SOURCE: &str = "server";

/// Returns true if the person is warned that what the tool does cannot be undone. A server's word
/// is not enough: with `destructiveHint`, which it is taken from, it says "may perform destructive
/// updates" (Model Context Protocol, `ToolAnnotations`), and servers set it on a tool that
/// overwrites, too. A warning at each of those is one that nobody reads.
pub(super) fn is_irreversible(data: &RequestParts) -> bool {
    data.effect == DELETES_EFFECT && data.effect_source != SERVER_SOURCE
}

/// Appends whether the tool reads, writes or deletes, and who says so; nothing if that is not
/// known.
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
