//! Reads programs separated by NUL bytes from standard input, and writes what the `main` of each
//! comes to, one program a line: for comparing results in bulk.

use std::io::Read;
use std::time::Duration;

use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_interpreter::Limits;
use frank_tests::run::run_main;

fn main() -> std::io::Result<()> {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input)?;
    let mut files = Files::new(None);
    for program in input.split('\0') {
        let file = files.set_text("main.fk", program);
        if file_diagnostics(files.db(), file)
            .iter()
            .any(|problem| problem.is_error())
        {
            println!("refused");
            continue;
        }
        let limits = Limits {
            time: Some(Duration::from_secs(2)),
            steps: Some(2_000_000),
            memory: 256 << 20,
            ..Limits::default()
        };
        let outcome = run_main(&files, file, "", limits);
        println!("{:?} {:?}", outcome.output, outcome.value);
    }
    Ok(())
}
