//! Joins the sheets that only a drawn answer needs.

#[path = "../style/join.rs"]
mod join;

fn main() -> std::io::Result<()> {
    join::join("../style", &["answer", "code"])
}
