//! Editors that are set up for Frank, as far as their files say.

use std::fs;
use std::path::{Path, PathBuf};

use frank_workspace::read::read_bytes;

use crate::output::visible_path;

use super::this::first_in_path;
use super::{Examined, Folders, Standing};

/// Where VS Code and its kin have their extensions, below the home directory.
const EXTENSIONS: &[(&str, &str)] = &[
    ("VS Code", ".vscode/extensions"),
    ("VS Code Insiders", ".vscode-insiders/extensions"),
    ("VS Code Server", ".vscode-server/extensions"),
    ("VSCodium", ".vscode-oss/extensions"),
    ("Cursor", ".cursor/extensions"),
    ("Windsurf", ".windsurf/extensions"),
    ("code-server", ".local/share/code-server/extensions"),
];

/// What a directory of the extension begins with; its version follows.
const EXTENSION: &str = "frank-tools.frank-";

pub fn examine(folders: &Folders) -> Vec<Examined> {
    let mut all: Vec<Examined> = EXTENSIONS
        .iter()
        .flat_map(|(editor, below)| extensions(editor, &folders.home.join(below)))
        .collect();
    all.extend(neovim(folders));
    all.extend(emacs(folders));
    all.extend(helix(folders));
    all.extend(zed(folders));
    for one in &mut all {
        needs_path(one);
    }
    all
}

/// The names in a directory, in their order.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

/// The directories in a directory.
fn below(directory: &Path) -> Vec<PathBuf> {
    let entries = names(directory).into_iter();
    entries
        .map(|name| directory.join(name))
        .filter(|path| path.is_dir())
        .collect()
}

/// The extensions in a folder of VS Code's: those with a server of their own need no other program.
fn extensions(editor: &'static str, folder: &Path) -> Vec<Examined> {
    let found = names(folder);
    let found = found.iter().filter(|name| name.starts_with(EXTENSION));
    found
        .map(|name| {
            let path = folder.join(name);
            let server = path
                .join("server")
                .join(format!("frank{}", std::env::consts::EXE_SUFFIX));
            let shown = visible_path(&path);
            if server.is_file() {
                Examined::fine(editor, format!("{shown}, with a server of its own"))
            } else {
                Examined::fine(editor, format!("{shown}, {FROM_PATH}"))
            }
        })
        .collect()
}

/// What is said of an editor that finds the program by its name.
const FROM_PATH: &str = "takes `frank` from PATH";

/// An editor that looks for `frank` in PATH does not work where there is none. Settings of its own may name one.
fn needs_path(examined: &mut Examined) {
    if examined.standing == Standing::Fine
        && examined.said.ends_with(FROM_PATH)
        && first_in_path().is_none()
    {
        examined.standing = Standing::Note;
        examined.said.push_str(", which has none");
        examined.mend =
            Some("unless the editor's settings name the program, put it into PATH".to_owned());
    }
}

/// The plugin: where plugin managers put it, in the repository or alone, or named in the configuration.
fn neovim(folders: &Folders) -> Option<Examined> {
    const PLUGIN: &str = "lsp/frank.lua";
    const EDITOR: &str = "Neovim";
    let data = folders.data.join("nvim");
    let packages = below(&data.join("site/pack"))
        .into_iter()
        .flat_map(|package| ["start", "opt"].map(|kind| package.join(kind)));
    let managed = packages
        .chain([data.join("lazy")])
        .flat_map(|folder| below(&folder));
    let config = folders.config.join("nvim");
    let plugin = managed
        .chain([config.clone()])
        .flat_map(|folder| [folder.join("editors/neovim"), folder])
        .find(|folder| folder.join(PLUGIN).is_file());
    if let Some(plugin) = plugin {
        return Some(Examined::fine(
            EDITOR,
            format!("{}, {FROM_PATH}", visible_path(&plugin)),
        ));
    }
    mentioned(
        EDITOR,
        &[config.join("init.lua"), config.join("init.vim")],
        "editors/neovim",
    )
}

fn emacs(folders: &Folders) -> Option<Examined> {
    const EDITOR: &str = "Emacs";
    let (old, new) = (folders.home.join(".emacs.d"), folders.config.join("emacs"));
    let package = [&old, &new]
        .into_iter()
        .flat_map(|folder| below(&folder.join("elpa")))
        .find(|folder| folder.join("frank-mode.el").is_file());
    if let Some(package) = package {
        return Some(Examined::fine(
            EDITOR,
            format!("{}, {FROM_PATH}", visible_path(&package)),
        ));
    }
    let files = [
        folders.home.join(".emacs"),
        folders.home.join(".emacs.el"),
        old.join("init.el"),
        new.join("init.el"),
    ];
    mentioned(EDITOR, &files, "frank-mode")
}

/// The first file that has a word.
fn mentioned(editor: &'static str, files: &[PathBuf], word: &str) -> Option<Examined> {
    let has = |file: &&PathBuf| read_bytes(file).is_ok_and(|text| contains(&text, word));
    let file = files.iter().find(has)?;
    Some(Examined::fine(
        editor,
        format!("{}, {FROM_PATH}", visible_path(file)),
    ))
}

fn contains(text: &[u8], word: &str) -> bool {
    memchr::memmem::find(text, word.as_bytes()).is_some()
}

/// The language, and for its colours the parser and the queries.
fn helix(folders: &Folders) -> Option<Examined> {
    const EDITOR: &str = "Helix";
    let config = if cfg!(windows) {
        dirs::config_dir()?.join("helix")
    } else {
        folders.config.join("helix")
    };
    let file = config.join("languages.toml");
    let text = read_bytes(&file).ok()?;
    if !contains(&text, "source.frank") {
        return None;
    }
    let shown = visible_path(&file);
    let runtime = config.join("runtime");
    let extensions = ["so", "dylib", "dll"];
    let parser = extensions.map(|extension| runtime.join(format!("grammars/frank.{extension}")));
    let missing = if !parser.iter().any(|parser| parser.is_file()) {
        Some(visible_path(&runtime.join("grammars/frank.so")))
    } else if !runtime.join("queries/frank/highlights.scm").is_file() {
        Some(visible_path(&runtime.join("queries/frank")))
    } else {
        None
    };
    Some(match missing {
        None => Examined::fine(EDITOR, format!("{shown}, {FROM_PATH}")),
        Some(missing) => Examined::wrong(
            EDITOR,
            format!(
                "{shown} names the language, and there is no {missing}: programs have no colours"
            ),
            "the book says how the parser and the queries get there, under *Helix*",
        ),
    })
}

fn zed(folders: &Folders) -> Option<Examined> {
    let data = if cfg!(target_os = "macos") {
        folders.home.join("Library/Application Support/Zed")
    } else {
        folders.data.join("zed")
    };
    let extension = data.join("extensions/installed/frank");
    extension
        .is_dir()
        .then(|| Examined::fine("Zed", format!("{}, {FROM_PATH}", visible_path(&extension))))
}
