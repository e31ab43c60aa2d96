//! What programs touch beside the terminal: files that are granted, input by lines, arguments, clocks.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::symlink;

use crate::support::{Dir, Run};

const FILES: &[(&str, &str)] = &[
    (
        "copy.fk",
        "include file\n\nmain : [File] Unit\nmain! = writeFile \"out/b.txt\" (readFile \"in/a.txt\")\n",
    ),
    (
        "add.fk",
        "include file\n\nmain : [File] Unit\nmain! = appendFile \"out/b.txt\" \"more\\n\"\n",
    ),
    (
        "look.fk",
        "include file\n\nmain : [File] (Pair (List Bool) (List String))\n\
         main! = pair (map fileExists [\"in/a.txt\", \"in/none\", \"in\"]) (listFolder \"in\")\n",
    ),
    ("in/a.txt", "one\ntwo\n"),
    ("out/old.txt", "old"),
];

/// A program that reads a path.
fn reads(path: &str) -> String {
    format!("include file\n\nmain : [File] String\nmain! = readFile \"{path}\"\n")
}

/// A run that ends with an error that has these parts.
fn refused(run: &Run, parts: &[&str]) {
    assert_eq!(run.code, 3, "{}", run.whole());
    for part in parts {
        assert!(run.stderr.contains(part), "{part}\n{}", run.whole());
    }
}

#[test]
fn what_is_granted_can_be_read_and_written() {
    let dir = Dir::new(FILES);
    let run = dir.run("run --read in --write out/b.txt copy.fk");
    assert_eq!((run.code, &*run.stdout), (0, "unit\n"), "{}", run.whole());
    assert_eq!(dir.read("out/b.txt"), "one\ntwo\n");
    let run = dir.run("run --write out add.fk");
    assert_eq!(run.code, 0, "{}", run.whole());
    assert_eq!(dir.read("out/b.txt"), "one\ntwo\nmore\n");
    let run = dir.run("run --read in look.fk");
    assert_eq!(run.stdout, "pair [true, false, true] [\"a.txt\"]\n");
    // No draft is left.
    let left: Vec<_> = fs::read_dir(dir.path().join("out"))
        .expect("there")
        .collect();
    assert_eq!(left.len(), 2);
}

#[test]
fn what_is_not_granted_names_the_option() {
    let dir = Dir::new(FILES);
    let read = "`readFile` of `in/a.txt`: this run may not read it; `--read in/a.txt` grants that";
    refused(&dir.run("run copy.fk"), &[read, "copy.fk:4"]);
    refused(
        &dir.run("run --read out --write in copy.fk"),
        &["may not read"],
    );
    refused(
        &dir.run("run --read in --write in copy.fk"),
        &["may not write", "out/b.txt"],
    );
    for elsewhere in ["eval copy.fk main!", "step copy.fk"] {
        let run = dir.run(elsewhere);
        assert!(
            run.whole()
                .contains("`readFile` of `File` is not granted here"),
            "{}",
            run.whole()
        );
    }
    assert!(!dir.path().join("out/b.txt").exists());
}

#[cfg(unix)]
#[test]
fn links_and_dots_do_not_lead_out() {
    let dir = Dir::new(FILES);
    symlink("../copy.fk", dir.path().join("in/link.txt")).expect("linked");
    symlink("..", dir.path().join("in/up")).expect("linked");
    for path in [
        "in/link.txt",
        "in/up/copy.fk",
        "in/../copy.fk",
        "in/up/../copy.fk",
        "/etc/passwd",
    ] {
        dir.write("reads.fk", reads(path));
        refused(&dir.run("run --read in reads.fk"), &["`readFile` of"]);
    }
    dir.write("reads.fk", reads("in/link.txt"));
    refused(
        &dir.run("run --read in reads.fk"),
        &["`in/link.txt`: a link in it leads out of what is granted"],
    );
    // What leads to another place inside is as good as that.
    symlink("a.txt", dir.path().join("in/inside")).expect("linked");
    dir.write("reads.fk", reads("./in/../in/inside"));
    let run = dir.run("run --read in reads.fk");
    assert_eq!(run.stdout, "\"one\\ntwo\\n\"\n", "{}", run.whole());
}

/// `a.txt/` is `a.txt` where a path is taken apart, and no system has a file by that name.
#[test]
fn a_path_of_a_directory_names_no_file() {
    let dir = Dir::new(FILES);
    for end in ["/", "//", "/.", "/x/.."] {
        for call in [
            "readFile \"in/a.txt",
            "writeFile \"in/new",
            "appendFile \"in/new",
        ] {
            let text = if call.starts_with("read") {
                ""
            } else {
                " \"text\""
            };
            let main =
                format!("include file\n\nmain : [File] Unit\nmain! = {call}{end}\"{text}; unit\n");
            dir.write("main.fk", main);
            let run = dir.run("run --read in --write in main.fk");
            refused(
                &run,
                &[
                    end,
                    "its end says that it is a directory, and a text needs a file",
                ],
            );
        }
    }
    assert_eq!(dir.read("in/a.txt"), "one\ntwo\n");
    assert!(!dir.path().join("in/new").exists());
    dir.write(
        "main.fk",
        "include file\n\nmain : [File] (List Bool)\nmain! = map fileExists [\"in/\", \"in/.\", \"in/a.txt/\"]\n",
    );
    let run = dir.run("run --read in main.fk");
    assert_eq!(run.stdout, "[true, true, false]\n", "{}", run.whole());
}

#[cfg(target_os = "linux")]
#[test]
fn a_directory_with_a_name_that_is_no_text_is_not_listed() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let dir = Dir::new(FILES);
    let odd =
        |name| fs::write(dir.path().join("in").join(OsStr::from_bytes(name)), "").expect("written");
    odd(b"n\xE4me\n");
    let run = dir.run("run --read in look.fk");
    refused(
        &run,
        &["`listFolder` of `in`: it has a name that is no text in UTF-8: `n\\xE4me\\n`"],
    );
    odd(b"m\xE5me");
    let run = dir.run("run --read in look.fk");
    refused(
        &run,
        &["it has 2 names that are no text in UTF-8: `m\\xE5me` is the first"],
    );
}

#[cfg(unix)]
#[test]
fn what_is_replaced_keeps_its_mode_and_its_links() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Dir::new(FILES);
    let out = |name: &str| dir.path().join("out").join(name);
    let copies = || dir.run("run --read in --write out copy.fk");
    // Whoever starts the file would be somebody else, and the text is a program's.
    fs::write(out("b.txt"), "old").expect("written");
    fs::set_permissions(out("b.txt"), fs::Permissions::from_mode(0o6751)).expect("set");
    let run = copies();
    assert_eq!(run.code, 0, "{}", run.whole());
    let mode = fs::metadata(out("b.txt"))
        .expect("there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o7777, 0o751);
    let text = fs::read_to_string(out("b.txt")).expect("read");
    assert_ne!(text, "old");
    // A link is followed, and stays one.
    fs::remove_file(out("b.txt")).expect("removed");
    fs::write(out("real"), "old").expect("written");
    symlink("real", out("b.txt")).expect("linked");
    let run = copies();
    assert_eq!(run.code, 0, "{}", run.whole());
    assert!(out("b.txt").is_symlink());
    assert_eq!(fs::read_to_string(out("real")).expect("read"), text);
    // Of two names one alone would have the new text.
    fs::remove_file(out("b.txt")).expect("removed");
    fs::write(out("real"), "old").expect("written");
    fs::hard_link(out("real"), out("b.txt")).expect("linked");
    refused(&copies(), &["out/b.txt", "2 names"]);
    assert_eq!(fs::read_to_string(out("b.txt")).expect("read"), "old");
    // A link that leads nowhere is not to become a file.
    fs::remove_file(out("b.txt")).expect("removed");
    symlink("nowhere", out("b.txt")).expect("linked");
    refused(&copies(), &["out/b.txt", "leads nowhere"]);
    let mut left: Vec<_> = fs::read_dir(dir.path().join("out"))
        .expect("listed")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["b.txt", "old.txt", "real"]);
}

#[cfg(unix)]
#[test]
fn input_that_cannot_be_read_is_not_its_end() {
    let program = "include input\nmain : {[Input] String}\nmain! = readAll!\n";
    let dir = Dir::new(&[("reads.fk", program)]);
    let mut command = dir.command("run reads.fk");
    command.stdin(fs::File::open(dir.path()).expect("a directory"));
    let output = command.output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("the input cannot be read"), "{said}");
}

#[test]
fn what_cannot_be_done_is_said_with_the_path() {
    let dir = Dir::new(FILES);
    dir.write("in/bytes", b"ab\xff");
    fs::create_dir(dir.path().join("out/b.txt")).expect("made");
    for (path, reason) in [
        ("in/bytes", "the byte at offset 2 begins no character"),
        ("in", "is a directory"),
        ("in/none", "there is no such file"),
    ] {
        dir.write("reads.fk", reads(path));
        refused(&dir.run("run --read in reads.fk"), &[path, reason]);
    }
    refused(
        &dir.run("run --read in --write out copy.fk"),
        &["out/b.txt", "is a directory"],
    );
    dir.write("reads.fk", reads("in/a.txt"));
    dir.write("in/a.txt", "x".repeat(1 << 20));
    refused(
        &dir.run("run --read in --memory 4MiB reads.fk"),
        &["memory"],
    );
}

#[test]
fn what_fails_can_be_caught() {
    let dir = Dir::new(FILES);
    dir.write(
        "tries.fk",
        "include file\n\nmain : [File] (List (Either String String))\nmain! = [\n  \
         tryReadFile \"in/a.txt\",\n  tryReadFile \"in/none\",\n  tryReadFile \"copy.fk\",\n  \
         either {why -> left why} {_ -> right \"written\"} (tryWriteFile \"out/new.txt\" \"new\"),\n  \
         either {why -> left why} {_ -> right \"added\"} (tryAppendFile \"out\" \"more\"),\n  \
         either {why -> left why} {names -> right (unwords names)} (tryListFolder \"in\"),\n  \
         either {why -> left why} {there -> right (showBool there)} (tryFileExists \"in/none\")]\n",
    );
    let run = dir.run("run --read in --write out tries.fk");
    assert_eq!(
        run.stdout,
        "[right \"one\\ntwo\\n\", left \"`readFile` of `in/none`: there is no such file or directory\", left \"`readFile` of \
         `copy.fk`: this run may not read it; `--read copy.fk` grants that, or `--read` with a directory around it\", right \
         \"written\", left \"`appendFile` of `out`: is a directory, and a text needs a file\", right \"a.txt\", right \
         \"false\"]\n",
        "{}",
        run.whole()
    );
    assert_eq!(dir.read("out/new.txt"), "new");
    // Around a whole computation: what it had written stays.
    dir.write(
        "all.fk",
        "include file\n\nmain : [File] (Either String String)\n\
         main! = tryFiles (writeFile \"out/b.txt\" \"kept\"; readFile \"in/none\"; readFile \"in/a.txt\")\n",
    );
    let run = dir.run("run --read in --write out all.fk");
    assert!(
        run.code == 0 && run.stdout.starts_with("left \"`readFile` of `in/none`: "),
        "{}",
        run.whole()
    );
    assert_eq!(dir.read("out/b.txt"), "kept");
    // Where nobody grants anything, that is the reason.
    for elsewhere in ["eval all.fk main!", "step all.fk"] {
        let run = dir.run(elsewhere);
        assert!(
            run.code == 0
                && run
                    .stdout
                    .contains("`writeFile` of `File` is not granted here"),
            "{}",
            run.whole()
        );
    }
    // The memory of a run is no matter of its files.
    dir.write("in/a.txt", "x".repeat(1 << 20));
    refused(
        &dir.run("run --read in --write out --memory 4MiB tries.fk"),
        &["memory"],
    );
}

/// A shell takes the place of a full disk: it lets no file become larger than a few KiB.
#[cfg(unix)]
#[test]
fn a_disk_without_room_leaves_what_was_there() {
    let dir = Dir::new(FILES);
    dir.write("out/long.txt", "x".repeat(2000));
    for (command, path) in [
        ("writeFile", "out/old.txt"),
        ("writeFile", "out/new.txt"),
        ("appendFile", "out/long.txt"),
        ("appendFile", "out/new.txt"),
    ] {
        let program = format!(
            "include file\n\nmain : [File] Unit\nmain! = {command} \"{path}\" \"{}\"\n",
            "y".repeat(100_000)
        );
        dir.write("fills.fk", program);
        let script = format!(
            "ulimit -f 8; exec '{}' run --write out fills.fk",
            env!("CARGO_BIN_EXE_frank")
        );
        let run = crate::support::finish(
            crate::support::command("sh", &["-c", &script], dir.path()),
            "",
        );
        refused(
            &run,
            &[
                &format!("`{command}` of `{path}`: there is no room for all of it"),
                "nothing of it was written",
            ],
        );
        assert_eq!(dir.read("out/old.txt"), "old");
        assert_eq!(dir.read("out/long.txt"), "x".repeat(2000));
        let left = fs::read_dir(dir.path().join("out")).expect("there").count();
        assert_eq!(left, 2, "{command} of {path}");
    }
}

#[test]
fn a_program_that_reads_lines_is_a_filter() {
    let dir = Dir::new(&[(
        "upper.fk",
        "include input\n\nmain : [Console, Input] Unit\nmain! = eachLine {l -> printLine (toUpper l)}\n",
    )]);
    let run = dir.run_input("run upper.fk", "one\r\ntwo");
    assert_eq!(
        (run.code, &*run.stdout),
        (0, "ONE\nTWO\nunit\n"),
        "{}",
        run.whole()
    );
}

#[test]
fn arguments_and_clocks_are_for_runs() {
    let dir = Dir::new(&[
        (
            "given.fk",
            "include args\n\nmain : [Args] (List String)\nmain! = arguments!\n",
        ),
        (
            "time.fk",
            "include clock\n\nmain : [Clock] (List Bool)\n\
             main! = let t = elapsed! in [now! > 1000000000.0, t >= 0.0, elapsed! >= t]\n",
        ),
    ]);
    let run = dir.run_with(&["run", "given.fk", "--", "--read", "a b"]);
    assert_eq!(run.stdout, "[\"--read\", \"a b\"]\n", "{}", run.whole());
    assert_eq!(dir.run("run given.fk").stdout, "[]\n");
    let run = dir.run("run -- given.fk --read");
    assert_eq!(run.stdout, "[\"--read\"]\n", "{}", run.whole());
    let run = dir.run("run given.fk time.fk");
    assert!(
        run.code == 2 && run.stderr.contains("stands behind `--`"),
        "{}",
        run.whole()
    );
    let run = dir.run("run time.fk");
    assert_eq!(run.stdout, "[true, true, true]\n", "{}", run.whole());
    let run = dir.run("eval time.fk now!");
    assert!(
        run.stderr.contains("`now` of `Clock` is not granted here"),
        "{}",
        run.whole()
    );
}

#[test]
fn an_executable_has_what_it_was_built_with() {
    let dir = Dir::new(FILES);
    dir.write(
        "given.fk",
        "include args\n\nmain : [Args] (List String)\nmain! = arguments!\n",
    );
    assert_eq!(dir.run("build --read in --write out copy.fk").code, 0);
    assert_eq!(dir.run("build given.fk").code, 0);
    let start = |name: &str, args: &[&str]| {
        crate::support::finish(
            crate::support::command(dir.path().join(name), args, dir.path()),
            "",
        )
    };
    let run = start("copy", &[]);
    assert_eq!(run.code, 0, "{}", run.whole());
    assert_eq!(dir.read("out/b.txt"), "one\ntwo\n");
    assert_eq!(start("given", &["x", "y"]).stdout, "[\"x\", \"y\"]\n");
}

#[cfg(unix)]
#[test]
fn an_executable_is_granted_paths_that_are_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let dir = Dir::new(FILES);
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_frank"))
        .args(["build", "copy.fk", "--read"])
        .arg(OsStr::from_bytes(b"a\xFF"))
        .current_dir(dir.path())
        .output()
        .expect("it runs");
    let said = String::from_utf8(run.stderr).expect("text");
    assert!(
        run.status.code() == Some(2) && said.contains("a path in UTF-8"),
        "{said}"
    );
    assert!(!dir.path().join("copy").exists());
}
