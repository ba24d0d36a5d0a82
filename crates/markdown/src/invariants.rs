//! What is true of every text, as one function for property tests and fuzzing.

use crate::{Block, Document, parse};

/// Pushes a text to a document in pieces of the given lengths in characters, and then the rest.
/// Asserts that each update is sound and that the final blocks are those of the whole text. Returns
/// the number of bytes parsed.
pub fn check_pieces(text: &str, lengths: &[usize]) -> u64 {
    let mut document = Document::new();
    let mut blocks = Vec::new();
    let mut finished = 0;
    let mut rest = text;
    for length in lengths {
        let cut = rest
            .char_indices()
            .nth(*length)
            .map_or(rest.len(), |(place, _)| place);
        let (piece, after) = rest.split_at(cut);
        rest = after;
        finished = push_piece(&mut document, piece, &mut blocks, finished);
    }
    push_piece(&mut document, rest, &mut blocks, finished);
    document.finish().apply(&mut blocks);
    assert_eq!(
        blocks,
        parse(text),
        "{text:?} in pieces of lengths {lengths:?}"
    );
    document.parsed_bytes()
}

fn push_piece(
    document: &mut Document,
    piece: &str,
    blocks: &mut Vec<Block>,
    finished: usize,
) -> usize {
    let update = document.push(piece);
    let (kept, now) = (update.kept, update.finished);
    assert!(kept <= blocks.len(), "what is not there cannot be kept");
    assert!(finished <= kept && finished <= now, "finished is finished");
    assert!(
        update.changed.iter().all(|(place, _)| *place < kept),
        "what is new is given once"
    );
    if update.kept_within > 0 {
        let grown = blocks
            .get(kept)
            .zip(update.blocks.first())
            .is_some_and(|(before, more)| {
                std::mem::discriminant(before) == std::mem::discriminant(more)
            });
        assert!(grown, "a block grows into one of its kind");
    }
    update.apply(blocks);
    assert!(now <= blocks.len(), "finished blocks are there");
    now
}
