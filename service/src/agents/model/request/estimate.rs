//! The tokens of requests and answers where a server does not tell them, by their length.

use serde_json::Value;

use super::documents::Documents;
use crate::transcript::{BYTES_PER_TOKEN, Item, Transcript};

/// Returns an estimate of the tokens of a request and its answer, by their length.
pub(in crate::agents::model) fn estimated_tokens(
    transcript: &Transcript,
    documents: &Documents,
    answer: &str,
) -> u64 {
    let size = |item: &Item| serde_json::to_string(item).map_or(0, |text| text.len());
    let after_summary = transcript.items.iter().skip(transcript.summary().1);
    let size: usize = after_summary.map(size).sum();
    let size = size + documents.size() + answer.len();
    u64::try_from(size / BYTES_PER_TOKEN).unwrap_or(u64::MAX)
}

/// Returns an estimate of the tokens of a request with these messages, by their length.
pub(in crate::agents::model) fn estimated_tokens_of(messages: &[Value]) -> u64 {
    let size: usize = messages
        .iter()
        .map(|message| message.to_string().len())
        .sum();
    u64::try_from(size / BYTES_PER_TOKEN).unwrap_or(u64::MAX)
}
