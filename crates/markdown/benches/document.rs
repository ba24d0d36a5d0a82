//! Streaming of long answers: twice the text must take twice the time.
#![allow(
    clippy::print_stdout,
    missing_docs,
    reason = "a bench prints what it found"
)]

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use assent_markdown::Document;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const PIECE: usize = 12;

fn code(bytes: usize) -> String {
    let line = "    let value = compute(index, 12); // one more line\n";
    format!("```rust\n{}```\n", line.repeat(bytes / line.len()))
}

fn table(rows: usize) -> String {
    let mut text = "| number | name | what |\n|--:|---|---|\n".to_owned();
    text.extend((0..rows).map(|row| format!("| {row} | **row** {row} | some `text` in it |\n")));
    text
}

fn list(items: usize) -> String {
    let lines = (0..items).map(|item| format!("- item {item} with *some* text\n"));
    lines.fold(String::new(), |text, line| text + &line)
}

fn brackets(bytes: usize) -> String {
    "*[".repeat(bytes / 2)
}

/// Cuts the text every few characters, as the chunks of an answer would be.
fn pieces(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let end = text.char_indices().nth(PIECE);
        let (piece, rest) = text.split_at(end.map_or(text.len(), |(position, _)| position));
        text = rest;
        (!piece.is_empty()).then_some(piece)
    })
}

fn stream(text: &str) -> usize {
    let mut document = Document::new();
    let mut blocks = 0;
    for piece in pieces(text) {
        blocks += document.push(piece).blocks.len();
    }
    blocks + document.finish().blocks.len()
}

/// Returns the shortest of several runs each: the least disturbed. The runs alternate, so that both
/// texts get the machine at its best.
fn times(one: &str, two: &str) -> (Duration, Duration) {
    let run = |text: &str| {
        let start = Instant::now();
        black_box(stream(black_box(text)));
        start.elapsed()
    };
    let runs = (0..15).map(|_| (run(one), run(two)));
    runs.fold((Duration::MAX, Duration::MAX), |least, now| {
        (least.0.min(now.0), least.1.min(now.1))
    })
}

fn markdown(criterion: &mut Criterion) {
    type Shape = (&'static str, fn(usize) -> String, usize);
    let shapes: [Shape; 4] = [
        ("code", code, 200_000),
        ("table", table, 5_000),
        ("list", list, 5_000),
        ("brackets", brackets, 100_000),
    ];
    for (name, shape, size) in shapes {
        let (text, twice) = (shape(size), shape(2 * size));
        let (one, two) = times(&text, &twice);
        println!(
            "{name}: {} bytes in {one:.1?}, {} bytes in {two:.1?}, ratio {:.2}",
            text.len(),
            twice.len(),
            two.as_secs_f64() / one.as_secs_f64()
        );
        let mut group = criterion.benchmark_group("markdown");
        group
            .throughput(Throughput::Bytes(text.len() as u64))
            .sample_size(10);
        group.bench_function(name, |bencher| bencher.iter(|| stream(black_box(&text))));
        group.finish();
    }
}

criterion_group!(benches, markdown);
criterion_main!(benches);
