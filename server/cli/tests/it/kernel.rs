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
    fn places_are_those_of_the_directory_in_which_it_is_installed() {
        let dir = Dir::new(&[("lib/a.fk", ""), ("x.toml", "")]);
        let file = dir.path().join("share/jupyter/kernels/frank/kernel.json");
        let base = std::path::absolute(dir.path()).expect("a path");
        let place = |name: &str| base.join(name).to_str().expect("UTF-8").to_owned();
        let wanted = [
            "kernel",
            "--steps=9",
            "-I",
            &place("lib"),
            "-I",
            &place("other"),
            "--config",
            &place("x.toml"),
            "--connect",
            "{connection_file}",
        ];
        for said in [
            "-I lib --steps=9 --include=other --config x.toml",
            "-Ilib --include other --config=x.toml --steps=9",
        ] {
            let run = dir.run(&format!("kernel --install --prefix . {said}"));
            assert_eq!(run.code, 0, "{}", run.whole());
            let text = std::fs::read_to_string(&file).expect("a description");
            let read: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(
                &read["argv"].as_array().expect("arguments")[1..],
                wanted,
                "{said}"
            );
        }
    }

    #[test]
    fn what_is_not_its_own_is_left() {
        let dir = Dir::new(&[]);
        let folder = dir.path().join("share/jupyter/kernels/frank");
        assert_eq!(dir.run("kernel --install --prefix .").code, 0);
        std::fs::write(folder.join("logo-64x64.png"), "mine").expect("written");
        let run = dir.run("kernel --uninstall --prefix .");
        assert_eq!(run.code, 0, "{}", run.whole());
        assert!(run.stdout.contains("left"), "{}", run.whole());
        assert!(folder.join("logo-64x64.png").exists());
        assert!(!folder.join("kernel.json").exists());
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
