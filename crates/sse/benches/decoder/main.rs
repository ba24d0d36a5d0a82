//! Comparison with the most used Rust decoder, on the same feeds cut into the same pieces.
#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a bench fails by panicking"
)]

mod feeds;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use eventsource_stream::EventStream;
use feeds::{answer_feed, cut, document_feed};
use futures_util::{FutureExt as _, StreamExt as _, stream};
use std::convert::Infallible;
use std::hint::black_box;

const FEED: usize = 100_000;
const PIECE: usize = 12;

fn ours(pieces: &[&[u8]]) -> Vec<String> {
    let mut decoder = assent_sse::Decoder::new();
    let frames = pieces.iter().flat_map(|piece| decoder.push(piece));
    frames.map(|frame| frame.unwrap().data).collect()
}

fn theirs(pieces: &[&[u8]]) -> Vec<String> {
    let bytes = stream::iter(pieces.iter().map(|piece| Ok::<_, Infallible>(*piece)));
    let events = EventStream::new(bytes).map(|event| event.unwrap().data);
    events.collect().now_or_never().unwrap()
}

fn decode(criterion: &mut Criterion) {
    for (name, feed) in [
        ("answer", answer_feed(FEED)),
        ("document", document_feed(FEED)),
    ] {
        let pieces = cut(&feed, PIECE);
        assert_eq!(ours(&pieces), theirs(&pieces), "both give the same data");
        let mut group = criterion.benchmark_group(name);
        group
            .throughput(Throughput::Bytes(feed.len() as u64))
            .sample_size(20);
        group.bench_function("assent-sse", |bench| {
            bench.iter(|| ours(black_box(&pieces)));
        });
        group.bench_function("eventsource-stream", |bench| {
            bench.iter(|| theirs(black_box(&pieces)));
        });
        group.finish();
    }
}

criterion_group!(benches, decode);
criterion_main!(benches);
