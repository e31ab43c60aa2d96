//! `frank doctor`, with a home directory of its own.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{Dir, finish};

/// The command for a user whose home is `home` in a directory, in which `work` is the current one.
fn doctor(dir: &Dir, args: &[&str]) -> Command {
    std::fs::create_dir_all(dir.path().join("work")).expect("a directory");
    let mut command = dir.command_with(&[&["doctor"], args].concat());
    for variable in [
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "JUPYTER_DATA_DIR",
    ] {
        command.env_remove(variable);
    }
    let home = dir.path().join("home");
    command
        .current_dir(dir.path().join("work"))
        .env("HOME", &home)
        .env("USERPROFILE", &home)
        .env("FRANK_CRASH_REPORTS", dir.path().join("crashes"))
        .env("PATH", dir.path().join("bin"));
    command
}

/// What is said of something, and the exit code.
fn said_of(dir: &Dir, what: &str) -> (Vec<(String, String)>, i32) {
    let run = finish(doctor(dir, &["--format", "json"]), "");
    let said = run.stdout.lines().filter_map(|line| {
        let object: Value = serde_json::from_str(line).expect("an object");
        let text = |field: &str| object[field].as_str().unwrap_or_default().to_owned();
        (object["what"] == what).then(|| (text("standing"), text("said") + &text("mend")))
    });
    (said.collect(), run.code)
}

/// The only thing that is said of something.
fn only(dir: &Dir, what: &str) -> (String, String, i32) {
    let (mut said, code) = said_of(dir, what);
    assert_eq!(said.len(), 1, "{what}: {said:?}");
    let (standing, text) = said.remove(0);
    (standing, text, code)
}

#[test]
fn it_says_which_program_it_is_and_what_it_finds() {
    let dir = Dir::new(&[]);
    let run = finish(doctor(&dir, &[]), "");
    assert_eq!(run.code, 0, "{}", run.whole());
    let first = run.stdout.lines().next().unwrap_or_default();
    let program = format!("ok     program: frank {} for ", env!("CARGO_PKG_VERSION"));
    assert!(
        first.starts_with(&program) && first.contains(env!("CARGO_BIN_EXE_frank")),
        "{first}"
    );
    for word in [
        "in the program",
        "there is no frank.toml in",
        "none is set up for Frank",
    ] {
        assert!(run.stdout.contains(word), "{word}: {}", run.stdout);
    }
    assert_eq!(finish(doctor(&dir, &["nowhere"]), "").code, 2);
}

#[test]
fn the_configuration_is_named_and_its_mistakes_are_wrong() {
    let dir = Dir::new(&[("work/frank.toml", "include = []\n")]);
    let (standing, said, code) = only(&dir, "config");
    assert_eq!((standing.as_str(), code), ("ok", 0));
    assert!(said.ends_with("frank.toml"), "{said}");
    dir.write("work/frank.toml", "inclde = []\nholes = 3\n");
    let (standing, said, code) = only(&dir, "config");
    assert_eq!((standing.as_str(), code), ("wrong", 1));
    assert!(
        said.contains("2 mistakes; the first: ") && said.contains("`frank check`"),
        "{said}"
    );
}

#[test]
fn a_file_before_the_librarys_is_told() {
    let dir = Dir::new(&[("work/ad.fk", "")]);
    let (said, code) = said_of(&dir, "library");
    assert_eq!((said.len(), code), (2, 0));
    assert!(said[1].1.contains("ad.fk"), "{said:?}");
}

#[test]
fn extensions_with_a_server_need_no_other_program() {
    let folder = "home/.vscode/extensions/frank-tools.frank-0.1.0";
    let manifest = format!("{folder}/package.json");
    let dir = Dir::new(&[(&manifest, "{}")]);
    let (standing, said, code) = only(&dir, "VS Code");
    assert_eq!((standing.as_str(), code), ("note", 0));
    assert!(said.contains("PATH, which has none"), "{said}");
    let server = format!("{folder}/server/frank{}", std::env::consts::EXE_SUFFIX);
    dir.write(&server, "");
    let (standing, said, _) = only(&dir, "VS Code");
    assert_eq!(standing, "ok");
    assert!(said.ends_with("with a server of its own"), "{said}");
}

#[test]
fn neovim_and_emacs_are_found_where_they_are_set_up() {
    let dir = Dir::new(&[
        (
            "home/.local/share/nvim/lazy/frank/editors/neovim/lsp/frank.lua",
            "",
        ),
        ("home/.emacs.d/init.el", "(require 'frank-mode)\n"),
    ]);
    if cfg!(windows) {
        return;
    }
    assert!(only(&dir, "Neovim").1.contains("lazy/frank/editors/neovim"));
    assert!(only(&dir, "Emacs").1.contains(".emacs.d/init.el"));
}

#[cfg(unix)]
#[test]
fn a_half_set_up_helix_is_wrong() {
    let config = "home/.config/helix";
    let languages = format!("{config}/languages.toml");
    let dir = Dir::new(&[(
        &languages,
        "[[language]]\nname = \"frank\"\nscope = \"source.frank\"\n",
    )]);
    let (standing, said, code) = only(&dir, "Helix");
    assert_eq!((standing.as_str(), code), ("wrong", 1));
    assert!(
        said.contains("there is no") && said.contains("grammars/frank.so"),
        "{said}"
    );
    dir.write(&format!("{config}/runtime/grammars/frank.so"), "");
    assert!(only(&dir, "Helix").1.contains("queries/frank"));
    dir.write(
        &format!("{config}/runtime/queries/frank/highlights.scm"),
        "",
    );
    let (standing, _, code) = only(&dir, "Helix");
    assert_eq!((standing.as_str(), code), ("note", 0));
    // Another one's languages are none of ours.
    dir.write(&languages, "[[language]]\nname = \"other\"\n");
    assert_eq!(said_of(&dir, "Helix").0, []);
}

#[cfg(target_os = "linux")]
#[test]
fn a_kernel_whose_program_has_gone_is_wrong() {
    let file = "home/.local/share/jupyter/kernels/frank/kernel.json";
    let dir = Dir::new(&[(file, r#"{"argv": ["/nowhere/frank", "kernel"]}"#)]);
    let (standing, said, code) = only(&dir, "Jupyter");
    assert_eq!((standing.as_str(), code), ("wrong", 1));
    assert!(
        said.contains("/nowhere/frank") && said.contains("frank kernel --install"),
        "{said}"
    );
    let program = env!("CARGO_BIN_EXE_frank");
    dir.write(file, serde_json::json!({ "argv": [program] }).to_string());
    assert_eq!(only(&dir, "Jupyter").0, "ok");
}

#[cfg(unix)]
#[test]
fn the_first_program_in_path_is_compared_with_this_one() {
    let dir = Dir::new(&[("bin/readme", "")]);
    let link = dir.path().join("bin/frank");
    assert!(only(&dir, "PATH").1.contains("there is no `frank` in PATH"));
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_frank"), &link).expect("a link");
    assert_eq!(only(&dir, "PATH").0, "ok");
    std::fs::remove_file(&link).expect("removed");
    std::os::unix::fs::symlink(Path::new("/bin/sh"), &link).expect("a link");
    let (standing, said, code) = only(&dir, "PATH");
    assert_eq!((standing.as_str(), code), ("note", 0));
    assert!(
        said.contains("another program: ") && said.contains("bin/frank"),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn what_has_no_end_is_not_opened() {
    let dir = Dir::new(&[]);
    for file in [
        "home/.config/nvim/init.lua",
        "home/.config/helix/languages.toml",
        "home/.emacs.d/init.el",
        "home/.local/share/jupyter/kernels/frank/kernel.json",
    ] {
        let path = dir.path().join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        // Reading it would not end.
        std::os::unix::fs::symlink("/dev/zero", path).expect("linked");
    }
    let (said, code) = said_of(&dir, "editors");
    assert_eq!((said.len(), code), (1, 0), "{said:?}");
}
