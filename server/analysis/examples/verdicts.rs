//! Reads programs separated by NUL bytes from standard input and writes the lines of the errors
//! of each, one program a line, with the codes: for comparing verdicts in bulk.

use std::io::Read;

use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;

fn main() -> std::io::Result<()> {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input)?;
    let mut files = Files::new(None);
    for program in input.split('\0') {
        let file = files.set_text("main.fk", program);
        let mut errors: Vec<String> = file_diagnostics(files.db(), file)
            .iter()
            .filter(|problem| problem.is_error())
            .map(|problem| {
                let start = usize::from(files.range(problem.location).start());
                let before = program.get(..start).unwrap_or(program);
                format!(
                    "{}:{}",
                    before.matches('\n').count() + 1,
                    problem.code.as_str()
                )
            })
            .collect();
        errors.sort();
        println!("{}", errors.join(" "));
    }
    Ok(())
}
