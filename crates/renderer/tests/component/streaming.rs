//! Stability while an answer grows: nodes of finished blocks, the text node at the end, and the
//! selection.

use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, Node};

use crate::page::{Page, Shown, document, is_same, markup};

const EVERYTHING: &str = "# One\n\nA *line* with `code`, **strong** and ~~gone~~ [link](https://a.example/b).\n\n\
    ```rust\nfn main() {}\n\nlet x = \"ä𝄞\";\n```\n\n> quoted\n> more\n\n- one\n- two\n  - deep\n- [x] done\n\n\
    1. first\n\n   second paragraph\n2. other\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | *4* |\n\n---\n\nThe end  \nof it.\n";

#[wasm_bindgen_test]
fn any_split_of_a_text_gives_the_same_nodes() {
    let page = Page::new();
    let whole = Shown::whole(&page, EVERYTHING);
    for size in [1, 3, 7, 64] {
        let mut split = Shown::new(&page);
        let characters: Vec<char> = EVERYTHING.chars().collect();
        for piece in characters.chunks(size) {
            split.push(&piece.iter().collect::<String>());
        }
        split.finish();
        assert_eq!(
            markup(&split.root),
            markup(&whole.root),
            "in pieces of {size}"
        );
        assert!(!split.has("[data-growing]"));
    }
}

#[wasm_bindgen_test]
fn long_blocks_grow_into_the_nodes_of_the_whole() {
    let page = Page::new();
    let lines = |line: fn(usize) -> String| (0..400).map(line).collect::<String>();
    let texts = [
        format!(
            "~~~js\n{}~~~\n\nend",
            lines(|at| format!("let ä{at} = `𝄞`;\n"))
        ),
        format!("    {}\nend", lines(|at| format!("indented {at}\n\n    "))),
        format!(
            "| a | b |\n|--:|---|\n{}\nend",
            lines(|at| format!("| *{at}* | `x` |\n"))
        ),
        format!(
            "{}\n# end",
            lines(|at| format!("- item **{at}**\n  - [ ] deep\n"))
        ),
        format!(
            "{}\n# end",
            lines(|at| format!("{at}. loose\n\n   more\n\n"))
        ),
        format!("{}\n# end", lines(|at| format!("{}. tight\n", 995 + at))),
        format!("{}\nend", lines(|at| format!("> {}. quoted\n", 995 + at))),
        format!("{}\n\nend", lines(|at| format!("> quoted *{at}*\n"))),
        format!(
            "{}\n\nend",
            lines(|at| format!("word *{at}* [link](https://a.example/{at}) "))
        ),
        format!(
            "[late] {}\n\n[late]: https://a.example/",
            lines(|at| format!("*[ {at} [late]\n\n"))
        ),
    ];
    for text in texts {
        let whole = markup(&Shown::whole(&page, &text).root);
        for size in [5, 61, 700] {
            let mut split = Shown::new(&page);
            let characters: Vec<char> = text.chars().collect();
            for piece in characters.chunks(size) {
                split.push(&piece.iter().collect::<String>());
            }
            split.finish();
            let (split, start) = (markup(&split.root), text.get(..20));
            let place = split
                .bytes()
                .zip(whole.bytes())
                .take_while(|(a, b)| a == b)
                .count();
            assert!(split == whole, "{start:?} in pieces of {size} at {place}");
        }
    }
}

#[wasm_bindgen_test]
fn a_line_has_so_many_elements_and_loses_no_text() {
    let page = Page::new();
    let text = "*[".repeat(5000);
    let shown = Shown::whole(&page, &text);
    let count = shown.all("p *").len();
    assert!((500..=2000).contains(&count), "{count} elements");
    assert_eq!(shown.text(), "[".repeat(5000));
    let link = "[a **b** `c`](https://a.example/) ";
    for (text, plain) in [
        ("*[".repeat(2500), "[".repeat(2500)),
        (link.repeat(800), "a b c ".repeat(800)),
        (format!("- {}", link.repeat(800)), "a b c ".repeat(800)),
        (
            format!("| {} |\n|---|\n| x |", link.repeat(800)),
            "a b c ".repeat(800),
        ),
        ("a *b*\\\n".repeat(800), "a b\n".repeat(800)),
    ] {
        let whole = Shown::whole(&page, &text);
        // Breaks that are elements are no text.
        let said = whole.text().replace('\n', "");
        assert!(said.contains(plain.replace('\n', "").trim()));
        let characters: Vec<char> = text.chars().collect();
        for size in [97, 1000] {
            let mut split = Shown::new(&page);
            for piece in characters.chunks(size) {
                split.push(&piece.iter().collect::<String>());
            }
            split.finish();
            assert!(markup(&split.root) == markup(&whole.root), "{size}");
        }
    }
}

#[wasm_bindgen_test]
fn nodes_of_finished_blocks_stay_while_the_rest_streams() {
    let mut shown = Shown::new(&Page::new());
    shown.push("# Title\n\nFirst *paragraph*.\n\n```js\nlet a;\n```\n\nSecond");
    let before = descendants(&shown.root, 3);
    assert_eq!(before.len(), 3);
    for piece in [
        " grows",
        " and **bo",
        "ld**",
        "\n\n- a",
        "\n- b\n\n",
        "| x |\n|---|\n",
    ] {
        shown.push(piece);
    }
    shown.finish();
    let after = descendants(&shown.root, 3);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before.len(), after.len());
        assert!(before.iter().zip(after).all(|(a, b)| is_same(a, b)));
    }
}

/// Returns all nodes of the first blocks.
fn descendants(root: &Element, count: u32) -> Vec<Vec<Node>> {
    fn collect(node: &Node, into: &mut Vec<Node>) {
        into.push(node.clone());
        let children = node.child_nodes();
        for place in 0..children.length() {
            collect(&children.item(place).unwrap(), into);
        }
    }
    let blocks = root.query_selector_all(".blocks > *").unwrap();
    (0..count)
        .map(|place| {
            let mut nodes = Vec::new();
            collect(&blocks.item(place).unwrap(), &mut nodes);
            nodes
        })
        .collect()
}

#[wasm_bindgen_test]
fn blocks_stand_in_groups_which_end_with_their_last_block() {
    let paragraphs = |count: usize| "One.\n\n".repeat(count);
    let groups = |shown: &Shown| -> Vec<u32> {
        let groups = shown.all(":scope > .blocks");
        groups.iter().map(Element::child_element_count).collect()
    };
    let mut shown = Shown::new(&Page::new());
    shown.push(&paragraphs(8));
    assert_eq!(groups(&shown), [8]);
    let first = shown.one(".blocks > p");
    shown.push(&paragraphs(9));
    shown.finish();
    assert_eq!(groups(&shown), [8, 8, 1]);
    shown.reset(&paragraphs(8), true);
    assert_eq!(groups(&shown), [8]);
    assert!(is_same(&first, &shown.one(".blocks > p")));
    shown.reset("", true);
    assert!(groups(&shown).is_empty());
}

#[wasm_bindgen_test]
fn text_grows_in_its_node_and_a_selection_before_it_stays() {
    let mut shown = Shown::new(&Page::new());
    shown.push("Hello wor");
    let text = shown.one("p").first_child().unwrap();
    let range = document().create_range().unwrap();
    range.set_start(&text, 1).unwrap();
    range.set_end(&text, 5).unwrap();
    shown.push("ld, this is");
    shown.push(" *fine*");
    shown.push(" and ä𝄞 go");
    shown.push("es on");
    shown.finish();
    assert!(is_same(&text, &shown.one("p").first_child().unwrap()));
    assert_eq!(shown.text(), "Hello world, this is fine and ä𝄞 goes on");
    assert_eq!(
        (range.start_offset().unwrap(), range.end_offset().unwrap()),
        (1, 5)
    );
    assert!(is_same(&text, &range.start_container().unwrap()));
}

#[wasm_bindgen_test]
fn code_grows_in_groups_and_its_lines_stay() {
    let mut shown = Shown::new(&Page::new());
    shown.push("```text\n");
    let mut first = None;
    let mut expected = String::new();
    for line in 0..333 {
        let line = format!("line {line} ä𝄞\n");
        expected.push_str(&line);
        let (start, end) = line.split_at(5);
        shown.push(start);
        shown.push(end);
        let group = shown.one(".lines").first_child().unwrap();
        first.get_or_insert_with(|| group.clone());
    }
    assert!(is_same(
        first.as_ref().unwrap(),
        &shown.one(".lines").first_child().unwrap()
    ));
    shown.push("```\n");
    shown.finish();
    assert!(is_same(
        first.as_ref().unwrap(),
        &shown.one(".lines").first_child().unwrap()
    ));
    assert_eq!(shown.all(".lines").len(), 7);
    assert_eq!(shown.one("pre > code").text_content().unwrap(), expected);
}

#[wasm_bindgen_test]
fn items_and_rows_that_were_said_keep_their_nodes() {
    let mut shown = Shown::new(&Page::new());
    shown.push("- one *a*\n- two\n");
    let item = shown.one("li");
    for piece in ["- th", "ree\n", "  - dee", "per\n", "- [x] f", "our\n"] {
        shown.push(piece);
    }
    assert!(is_same(&item, &shown.one("li")));
    assert_eq!(shown.all("ul > li").len(), 5);
    shown.push("\n\n| a | b |\n|---|---|\n| 1 | 2 |\n");
    let row = shown.one("tbody tr");
    for piece in ["| 3", " | 4 |\n", "| 5 | **6** |", "\n"] {
        shown.push(piece);
    }
    shown.finish();
    assert!(is_same(&row, &shown.one("tbody tr")));
    assert_eq!(shown.all("tbody tr").len(), 3);
    assert!(is_same(&item, &shown.one("li")));
}

#[wasm_bindgen_test]
fn a_list_says_how_long_its_longest_number_is_while_it_grows() {
    let mut shown = Shown::new(&Page::new());
    let digits = |shown: &Shown, list: &str| shown.one(list).get_attribute("data-digits");
    shown.push("98. a\n99. b");
    let list = shown.one("ol");
    assert_eq!(digits(&shown, "ol"), None);
    shown.push("\n1. c");
    assert_eq!(digits(&shown, "ol").as_deref(), Some("3"));
    for _ in 0..899 {
        shown.push("\n1. d");
    }
    assert_eq!(digits(&shown, "ol").as_deref(), Some("3"), "up to 999");
    shown.push("\n1. e");
    assert_eq!(digits(&shown, "ol").as_deref(), Some("4"));
    assert!(is_same(&list, &shown.one("ol")));
    // Numbers of an inner list do not count for the list around it.
    shown.push("\n\nIn others:\n\n> - 999. a\n>   1. b\n>   1. c\n>\n>      1. deep");
    assert_eq!(digits(&shown, "blockquote ol").as_deref(), Some("4"));
    assert_eq!(digits(&shown, "blockquote ol ol"), None);
    assert!(!shown.has("ul[data-digits]"));
    shown.reset("999999999. a\n1. b", true);
    assert_eq!(digits(&shown, "ol").as_deref(), Some("10"));
    shown.reset("999999999. a", true);
    assert_eq!(digits(&shown, "ol").as_deref(), Some("9"));
    shown.reset("1. a\n2. b\n", true);
    assert_eq!(digits(&shown, "ol"), None);
}

#[wasm_bindgen_test]
fn another_text_keeps_the_nodes_of_equal_blocks() {
    let mut shown = Shown::new(&Page::new());
    shown.push("One.\n\nTwo.\n\nThree");
    let nodes = shown.all("p");
    shown.reset("One.\n\nTwo, changed.\n\nThree.\n\nFour.", true);
    let now = shown.all("p");
    assert_eq!(now.len(), 4);
    assert!(is_same(&nodes[0], &now[0]));
    assert_eq!(shown.text(), "One.Two, changed.Three.Four.");
    assert!(!shown.has("[data-growing]"));
    shown.reset("One.", false);
    assert_eq!(shown.text(), "One.");
    shown.push(" And more.");
    shown.finish();
    assert_eq!(shown.text(), "One. And more.");
    assert!(is_same(&nodes[0], &shown.one("p")));
}
