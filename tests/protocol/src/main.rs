//! The language server on its own: `frank-server-under-test [--tcp ADDR [--token-file FILE]] [--log FILE]`.

use std::process::ExitCode;

/// The one that `frank` has, so that times and memory are those of its server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let mut options = frank_lsp::Options {
        self_test: true,
        ..frank_lsp::Options::default()
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next()) {
            ("--tcp", Some(address)) => options.tcp = address.parse().ok(),
            ("--token-file", Some(path)) => options.token_file = Some(path.into()),
            ("--log", Some(path)) => options.log = Some(path.into()),
            _ => {
                eprintln!(
                    "usage: frank-server-under-test [--tcp ADDR [--token-file FILE]] [--log FILE]"
                );
                return ExitCode::from(2);
            }
        }
    }
    match frank_lsp::run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
