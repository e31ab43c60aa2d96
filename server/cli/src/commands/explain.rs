//! `frank explain`: what a finding means.

use std::io::{self, Write};

use frank_analysis::diagnostics::{Code, book, similar_name};
use frank_syntax::visible::{visible, visible_lines};

use crate::Outcome;
use crate::args::{Color, ExplainArgs};
use crate::markdown;
use crate::output::{colored, complain, width};

/// So many codes at most are listed that words are found in.
const MOST_FOUND: usize = 8;

/// Explains a code, or lists all of them, or those whose pages have some words.
pub fn run(args: &ExplainArgs, color: Color) -> io::Result<Outcome> {
    let mut out = io::stdout().lock();
    let colored = colored(color, &out);
    let wanted = args.wanted.join(" ");
    if wanted.is_empty() {
        list(&mut out, Code::ALL)?;
        return Ok(Outcome::Success);
    }
    let Some(code) = Code::parse(&wanted) else {
        let found = with_words(&args.wanted);
        if !found.is_empty() {
            list(&mut out, &found)?;
            return Ok(Outcome::Success);
        }
        let known = Code::ALL.iter().map(|code| code.as_str());
        let similar = similar_name(&wanted.to_ascii_uppercase(), known).map_or_else(
            || ";".to_owned(),
            |similar| format!(": did you mean {similar}?"),
        );
        complain(format_args!(
            "there is no code {}{similar} `frank explain` lists all",
            visible(&wanted)
        ));
        return Ok(Outcome::Unusable);
    };
    let text = format!("{}{}\n", book::explanation(code), code.page_url());
    write!(
        out,
        "{}",
        markdown::render(&visible_lines(&text), width(), colored)
    )?;
    Ok(Outcome::Success)
}

/// A line for each code.
fn list(out: &mut impl Write, codes: &[Code]) -> io::Result<()> {
    for code in codes {
        let declaration = code.declaration();
        let severity = declaration.severity.word();
        writeln!(
            out,
            "{}  {severity:7}  {}",
            declaration.code, declaration.title
        )?;
    }
    Ok(())
}

/// The codes whose pages have words that begin with each of these, those with the words in their titles
/// first, then those that have them more often.
fn with_words(wanted: &[String]) -> Vec<Code> {
    let wanted: Vec<String> = wanted.iter().map(|word| word.to_lowercase()).collect();
    let count = |text: &str| {
        let text = text.to_lowercase();
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
        let of = |wanted: &String| {
            let has = |word: &&&str| word.starts_with(wanted.as_str());
            words.iter().filter(has).count()
        };
        wanted.iter().map(of).min().unwrap_or(0)
    };
    let counts = Code::ALL.iter().map(|code| {
        let declaration = code.declaration();
        let (title, page) = (declaration.title, declaration.explanation);
        (*code, count(title), count(&format!("{title} {page}")))
    });
    let mut found: Vec<_> = counts.filter(|(_, _, all)| *all > 0).collect();
    found.sort_by_key(|(_, title, all)| (std::cmp::Reverse(*title > 0), std::cmp::Reverse(*all)));
    found.truncate(MOST_FOUND);
    found.into_iter().map(|(code, ..)| code).collect()
}
