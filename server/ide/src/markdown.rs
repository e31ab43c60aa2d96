//! Text of programs within Markdown: it is read, and does nothing else.

use std::ops::Range;

use frank_syntax::law;
use frank_syntax::visible::{visible, visible_lines};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

/// The schemes that a link may have; one without any leads to a place beside the text.
const SCHEMES: &[&str] = &["http", "https", "mailto"];
/// What is escaped changes what stands behind it, such as where code begins: it is looked at again so often.
const ROUNDS: usize = 4;

/// A documentation comment as Markdown. Lines that begin with `>` or `=` are examples in the library's comments, and
/// become code, as laws do. HTML becomes text, links that are no addresses of pages are none, what is not to be seen is written as
/// an escape, and what is open ends with it.
pub fn documentation(text: &str) -> String {
    let mut text = visible_lines(&with_examples(text)).into_owned();
    let mut round = 0;
    loop {
        let (risks, code) = look_at(&text);
        if risks == Risks::default() {
            return closed(text);
        }
        // Whoever writes a comment that needs more rounds does not care how its code looks.
        let is_code = |at| round < ROUNDS && code.iter().all(|ranges| is_inside(ranges, at));
        text = without(&text, risks, is_code);
        round += 1;
    }
}

/// A text on one line as Markdown in which all characters stand for themselves.
pub fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len());
    for c in visible(text).chars() {
        if r"\`*_[]<>&~!|$".contains(c) {
            literal.push('\\');
        }
        literal.push(c);
    }
    literal
}

fn with_examples(text: &str) -> String {
    let mut out = String::new();
    let mut code = false;
    for line in text.lines() {
        let example = line.starts_with("> ")
            || line.starts_with("= ")
            || law::begins(line)
            || (code && line.starts_with("  "));
        if example != code {
            out.push_str(if example { "```frank\n" } else { "```\n" });
        }
        code = example;
        let shown = match line.strip_prefix("= ") {
            Some(value) if example => format!("-- {value}"),
            _ => line.strip_prefix("> ").unwrap_or(line).to_owned(),
        };
        out.push_str(&shown);
        out.push('\n');
    }
    if code {
        out.push_str("```\n");
    }
    out.trim_end().to_owned()
}

/// What there is that does something.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Risks {
    tags: bool,
    links: bool,
}

/// What a text risks, and where its code is, for readers of each kind: some know tables, whose cells end within what
/// others take for code.
fn look_at(text: &str) -> (Risks, [Vec<Range<usize>>; 2]) {
    let mut links = false;
    let code = [Options::empty(), Options::ENABLE_TABLES].map(|options| {
        let mut code = Vec::new();
        for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
            match event {
                Event::Code(_) | Event::Start(Tag::CodeBlock(_)) => code.push(range),
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    links |= !is_address(&dest_url);
                }
                _ => {}
            }
        }
        code
    });
    let mut begun = text.match_indices('<').map(|(at, _)| at);
    let is_code = |at| code.iter().all(|ranges| is_inside(ranges, at));
    let tags = begun.any(|at| begins_tag(text, at) && !is_code(at));
    (Risks { tags, links }, code)
}

/// Whether a `<` begins what some reader may take for a tag.
fn begins_tag(text: &str, at: usize) -> bool {
    let behind = text.get(at + 1..).unwrap_or_default();
    behind.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
}

/// Whether one of the ranges, which are in order, has an offset.
fn is_inside(ranges: &[Range<usize>], at: usize) -> bool {
    let after = ranges.partition_point(|range| range.start <= at);
    let before = ranges.get(..after).and_then(<[_]>::last);
    before.is_some_and(|range| range.contains(&at))
}

fn is_address(link: &str) -> bool {
    match link.find([':', '/', '?', '#']) {
        Some(end) if link.get(end..).is_some_and(|rest| rest.starts_with(':')) => {
            let scheme = link.get(..end).unwrap_or_default();
            SCHEMES
                .iter()
                .any(|known| known.eq_ignore_ascii_case(scheme))
        }
        _ => true,
    }
}

/// A text without what it risks: outside of its code the characters that begin such things are written as entities.
fn without(text: &str, risks: Risks, is_code: impl Fn(usize) -> bool) -> String {
    let mut left = String::with_capacity(text.len() + 16);
    for (at, c) in text.char_indices() {
        match c {
            '<' if risks.tags && begins_tag(text, at) && !is_code(at) => {
                left.push_str("&lt;");
            }
            '[' if risks.links && !is_code(at) => left.push_str("&#91;"),
            c => left.push(c),
        }
    }
    left
}

/// A text with the end of its last block of code, if that is not there.
fn closed(text: String) -> String {
    let followed = format!("{text}\n\nx");
    let blocks = Parser::new_ext(&followed, Options::empty()).into_offset_iter();
    let last = blocks.filter_map(|(event, range)| match event {
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => Some(range),
        _ => None,
    });
    let open = last.last().filter(|range| range.end == followed.len());
    let opened = open.and_then(|range| text.get(range.start..));
    let Some(opened) = opened else {
        return text;
    };
    let fence = opened.chars().take_while(|c| opened.starts_with(*c));
    let fence: String = fence.collect();
    format!("{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a reader who knows tables makes of it: HTML that is left, links, and the text.
    fn read(text: &str) -> (Vec<String>, Vec<String>, String) {
        let (mut html, mut links, mut shown) = (Vec::new(), Vec::new(), String::new());
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Html(text) | Event::InlineHtml(text) => html.push(text.into_string()),
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    links.push(dest_url.into_string());
                }
                Event::Text(text) | Event::Code(text) => shown.push_str(&text),
                _ => {}
            }
        }
        (html, links, shown)
    }

    #[test]
    fn comments_do_nothing() {
        for text in [
            "<img src=x onerror=alert(1)> <script>alert(1)</script>",
            "<div>\n[x](javascript:alert(1))\n</div>",
            "[x](javascript:alert(1)) ![x](DATA:text/html,1)",
            "[x][y]\n\n[y]: javascript:alert(1)\n",
            "[a [b](javascript:1) c](javascript:2)",
            "[x](java&#115;cript:1) [x](<javascript:1>)",
            "<a href=\"`\">`<img src=x onerror=alert(1)>`",
            "<!-- a\n\n<b>\n\n-->\n\n<![CDATA[ <b> ]]> <?x?>",
            "\\<script> \\\\<script>",
            "- <b>\n- ```\n  <i>\n",
            "| a | b | c |\n|---|---|---|\n| ` | <img src=x onerror=alert(1)> | ` |",
        ] {
            let shown = documentation(text);
            let (html, links, _) = read(&shown);
            assert_eq!((html, links), (Vec::new(), Vec::new()), "{text}\n{shown}");
        }
        // Each escape makes code of what was none before, and the other way round.
        let text = "<a b=\"`\">`".repeat(50);
        assert!(read(&documentation(&text)).0.is_empty());
    }

    #[test]
    fn what_looks_like_tags_is_shown() {
        let text = "Runs <State S> until x < y; see `<State S>` and [the page](https://a.b/c).";
        let (_, links, shown) = read(&documentation(text));
        assert_eq!(
            shown,
            "Runs <State S> until x < y; see <State S> and the page."
        );
        assert_eq!(links, ["https://a.b/c"]);
    }

    #[test]
    fn what_is_not_seen_is_escaped() {
        let shown = documentation("a\u{1b}[31m\u{202e}b\n\tc");
        assert_eq!(shown, "a\\u{1b}[31m\\u{202e}b\n\tc");
    }

    #[test]
    fn what_is_open_ends() {
        for (text, shown) in [
            ("a\n```\nb", "a\n```\nb\n```"),
            ("~~~~ x\nb\n~~~", "~~~~ x\nb\n~~~\n~~~~"),
            ("```\nb\n```", "```\nb\n```"),
            ("- ```\n  b", "- ```\n  b"),
            ("> f 1\n= 2", "```frank\nf 1\n-- 2\n```"),
        ] {
            assert_eq!(documentation(text), shown);
        }
    }

    #[test]
    fn names_of_files_stand_for_themselves() {
        let name = "a_b_<i>`c`&lt;[d](e).fk";
        let (html, links, shown) = read(&literal(name));
        assert_eq!((html.len(), links.len(), shown.as_str()), (0, 0, name));
    }
}
