//! Random programs for the tests: tokens by the grammar, with random blanks, line breaks and comments
//! between them.

/// A small source of random numbers, so that a test case is one number.
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    fn of<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        let index = self.below(choices.len() as u64) as usize;
        choices.get(index).copied().unwrap_or_default()
    }
}

/// The tokens of one item, in which terms nest so deep.
pub(super) fn item(random: &mut Random, depth: u64) -> Vec<String> {
    let mut writer = Writer {
        random,
        tokens: Vec::new(),
    };
    writer.item(depth);
    writer.tokens
}

struct Writer<'r> {
    random: &'r mut Random,
    tokens: Vec<String>,
}

impl Writer<'_> {
    fn push(&mut self, token: &str) {
        self.tokens.push(token.to_owned());
    }

    fn all(&mut self, tokens: &str) {
        for token in tokens.split(' ') {
            self.push(token);
        }
    }

    fn name(&mut self) {
        let name = self.random.of(&[
            "f",
            "x",
            "go'",
            "long_name",
            "é",
            "k",
            "Smooth",
            "X1",
            "includes",
        ]);
        self.push(name);
    }

    fn several(&mut self, most: u64, separator: &str, mut write: impl FnMut(&mut Self)) {
        for index in 0..self.random.below(most + 1) {
            if index > 0 && !separator.is_empty() {
                self.push(separator);
            }
            write(self);
        }
    }

    fn item(&mut self, depth: u64) {
        match self.random.below(10) {
            0 => {
                self.push("data");
                self.name();
                self.parameters();
                self.push("=");
                self.several(4, "|", |this| {
                    this.name();
                    this.several(3, "", |this| this.type_atom(2));
                });
            }
            1 => {
                self.push("interface");
                self.name();
                self.parameters();
                self.push("=");
                self.command();
                self.several(3, "", |this| {
                    this.push("|");
                    this.command();
                });
            }
            2 => {
                self.push("interface");
                self.name();
                self.push("=");
                self.push("[");
                self.several(3, ",", |this| this.instance(2));
                self.push("]");
            }
            3 => {
                self.push("include");
                let file = self.random.of(&["prelude", "ad-paper", "a-b-c"]);
                self.push(file);
            }
            4 | 5 => {
                self.name();
                self.push(":");
                self.port_type(depth.min(3));
                self.push("->");
                self.ports_and_peg(depth.min(3));
            }
            _ => {
                self.name();
                self.patterns();
                self.push("=");
                self.term(depth);
            }
        }
    }

    fn parameters(&mut self) {
        self.several(3, "", |this| match this.random.below(3) {
            0 => this.all("[ E ]"),
            1 => this.all("[ ]"),
            _ => this.push("X"),
        });
    }

    fn command(&mut self) {
        self.name();
        self.parameters();
        self.push(":");
        self.type_(2);
        self.several(3, "", |this| {
            this.push("->");
            this.type_(2);
        });
    }

    fn ports_and_peg(&mut self, depth: u64) {
        self.ports(depth);
        if self.random.percent(40) {
            self.ability(depth);
        }
        self.plain_type(depth);
    }

    fn ports(&mut self, depth: u64) {
        self.several(3, "", |this| {
            if this.random.percent(30) {
                this.adjustments(depth);
            }
            this.port_type(depth);
            this.push("->");
        });
    }

    fn port_type(&mut self, depth: u64) {
        if self.random.percent(15) && depth > 0 {
            self.computation_with_ability(depth);
        } else {
            self.plain_type(depth);
        }
    }

    fn computation_with_ability(&mut self, depth: u64) {
        self.ability(depth);
        self.push("{");
        self.ports(depth.saturating_sub(1));
        self.type_(depth.saturating_sub(1));
        self.push("}");
    }

    fn computation(&mut self, depth: u64) {
        self.push("{");
        self.ports_and_peg(depth.saturating_sub(1));
        self.push("}");
    }

    fn type_(&mut self, depth: u64) {
        self.port_type(depth);
    }

    fn plain_type(&mut self, depth: u64) {
        if self.random.percent(60) || depth == 0 {
            self.push("D");
            self.several(2, "", |this| match this.random.below(3) {
                0 if depth > 0 => this.ability(depth - 1),
                _ => this.type_atom(depth),
            });
        } else {
            self.plain_atom(depth);
        }
    }

    fn type_atom(&mut self, depth: u64) {
        if depth > 0 && self.random.percent(10) {
            self.computation_with_ability(depth - 1);
        } else {
            self.plain_atom(depth);
        }
    }

    fn plain_atom(&mut self, depth: u64) {
        match self.random.below(5) {
            0 if depth > 0 => {
                self.push("(");
                self.type_(depth - 1);
                self.push(")");
            }
            1 if depth > 0 => self.computation(depth - 1),
            2 => {
                let name = self.random.of(&["Int", "String", "Char"]);
                self.push(name);
            }
            _ => self.push("X"),
        }
    }

    fn instance(&mut self, depth: u64) {
        self.name();
        self.several(2, "", |this| this.plain_atom(depth));
    }

    fn ability(&mut self, depth: u64) {
        self.push("[");
        match self.random.below(4) {
            0 => self.all("0"),
            1 => self.all("0 |"),
            2 => self.all("E |"),
            _ => {}
        }
        let bare = self.tokens.last().is_some_and(|last| last == "0");
        if !bare {
            self.several(2, ",", |this| this.instance(depth.saturating_sub(1)));
        }
        self.push("]");
    }

    fn adjustments(&mut self, depth: u64) {
        self.push("<");
        if self.random.percent(40) {
            self.several(2, ",", Self::adaptor);
            self.push("|");
        }
        self.several(2, ",", |this| this.instance(depth.saturating_sub(1)));
        self.push(">");
    }

    fn adaptor(&mut self) {
        self.name();
        if self.random.percent(50) {
            self.all("( s");
            self.several(3, "", Self::name);
            self.push("->");
            self.push("s");
            self.several(3, "", Self::name);
            self.push(")");
        }
    }

    fn patterns(&mut self) {
        if self.random.percent(15) {
            self.push("!");
            return;
        }
        self.pattern();
        self.several(3, "", Self::pattern);
    }

    fn pattern(&mut self) {
        match self.random.below(8) {
            0 => {
                self.push("<");
                self.name();
                if self.random.percent(20) {
                    self.all(". 2");
                }
                self.several(2, "", |this| this.value_pattern(1));
                self.all("-> k >");
            }
            1 => self.all("< m >"),
            _ => self.value_pattern(2),
        }
    }

    fn value_pattern(&mut self, depth: u64) {
        match self.random.below(if depth > 0 { 8 } else { 4 }) {
            0 => self.literal(),
            1 => self.all("- 3"),
            2 | 3 => self.name(),
            4 => {
                self.push("[");
                self.several(3, ",", |this| this.value_pattern(depth - 1));
                self.push("]");
            }
            5 => {
                self.push("(");
                self.value_pattern(depth - 1);
                self.push("::");
                self.value_pattern(depth - 1);
                self.push(")");
            }
            _ => {
                self.push("(");
                self.name();
                self.several(2, "", |this| this.value_pattern(depth - 1));
                self.push(")");
            }
        }
    }

    fn literal(&mut self) {
        let literal = self.random.of(&[
            "42",
            "0xff",
            "0",
            "'a'",
            "'\\''",
            "'\"'",
            "\"--\"",
            "\"{\"",
            "\"a\\n\"",
            "\"\\\n  \\x\"",
        ]);
        self.push(literal);
    }

    fn term(&mut self, depth: u64) {
        match self.random.below(6) {
            0 if depth > 0 => {
                self.push("let");
                self.name();
                self.push("=");
                self.term(depth - 1);
                self.push("in");
                self.term(depth - 1);
            }
            1 if depth > 0 => {
                self.operation(depth - 1);
                self.push(";");
                self.term(depth - 1);
            }
            _ => self.operation(depth),
        }
    }

    fn operation(&mut self, depth: u64) {
        self.unary(depth);
        self.several(if depth > 0 { 2 } else { 0 }, "", |this| {
            let operator = this
                .random
                .of(&["+", "-", "*", "/", "<", ">", "<=", ">=", "==", "!=", "::"]);
            this.push(operator);
            this.unary(depth - 1);
        });
    }

    fn unary(&mut self, depth: u64) {
        match self.random.below(10) {
            0 => {
                self.push("-");
                self.unary(depth);
            }
            1 | 2 => {
                self.push("<");
                self.several(2, ",", Self::adaptor);
                self.push(">");
                if self.random.percent(50) {
                    self.head();
                } else {
                    self.push("(");
                    self.application(depth);
                    self.push(")");
                }
            }
            3 | 4 => self.atom(depth),
            _ => self.application(depth),
        }
    }

    fn head(&mut self) {
        self.name();
        if self.random.percent(40) {
            self.push("!");
        }
    }

    fn application(&mut self, depth: u64) {
        self.name();
        self.several(3, "", |this| {
            if this.random.percent(30) {
                this.head()
            } else {
                this.atom(depth)
            }
        });
    }

    fn atom(&mut self, depth: u64) {
        match self.random.below(if depth > 0 { 8 } else { 3 }) {
            0 => self.literal(),
            1 => self.push("1.5"),
            2 => self.name(),
            3 => {
                self.push("[");
                self.several(3, ",", |this| this.term(depth - 1));
                self.push("]");
            }
            4 | 5 => {
                self.push("(");
                self.term(depth - 1);
                self.push(")");
            }
            _ => {
                self.push("{");
                self.several(3, "|", |this| {
                    if this.random.percent(60) {
                        this.patterns();
                        this.push("->");
                    }
                    this.term(depth - 1);
                });
                self.push("}");
            }
        }
    }
}

/// How tokens are spread over lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spread {
    pub line_breaks: u64,
    pub comments: u64,
    pub newline: &'static str,
}

/// A text with these tokens, the first of which stands in `column`; the others to the right of it.
pub(super) fn spread(random: &mut Random, tokens: &[String], column: usize, how: Spread) -> String {
    let mut text = String::new();
    let mut left: Option<&str> = None;
    for token in tokens {
        match left {
            None => text.push_str(&" ".repeat(column)),
            Some(left) => gap(random, &mut text, left, token, column, how),
        }
        text.push_str(&token.replace('\n', how.newline));
        left = Some(token);
    }
    if random.percent(how.comments) {
        text.push_str(" -- end");
    }
    text.push_str(how.newline);
    text
}

fn gap(
    random: &mut Random,
    text: &mut String,
    left: &str,
    right: &str,
    column: usize,
    how: Spread,
) {
    let mut commented = false;
    while random.percent(how.comments) {
        let comment = random.of(&["{-- c --}", "{-- a\n  b --}", "-- line  ", "{----}", "--"]);
        text.push_str(random.of(&[" ", "  ", "\n ", "\n\n  "]));
        text.push_str(comment);
        if comment.starts_with("--") {
            text.push_str(how.newline);
        }
        text.push(' ');
        if comment.contains('\n') || comment.starts_with("--") {
            // What follows is the first on its line.
            text.push_str(&" ".repeat(column + 1));
        }
        commented = true;
    }
    if random.percent(how.line_breaks) {
        for _ in 0..=random.below(3) / 2 {
            text.push_str(how.newline);
        }
        text.push_str(&" ".repeat(column + 1 + random.below(12) as usize));
        if random.percent(5) {
            text.push('\t');
        }
    } else {
        let most = if random.percent(70) { 2 } else { 4 };
        let least = u64::from(!commented && !can_touch(left, right));
        text.push_str(&" ".repeat((least + random.below(most)) as usize));
    }
}

/// True if the two can follow one another without a blank.
fn can_touch(left: &str, right: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'' || c == '"';
    let (Some(last), Some(first)) = (left.chars().last(), right.chars().next()) else {
        return true;
    };
    if part(last) && part(first) {
        return false;
    }
    if last.is_ascii_digit() && first == '.' || last == '.' {
        return last == '.';
    }
    let symbols = "-<>=!:|{";
    !(symbols.contains(last) && symbols.contains(first))
}

/// The texts of all comments, without the blanks that end lines.
pub(super) fn comments(text: &str) -> Vec<String> {
    use crate::outline::split;
    let mut found = Vec::new();
    for item in split(text) {
        let mut tokens = Vec::new();
        super::token::read(text, &item, &mut tokens);
        for token in tokens.iter().filter(|token| token.kind.is_comment()) {
            found.push(
                text.get(token.start..token.end)
                    .unwrap_or_default()
                    .to_owned(),
            );
        }
    }
    found
}
