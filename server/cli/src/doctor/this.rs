//! This program: which it is, what is in it, whether others find it.

use std::env;
use std::path::{Path, PathBuf};

use crate::crash;
use crate::output::{count, visible_path};

use super::Examined;

/// What is compiled in, and what the features are called.
const FEATURES: &[(&str, bool)] = &[
    ("native", cfg!(feature = "native")),
    ("plot", cfg!(feature = "plot")),
    ("mcp", cfg!(feature = "mcp")),
    ("kernel", cfg!(feature = "kernel")),
];

pub fn examine() -> Vec<Examined> {
    let own = env::current_exe().ok();
    let shown = own
        .as_deref()
        .map_or("an unknown place".to_owned(), visible_path);
    let (arch, os) = (env::consts::ARCH, env::consts::OS);
    let program = format!(
        "frank {} for {arch}-{os}: {shown}",
        env!("CARGO_PKG_VERSION")
    );
    let mut all = vec![Examined::fine("program", program), features()];
    all.push(in_path(own.as_deref()));
    all.push(Examined::fine(
        "library",
        format!(
            "{}, in the program",
            count(frank_library::LIBRARY.len(), "file")
        ),
    ));
    all.extend(crashes());
    all
}

fn features() -> Examined {
    let of = |wanted: bool| {
        let names = FEATURES.iter().filter(|(_, is)| *is == wanted);
        names.map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    };
    let (there, missing) = (of(true), of(false));
    if missing.is_empty() {
        return Examined::fine("features", there);
    }
    let there = if there.is_empty() { "none" } else { &there };
    Examined::note("features", format!("{there}; without {missing}"))
        .with("packages have all of them; `cargo install` has those that `--features` names")
}

/// Which program is started by who asks for `frank`.
fn in_path(own: Option<&Path>) -> Examined {
    let same = |path: &Path| match (path.canonicalize(), own.map(Path::canonicalize)) {
        (Ok(path), Some(Ok(own))) => path == own,
        _ => false,
    };
    match first_in_path() {
        None => Examined::note(
            "PATH",
            "there is no `frank` in PATH, where most editors look for it",
        )
        .with("add the program's directory to PATH, or give editors the program's whole path"),
        Some(path) if same(&path) => Examined::fine("PATH", "`frank` is this program"),
        Some(path) => Examined::note(
            "PATH",
            format!("`frank` is another program: {}", visible_path(&path)),
        )
        .with("remove one of the two, or put this one's directory before the other's"),
    }
}

/// The program that is found by the name `frank`.
pub fn first_in_path() -> Option<PathBuf> {
    let name = format!("frank{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(&name))
        .find(|file| is_program(file))
}

/// Whether a file can be started.
fn is_program(file: &Path) -> bool {
    let Ok(about) = file.metadata() else {
        return false;
    };
    #[cfg(unix)]
    let started = std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let started = true;
    about.is_file() && started
}

/// Reports of crashes that there are.
fn crashes() -> Option<Examined> {
    let reports = crash::reports(&crash::directory()?);
    let last = reports.last()?;
    Some(
        Examined::note(
            "crashes",
            format!(
                "{}, the last one is {}",
                count(reports.len(), "report"),
                visible_path(last)
            ),
        )
        .with(format!("send it to {}, then remove it", crash::REPORT_TO)),
    )
}
