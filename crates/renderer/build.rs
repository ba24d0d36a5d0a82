//! Joins the style sheets that only rendered answers and requests need, and makes constants of the
//! texts of requests.

#[path = "../i18n/locales/constants.rs"]
mod constants;
#[path = "../../style/join.rs"]
mod join;
#[path = "../i18n/locales/parse.rs"]
mod parse;

fn main() -> std::io::Result<()> {
    join::join_sheets("../../style", &["answer", "code", "argument"])?;
    let texts = constants::read_texts("../i18n/locales")?;
    constants::write_texts_file(&constants::constants_code(&texts, &["requests"]))
}
