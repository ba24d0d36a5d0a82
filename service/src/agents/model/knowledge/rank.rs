//! The order of passages that were found in several ways. Pure.

use std::collections::BTreeMap;

use crate::transcript::knowledge::Vector;

/// The constant of reciprocal rank fusion: the larger it is, the less the first ranks of a list
/// differ.
const FUSION_CONSTANT: f64 = 60.0;

/// Returns the numbers of the passages that stand high in most of the lists, best first, at most
/// `limit`.
pub(super) fn fuse(lists: &[Vec<i64>], limit: usize) -> Vec<i64> {
    let mut scores: BTreeMap<i64, f64> = BTreeMap::new();
    for list in lists {
        let mut rank = FUSION_CONSTANT;
        for number in list {
            rank += 1.0;
            *scores.entry(*number).or_default() += 1.0 / rank;
        }
    }
    let mut order: Vec<(i64, f64)> = scores.into_iter().collect();
    order.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
    order
        .into_iter()
        .take(limit)
        .map(|(number, _)| number)
        .collect()
}

/// Returns the numbers of the passages whose vectors point most nearly where `query` does, best
/// first, at most `limit`.
pub(super) fn nearest(query: &[f32], vectors: &[Vector], limit: usize) -> Vec<i64> {
    let mut order: Vec<(i64, f32)> = vectors
        .iter()
        .filter(|(_, vector)| vector.len() == query.len())
        .map(|(number, vector)| (*number, cosine(query, vector)))
        .collect();
    order.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
    order
        .into_iter()
        .take(limit)
        .map(|(number, _)| number)
        .collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
    let length = (dot(a, a) * dot(b, b)).sqrt();
    if length > 0.0 {
        dot(a, b) / length
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::{fuse, nearest};

    #[test]
    fn what_stands_high_in_both_lists_is_first() {
        assert_eq!(fuse(&[vec![1, 2, 3], vec![4, 2, 5]], 3), [2, 1, 4]);
        assert_eq!(fuse(&[vec![7, 8]], 1), [7]);
        assert!(fuse(&[], 5).is_empty());
    }

    #[test]
    fn the_nearest_vector_is_the_one_of_the_same_direction() {
        let vectors = [
            (0, vec![0.0, 1.0]),
            (1, vec![9.0, 1.0]),
            (2, vec![-1.0, 0.0]),
            (3, vec![1.0]),
            (4, vec![0.0, 0.0]),
        ];
        assert_eq!(nearest(&[1.0, 0.0], &vectors, 3), [1, 0, 4]);
    }
}
