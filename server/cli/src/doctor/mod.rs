//! What `frank doctor` looks at: this program, the project around a directory, and the editors that are set up.

mod editors;
mod folders;
mod jupyter;
mod project;
mod this;

use std::path::Path;

pub use folders::Folders;

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// As it should be.
    Fine,
    /// Not there, or worth knowing; nothing has to be done.
    Note,
    /// Something does not work.
    Wrong,
}

impl Standing {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Standing::Fine => "ok",
            Standing::Note => "note",
            Standing::Wrong => "wrong",
        }
    }
}

/// What was looked at, and how it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examined {
    pub standing: Standing,
    /// What it is about, such as `Helix`.
    pub what: &'static str,
    /// How it is, in a sentence without a capital and a full stop. It may quote names of files.
    pub said: String,
    /// What to do about it.
    pub mend: Option<String>,
}

impl Examined {
    fn new(standing: Standing, what: &'static str, said: impl Into<String>) -> Examined {
        Examined {
            standing,
            what,
            said: said.into(),
            mend: None,
        }
    }

    fn fine(what: &'static str, said: impl Into<String>) -> Examined {
        Examined::new(Standing::Fine, what, said)
    }

    fn note(what: &'static str, said: impl Into<String>) -> Examined {
        Examined::new(Standing::Note, what, said)
    }

    fn wrong(what: &'static str, said: impl Into<String>, mend: impl Into<String>) -> Examined {
        Examined {
            mend: Some(mend.into()),
            ..Examined::new(Standing::Wrong, what, said)
        }
    }

    fn with(self, mend: impl Into<String>) -> Examined {
        Examined {
            mend: Some(mend.into()),
            ..self
        }
    }
}

/// Looks at everything. `directory` is where a project may be.
pub fn examine(directory: &Path, folders: &Folders) -> Vec<Examined> {
    let mut all = this::examine();
    all.extend(project::examine(directory));
    let editors = editors::examine(folders);
    if editors.is_empty() {
        all.push(
            Examined::note(
                "editors",
                "none is set up for Frank, where it could be seen",
            )
            .with("the book says how, under *Install*"),
        );
    }
    all.extend(editors);
    all.extend(jupyter::examine(folders));
    all
}
