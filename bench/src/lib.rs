//! Measurements, ours and peers'.
