//! `frank explain`: what a finding means.

use std::io::{self, Write};

use frank_analysis::diagnostics::{Code, book, similar_name};
use frank_syntax::visible::{visible, visible_lines};

use crate::Outcome;
use crate::args::{Color, ExplainArgs};
use crate::markdown;
use crate::output::{colored, complain, width};

/// Explains a code, or lists all of them.
pub fn run(args: &ExplainArgs, color: Color) -> io::Result<Outcome> {
    let mut out = io::stdout().lock();
    let colored = colored(color, &out);
    let Some(wanted) = &args.code else {
        for code in Code::ALL {
            let declaration = code.declaration();
            let severity = declaration.severity.word();
            writeln!(
                out,
                "{}  {severity:7}  {}",
                declaration.code, declaration.title
            )?;
        }
        return Ok(Outcome::Success);
    };
    let Some(code) = Code::parse(wanted) else {
        let known = Code::ALL.iter().map(|code| code.as_str());
        let similar = similar_name(&wanted.to_ascii_uppercase(), known).map_or_else(
            || ";".to_owned(),
            |similar| format!(": did you mean {similar}?"),
        );
        complain(format_args!(
            "there is no code {}{similar} `frank explain` lists all",
            visible(wanted)
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
