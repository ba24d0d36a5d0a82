//! What stands below the value of an argument: one note with a sentence for each finding, the most
//! important first, and where an address leads.

use assent_inspect::{Finding, Inspection, Severity, Text, TextPart, ValueKind, finding_of};
use web_sys::Element;

use super::{marks::severity_name, node_builder::NodeBuilder, texts};
use crate::node::{DomResult, append_element};

/// Number of sentences of a note that are shown at once; the others are folded.
const MAX_SENTENCES: usize = 2;
/// Maximum number of names of hidden characters in one sentence of a note.
const MAX_NAMES: usize = 3;

/// Appends the note about an argument to its row. Where an address leads stands in a line before
/// the note, if no sentence of the note says it.
pub(super) fn append_note(
    nodes: &NodeBuilder,
    row: &Element,
    value: &str,
    inspection: &Inspection,
) -> DomResult<()> {
    let mut sentences = Vec::new();
    let mut names_domain = false;
    let host = destination(&inspection.kind);
    for finding in &inspection.findings {
        let sentence = nodes.element("span", "")?;
        match (finding, &host) {
            (Finding::UserBeforeHost, Some(host)) => {
                append_real_destination(nodes, &sentence, value, host)?;
            }
            (finding, _) if tells_domain(*finding) && names_domain => continue,
            (finding, Some(host)) if tells_domain(*finding) => {
                let domain = nodes.element("span", "")?;
                host.append_to(nodes, &domain)?;
                nodes.append_filled(&sentence, texts::REAL_DOMAIN, &[("host", &domain)])?;
            }
            (finding, _) => {
                let (text, is_english) = texts::finding_sentence(nodes.texts, *finding, || {
                    hidden_names(inspection, *finding)
                });
                nodes.append_text(&sentence, &text)?;
                nodes.mark_language(&sentence, is_english)?;
            }
        }
        names_domain |= tells_domain(*finding);
        sentences.push(sentence);
    }
    let names_host = names_domain || inspection.findings.contains(&Finding::UserBeforeHost);
    if let Some(host) = host.filter(|_| !names_host) {
        host.append_line(nodes, row)?;
    }
    let Some(first) = inspection.findings.first() else {
        return Ok(());
    };
    let note = nodes.element("dd", "argument-note")?;
    let severity = severity_name(first.severity());
    note.set_attribute("data-weight", severity)?;
    // The direction of each sentence is its own; the bar stands where English ones begin, too.
    if nodes.texts.page_texts().is_empty() {
        note.set_attribute("dir", "ltr")?;
    }
    let more = nodes.element("details", "")?;
    if sentences.len() > MAX_SENTENCES {
        let count = sentences.len() - MAX_SENTENCES;
        let label = nodes.texts.plural(texts::MORE_NOTES, count, &[]);
        nodes.append(&more, "summary", "", &label)?;
    }
    for (place, sentence) in sentences.iter().enumerate() {
        let into = if place < MAX_SENTENCES { &note } else { &more };
        append_element(into, sentence)?;
        nodes.append_text(into, " ")?;
    }
    if sentences.len() > MAX_SENTENCES {
        append_element(&note, &more)?;
    }
    append_element(row, &note)
}

/// Returns true for findings whose sentence is the one that names the domain that an address really
/// opens.
fn tells_domain(finding: Finding) -> bool {
    use Finding::{HostHoldsSign, HostLooksLatin, HostMixesScripts, HostWrittenOtherwise};
    matches!(
        finding,
        HostWrittenOtherwise | HostLooksLatin | HostMixesScripts | HostHoldsSign
    )
}

/// Where an address in an argument leads: its host or, without a host, its scheme.
struct Destination<'a> {
    label: assent_i18n::Text,
    /// The host that the address leads to, in ASCII, with the port if the address has one; the
    /// scheme of an address without a host.
    name: String,
    /// The host in Unicode; `None` if it has no other spelling than that in ASCII.
    unicode: Option<&'a Text>,
}

fn destination(kind: &ValueKind) -> Option<Destination<'_>> {
    let (label, name, unicode) = match kind {
        ValueKind::Address(address) if address.host.is_empty() => {
            (texts::SCHEME, address.scheme.clone(), &None)
        }
        ValueKind::Address(address) => {
            let mut host = address.host.clone();
            if let Some(port) = address.port {
                host.push(':');
                host.push_str(&port.to_string());
            }
            (texts::LEADS_TO, host, &address.unicode)
        }
        ValueKind::Email(mailbox) => (texts::DOMAIN, mailbox.host.clone(), &mailbox.unicode),
        _ => return None,
    };
    Some(Destination {
        label,
        name,
        unicode: unicode.as_ref(),
    })
}

impl Destination<'_> {
    /// Appends the host in ASCII and, if it has another spelling, in Unicode.
    fn append_to(&self, nodes: &NodeBuilder, into: &Element) -> DomResult<()> {
        append_element(into, &host_element(nodes, &Text::new(&self.name))?)?;
        if let Some(unicode) = self.unicode {
            nodes.append_text(into, nodes.texts.get(texts::SPELLING_OF))?;
            nodes.append_text(into, " ")?;
            append_element(into, &host_element(nodes, unicode)?)?;
        }
        Ok(())
    }

    /// Appends a line with a label, such as "Leads to", and the host to the argument's row.
    fn append_line(&self, nodes: &NodeBuilder, row: &Element) -> DomResult<()> {
        let line = nodes.append_own_text(row, "dd", "argument-host", self.label)?;
        nodes.append_text(&line, " ")?;
        self.append_to(nodes, &line)
    }
}

/// Creates the element of a host's name, whose direction does not depend on the text around it.
fn host_element(nodes: &NodeBuilder, host: &Text) -> DomResult {
    let written = nodes.element("bdi", "host")?;
    written.set_attribute("dir", "ltr")?;
    nodes.append_inspected(&written, host)?;
    Ok(written)
}

/// Appends what is said of an address with a user name before its host: where it really leads, and
/// that it does not lead to the user name, if that looks like a host.
fn append_real_destination(
    nodes: &NodeBuilder,
    sentence: &Element,
    value: &str,
    host: &Destination,
) -> DomResult<()> {
    let target = nodes.element("span", "")?;
    host.append_to(nodes, &target)?;
    match user_like_host(value) {
        Some(user) => {
            let user = host_element(nodes, &Text::new(user))?;
            let values = [("host", &target), ("name", &user)];
            nodes.append_filled(sentence, texts::OPENS_NOT, &values)
        }
        None => nodes.append_filled(sentence, texts::USER_BEFORE_HOST, &[("host", &target)]),
    }
}

/// Returns the user name in an address, before the `@`, if it looks like a host.
fn user_like_host(value: &str) -> Option<&str> {
    const MAX_USER_BYTES: usize = 80;
    let (_, rest) = value.split_once("//")?;
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let (user, _) = rest.get(..end)?.rsplit_once('@')?;
    let name = user.split_once(':').map_or(user, |(name, _)| name);
    (name.contains('.') && name.len() <= MAX_USER_BYTES).then_some(name)
}

/// Returns the names of the hidden characters that a finding is about, each once: at most
/// `MAX_NAMES`, and "…" if there are more.
fn hidden_names(inspection: &Inspection, finding: Finding) -> Vec<&'static str> {
    let mut names = Vec::new();
    let parts = [&inspection.name, &inspection.value];
    for part in parts.iter().flat_map(|text| text.parts()) {
        if let TextPart::Hidden {
            character,
            name,
            severity: Severity::Warning,
            ..
        } = part
            && finding_of(*character) == Some(finding)
            && !names.contains(name)
        {
            names.push(*name);
        }
    }
    if names.len() > MAX_NAMES {
        names.truncate(MAX_NAMES);
        names.push("…");
    }
    names
}
