//! Real formulas become MathML; any other input ends soon, and does no harm.

use super::*;
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// Stack size of a module on a page.
const STACK: usize = 1 << 20;
/// Factor of stack size that debug builds need over release builds.
const DEBUG: usize = 8;

fn block(tex: &str) -> String {
    mathml(tex, true).unwrap_or_else(|| panic!("{tex}"))
}

#[test]
fn formulas_become_mathml() {
    assert_eq!(
        mathml("x^2", false).unwrap(),
        "<math><msup><mi>x</mi><mn>2</mn></msup></math>"
    );
    assert_eq!(
        block("\\frac{a}{b}"),
        "<math display=\"block\"><mfrac><mi>a</mi><mi>b</mi></mfrac></math>"
    );
}

#[test]
fn what_answers_use_most_can_be_read() {
    for (tex, expected) in [
        ("x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}", "<msqrt>"),
        ("\\sum_{i=0}^{\\infty} \\frac{1}{i!} = e", "<munderover>"),
        ("\\int_0^1 f(x)\\,dx", "<msubsup>"),
        ("\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}", "<mtable"),
        (
            "\\begin{align}a&=b\\\\c&=d\\end{align}",
            "text-align: right",
        ),
        (
            "f(x)=\\begin{cases}1&x>0\\\\0&\\text{otherwise}\\end{cases}",
            "otherwise",
        ),
        ("\\mathbb{R}^n \\to \\mathcal{L}", "ℝ"),
        ("\\lim_{x \\to 0} \\frac{\\sin x}{x}", "<munder>"),
        ("\\left\\| \\vec{v} \\right\\|_2", "<mover"),
        ("\\operatorname{softmax}(z)_i", "softmax"),
        ("\\hat{\\theta} \\approx 3.14 \\times 10^{-5}", "3.14"),
        ("\\binom{n}{k}", "linethickness=\"0\""),
        ("\\underbrace{a+b}_{\\text{sum}}", "sum"),
        ("\\color{red} x", "color:#FF0000"),
        ("50\\% % a comment\n x", "%"),
    ] {
        let found = block(tex);
        assert!(found.contains(expected), "{tex}: {found}");
        assert!(!found.contains("comment"), "{found}");
    }
}

#[test]
fn links_files_definitions_and_markup_are_not_read() {
    for tex in [
        "\\href{https://evil.example}{x}",
        "\\url{https://evil.example}",
        "\\includegraphics{https://evil.example/x.png}",
        "\\class{x}{y}",
        "\\style{color:red}{y}",
        "\\htmlId{x}{y}",
        "\\newcommand{\\a}{\\a\\a}\\a",
        "\\def\\a{\\a\\a}\\a",
        "\\gdef\\a{\\a\\a}\\a",
        "\\let\\a\\b",
        "\\input{/etc/passwd}",
        "\\operatorname{<script>}",
        "\\operatorname{<img src=x onerror=x>}",
        "",
        "  ",
        "%",
        "{",
    ] {
        assert_eq!(mathml(tex, false), None, "{tex}");
        assert_eq!(mathml(tex, true), None, "{tex}");
    }
}

#[test]
fn references_to_equations_do_not_link() {
    let found = block("\\begin{align}a\\label{x}\\end{align}\\eqref{x}");
    assert!(found.contains("(1)"), "{found}");
    assert!(!found.contains("<a") && !found.contains("id="), "{found}");
}

#[test]
fn text_is_text() {
    let found = block("\\text{<img src=x> \\&amp; \"}");
    assert!(found.contains("&lt;img"), "{found}");
}

/// The library sets `stretchy` to true and to false, which its debug assertions reject.
#[test]
fn an_operator_made_of_a_delimiter_is_read() {
    let found = block(r"\mathop\middle|");
    assert_eq!(found.matches(" stretchy=\"false\"").count(), 1, "{found}");
    assert!(!found.contains(" stretchy=\"true\""), "{found}");
}

#[test]
fn long_ones_are_not_read() {
    assert!(mathml(&"x".repeat(MAX_TEX_BYTES), false).is_some());
    assert_eq!(mathml(&"x".repeat(MAX_TEX_BYTES + 1), false), None);
    assert_eq!(mathml(&" ".repeat(MAX_TEX_BYTES + 1), false), None);
}

/// Converts with the stack of a page, and returns the duration.
fn timed(tex: String) -> Duration {
    std::thread::Builder::new()
        .stack_size(STACK * DEBUG)
        .spawn(move || {
            let start = Instant::now();
            for display in [false, true] {
                if let Some(found) = mathml(&tex, display) {
                    assert!(!found.contains("<a") && !found.contains("href"), "{found}");
                }
            }
            start.elapsed()
        })
        .unwrap()
        .join()
        .unwrap()
}

const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "^",
    "_",
    "'",
    "&",
    "\\\\",
    "$",
    "%",
    "\n",
    "~",
    " ",
    "#1",
    "x",
    "12",
    "é",
    "😀",
    "\u{0}",
    "\u{202e}",
    "<",
    ">",
    "\"",
    "\\",
    "\\sqrt",
    "\\sqrt[",
    "\\frac",
    "\\left",
    "\\right",
    "\\middle|",
    "\\begin{matrix}",
    "\\end{matrix}",
    "\\begin{align}",
    "\\end{align}",
    "\\begin{array}{c|c}",
    "\\end{array}",
    "\\begin{cases}",
    "\\end{cases}",
    "\\hline",
    "\\text{",
    "\\textbf{",
    "\\operatorname{",
    "\\operatorname*",
    "\\overset",
    "\\underbrace",
    "\\overbrace",
    "\\hat",
    "\\mathbf",
    "\\mathrm{",
    "\\not",
    "\\sum",
    "\\limits",
    "\\int",
    "\\big",
    "\\color{red}",
    "\\color",
    "\\displaystyle",
    "\\over",
    "\\choose",
    "\\genfrac",
    "\\sideset",
    "\\prescript",
    "\\xrightarrow[",
    "\\tag{",
    "\\label{",
    "\\eqref{",
    "\\Bra",
    "\\Braket",
    "\\pmod",
    "\\bmod",
    "\\bf",
    "\\mathop",
    "\\phantom",
    "\\cancel",
    "\\substack{",
    "\\hspace{1em}",
    "\\kern",
    "\\\\[1em]",
    "\\href",
    "\\def",
    "\\newcommand",
    "\\unknown",
    "\\alpha",
    "\\limsup",
    "\\Set{",
    "\\mathrel",
    "\\stackrel",
    "\\cfrac",
];

#[test]
fn one_thing_again_and_again_ends_soon() {
    for piece in PIECES {
        for between in ["", " ", "x", "{x}", "{", "x^", "[x]", "xx"] {
            let unit = format!("{piece}{between}");
            let took = timed(unit.repeat(MAX_TEX_BYTES / unit.len()));
            assert!(took < Duration::from_secs(60), "{unit} took {took:?}");
        }
    }
}

#[test]
fn an_argument_that_is_missing_at_the_end_of_a_row_is_refused() {
    for unit in [r"\hat\\\overset", r"\sqrt&", r"x^\\"] {
        assert!(!crate::depth::has_bounded_depth(unit), "{unit}");
    }
    assert!(mathml(r"\begin{matrix}\sqrt2&x^2\\\hat x&1\end{matrix}", true).is_some());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn whatever_is_written_ends_soon(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..400)) {
        let took = timed(pieces.concat());
        prop_assert!(took < Duration::from_secs(60), "{took:?}");
    }

    #[test]
    fn whatever_is_written_twice_over_ends_soon(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 1..4)) {
        let unit = pieces.concat();
        let took = timed(unit.repeat(MAX_TEX_BYTES / unit.len()));
        prop_assert!(took < Duration::from_secs(60), "{unit} took {took:?}");
    }

    #[test]
    fn any_text_ends_soon(text in ".{0,300}") {
        prop_assert!(timed(text) < Duration::from_secs(60));
    }
}
