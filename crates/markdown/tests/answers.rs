//! Answers as people and models write them: the tree, whole and growing.

use assent_markdown::{invariants::check_pieces, parse};

mod notation;

use notation::write_blocks;

/// Checks a text, and that it becomes the same however it arrives.
fn check(text: &str, expected: &str) {
    assert_eq!(write_blocks(&parse(text)), expected, "{text:?}");
    for length in [1, 3, 17] {
        check_pieces(text, &vec![length; text.len()]);
    }
    let lines = text.split_inclusive('\n').map(|line| line.chars().count());
    check_pieces(text, &lines.collect::<Vec<_>>());
}

#[test]
fn tex_stands_between_round_and_square_brackets() {
    check(
        "The mass \\(m_1 * m_2 * x\\) and **\\(x\\)**.",
        "[p The mass <math false m_1 * m_2 * x> and <b <math false x>>.]",
    );
    check(
        "so \\[x^2\\] and\n\\[\ny \\\\\nz\n\\]",
        "[p so <math true x^2> and\n<math true \ny \\\\\nz\n>]",
    );
    check(
        "\\(\\text{a $x$ b}\\) [\\(x\\)](https://a.example)",
        "[p <math false \\text{a $x$ b}> <a https://a.example <math false x>>]",
    );
    check(
        "# \\(x\\)\n\n\\(a\nb\\)",
        "[h1 <math false x>][p <math false a\nb>]",
    );
}

#[test]
fn a_formula_may_have_lines_that_look_like_blocks() {
    check(
        "\\[\na_1\n+ b_2\n- c\n= d\n> e\n1. f\n\\]\nMore",
        "[p <math true \na_1\n+ b_2\n- c\n= d\n> e\n1. f\n>\nMore]",
    );
    check("$$\nx\n---\ny\n$$", "[p <math true \nx\n---\ny\n>]");
    check(
        "1. One\n\n   \\[\n   x\n   - y\n   \\]\n2. Two",
        "[list Some(1) ([p One][p <math true \nx\n- y\n>])([p Two])]",
    );
    check(
        "- \\[\n  x\n  + y\n  \\]\n- b",
        "[list None ([p <math true \nx\n+ y\n>])([p b])]",
    );
    check(
        "> \\[\n> x\n> + y\n> \\]\n> z",
        "[quote [p <math true \nx\n+ y\n>\nz]]",
    );
}

#[test]
fn environments_are_formulas() {
    check(
        "So\n\\begin{align}\na &= b \\\\\n&- c\n\\end{align}\nas said",
        "[p So\n<math true \\begin{align}\na &= b \\\\\n&- c\n\\end{align}>\nas said]",
    );
    check(
        "\\begin{itemize}\n- x\n\\end{itemize}",
        "[p \\begin{itemize}][list None ([p x\n\\end{itemize}])]",
    );
}

#[test]
fn tex_in_code_is_code() {
    check("`\\(x\\)` and \\(y\\)", "[p `\\(x\\)` and <math false y>]");
    check(
        "```\n\\[\n- x\n\\]\n$y$\n```",
        "[code None \"\\\\[\\n- x\\n\\\\]\\n$y$\\n\"]",
    );
    check(
        "    \\[\n    - x\n    \\]",
        "[code None \"\\\\[\\n- x\\n\\\\]\"]",
    );
    check("\\(a `b\\)` c\\)", "[p (a `b\\)` c)]");
    check("\\[\nx\n```\n\\]\n```", "[p [\nx][code None \"\\\\]\\n\"]");
}

#[test]
fn brackets_that_are_escaped_as_markdown_are_text() {
    check(
        "see \\[1\\], \\[2, 3\\] and \\[ \\]",
        "[p see [1], [2, 3] and [ ]]",
    );
    check(
        "\\[link\\](https://a.example)",
        "[p [link](<a https://a.example https://a.example>)]",
    );
    check("f\\(\\) and \\\\(x\\\\)", "[p f() and \\(x\\)]");
    check("\\[\nx\n\ny\n\\]", "[p [\nx][p y\n]]");
    check("a \\(x", "[p a (x]");
    check(
        "https://a.example/b_\\(c\\)",
        "[p <a https://a.example/b_(c) https://a.example/b_(c)>]",
    );
}

#[test]
fn a_formula_in_a_row_may_have_lines_in_brackets() {
    check(
        "| a | b |\n|--|--|\n| \\(P(A|B)\\) | $P(A|B)$ |\n| $5 | $6 |\n| $x | y$ |",
        "[table a|b / <math false P(A|B)>|<math false P(A|B)> / $5|$6 / $x|y$]",
    );
    check("| $\\|x\\|$ |\n|--|\n| a |", "[table <math false |x|> / a]");
    check("\\(a|b\\)\n--|--\n", "[table (a|b) / ]");
}

#[test]
fn dollar_signs_of_shells_stages_and_tickers_are_text() {
    for text in [
        "$HOME/$USER",
        "${HOME}/${USER}, $(pwd):$(pwd) and $PATH:$HOME",
        "Use $match/$group, then $sort.",
        "$AAPL, $MSFT and ($AAPL,$MSFT)",
        "$$HOME/$$USER",
        "$a+$b, $a / $b",
        "$HOME/$ and ($AAPL,$)",
        "$/PR is down but $/session is up",
    ] {
        check(text, &format!("[p {text}]"));
    }
    check("**$AAPL**/**$TSLA**", "[p <b $AAPL>/<b $TSLA>]");
}

#[test]
fn dollar_signs_of_currencies_are_text() {
    for text in [
        "$5 and $10, $5-$10, 3$",
        "US$5 or A$7, 5$ and 10$",
        "Q1 ($100K), Q2 ($115K), and ($215K)",
        "~$0.79/m³ … $300/t",
        "costs $5k and 10k$ or $5 (about 4€)$",
        "($5/month) vs (US$10/month)",
        "从$5涨到10$。",
        "$100,000 (or $150,000)",
    ] {
        check(text, &format!("[p {text}]"));
    }
    check("**$5**/*$6*", "[p <b $5>/<em $6>]");
}

#[test]
fn dollar_signs_of_formulas_are_none_of_the_text() {
    for (tex, after) in [
        ("x", ""),
        ("n", "th element"),
        ("k", "s"),
        ("x", "-axis"),
        ("x", "'s"),
        ("x", "为"),
        ("f", "(x)"),
        ("17 \\times 24 = 408", ""),
        ("2 \\sin x", ""),
        ("1, 2, \\dots, n", ""),
        ("\\text{speed and time}", ""),
        ("F = m a", ""),
        ("d*e", " f*"),
        ("x\\$y", ""),
        ("-1", ""),
        ("x\\,", ""),
    ] {
        check(
            &format!("a ${tex}${after}"),
            &format!("[p a <math false {tex}>{after}]"),
        );
    }
    check("$5 for $x$", "[p $5 for <math false x>]");
    check(
        "https://a.example/?a=$b$ and $c$",
        "[p <a https://a.example/?a=$b$ https://a.example/?a=$b$> and <math false c>]",
    );
}

#[test]
fn a_line_break_may_be_written_as_html() {
    check("a<br>b<BR/>c<br />d</br>e", "[p a<br>b<br>c<br>d<br>e]");
    check("a<br>\nb<br/>\nc", "[p a<br>b<br>c]");
    check("| a<br>b |\n|--|\n| c<br/>d |", "[table a<br>b / c<br>d]");
    check(
        "# A<br>B\n- <br>\n- [a<br>b](https://a.example)",
        "[h1 A<br>B][list None ([p <br>])([p <a https://a.example a<br>b>])]",
    );
    check("a\n\n<br>\n\nb", "[p a][p <br>][p b]");
    check("<br>\n**b** *c*", "[p <br><b b> <em c>]");
    check("> <br>\n> **b**", "[quote [p <br><b b>]]");
}

#[test]
fn all_other_html_is_text() {
    for text in [
        "a<br class=\"x\">b",
        "a<hr>b",
        "a<brx>b",
        "<b>a</b>",
        "<wbr>",
    ] {
        check(text, &format!("[p {text}]"));
    }
    check("`<br>` &lt;br&gt; \\<br>", "[p `<br>` <br> <br>]");
    check(
        "```\n<br>\n```\n\n    <br>",
        "[code None \"<br>\\n\"][code None \"<br>\"]",
    );
}

#[test]
fn emphasis_ends_at_wide_punctuation() {
    check("**重要：**今日中に", "[p <b 重要：>今日中に]");
    check("**重要：**Today", "[p <b 重要：>Today]");
    check("これは**「重要」**な点", "[p これは<b 「重要」>な点]");
    check("**「A」**なので**「B」**", "[p <b 「A」>なので<b 「B」>]");
    check("*这是（斜）。*这", "[p <em 这是（斜）。>这]");
    check("~~删除（带括号）。~~这个", "[p <s 删除（带括号）。>这个]");
}

#[test]
fn emphasis_ends_at_any_punctuation_in_languages_without_spaces() {
    check(
        "**真”**她 **真…**她 **真·**她",
        "[p <b 真”>她 <b 真…>她 <b 真·>她]",
    );
    check("**50%**の**`c`**は", "[p <b 50%>の<b `c`>は]");
    check(
        "**[a](https://a.example)**は",
        "[p <b <a https://a.example a>>は]",
    );
    check("**중요(重要)**는", "[p <b 중요(重要)>는]");
    check("**สำคัญ:**วันนี้", "[p <b สำคัญ:>วันนี้]");
    check("**(a)**の**b**", "[p <b (a)>の<b b>]");
    check("**公式$x$：**的", "[p <b 公式<math false x>：>的]");
}

#[test]
fn what_is_masked_for_emphasis_is_shown_as_written() {
    check(
        "`**重要：**今` [**重要：**今](https://a.example/今**：b)",
        "[p `**重要：**今` <a https://a.example/今**：b <b 重要：>今>]",
    );
    check("```\n**重要：**今\n```", "[code None \"**重要：**今\\n\"]");
    check("\\*\\*重要：\\*\\*今", "[p **重要：**今]");
}

#[test]
fn a_bare_address_ends_before_wide_punctuation() {
    check(
        "访问 https://a.example/docs（说明）了解，见https://b.example/c。",
        "[p 访问 <a https://a.example/docs https://a.example/docs>（说明）了解，见<a https://b.example/c https://b.example/c>。]",
    );
    check(
        "（https://a.example/1）和【https://b.example】",
        "[p （<a https://a.example/1 https://a.example/1>）和【<a https://b.example https://b.example>】]",
    );
    check(
        "“https://a.example/x” «https://b.example/y» https://c.example/z… https://d.example/x،",
        "[p “<a https://a.example/x https://a.example/x>” «<a https://b.example/y https://b.example/y>» \
         <a https://c.example/z https://c.example/z>… <a https://d.example/x https://d.example/x>،]",
    );
    check(
        "**https://a.example/b**。做",
        "[p <b <a https://a.example/b https://a.example/b>>。做]",
    );
}

#[test]
fn letters_of_any_script_are_a_part_of_an_address() {
    for address in [
        "https://ja.wikipedia.org/wiki/日本_(国)",
        "https://ja.wikipedia.org/wiki/レオナルド・ダ・ヴィンチ",
        "https://例え.テスト/道",
        "https://ar.wikipedia.org/wiki/لغة",
    ] {
        check(
            &format!("{address}。"),
            &format!("[p <a {address} {address}>。]"),
        );
    }
}

#[test]
fn the_words_behind_a_host_are_none_of_it() {
    check(
        "https://a.exampleを参照 请看www.b.example。",
        "[p <a https://a.example https://a.example>を参照 请看<a http://www.b.example www.b.example>。]",
    );
}

#[test]
fn an_alert_is_a_quote_with_its_word() {
    check(
        "> [!WARNING]\n> Be *careful*",
        "[quote [p <b Warning>][p Be <em careful>]]",
    );
    check(
        "> [!NOTE] Title\n> text",
        "[quote [p <b Note>][p Title\ntext]]",
    );
    check("> [!tip]-\n> a", "[quote [p <b Tip>][p a]]");
    check("> [!CAUTION]", "[quote [p <b Caution>]]");
    check(
        "> [!NOTE]\n>\n> - a",
        "[quote [p <b Note>][list None ([p a])]]",
    );
    check(
        "> [!note]x\n\n> `[!NOTE]`\n\n[!NOTE]",
        "[quote [p [!note]x]][quote [p `[!NOTE]`]][p [!NOTE]]",
    );
}

#[test]
fn a_table_may_be_right_below_its_sentence() {
    check(
        "Here it is:\n| a | b |\n|---|---|\n| 1 | 2 |\n\nAfter",
        "[p Here it is:][table a|b / 1|2][p After]",
    );
    check(
        "- item:\n  | a |\n  |---|\n  | 1 |",
        "[list None ([p item:][table a / 1])]",
    );
    check(
        "> **T**\n> | a |\n> |---|\n> | 1 |",
        "[quote [p <b T>][table a / 1]]",
    );
}

#[test]
fn a_fence_ends_at_the_first_one_that_may_end_it() {
    check(
        "```markdown\n# A\n```python\nx\n```\nmore",
        "[code Some(\"markdown\") \"# A\\n```python\\nx\\n\"][p more]",
    );
    check(
        "````markdown\n```python\nx\n```\n````\nmore",
        "[code Some(\"markdown\") \"```python\\nx\\n```\\n\"][p more]",
    );
    check(
        "~~~markdown\n```python\nx\n```\n~~~\nmore",
        "[code Some(\"markdown\") \"```python\\nx\\n```\\n\"][p more]",
    );
}
