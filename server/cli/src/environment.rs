//! What the environment says of how programs run.

use std::sync::LazyLock;

use frank_interpreter::Specialise;
use frank_syntax::visible::visible;

use crate::output::complain;

/// When a run makes machine code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MachineCode {
    Never,
    /// Of functions in which much time is spent.
    Hot,
    /// Of all functions, before the run begins: for tests.
    All,
}

/// When a run makes machine code, as the environment says: `FRANK_NATIVE` is 0 for never, `all` for all before the run
/// begins, and 1, as without it, for what is hot.
pub fn machine_code() -> MachineCode {
    static SAID: LazyLock<Option<String>> =
        LazyLock::new(|| one_of("FRANK_NATIVE", &["0", "1", "all"]));
    match SAID.as_deref() {
        Some("0") => MachineCode::Never,
        Some("all") => MachineCode::All,
        _ => MachineCode::Hot,
    }
}

/// Whether programs are specialised: they are, but where an option forbids it, or `FRANK_SPECIALISE` is 0.
pub fn specialise(forbidden: bool) -> Specialise {
    static SAID: LazyLock<Option<String>> =
        LazyLock::new(|| one_of("FRANK_SPECIALISE", &["0", "1"]));
    if forbidden || SAID.as_deref() == Some("0") {
        Specialise::No
    } else {
        Specialise::Yes
    }
}

/// The value of a variable if it is one of those that mean something. Complains of any other.
fn one_of(variable: &str, values: &[&str]) -> Option<String> {
    let value = std::env::var_os(variable).filter(|value| !value.is_empty())?;
    let value = value.to_string_lossy();
    if values.contains(&&*value) {
        return Some(value.into_owned());
    }
    complain(format_args!(
        "the environment's {variable} is `{}`, which says nothing: it should be {}",
        visible(&value),
        values.join(" or ")
    ));
    None
}
