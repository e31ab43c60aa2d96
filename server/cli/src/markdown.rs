//! Markdown on a terminal: paragraphs are filled, programs stand indented, headings and code have
//! styles where there are colours.

use annotate_snippets::renderer::DEFAULT_TERM_WIDTH;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Programs are moved to the right by this much.
const INDENT: &str = "    ";

const BOLD: (&str, &str) = ("\u{1b}[1m", "\u{1b}[22m");
const CYAN: (&str, &str) = ("\u{1b}[36m", "\u{1b}[39m");
const UNDERLINED: (&str, &str) = ("\u{1b}[4m", "\u{1b}[24m");

/// A text in Markdown as it is shown in `width` columns.
pub fn render(text: &str, width: usize, colored: bool) -> String {
    let mut page = Page {
        out: String::new(),
        paragraph: String::new(),
        link: None,
        colored,
        width: width.clamp(40, DEFAULT_TERM_WIDTH),
    };
    let mut program = None;
    for event in Parser::new_ext(text, Options::empty()) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => program = Some(String::new()),
            Event::End(TagEnd::CodeBlock) => page.program(&program.take().unwrap_or_default()),
            Event::Text(text) if program.is_some() => {
                program.get_or_insert_default().push_str(&text);
            }
            event => page.event(event),
        }
    }
    page.out.trim_end().to_owned() + "\n"
}

struct Page {
    out: String,
    /// The paragraph at work, with styles, not yet filled.
    paragraph: String,
    /// Where the link at work leads.
    link: Option<String>,
    colored: bool,
    width: usize,
}

impl Page {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::Strong) => self.style(BOLD.0),
            Event::End(TagEnd::Strong) => self.style(BOLD.1),
            Event::End(TagEnd::Heading(_)) => {
                self.style(BOLD.1);
                self.fill();
            }
            Event::Start(Tag::Emphasis) => self.style(UNDERLINED.0),
            Event::End(TagEnd::Emphasis) => self.style(UNDERLINED.1),
            Event::End(TagEnd::Paragraph) => self.fill(),
            Event::Start(Tag::Link { dest_url, .. }) => self.link = Some(dest_url.into_string()),
            Event::End(TagEnd::Link) => {
                let link = self.link.take().unwrap_or_default();
                // Links are written for the pages, which stand in a directory of the book.
                let link = link.replacen("../", "docs/", 1);
                self.paragraph.push_str(&format!(" ({link})"));
            }
            Event::Text(text) => self.paragraph.push_str(&text),
            Event::Code(code) if self.colored => {
                self.paragraph
                    .push_str(&format!("{}{code}{}", CYAN.0, CYAN.1));
            }
            Event::Code(code) => self.paragraph.push_str(&format!("`{code}`")),
            Event::SoftBreak | Event::HardBreak => self.paragraph.push(' '),
            _ => {}
        }
    }

    fn style(&mut self, style: &str) {
        if self.colored {
            self.paragraph.push_str(style);
        }
    }

    /// Ends the paragraph.
    fn fill(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        self.out.push_str(&textwrap::fill(&paragraph, self.width));
        self.out.push_str("\n\n");
    }

    fn program(&mut self, program: &str) {
        self.out.push_str(&textwrap::indent(program, INDENT));
        self.out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A *title*\n\nSome `code` in a paragraph that is so long that it does not fit into one \
                        line.\n\n```frank\nf : Int\n\nf! = 1\n```\n\nSee [Types](../language.md#types).\n";

    #[test]
    fn text_is_filled_and_programs_are_kept() {
        expect_test::expect![[r#"
            A title

            Some `code` in a paragraph that is so
            long that it does not fit into one line.

                f : Int

                f! = 1

            See Types (docs/language.md#types).
        "#]]
        .assert_eq(&render(TEXT, 40, false));
    }

    #[test]
    fn styles_take_no_room() {
        let plain = render(TEXT, 40, false).replace('`', "");
        let mut styled = render(TEXT, 42, true);
        for (on, off) in [BOLD, CYAN, UNDERLINED] {
            assert!(styled.contains(on), "{on:?}");
            styled = styled.replace(on, "").replace(off, "");
        }
        assert_eq!(
            styled.split_whitespace().collect::<Vec<_>>(),
            plain.split_whitespace().collect::<Vec<_>>()
        );
    }
}
