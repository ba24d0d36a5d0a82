//! Set-up, dev, test, dist, size, tidy.
fn main() {}
