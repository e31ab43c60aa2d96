//! What a program can ask of its surroundings beyond the terminal: a command of the library each.

use serde::{Deserialize, Serialize};

/// A command of the libraries `file`, `input`, `args` or `clock`, which the surroundings answer if they grant it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outside {
    ReadFile,
    WriteFile,
    AppendFile,
    FileExists,
    ListFolder,
    TryReadFile,
    TryWriteFile,
    TryAppendFile,
    TryFileExists,
    TryListFolder,
    NextLine,
    ReadAll,
    Arguments,
    Now,
    Elapsed,
}

impl Outside {
    /// All of them; those of an interface in the order of its commands.
    pub const ALL: [Outside; 15] = [
        Outside::ReadFile,
        Outside::WriteFile,
        Outside::AppendFile,
        Outside::FileExists,
        Outside::ListFolder,
        Outside::TryReadFile,
        Outside::TryWriteFile,
        Outside::TryAppendFile,
        Outside::TryFileExists,
        Outside::TryListFolder,
        Outside::NextLine,
        Outside::ReadAll,
        Outside::Arguments,
        Outside::Now,
        Outside::Elapsed,
    ];

    /// The file of the library that declares it, and its interface there.
    pub const fn home(self) -> (&'static str, &'static str) {
        match self {
            Outside::ReadFile
            | Outside::WriteFile
            | Outside::AppendFile
            | Outside::FileExists
            | Outside::ListFolder
            | Outside::TryReadFile
            | Outside::TryWriteFile
            | Outside::TryAppendFile
            | Outside::TryFileExists
            | Outside::TryListFolder => ("file", "File"),
            Outside::NextLine | Outside::ReadAll => ("input", "Input"),
            Outside::Arguments => ("args", "Args"),
            Outside::Now | Outside::Elapsed => ("clock", "Clock"),
        }
    }

    /// The name of its command.
    pub const fn name(self) -> &'static str {
        match self {
            Outside::ReadFile => "readFile",
            Outside::WriteFile => "writeFile",
            Outside::AppendFile => "appendFile",
            Outside::FileExists => "fileExists",
            Outside::ListFolder => "listFolder",
            Outside::TryReadFile => "tryReadFile",
            Outside::TryWriteFile => "tryWriteFile",
            Outside::TryAppendFile => "tryAppendFile",
            Outside::TryFileExists => "tryFileExists",
            Outside::TryListFolder => "tryListFolder",
            Outside::NextLine => "nextLine",
            Outside::ReadAll => "readAll",
            Outside::Arguments => "arguments",
            Outside::Now => "now",
            Outside::Elapsed => "elapsed",
        }
    }

    /// The command whose failure does not end the run: what it gives is on the right of an `Either`, and why it gives nothing
    /// on the left.
    pub const fn tried(self) -> Option<Outside> {
        match self {
            Outside::TryReadFile => Some(Outside::ReadFile),
            Outside::TryWriteFile => Some(Outside::WriteFile),
            Outside::TryAppendFile => Some(Outside::AppendFile),
            Outside::TryFileExists => Some(Outside::FileExists),
            Outside::TryListFolder => Some(Outside::ListFolder),
            _ => None,
        }
    }

    /// What ends a run that asks for it where nobody grants it.
    pub fn not_granted(self) -> String {
        let (name, (_, interface)) = (self.name(), self.home());
        format!(
            "`{name}` of `{interface}` is not granted here: files, arguments and clocks are for `frank run` and for \
             what `frank build` makes, and files for what an editor runs whose user grants some to `frank lsp`; elsewhere a \
             handler of the program's own has to take `{name}`"
        )
    }
}
