//! `frank explain`: what a finding means.

use std::io::{self, Write};

use frank_analysis::diagnostics::{Code, similar_name};

use crate::Outcome;
use crate::args::ExplainArgs;
use crate::output::complain;

/// Explains a code, or lists all of them.
pub fn run(args: &ExplainArgs) -> io::Result<Outcome> {
    let mut out = io::stdout().lock();
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
        let similar = similar_name(&wanted.to_ascii_uppercase(), known)
            .map_or_else(String::new, |similar| format!("; did you mean {similar}?"));
        complain(format_args!(
            "there is no code {wanted}{similar} `frank explain` lists all"
        ));
        return Ok(Outcome::Unusable);
    };
    writeln!(out, "{}", text(code))?;
    Ok(Outcome::Success)
}

/// All that there is to say about a code.
pub fn text(code: Code) -> String {
    let declaration = code.declaration();
    format!(
        "{} ({}): {}",
        declaration.code,
        declaration.severity.word(),
        declaration.title
    )
}
