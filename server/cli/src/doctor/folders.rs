//! Where programs of this user keep what they know.

use std::path::PathBuf;

/// The directories.
#[derive(Debug, Clone)]
pub struct Folders {
    pub home: PathBuf,
    /// Configurations: `~/.config` on most systems, also for those programs on macOS that do as they do elsewhere.
    pub config: PathBuf,
    /// What programs keep for themselves, `~/.local/share` on most systems.
    pub data: PathBuf,
}

impl Folders {
    /// Those of the user who runs this process. `None` if the system does not know where this user is at home.
    pub fn of_user() -> Option<Folders> {
        let home = dirs::home_dir()?;
        let named = |variable: &str, else_: PathBuf| match std::env::var_os(variable) {
            Some(value) if !value.is_empty() => PathBuf::from(value),
            _ => else_,
        };
        let usual = |below: &str, windows: Option<PathBuf>| match windows {
            Some(folder) if cfg!(windows) => folder,
            _ => home.join(below),
        };
        let config = named("XDG_CONFIG_HOME", usual(".config", dirs::config_dir()));
        let data = named(
            "XDG_DATA_HOME",
            usual(".local/share", dirs::data_local_dir()),
        );
        Some(Folders { home, config, data })
    }
}
