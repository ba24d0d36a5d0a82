//! Joins the style sheets of the widget, and makes constants of its texts.

#[path = "crates/i18n/locales/constants.rs"]
mod constants;
#[path = "style/join.rs"]
mod join;
#[path = "crates/i18n/locales/parse.rs"]
mod parse;

/// The style sheets; shared rules come first.
const SHEETS: [&str; 16] = [
    "tokens",
    "app",
    "header",
    "launcher",
    "thread_list",
    "transcript",
    "message",
    "activity",
    "approval",
    "edit",
    "approvals",
    "feedback",
    "composer",
    "files",
    "dialog",
    "low",
];

fn main() -> std::io::Result<()> {
    join::join_sheets("style", &SHEETS)?;
    let texts = constants::read_texts("crates/i18n/locales")?;
    let mut code = constants::constants_code(&texts, &["shared", "widget", "answers"]);
    for (module, section) in [("details", "details"), ("extra", "extras")] {
        code += &format!(
            "pub(crate) mod {module} {{\n{}}}\n",
            constants::constants_code(&texts, &[section])
        );
    }
    let keys = |section| {
        let own = texts.iter().filter(move |text| text.section == section);
        own.map(|text| text.key.as_str())
    };
    let answers: Vec<String> = keys("answers").map(constants::constant_name).collect();
    let loader: Vec<&str> = keys("loader").collect();
    code += &format!(
        "pub(crate) const ANSWERS: [assent_i18n::Text; {}] = [{}];\n",
        answers.len(),
        answers.join(", ")
    );
    code += &format!(
        "pub(crate) const LOADER_KEYS: [&str; {}] = {loader:?};\n",
        loader.len()
    );
    constants::write_texts_file(&code)
}
