//! How much is tried: as much as usual, or what the environment says.

/// A number from the environment.
///
/// # Panics
///
/// If what stands there is no number.
pub fn setting(name: &str) -> Option<usize> {
    let value = std::env::var(name).ok()?;
    Some(
        value
            .parse()
            .unwrap_or_else(|_| panic!("{name} is {value}, and should be a number")),
    )
}

/// So many programs, or so many times more as `FRANK_FUZZ_ROUNDS` says.
pub fn rounds(count: usize) -> usize {
    count * setting("FRANK_FUZZ_ROUNDS").unwrap_or(1)
}

/// A seed, or another one as `FRANK_FUZZ_SEED` says.
pub fn seed(usual: u64) -> u64 {
    usual + 1000 * setting("FRANK_FUZZ_SEED").unwrap_or(0) as u64
}
