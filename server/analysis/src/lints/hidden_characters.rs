//! Characters in comments, literals and names that nobody sees, or that turn the order of text round: what is
//! read there is not what is written. Elsewhere they belong to no token, which is an error.

use std::ops::Range;

use frank_syntax::lexer::{Kind, lex};
use frank_syntax::visible::{is_directional, is_joiner, is_zero_width};
use text_size::{TextRange, TextSize};
use unicode_normalization::char::canonical_combining_class;
use unicode_script::{Script, UnicodeScript};

use crate::db::ItemSource;
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::fixes;

/// How many findings an item has at most: one with more is all of this kind.
const MOST: usize = 10;

/// Reports each run of such characters.
pub fn check(source: ItemSource, text: &str, found: &mut Vec<Diagnostic>) {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\t'..=b'\r');
    if text.bytes().all(is_plain) {
        return;
    }
    let tokens = lex(text).filter(|(kind, _)| place(*kind).is_some());
    let runs = tokens.flat_map(|(kind, token)| {
        let runs = runs(text.get(token.clone()).unwrap_or_default(), kind);
        runs.into_iter()
            .map(move |run| (kind, token.start + run.start..token.start + run.end))
    });
    for (kind, run) in runs.take(MOST) {
        found.push(hidden(source, text, kind, run));
    }
}

/// Where a token has text that people read.
fn place(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::LineComment | Kind::BlockComment { .. } => Some("comment"),
        Kind::String(_) => Some("string"),
        Kind::Character(_) => Some("character"),
        // Some letters are blank.
        Kind::Name => Some("name"),
        _ => None,
    }
}

/// Where in a token such characters stand together.
fn runs(token: &str, kind: Kind) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut before = None;
    let mut chars = token.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map(|(_, c)| *c);
        // Many programs show these as the end of a line, which they are not.
        let separates = matches!(c, '\u{2028}' | '\u{2029}');
        let unseen = is_directional(c) || is_zero_width(c) || is_joiner(c) || separates;
        // In a literal it is an error of its own.
        let controls = kind.is_comment() && c.is_control() && !matches!(c, '\t'..='\r');
        if controls || unseen && !is_writing(c, before, after, token) {
            match runs.last_mut() {
                Some(run) if run.end == at => run.end += c.len_utf8(),
                _ => runs.push(at..at + c.len_utf8()),
            }
        }
        before = Some(c);
    }
    runs
}

/// Whether people write a character that is not seen where it stands: some scripts and pictures need it.
fn is_writing(c: char, before: Option<char>, after: Option<char>, token: &str) -> bool {
    let is_joined =
        |neighbour: Option<char>| neighbour.is_some_and(|c| !c.is_ascii() && !c.is_whitespace());
    let between = |scripts: &[Script]| {
        let is_of = |c: Option<char>| c.is_some_and(|c| scripts.contains(&c.script()));
        is_of(before) && is_of(after)
    };
    match c {
        // Between letters, and behind the sign that would join the letter before to one that is not there.
        '\u{200c}' | '\u{200d}' => {
            is_joined(before) && is_joined(after)
                || before.is_some_and(|c| canonical_combining_class(c) == VIRAMA)
        }
        // The end of a word, in scripts that have no blanks between words.
        '\u{200b}' => between(&[Script::Thai, Script::Lao, Script::Khmer, Script::Myanmar]),
        '\u{180e}' => between(&[Script::Mongolian]),
        // Marks at the edge of text that runs from right to left; they turn nothing round by themselves.
        '\u{200e}' | '\u{200f}' | '\u{61c}' => {
            token.chars().any(|c| RIGHT_TO_LEFT.contains(&c.script()))
        }
        // The flags of countries' parts, and the forms of ideographs.
        '\u{e0020}'..='\u{e007f}' => {
            before.is_some_and(|c| matches!(c, '🏴' | '\u{e0020}'..='\u{e007e}'))
        }
        '\u{e0100}'..='\u{e01ef}' => before.is_some_and(|c| c.script() == Script::Han),
        _ => false,
    }
}

/// The combining class of the signs that take a letter's vowel away (Unicode, 4.3).
const VIRAMA: u8 = 9;

const RIGHT_TO_LEFT: [Script; 6] = [
    Script::Arabic,
    Script::Hebrew,
    Script::Syriac,
    Script::Thaana,
    Script::Nko,
    Script::Adlam,
];

fn hidden(source: ItemSource, text: &str, kind: Kind, run: Range<usize>) -> Diagnostic {
    let characters = text.get(run.clone()).unwrap_or_default();
    let place = place(kind).unwrap_or_default();
    let mut names: Vec<String> = characters.chars().map(name).collect();
    names.dedup();
    let names = names.join(", ");
    let message = match characters.chars().any(is_directional) {
        true => format!(
            "{names} in this {place} turns the order of text round: what is read here is not what is written"
        ),
        false => format!("{names} in this {place} is not to be seen"),
    };
    let size = |at: usize| TextSize::new(u32::try_from(at).unwrap_or(u32::MAX));
    let at = Location::range(source, TextRange::new(size(run.start), size(run.end)));
    let problem = Diagnostic::new(Code::HiddenCharacter, at, message);
    if kind.is_comment() {
        let fix = fixes::replace(at, "", format!("remove {names}"));
        return problem.help("leave it out").fix(fix);
    }
    if kind == Kind::Name {
        return problem.help("write the name without it, here and wherever it is read");
    }
    let rest = text.get(run.end..).unwrap_or_default();
    let escapes = escapes(characters, kind, rest);
    let help = format!("write `{escapes}`, which means the same, or leave it out");
    let fix = fixes::replace(at, &escapes, format!("write `{escapes}`"));
    problem.help(help).fix(fix)
}

/// `U+202E`.
fn name(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

/// The characters of a literal as escapes, before what follows them.
fn escapes(characters: &str, kind: Kind, rest: &str) -> String {
    let mut escapes: String = characters
        .chars()
        .map(|c| format!("\\x{:X}", u32::from(c)))
        .collect();
    // A digit behind it would be a part of the escape.
    if matches!(kind, Kind::String(_)) && rest.starts_with(|c: char| c.is_ascii_hexdigit()) {
        escapes += "\\&";
    }
    escapes
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    fn hidden(program: &str) -> Vec<String> {
        found(Code::HiddenCharacter, program)
    }

    #[test]
    fn what_is_not_seen_is_told_in_comments_and_literals() {
        assert_eq!(
            hidden(
                "-- \u{202e}a\u{2066}\u{200b}\nf : String\nf! = \"\u{200b}a\u{202d}\" {-- \u{1b} --}\n\ng : Char\ng! = '\u{2060}'\n"
            ),
            [
                "\u{202e}",
                "\u{2066}\u{200b}",
                "\u{200b}",
                "\u{202d}",
                "\u{1b}",
                "\u{2060}"
            ]
        );
        // It does not matter whether the item parses, or what follows it.
        assert_eq!(hidden("f = ) -- \u{202e}\n"), ["\u{202e}"]);
        assert_eq!(hidden("f : Int\n\n-- \u{202e}\n"), ["\u{202e}"]);
        // What follows seems to stand on a line of its own, and does not.
        assert_eq!(
            hidden("f : Int -- \u{2028}g : Int\u{2029}\n"),
            ["\u{2028}", "\u{2029}"]
        );
    }

    #[test]
    fn letters_may_be_blank() {
        let program = "f : Int -> Int -> Int\nf \u{3164} x\u{ffa0} = x\u{ffa0}\n";
        assert_eq!(hidden(program), ["\u{3164}", "\u{ffa0}", "\u{ffa0}"]);
    }

    #[test]
    fn writing_and_pictures_are_no_secrets() {
        assert!(
            hidden(
                "\u{feff}-- می\u{200c}خواهم, क\u{200d}ष, 👩\u{200d}🔬, e\u{301}, עברית\t\r\nf : String\nf! = \"ä→λ\"\n"
            )
            .is_empty()
        );
        for written in [
            "กา\u{200b}กา",
            "ក\u{200b}ក",
            "न\u{94d}\u{200c} ",
            "ᠠ\u{180e}ᠠ",
            "עברית\u{200f}!",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "葛\u{e0100}",
        ] {
            assert_eq!(hidden(&format!("-- {written}\nf : Int\n")), [] as [&str; 0]);
        }
        for secret in [
            "\u{200d}",
            "\u{200b}",
            "\u{200f}",
            "\u{e0067}",
            "\u{e0100}",
            "\u{ad}",
        ] {
            let program = format!("-- a{secret}b\nf : Int\n");
            assert_eq!(hidden(&program), [secret]);
        }
    }
}
