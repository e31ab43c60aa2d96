//! The kernel of notebooks, as far as it is installed; what it serves is in `tests/jupyter`.

use crate::support::Dir;

#[cfg(not(feature = "kernel"))]
#[test]
fn without_the_feature_it_says_what_to_do() {
    let run = Dir::new(&[]).run("kernel --install");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--features kernel"), "{}", run.whole());
}

#[test]
fn what_it_is_to_do_has_to_be_said() {
    let run = Dir::new(&[]).run("kernel");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--install"), "{}", run.whole());
}

#[cfg(feature = "kernel")]
mod installed {
    use super::*;

    #[test]
    fn it_is_installed_and_removed() {
        let dir = Dir::new(&[]);
        let file = dir.path().join("share/jupyter/kernels/frank/kernel.json");
        for _ in 0..2 {
            let run = dir.run("kernel --install --timeout 3s --prefix . --memory=64MiB");
            assert_eq!(run.code, 0, "{}", run.whole());
            let text = std::fs::read_to_string(&file).expect("a description");
            let read: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let program = read["argv"][0].as_str().expect("a program");
            assert!(std::path::Path::new(program).is_absolute(), "{program}");
            let rest = &read["argv"].as_array().expect("arguments")[1..];
            let wanted = "kernel --timeout 3s --memory=64MiB --connect {connection_file}";
            assert_eq!(rest, wanted.split(' ').collect::<Vec<_>>());
            assert_eq!(read["interrupt_mode"], "message");
        }
        let run = dir.run("kernel --uninstall --prefix .");
        assert_eq!(run.code, 0, "{}", run.whole());
        assert!(!file.parent().expect("a folder").exists());
        let run = dir.run("kernel --uninstall --prefix .");
        assert!(
            run.stdout.contains("nothing was installed"),
            "{}",
            run.whole()
        );
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        let dir = Dir::new(&[("file", ""), ("a.json", "{}")]);
        for (asked, words) in [
            ("--install --prefix absent", "no such directory"),
            ("--install --prefix file", "no such directory"),
            ("--connect absent.json", "cannot be read"),
            ("--connect a.json", "no connection file"),
        ] {
            let run = dir.run(&format!("kernel {asked}"));
            assert_eq!(run.code, 2);
            assert!(run.stderr.contains(words), "{}", run.whole());
        }
    }
}
