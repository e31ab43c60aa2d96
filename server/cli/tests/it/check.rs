//! `frank check`: what is drawn, what the exit code says, what the flags do.

use expect_test::expect;

use crate::support::{BAD, Dir, GOOD, WARNING};

#[test]
fn a_good_program() {
    let dir = Dir::new(&[("a.fk", GOOD)]);
    dir.run("check a.fk").expect(expect![[r#"
        checked 1 file: no errors
        exit 0
    "#]]);
}

#[test]
fn an_error_is_drawn() {
    let dir = Dir::new(&[("a.fk", BAD)]);
    dir.run("check a.fk").expect(expect![[r#"
        error[FK0210]: arithmetic and comparisons take numbers, but this has type `String`
         --> a.fk:2:13
          |
        2 | main! = 1 + "a"
          |           - ^^^
          |           |
          |           both operands of `+` have one number type
          |
          = help: strings are put together by the prelude's `append`

        checked 1 file: 1 error
        exit 1
    "#]]);
}

#[test]
fn several_files_and_the_places_they_share() {
    let dir = Dir::new(&[
        (
            "main.fk",
            "include lib\n\nmain : {Int}\nmain! = twice 'x'\n",
        ),
        (
            "lib.fk",
            "-- Doubles.\ntwice : Int -> Int\ntwice n = n + n\n",
        ),
    ]);
    dir.run("check").expect(expect![[r#"
        error[FK0201]: this has type `Char`, but `Int` is needed
         --> main.fk:4:15
          |
        4 | main! = twice 'x'
          |               ^^^
          |
         ::: lib.fk:2:9
          |
        2 | twice : Int -> Int
          |         --- `Int` is required here: the first port of `twice`

        checked 2 files: 1 error
        exit 1
    "#]]);
}

#[test]
fn findings_in_included_files_are_shown_once() {
    let dir = Dir::new(&[
        ("a.fk", "include lib\n\nmain : {Int}\nmain! = lib!\n"),
        ("b.fk", "include lib\n\nmain : {Int}\nmain! = lib! + 1\n"),
        ("sub/lib.fk", "lib : {Int}\nlib! = 'x'\n"),
    ]);
    let run = dir.run("check a.fk b.fk -I sub --format json");
    assert_eq!(
        (run.code, run.stdout.lines().count()),
        (1, 1),
        "{}",
        run.whole()
    );
    assert!(
        run.stdout.contains(r#""file":"sub/lib.fk""#),
        "{}",
        run.stdout
    );
}

#[test]
fn exit_codes() {
    let dir = Dir::new(&[("good.fk", GOOD), ("bad.fk", BAD), ("warning.fk", WARNING)]);
    for (args, code) in [
        ("check good.fk", 0),
        ("check bad.fk", 1),
        ("check good.fk bad.fk", 1),
        ("check", 1),
        ("check warning.fk", 0),
        ("check --warnings deny warning.fk", 1),
        ("check --warnings deny good.fk", 0),
        ("check nothing.fk", 2),
        ("check nothing.fk good.fk", 2),
        ("check nothing.fk bad.fk", 1),
        ("check nothing.fk warning.fk --warnings deny", 1),
        ("check -I nowhere good.fk", 2),
        ("check --config nowhere.toml good.fk", 2),
        ("check --format strange", 2),
        ("check --frobnicate", 2),
        ("strange", 2),
        ("", 2),
        ("--version", 0),
        ("check --version", 0),
        ("--help", 0),
        ("check --help", 0),
    ] {
        let run = dir.run(args);
        assert_eq!(run.code, code, "{args}: {}", run.whole());
    }
}

#[test]
fn the_version() {
    let run = Dir::new(&[]).run("--version");
    assert_eq!(run.stdout, format!("frank {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn unreadable_files_are_named_and_the_rest_is_checked() {
    let dir = Dir::new(&[("good.fk", GOOD), ("bad.fk", BAD)]);
    dir.write("latin.fk", b"main : {Int} -- \xe4\n");
    dir.write("binary.fk", b"\x7fELF\0\0");
    dir.run("check good.fk latin.fk binary.fk nothing.fk .")
        .expect(expect![[r#"
            error[FK0210]: arithmetic and comparisons take numbers, but this has type `String`
             --> bad.fk:2:13
              |
            2 | main! = 1 + "a"
              |           - ^^^
              |           |
              |           both operands of `+` have one number type
              |
              = help: strings are put together by the prelude's `append`

            checked 2 files: 1 error
            stderr: frank: nothing.fk: there is no such file or directory
            stderr: frank: latin.fk: this is not UTF-8: the mistake is at byte 16
            stderr: frank: binary.fk: this is no text: byte 4 is 0
            exit 1
        "#]]);
}

#[test]
fn huge_files_are_refused() {
    let dir = Dir::new(&[("good.fk", GOOD)]);
    let file = std::fs::File::create(dir.path().join("huge.fk")).expect("a file");
    file.set_len(1 << 40).expect("a sparse file");
    dir.run("check").expect(expect![[r#"
        checked 1 file: no errors
        stderr: frank: huge.fk: this is larger than 64 MiB
        exit 2
    "#]]);
}

#[test]
fn standard_input() {
    let dir = Dir::new(&[("lib.fk", "twice : Int -> Int\ntwice n = n + n\n")]);
    dir.run_input("check -", "include lib\nmain : {Int}\nmain! = twice 'x'\n")
        .expect(expect![[r#"
            error[FK0201]: this has type `Char`, but `Int` is needed
             --> <stdin>:3:15
              |
            3 | main! = twice 'x'
              |               ^^^
              |
             ::: lib.fk:1:9
              |
            1 | twice : Int -> Int
              |         --- `Int` is required here: the first port of `twice`

            checked 2 files: 1 error
            exit 1
        "#]]);
    assert_eq!(dir.run_input("check -", GOOD).code, 0);
    assert_eq!(dir.run_input("check - lib.fk", BAD).code, 1);
    dir.run_input("check -", b"\xff").expect(expect![[r#"
        checked 0 files: no errors
        stderr: frank: <stdin>: this is not UTF-8: the mistake is at byte 0
        exit 2
    "#]]);
    dir.run_input("check --watch -", GOOD).expect(expect![[r#"
        stderr: frank: standard input cannot be watched
        exit 2
    "#]]);
}

#[test]
fn an_empty_directory_and_an_empty_file() {
    let dir = Dir::new(&[("sub/empty.fk", ""), ("none/x.txt", "")]);
    dir.run("check none").expect(expect![[r#"
        checked 0 files: no errors
        stderr: frank: there is no `*.fk` file here to check
        exit 0
    "#]]);
    assert_eq!(
        dir.run("check sub").whole(),
        "checked 1 file: no errors\nexit 0\n"
    );
}

#[test]
fn colours() {
    let dir = Dir::new(&[("a.fk", BAD)]);
    assert!(!dir.run("check a.fk").stdout.contains('\x1b'));
    assert!(
        dir.run("check --color always a.fk")
            .stdout
            .contains("\x1b[")
    );
    assert!(
        dir.run("--color always check a.fk")
            .stdout
            .contains("\x1b[")
    );
    let mut forced = dir.command("check a.fk");
    forced.env("CLICOLOR_FORCE", "1");
    assert!(crate::support::finish(forced, "").stdout.contains("\x1b["));
    let mut never = dir.command("check a.fk");
    never.env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1");
    assert!(!crate::support::finish(never, "").stdout.contains('\x1b'));
}

/// Help and messages about the arguments are coloured on a terminal, which `script` is.
#[cfg(target_os = "linux")]
#[test]
fn colours_of_help() {
    let dir = Dir::new(&[]);
    let on_a_terminal = |args: &str| {
        let mut command = std::process::Command::new("script");
        let command_line = format!("{} {args}", env!("CARGO_BIN_EXE_frank"));
        command.args(["-qc", &command_line, "/dev/null"]);
        command.current_dir(dir.path()).env_remove("NO_COLOR");
        command.env("TERM", "xterm");
        let output = command.stdin(std::process::Stdio::null()).output();
        output.expect("there is `script`")
    };
    for args in ["--help", "check --strange", "--color auto check --help"] {
        let output = on_a_terminal(args);
        let plain = [
            format!("--color never {args}"),
            format!("--color=never {args}"),
        ];
        for plain in plain.iter().filter(|_| !args.contains("auto")) {
            let output = on_a_terminal(plain);
            assert!(!output.stdout.contains(&0x1b), "{plain}");
        }
        assert!(output.stdout.contains(&0x1b), "{args}");
    }
}

#[test]
fn warnings_are_counted() {
    let dir = Dir::new(&[("a.fk", WARNING)]);
    dir.run("check a.fk --warnings deny").expect(expect![[r#"
        warning[FK0403]: `later` has a signature and no clauses
         --> a.fk:1:1
          |
        1 | later : {Int}
          | ^^^^^
          |
          = help: write its clauses: `later … = …`

        checked 1 file: no errors, 1 warning (denied)
        exit 1
    "#]]);
}

#[test]
fn includes_are_found_on_several_paths() {
    let dir = Dir::new(&[
        (
            "p/main.fk",
            "include one\ninclude two\ninclude three\nmain : {Int}\nmain! = one! + two! + three!\n",
        ),
        ("p/one.fk", "one : {Int}\none! = 1\n"),
        ("x/one.fk", "wrong : {Int}\nwrong! = 'x'\n"),
        ("x/two.fk", "two : {Int}\ntwo! = 2\n"),
        ("y/two.fk", "wrong : {Int}\nwrong! = 'x'\n"),
        ("y/three.fk", "three : {Int}\nthree! = 3\n"),
    ]);
    assert_eq!(
        dir.run("check p/main.fk -I x -I y").whole(),
        "checked 4 files: no errors\nexit 0\n"
    );
    let verbose = dir.run("check p/main.fk -I x -I y --verbose");
    assert_eq!(
        verbose.stderr,
        "frank: checked p/main.fk\nfrank: checked p/one.fk\nfrank: checked x/two.fk\nfrank: checked y/three.fk\n"
    );
    dir.run("check p/main.fk -I y").expect(expect![[r#"
        error[FK0101]: there is no definition `two` in sight
         --> p/main.fk:5:16
          |
        5 | main! = one! + two! + three!
          |                ^^^
          |
          = help: define it (`two : …` and `two … = …`), or bind it as a variable around this

        error[FK0201]: this has type `Char`, but `Int` is needed
         --> y/two.fk:2:10
          |
        1 | wrong : {Int}
          |          --- `wrong` says here that its clauses give `Int`
        2 | wrong! = 'x'
          |          ^^^

        checked 4 files: 2 errors
        exit 1
    "#]]);
    let missing = dir.run("check p/main.fk");
    assert_eq!(missing.code, 1);
    assert!(missing.stdout.contains("FK0105"), "{}", missing.stdout);
}

#[test]
fn names_are_shown_as_they_were_written() {
    let dir = Dir::new(&[("sub/a.fk", BAD), ("other/x.txt", "")]);
    let absolute = dir.path().join("sub").display().to_string();
    for (args, name) in [
        (vec!["check"], "sub/a.fk".to_owned()),
        (vec!["check", "."], "sub/a.fk".to_owned()),
        (vec!["check", "./sub"], "sub/a.fk".to_owned()),
        (
            vec!["check", "other/../sub/a.fk"],
            "other/../sub/a.fk".to_owned(),
        ),
        (vec!["check", absolute.as_str()], format!("{absolute}/a.fk")),
    ] {
        let run = dir.run_with(&args);
        assert!(
            run.stdout.contains(&format!("--> {name}:2:")),
            "{args:?}: {}",
            run.stdout
        );
    }
}

#[test]
fn places_far_apart_and_long_lines() {
    let filler = "-- filler\n".repeat(1000);
    let far = format!("f : Int -> Int\nf n = n\n{filler}main : {{Int}}\nmain! = f 'x'\n");
    let long = format!(
        "main : {{List Int}}\nmain! = [{}'x', {}2]\n",
        "1, ".repeat(100_000),
        "1, ".repeat(100_000)
    );
    let dir = Dir::new(&[("far.fk", &far), ("long.fk", &long)]);
    dir.run("check far.fk").expect(expect![[r#"
        error[FK0201]: this has type `Char`, but `Int` is needed
            --> far.fk:1004:11
             |
        1004 | main! = f 'x'
             |           ^^^
             |
            ::: far.fk:1:5
             |
           1 | f : Int -> Int
             |     --- `Int` is required here: the first port of `f`

        checked 1 file: 1 error
        exit 1
    "#]]);
    dir.run("check long.fk").expect(expect![[r#"
        error[FK0201]: this has type `Char`, but `Int` is needed
         --> long.fk:2:300010
          |
         ::: 
        2 | 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 'x', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
          |                                                             ^^^
         ::: long.fk:2:9
          |
         ::: 
        2 | ... = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,...1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ...
          |       ---------------------------------------------...--------------------------------------------- all elements of a list have one type

        checked 1 file: 1 error
        exit 1
    "#]]);
}

#[test]
fn unusual_texts() {
    let dir = Dir::new(&[
        ("bom.fk", "\u{feff}main : {Int}\r\nmain! = 'ä' + 'x'\r\n"),
        ("tabs.fk", "main : {Int}\nmain! =\t'→' + 1\n"),
    ]);
    dir.run("check bom.fk").expect(expect![[r#"
        error[FK0210]: arithmetic and comparisons take numbers, but this has type `Char`
         --> bom.fk:2:9
          |
        2 | main! = 'ä' + 'x'
          |         ^^^ - both operands of `+` have one number type

        checked 1 file: 1 error
        exit 1
    "#]]);
    dir.run("check tabs.fk").expect(expect![[r#"
        error[FK0210]: arithmetic and comparisons take numbers, but this has type `Char`
         --> tabs.fk:2:9
          |
        2 | main! =    '→' + 1
          |            ^^^ - both operands of `+` have one number type

        checked 1 file: 1 error
        exit 1
    "#]]);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_named_and_does_not_block() {
    let dir = Dir::new(&[("good.fk", GOOD), ("dir.fk/inner.fk", GOOD)]);
    let made = std::process::Command::new("mkfifo")
        .arg(dir.path().join("pipe.fk"))
        .status();
    assert!(made.expect("mkfifo").success());
    dir.run("check").expect(expect![[r#"
        checked 2 files: no errors
        stderr: frank: pipe.fk: this is neither a file nor a directory
        exit 2
    "#]]);
    assert_eq!(dir.run("check /dev/zero").code, 2);
}

/// Two names may differ only in what a message cannot show, so that neither is taken for the other.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let dir = Dir::new(&[("good.fk", GOOD)]);
    for (name, text) in [(&b"n\xe4me.fk"[..], GOOD), (b"n\xe5me.fk", BAD)] {
        let name = std::ffi::OsStr::from_bytes(name);
        std::fs::write(dir.path().join(name), text).expect("a file");
    }
    dir.run("check").expect(expect![[r#"
        checked 1 file: no errors
        stderr: frank: n�me.fk: its name is not UTF-8: rename it
        stderr: frank: n�me.fk: its name is not UTF-8: rename it
        exit 2
    "#]]);
}

/// Names may hold what would move the cursor.
#[cfg(unix)]
#[test]
fn names_are_shown_without_their_control_characters() {
    let dir = Dir::new(&[("\u{1b}[31m\n.fk", BAD), ("\u{1b}.fk", "\0")]);
    let run = dir.run("check");
    assert!(
        run.stdout.contains(r"--> \u{1b}[31m\n.fk:2:13"),
        "{}",
        run.whole()
    );
    assert!(
        run.stderr
            .contains(r"frank: \u{1b}.fk: this is no text: byte 0 is 0"),
        "{}",
        run.whole()
    );
}

/// Texts may begin with a mark and have lines of other systems.
#[test]
fn unusual_lines() {
    let dir = Dir::new(&[("bom.fk", "\u{feff}main : {Int}\r\nmain! = 'x'\r\n")]);
    dir.run("check").expect(expect![[r#"
        error[FK0201]: this has type `Char`, but `Int` is needed
         --> bom.fk:2:9
          |
        1 | main : {Int}
          |         --- `main` says here that its clauses give `Int`
        2 | main! = 'x'
          |         ^^^

        checked 1 file: 1 error
        exit 1
    "#]]);
}

/// Directories and files without permissions; they do not keep out the superuser.
#[cfg(unix)]
#[test]
fn forbidden_files_are_named() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Dir::new(&[
        ("good.fk", GOOD),
        ("closed.fk", GOOD),
        ("secret/a.fk", GOOD),
    ]);
    let set = |name: &str, mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(dir.path().join(name), permissions).expect("permissions");
    };
    set("closed.fk", 0);
    set("secret", 0);
    let superuser = std::fs::read(dir.path().join("closed.fk")).is_ok();
    let run = dir.run("check");
    set("secret", 0o700);
    if superuser {
        assert_eq!(run.whole(), "checked 3 files: no errors\nexit 0\n");
    } else {
        run.expect(expect![[r#"
            checked 1 file: no errors
            stderr: frank: secret: permission denied
            stderr: frank: closed.fk: permission denied
            exit 2
        "#]]);
    }
}

#[cfg(unix)]
#[test]
fn links() {
    use std::os::unix::fs::symlink;
    let dir = Dir::new(&[("a/x.fk", GOOD), ("b/y.fk", GOOD)]);
    symlink("..", dir.path().join("a/up")).expect("a link");
    symlink("../b", dir.path().join("a/b")).expect("a link");
    symlink("../a", dir.path().join("b/a")).expect("a link");
    symlink("loop.fk", dir.path().join("a/loop.fk")).expect("a link");
    symlink("nowhere.fk", dir.path().join("a/gone.fk")).expect("a link");
    symlink("/dev/zero", dir.path().join("b/zero.fk")).expect("a link");
    dir.run("check").expect(expect![[r#"
        checked 2 files: no errors
        stderr: frank: a/gone.fk: there is no such file or directory
        stderr: frank: a/loop.fk: this symbolic link leads back to itself
        stderr: frank: a/up: not searched again: the link leads to a directory around it
        stderr: frank: b/zero.fk: not searched: the link leads out of the project; what it leads to is searched if it is named
        exit 2
    "#]]);
}

/// A file that cannot be read is named once, and what includes it says what is the matter.
#[test]
fn included_files_that_cannot_be_read() {
    let dir = Dir::new(&[
        (
            "main.fk",
            "include broken\n\nmain : {Int}\nmain! = broken!\n",
        ),
        ("folder.fk/x.txt", ""),
        ("other.fk", "include folder\n"),
    ]);
    dir.write("broken.fk", b"broken : {Int} -- \xff\n");
    dir.run("check main.fk broken.fk other.fk")
        .expect(expect![[r#"
            error[FK0105]: `broken.fk` cannot be included: this is not UTF-8: the mistake is at byte 18
             --> main.fk:1:9
              |
            1 | include broken
              |         ^^^^^^

            error[FK0105]: `folder.fk` cannot be included: this is a directory
             --> other.fk:1:9
              |
            1 | include folder
              |         ^^^^^^

            checked 2 files: 2 errors
            stderr: frank: broken.fk: this is not UTF-8: the mistake is at byte 18
            stderr: frank: folder.fk: this is a directory
            exit 1
        "#]]);
    let junit = dir.run("check main.fk broken.fk --format junit");
    let suites = junit.stdout.matches("<testsuite name=\"broken.fk\"");
    assert_eq!(suites.count(), 1, "{}", junit.stdout);
}

/// A command whose directory was taken away says so.
#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_is_gone() {
    let dir = Dir::new(&[]);
    let gone = dir.path().join("gone");
    std::fs::create_dir(&gone).expect("a directory");
    let script = r#"cd "$1" && rmdir "$1" && exec "$2" check"#;
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", script, "sh"])
        .arg(&gone)
        .arg(env!("CARGO_BIN_EXE_frank"));
    let output = command.output().expect("the binary ends");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "frank: .: there is no such file or directory\n"
    );
}

#[test]
fn a_message_of_many_places_shows_the_first() {
    let text = format!("f : {{Int}}\nf! = {}\n", "[".repeat(1000));
    let run = Dir::new(&[("a.fk", &text)]).run("check a.fk");
    assert_eq!(run.code, 1);
    let said = run.whole();
    assert!(said.len() < 10_000, "{}", said.len());
    assert!(said.contains("985 more places not shown"), "{said}");
}
