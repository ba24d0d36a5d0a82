//! A check, without recursion, that the parts of a formula are not nested too deep. The parser
//! recurses for every argument, so that `\sqrt\sqrt\sqrt…` takes stack for every command. Comments
//! were removed from the TeX before.

/// Maximum number of groups and commands inside each other: more than in any formula that a person
/// reads. The stack of a page has room for several times as many.
const MAX_DEPTH: usize = 32;

/// Maximum number of commands for space, such as `\,`, in a row; the library's time is quadratic in
/// their number.
const MAX_SPACES_IN_A_ROW: usize = 500;

/// Names of the commands of TeX that take one argument. A command that is in none of these lists
/// takes none.
const ONE_ARGUMENT: &str = " Bbb Overrightarrow acute bar bcancel bm bold boldsymbol breve cancel check cramped ddddot dddot ddot dot frak grave hat hphantom \
    mathbb mathbf mathbin mathcal mathclose mathfrak mathinner mathit mathop mathopen mathord mathpunct mathrel mathring mathrm mathscr mathsf mathtt \
    not operatorname operatornamewithlimits overbrace overbracket overgroup overleftarrow overleftharpoon overleftrightarrow overline overparen \
    overrightarrow overrightharpoon phantom slashed sqrt symbf tilde underbrace underbracket undergroup underleftarrow underleftrightarrow underline \
    underparen underrightarrow vec vertoverlay vphantom widehat widetilde xLeftarrow xLeftrightarrow xRightarrow xcancel xhookleftarrow \
    xhookrightarrow xleftarrow xleftharpoondown xleftharpoonup xleftrightarrow xleftrightharpoons xlongequal xmapsto xrightarrow xrightharpoondown \
    xrightharpoonup xrightleftharpoons xtofrom xtwoheadleftarrow xtwoheadrightarrow ";
/// Names of the commands of TeX that take two arguments.
const TWO_ARGUMENTS: &str =
    " binom cfrac dbinom dfrac frac overset stackrel tbinom tfrac underset ";
/// Names of the commands of TeX that take three arguments.
const THREE_ARGUMENTS: &str = " prescript sideset ";
/// Names of the commands of TeX that take six arguments.
const SIX_ARGUMENTS: &str = " genfrac ";
/// Names of the commands of TeX that apply to the rest of the group that they are in.
const REST_OF_GROUP: &str = " color displaystyle scriptscriptstyle scriptstyle textstyle ";
/// Names of the commands of TeX that set the size of the bracket behind them, which need not be
/// closed.
const BRACKET_SIZES: &str =
    " big Big bigg Bigg bigl Bigl biggl Biggl bigr Bigr biggr Biggr bigm Bigm biggm Biggm middle ";

/// A part of a formula that has begun and not ended, such as a group in braces, or arguments that a
/// command waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenConstruct {
    Brace,
    Bracket,
    Left,
    Environment,
    ToGroupEnd,
    Arguments(u8),
}

/// Returns true if the parts of a formula are not nested deeper than the parser can go, and its
/// brackets match.
pub(crate) fn has_bounded_depth(tex: &str) -> bool {
    let mut nesting = NestingReader::default();
    let mut rest = tex;
    let mut spaces = 0;
    while let Some(after) = nesting.read_token(rest) {
        let is_space = rest.starts_with(['~', '\\']) && rest.len() - after.len() <= 2;
        spaces = if is_space { spaces + 1 } else { 0 };
        if nesting.open.len() > MAX_DEPTH || spaces > MAX_SPACES_IN_A_ROW {
            return false;
        }
        rest = after;
        if rest.is_empty() {
            return true;
        }
    }
    tex.is_empty()
}

#[derive(Default)]
struct NestingReader {
    open: Vec<OpenConstruct>,
    /// True after a complete argument that does not count for its command yet, because an index or
    /// exponent that belongs to it may follow.
    is_whole: bool,
}

impl NestingReader {
    /// Reads one character or command, and returns the TeX behind it; `None` if brackets do not
    /// match, or at the end.
    fn read_token<'tex>(&mut self, tex: &'tex str) -> Option<&'tex str> {
        let mut characters = tex.chars();
        match characters.next()? {
            '\\' => return self.read_command(characters.as_str()),
            '^' | '_' => {
                self.is_whole = false;
                self.open.push(OpenConstruct::Arguments(1));
            }
            '{' => self.begin(OpenConstruct::Brace),
            '}' => self.end(OpenConstruct::Brace)?,
            ']' if self.innermost() == Some(OpenConstruct::Bracket) => {
                self.leave_group();
                self.open.pop();
            }
            '&' => self.end_cell()?,
            '\'' => {}
            white if white.is_whitespace() => {}
            _ => self.end_item(),
        }
        Some(characters.as_str())
    }

    fn read_command<'tex>(&mut self, tex: &'tex str) -> Option<&'tex str> {
        let end = tex
            .find(|character: char| !character.is_ascii_alphabetic())
            .unwrap_or(tex.len());
        let (name, after) = tex.split_at(end);
        let is_in = |list: &str| list.contains(&format!(" {name} "));
        match name {
            "" => {
                if tex.starts_with('\\') {
                    self.end_cell()?;
                } else {
                    self.end_item();
                }
                return Some(without_first(tex));
            }
            "left" => self.begin(OpenConstruct::Left),
            "right" => self.end(OpenConstruct::Left)?,
            "begin" => self.begin(OpenConstruct::Environment),
            "end" => self.end(OpenConstruct::Environment)?,
            _ if is_in(ONE_ARGUMENT) => self.begin(OpenConstruct::Arguments(1)),
            _ if is_in(TWO_ARGUMENTS) => self.begin(OpenConstruct::Arguments(2)),
            _ if is_in(THREE_ARGUMENTS) => self.begin(OpenConstruct::Arguments(3)),
            _ if is_in(SIX_ARGUMENTS) => self.begin(OpenConstruct::Arguments(6)),
            _ if is_in(REST_OF_GROUP) => self.begin(OpenConstruct::ToGroupEnd),
            _ => self.end_item(),
        }
        let after = after.strip_prefix('*').unwrap_or(after);
        let next = after.trim_start();
        if matches!(name, "left" | "right") || is_in(BRACKET_SIZES) {
            return Some(without_token(next));
        }
        if matches!(name, "begin" | "end") {
            return next.split_once('}').map(|(_, after)| after);
        }
        if is_in(ONE_ARGUMENT) && next.starts_with('[') {
            self.open.push(OpenConstruct::Bracket);
            return Some(without_first(next));
        }
        Some(after)
    }

    /// Notes that something was read that is complete by itself, such as a letter.
    fn end_item(&mut self) {
        self.assign_argument();
        self.is_whole = true;
    }

    fn begin(&mut self, open: OpenConstruct) {
        self.assign_argument();
        self.open.push(open);
    }

    /// Ends the innermost group, with all that cannot go on outside of it; `None` if the group is
    /// not of the kind `open`.
    fn end(&mut self, open: OpenConstruct) -> Option<()> {
        self.leave_group();
        if self.open.pop()? != open {
            return None;
        }
        self.is_whole = true;
        Some(())
    }

    /// Ends a cell of a table; `None` if a command still waits for an argument, because the parser
    /// would take the end for it and recurse.
    fn end_cell(&mut self) -> Option<()> {
        self.assign_argument();
        while self.open.last() == Some(&OpenConstruct::ToGroupEnd) {
            self.open.pop();
        }
        let is_missing = matches!(self.open.last(), Some(OpenConstruct::Arguments(_)));
        (!is_missing).then_some(())
    }

    /// Ends whatever cannot go on outside of the group that it is in: commands that wait for
    /// arguments, or that are valid up to the group's end.
    fn leave_group(&mut self) {
        self.is_whole = false;
        while let Some(OpenConstruct::ToGroupEnd | OpenConstruct::Arguments(_)) = self.open.last() {
            self.open.pop();
        }
    }

    /// Returns the innermost group that has not ended; `None` if there is none.
    fn innermost(&self) -> Option<OpenConstruct> {
        let is_group = |open: &&OpenConstruct| {
            !matches!(
                open,
                OpenConstruct::ToGroupEnd | OpenConstruct::Arguments(_)
            )
        };
        self.open.iter().rev().find(is_group).copied()
    }

    /// Counts a complete argument for the command that waits for it. If it was the last one, the
    /// command is an argument of the one around it.
    fn assign_argument(&mut self) {
        if !std::mem::take(&mut self.is_whole) {
            return;
        }
        while let Some(OpenConstruct::Arguments(count)) = self.open.last_mut() {
            if *count > 1 {
                *count -= 1;
                return;
            }
            self.open.pop();
        }
    }
}

fn without_first(text: &str) -> &str {
    let mut characters = text.chars();
    characters.next();
    characters.as_str()
}

/// Returns the text behind the bracket that it begins with; a bracket is one character or a command
/// such as `\langle`.
fn without_token(text: &str) -> &str {
    let Some(name) = text.strip_prefix('\\') else {
        return without_first(text);
    };
    let end = name
        .find(|character: char| !character.is_ascii_alphabetic())
        .unwrap_or(name.len());
    if end == 0 {
        without_first(name)
    } else {
        name.get(end..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_formulas_that_do_not_nest_are_read() {
        for piece in [
            "x^2_i+",
            "\\frac12",
            "\\frac{a}{b}",
            "\\sqrt[3]{x}",
            "\\left(\\alpha\\right]",
            "\\hat x_i^2",
            "\\begin{pmatrix}1&\\displaystyle 2\\\\3&4\\end{pmatrix}",
            "\\text{if } x \\in [0,1)",
            "\\big[ x \\Bigr\\}",
            "\\{ x \\}' ",
            "\\sum_{i=0}^\\infty \\mathbf x",
        ] {
            assert!(has_bounded_depth(&piece.repeat(200)), "{piece}");
        }
        assert!(has_bounded_depth(""));
    }

    #[test]
    fn formulas_that_nest_without_end_are_not() {
        for piece in [
            "{",
            "\\sqrt ",
            "\\frac x",
            "\\frac{x}",
            "x^",
            "\\left(",
            "\\begin{matrix}",
            "\\displaystyle ",
            "\\sqrt[",
            "\\sqrt[x]",
            "\\overset xx^",
            "x^\\overbrace ",
            "\\color{red}",
            "\\hat{",
            "\\operatorname*x^",
        ] {
            assert!(!has_bounded_depth(&piece.repeat(200)), "{piece}");
        }
    }

    #[test]
    fn spaces_without_end_are_not_read() {
        for space in ["~", "\\,", "~\\!"] {
            assert!(has_bounded_depth(&space.repeat(200)), "{space}");
            assert!(!has_bounded_depth(&space.repeat(600)), "{space}");
        }
    }

    #[test]
    fn brackets_that_do_not_match_are_not_read() {
        for tex in [
            "}",
            "{\\right)",
            "\\left({\\right)",
            "\\end{x}",
            "\\begin{x}}",
        ] {
            assert!(!has_bounded_depth(tex), "{tex}");
        }
    }
}
