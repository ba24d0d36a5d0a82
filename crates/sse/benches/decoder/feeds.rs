//! Feeds for both decoders.

/// Returns a feed of at least `bytes` bytes as the service streams it: an answer in many small
/// events.
pub(crate) fn answer_feed(bytes: usize) -> String {
    let words = [
        "Grüße ",
        "aus ",
        "**dem** ",
        "Norden, ",
        "where ",
        "the ",
        "days ",
        "are ",
        "long 🌞 ",
    ];
    let mut feed = String::new();
    for (number, word) in words.iter().cycle().enumerate() {
        if feed.len() >= bytes {
            break;
        }
        feed += &format!(
            "data: {{\"type\":\"AGENT_RESPONSE_CHUNK\",\"eventId\":\"event-{number}\",\"threadId\":\"thread-1\",\
             \"requestId\":\"request-1\",\"eventMessage\":{{\"agent\":{{\"name\":\"Guide\",\"id\":\"guide\"}},\
             \"content\":\"{word}\",\"toolExecutionApprovalRequest\":null,\
             \"timestamp\":\"2026-01-05T10:00:00\"}}}}\n\n"
        );
    }
    feed
}

/// Returns a feed of at least `bytes` bytes with few long frames of many lines, named events and
/// ids.
pub(crate) fn document_feed(bytes: usize) -> String {
    let mut feed = String::new();
    let mut number = 0;
    while feed.len() < bytes {
        number += 1;
        feed += &format!("event: document\nid: {number}\n");
        for line in 0..100 {
            feed += &format!(
                "data: line {line} of a document that has quite a few of them, ünïcode too\n"
            );
        }
        feed.push('\n');
    }
    feed
}

/// Cuts the feed every `characters` characters, as small network reads would.
pub(crate) fn cut(feed: &str, characters: usize) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    let mut rest = feed;
    while !rest.is_empty() {
        let end = rest
            .char_indices()
            .nth(characters)
            .map_or(rest.len(), |(position, _)| position);
        let (piece, tail) = rest.split_at(end);
        pieces.push(piece.as_bytes());
        rest = tail;
    }
    pieces
}
