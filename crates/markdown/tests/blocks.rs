//! Trees of given texts; hostile texts stay harmless.
#![allow(clippy::unwrap_used, reason = "tests")]

use assent_markdown::{Block, LinkTarget, MAX_DEPTH, parse};
use proptest::prelude::*;

mod notation;

use notation::write_blocks;

fn check(text: &str, expected: &str) {
    assert_eq!(write_blocks(&parse(text)), expected, "{text:?}");
}

#[test]
fn every_kind_of_block_is_built() {
    check("one\ntwo\n\nthree", "[p one\ntwo][p three]");
    check("# A *b*", "[h1 A <em b>]");
    check(
        "```rust no_run\nlet a;\n```",
        "[code Some(\"rust\") \"let a;\\n\"]",
    );
    check("    x\n", "[code None \"x\\n\"]");
    check("> a\n> > b", "[quote [p a][quote [p b]]]");
    check("- a\n- b", "[list None ([p a])([p b])]");
    check(
        "3. a\n   - b\n4. c",
        "[list Some(3) ([p a][list None ([p b])])([p c])]",
    );
    check("- a\n\n- b", "[list None ([p a])([p b])]");
    check(
        "- [x] done\n- [ ] open",
        "[list None (x [p done])(o [p open])]",
    );
    check("|a|b|\n|-|-|\n|1|2|\n|3|4|", "[table a|b / 1|2 / 3|4]");
    check("---", "[rule]");
}

#[test]
fn every_kind_of_span_is_built() {
    check("**a** `b` ~~c~~ d  \ne", "[p <b a> `b` <s c> d<br>e]");
    check("[t](https://a.example/x)", "[p <a https://a.example/x t>]");
    check(
        "<https://a.example>",
        "[p <a https://a.example https://a.example>]",
    );
    check(
        "[t][r]\n\n[r]: mailto:a@b.example",
        "[p <a mailto:a@b.example t>]",
    );
}

#[test]
fn raw_html_is_text() {
    check("<script>alert(1)</script>", "[p <script>alert(1)</script>]");
    check("a <b onclick=x>c</b>", "[p a <b onclick=x>c</b>]");
    check("<div>\n*x*\n</div>", "[p <div>\n*x*\n</div>]");
}

#[test]
fn a_link_that_must_not_be_followed_is_its_text() {
    for address in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "/relative",
        "//host.example/x",
        "https://",
        "https:x",
        "blob:https://a.example/1",
    ] {
        assert_eq!(LinkTarget::new(address), None, "{address}");
        check(&format!("[t]({address})"), "[p t]");
    }
    assert!(!LinkTarget::new("app:thing").unwrap().is_ordinary());
    assert_eq!(LinkTarget::new("java\tscript:x"), None);
    assert_eq!(LinkTarget::new("https://a.example/\u{0}"), None);
    for address in [
        "HTTPS://a.example",
        "http://a:80/x?y#z",
        "tel:+491234",
        "mailto:x@y.example",
    ] {
        assert!(LinkTarget::new(address).unwrap().is_ordinary(), "{address}");
    }
}

#[test]
fn a_bare_address_is_a_link() {
    check(
        "see https://a.example/b_c?d=(e). Or (www.b.example), x@y.example!",
        "[p see <a https://a.example/b_c?d=(e) https://a.example/b_c?d=(e)>. Or (<a http://www.b.example www.b.example>), \
         <a mailto:x@y.example x@y.example>!]",
    );
    check(
        "http://a.example/&copy;x&copy;",
        "[p <a http://a.example/©x© http://a.example/©x©>]",
    );
    check(
        "`https://a.example` xhttps://a.example www. x",
        "[p `https://a.example` xhttps://a.example www. x]",
    );
    check(
        "[https://a.example](https://b.example)",
        "[p <a https://b.example https://a.example>]",
    );
    check(
        "<b title=\"https://a.example\">",
        "[p <b title=\"https://a.example\">]",
    );
}

#[test]
fn formulas_are_not_prices() {
    check("$x^2$ and $$y$$", "[p <math false x^2> and <math true y>]");
    check("$5 and $10, $5-$10, 3$", "[p $5 and $10, $5-$10, 3$]");
}

#[test]
fn a_footnote_is_what_is_defined() {
    check(
        "a[^n] b[^m]\n\n[^n]: *c*\n",
        "[p a<note n> b[^m]][note n [p <em c>]]",
    );
}

#[test]
fn a_text_that_looks_like_another_address_is_told() {
    let told =
        |text: &str, address: &str| LinkTarget::new(address).unwrap().looks_like_another(text);
    for (text, address) in [
        ("https://good.example", "https://evil.example"),
        ("good.com", "https://good.com@evil.example"),
        ("https://good.com", "https://good.com.evil.example/good.com"),
        ("www.good.com/path", "https://evil.example"),
        ("GOOD.com", "https://evil.example"),
        ("visit https://good.com now", "https://evil.example"),
        ("good\u{200b}.com", "https://evil.example"),
        ("good。com", "https://evil.example"),
        ("me@good.com", "mailto:me@evil.example"),
        ("good.com", "tel:123"),
        ("(good.com)", "https:\\\\/\\good.com.evil.example"),
    ] {
        if LinkTarget::new(address).is_some() {
            assert!(told(text, address), "{text} {address}");
        }
    }
    for (text, address) in [
        ("https://good.com/x", "https://good.com/y"),
        ("Good.COM.", "https://good.com"),
        ("good.com", "https://www.good.com."),
        ("good.com", "https://user@good.com:8080/x"),
        ("the docs", "https://good.com"),
        ("main.json", "https://good.com"),
        ("e.g. this", "https://good.com"),
        ("version 1.2.3", "https://good.com"),
        ("me@good.com", "mailto:me@good.com?subject=x"),
    ] {
        assert!(!told(text, address), "{text} {address}");
    }
}

#[test]
fn capitals_of_a_host_are_read_as_browsers_read_them() {
    // None of them has the sigma of the end of a word for a capital one.
    let target = LinkTarget::new("https://ΠΑΡΆΔΕΙΓΜΑ.ΟΔΟΣ/A").unwrap();
    assert_eq!(target.host().unwrap(), "παράδειγμα.οδοσ");
    assert!(!target.looks_like_another("https://παράδειγμα.οδοσ"));
    assert!(target.looks_like_another("https://παράδειγμα.οδος"));
}

#[test]
fn an_image_is_a_description_with_its_real_host() {
    check(
        "![a *b*](https://evil.example/p.png?x=1)",
        "[p <img Some(\"evil.example\") a b>]",
    );
    check(
        "![](https://good.example@evil.example:99/p)",
        "[p <img Some(\"evil.example\") >]",
    );
    check("![x](data:image/png;base64,AA)", "[p <img None x>]");
    check("![x](ftp://evil.example/p.png)", "[p <img None x>]");
}

#[test]
fn nesting_is_bounded() {
    fn depth(blocks: &[Block]) -> usize {
        let inner = |block: &Block| match block {
            Block::Quote(blocks) => 1 + depth(blocks),
            Block::List { items, .. } => {
                1 + items
                    .iter()
                    .map(|item| depth(&item.blocks))
                    .max()
                    .unwrap_or(0)
            }
            _ => 1,
        };
        blocks.iter().map(inner).max().unwrap_or(0)
    }
    let quotes = parse(&format!("{} deep", ">".repeat(5_000)));
    assert!(depth(&quotes) <= MAX_DEPTH + 1);
    assert!(write_blocks(&quotes).contains("deep"), "the text is kept");
    let lists = parse(&format!("{} deep", "- ".repeat(2_000)));
    assert!(depth(&lists) <= MAX_DEPTH + 1);
    assert!(write_blocks(&parse(&"*_".repeat(5_000))).len() > 5_000);
}

/// Texts of any characters, and of the beginnings of every kind of block.
fn any_text() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "---\n",
        "# ",
        "> ",
        "- ",
        "- [x] ",
        "7. ",
        "```rust\n",
        "    ",
        "| a | b |\n|:-:|--|\n| 1 |\n",
        "[^1]: ",
        "[^1]",
        "[a]: https://a.example\n",
        "[a]",
        "![a](b)",
        "<div>\n",
        "<b>",
        "$x$",
        "$$\nx\n$$\n",
        "**",
        "~~",
        "`",
        "<https://a.example>",
        "https://a.example",
        "a",
        " ",
        "\t",
        "\n",
        "\n\n",
        "\\\n",
    ]);
    prop_oneof![
        "(?s)[-*_`>#|\\[\\]()!<~=:.0-9 a-c\n\t]{0,200}|.{0,100}",
        prop::collection::vec(line, 0..30).prop_map(|lines| lines.concat()),
    ]
}

proptest! {
    #[test]
    fn any_text_gives_blocks(text in any_text()) {
        let _ = write_blocks(&parse(&text));
    }
}
