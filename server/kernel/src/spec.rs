//! What Jupyter has to be told of a kernel, and where it looks for that.

use std::path::{Path, PathBuf};

use jupyter_protocol::JupyterKernelspec;
use jupyter_zmq_client::dirs::user_data_dir;

/// The folder of a kernel of this name: below `prefix`, as `jupyter` has it for environments, or among the user's own.
///
/// # Errors
/// The user has no home; a sentence.
pub fn folder(prefix: Option<&Path>, name: &str) -> Result<PathBuf, String> {
    let data = match prefix {
        Some(prefix) => prefix.join("share").join("jupyter"),
        None => match std::env::var_os("JUPYTER_DATA_DIR").filter(|value| !value.is_empty()) {
            Some(folder) => PathBuf::from(folder),
            None => user_data_dir().map_err(|error| {
                format!(
                    "where Jupyter looks for kernels is not known ({error}): `--prefix` says it"
                )
            })?,
        },
    };
    Ok(data.join("kernels").join(name))
}

/// The description of a kernel, the file `kernel.json` in its folder: `arguments` start it, the first of them the
/// program; `{connection_file}` in them is replaced by Jupyter.
pub fn description(arguments: Vec<String>) -> String {
    let spec = JupyterKernelspec {
        argv: arguments,
        display_name: "Frank".to_owned(),
        language: "frank".to_owned(),
        metadata: None,
        // A signal would also reach those for whom the kernel works.
        interrupt_mode: Some("message".to_owned()),
        env: None,
    };
    let spec = serde_json::to_value(&spec);
    let mut spec = spec.unwrap_or_else(|_| unreachable!("its keys are texts"));
    // What is not said is left out: some readers do not take `null`.
    if let Some(entries) = spec.as_object_mut() {
        entries.retain(|_, value| !value.is_null());
    }
    format!("{spec:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_says_how_to_start() {
        let text = description(vec!["frank".to_owned(), "{connection_file}".to_owned()]);
        let read: JupyterKernelspec = serde_json::from_str(&text).expect("a description");
        assert_eq!(read.argv, ["frank", "{connection_file}"]);
        assert_eq!(read.interrupt_mode.as_deref(), Some("message"));
        assert!(!text.contains("null"));
    }

    #[test]
    fn environments_have_folders() {
        let found = folder(Some(Path::new("/venv")), "frank");
        assert_eq!(
            found,
            Ok(PathBuf::from("/venv/share/jupyter/kernels/frank"))
        );
    }
}
