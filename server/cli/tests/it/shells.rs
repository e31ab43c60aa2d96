//! What shells and `man` get: completions, and manual pages.

use expect_test::expect;

use crate::support::{Dir, finish};

const PROGRAM: &str = "\
include ad

main : {Int}
main! = 1

other : {Int}
other! = 2

square : X -> [Smooth X]X
square x = t x x

length : Int -> Int
length n = n
";

/// What a shell is told that may come instead of the last of some words.
fn told(dir: &Dir, words: &[&str]) -> crate::support::Run {
    let mut command = dir.command("");
    command
        .env("COMPLETE", "fish")
        .args(["--", "frank"])
        .args(words);
    finish(command, "")
}

#[test]
fn a_shell_is_told_the_names_of_the_program() {
    let dir = Dir::new(&[("program.fk", PROGRAM), ("broken.fk", "main : {Int\n")]);
    told(&dir, &["run", "program.fk", "--entry", ""]).expect(expect![[r#"
        main	{Int}
        other	{Int}
        exit 0
    "#]]);
    told(&dir, &["step", "program.fk", "--entry", ""]).expect(expect![[r#"
        main	{Int}
        other	{Int}
        exit 0
    "#]]);
    told(&dir, &["derive", "program.fk", ""]).expect(expect![[r#"
        square	X -> [Smooth X]X
        --at	The point, such as `2`, `'[1, 2]'`, `'pair 1 2'` or `nan`: arguments in one or several of these. More than the operator takes are several points [default: what a comment `-- | at 2.0` says, or 1]
        --color	Whether output has colours: `auto` means on a terminal, unless NO_COLOR is set
        --order	With 2, evaluate second derivatives, too
        --check	Hold each derivative against finite differences
        --json	Write an object with the value and all derivatives for each point, one a line
        --emit	Instead of evaluating them, write the operator and its derivatives as code for all points. A list is as long as that of the point
        --fast-math	Simplify the code as if no number were infinite, `nan` or a zero with a sign
        --theme	The colours of `--emit svg`
        --output	Where the code goes [default: standard output]
        --steps	End a run after so many calls, commands and resumptions
        --timeout	End a run after a time such as `10s` or `500ms`
        --memory	End a run that needs more memory than, say, `512MiB` [default: 2GiB]
        --include	Look for included files in a directory, after the including file's own
        --config	Use this configuration instead of the nearest `frank.toml`
        --no-ignore	Search what `.gitignore` and `.ignore` leave out, too
        --help	Print help (see more with '--help')
        --version	Print version
        exit 0
    "#]]);
    told(&dir, &["derive", "broken.fk", ""]).expect(expect![[r#"
        --at	The point, such as `2`, `'[1, 2]'`, `'pair 1 2'` or `nan`: arguments in one or several of these. More than the operator takes are several points [default: what a comment `-- | at 2.0` says, or 1]
        --color	Whether output has colours: `auto` means on a terminal, unless NO_COLOR is set
        --order	With 2, evaluate second derivatives, too
        --check	Hold each derivative against finite differences
        --json	Write an object with the value and all derivatives for each point, one a line
        --emit	Instead of evaluating them, write the operator and its derivatives as code for all points. A list is as long as that of the point
        --fast-math	Simplify the code as if no number were infinite, `nan` or a zero with a sign
        --theme	The colours of `--emit svg`
        --output	Where the code goes [default: standard output]
        --steps	End a run after so many calls, commands and resumptions
        --timeout	End a run after a time such as `10s` or `500ms`
        --memory	End a run that needs more memory than, say, `512MiB` [default: 2GiB]
        --include	Look for included files in a directory, after the including file's own
        --config	Use this configuration instead of the nearest `frank.toml`
        --no-ignore	Search what `.gitignore` and `.ignore` leave out, too
        --help	Print help (see more with '--help')
        --version	Print version
        exit 0
    "#]]);
    told(&dir, &["explain", "FK030"]).expect(expect![[r#"
        FK0301	A command's interface is not in the ability
        FK0302	A call needs a different ability
        FK0303	A use fits only under an adaptor
        FK0304	An adaptor names instances that are not there
        FK0305	An adaptor's right side is not a selection of its left
        FK0306	A command pattern for an interface that the port does not add
        exit 0
    "#]]);
    told(&dir, &["ch"]).expect(expect![[r#"
        check	Check programs
        exit 0
    "#]]);
}

#[test]
fn each_shell_gets_a_script_that_asks_this_program() {
    let dir = Dir::new(&[]);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = dir.run(&format!("completions {shell}")).whole();
        assert!(
            script.contains("COMPLETE") && script.contains("frank"),
            "{shell}: {script}"
        );
    }
    assert_eq!(dir.run("completions strange").code, 2);
}

/// As bash does it when somebody types a tab.
#[test]
fn bash_completes_operators() {
    let dir = Dir::new(&[("program.fk", PROGRAM)]);
    let script = dir.run("completions bash").stdout;
    let frank = env!("CARGO_BIN_EXE_frank");
    let asked = script.replace("\"frank\"", &format!("\"{frank}\""))
        + "\nCOMP_WORDS=(frank run program.fk --entry o)\nCOMP_CWORD=4\nCOMP_TYPE=9\n\
           _clap_complete_frank frank o --entry\necho \"${COMPREPLY[@]}\"\n";
    let output = std::process::Command::new("bash")
        .args(["-c", &asked])
        .current_dir(dir.path())
        .output()
        .expect("bash");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "other\n", "{said}");
}

/// A name with a blank is completed, whichever way it is begun, and bash is told to quote it.
#[test]
fn bash_quotes_names_of_files() {
    let dir = Dir::new(&[("my program.fk", PROGRAM)]);
    let script = dir.run("completions bash").stdout;
    assert!(script.contains("complete -o nospace -o bashdefault -F _frank frank"));
    let frank = env!("CARGO_BIN_EXE_frank");
    let script = script.replace("\"frank\"", &format!("\"{frank}\""));
    for typed in ["my", "my\\ pr", "my pr"] {
        let asked = format!(
            "compopt() {{ [ \"$1\" != -o ] || echo \"$*\"; }}\n{script}\n\
             COMP_WORDS=(frank check '{typed}')\nCOMP_CWORD=2\nCOMP_TYPE=9\n\
             _frank frank '{typed}' check\nprintf '%s.' \"${{COMPREPLY[@]}}\"\n"
        );
        let output = std::process::Command::new("bash")
            .args(["-c", &asked])
            .current_dir(dir.path())
            .output()
            .expect("bash");
        let said = String::from_utf8_lossy(&output.stderr);
        let found = String::from_utf8_lossy(&output.stdout);
        assert_eq!(found, "-o filenames\nmy program.fk.", "{typed}: {said}");
    }
}

#[test]
fn a_manual_page_for_each_command() {
    let dir = Dir::new(&[("file", "")]);
    dir.run("man pages/man1").expect(expect![[r#"
        exit 0
    "#]]);
    for name in ["frank", "frank-check", "frank-derive", "frank-man"] {
        let page = dir.read(&format!("pages/man1/{name}.1"));
        assert!(
            page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"),
            "{name}"
        );
    }
    dir.run("man file").expect(expect![[r#"
        stderr: frank: file: this is a file; name a directory for the pages
        exit 2
    "#]]);
}
