//! Joins the style sheets that only rendered answers and requests need.

#[path = "../../style/join.rs"]
mod join;

fn main() -> std::io::Result<()> {
    join::join("../../style", &["answer", "code", "argument"])
}
