//! Whether an editor's extension of this project is new enough for this server.
//!
//! The other way round, the extension asks the program for its version before it starts it.

use semver::Version;

/// What an extension says its version as, in the options of its first message.
const KEY: &str = "extension";

/// The oldest extension that speaks with this server as both expect.
const OLDEST: Version = Version::new(0, 1, 0);

/// Takes the version out of the options of `initialize`, so that it is not taken for a setting. Gives what the user has
/// to be told of it, if anything; an editor without an extension of this project says no version.
pub fn take(options: &mut serde_json::Value) -> Option<String> {
    let told = options.as_object_mut()?.remove(KEY)?;
    let Some(version) = told.as_str().and_then(|text| Version::parse(text).ok()) else {
        return Some(format!(
            "Frank: expected the version of the editor's extension in `initializationOptions.{KEY}`, as \"{OLDEST}\", \
             found {told}"
        ));
    };
    (version < OLDEST).then(|| {
        format!(
            "Frank: this editor's extension has version {version}, and the server, of version {}, needs {OLDEST} or newer: \
             update the extension; until then some of its commands may fail",
            env!("CARGO_PKG_VERSION")
        )
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::take;

    #[test]
    fn old_extensions_are_told_and_versions_are_no_settings() {
        let mut new = json!({"extension": "0.1.0", "lenses": {}});
        assert_eq!(take(&mut new), None);
        assert_eq!(new, json!({"lenses": {}}));
        for newer in ["0.1.1", "0.2.0-rc.1", "1.0.0"] {
            assert_eq!(take(&mut json!({"extension": newer})), None);
        }
        for old in ["0.0.9", "0.1.0-rc.1"] {
            let told = take(&mut json!({"extension": old})).unwrap();
            assert!(told.contains(&format!("has version {old}")), "{told}");
            assert!(told.contains("0.1.0 or newer"), "{told}");
        }
        for odd in [json!("new"), json!(1), json!(null)] {
            let told = take(&mut json!({"extension": odd})).unwrap();
            assert!(told.contains(&format!("found {odd}")), "{told}");
        }
        for none in [json!({"frank": {}}), json!(null), json!([])] {
            assert_eq!(take(&mut none.clone()), None);
        }
    }
}
