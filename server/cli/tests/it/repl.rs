//! `frank repl`, its input a pipe.

use expect_test::expect;

use crate::support::{Dir, finish};

/// Some terminals can only print; whoever reads a pipe wants no prompt of theirs.
#[test]
fn a_terminal_that_can_only_print_changes_nothing() {
    let dir = Dir::new(&[]);
    let mut command = dir.command("repl");
    command.env("TERM", "dumb");
    finish(command, "1 + 1\n").expect(expect![[r#"
        2
        exit 0
    "#]]);
}

#[test]
fn definitions_and_terms() {
    let dir = Dir::new(&[]);
    let input = "1 + 2\nf x = x + 1\nf 41\ng : Int -> Int\ng 0 = 1\ng n = n * g (n - 1)\ng 20\n\
        f : Int -> Int\nf x = 0\nf 41\ndata T = a | b\n[a, b]\nmap {x ->\n  x + 1}\n  [1]\n:list\n";
    dir.run_input("repl", input).expect(expect![[r#"
        3
        f : Int -> Int
        42
        2432902008176640000
        0
        [a, b]
        [1]
        g : Int -> Int
        g 0 = 1
        g n = n * g (n - 1)
        f : Int -> Int
        f x = 0
        data T = a | b
        stderr: warning[FK0401]: `g` has no clause for `g _`
        stderr:  --> <repl>:5:1
        stderr:   |
        stderr: 5 | g 0 = 1
        stderr:   | ^
        stderr:   |
        stderr:   = help: this clause is missing:
        stderr:             g _ = …
        stderr:   = help: `_` stands for all values without a clause of their own
        stderr: 
        stderr: warning[FK0405]: the parameter `x` of `f` is never used
        stderr:  --> <repl>:6:3
        stderr:   |
        stderr: 6 | f x = 0
        stderr:   |   ^
        stderr:   |
        stderr:   = help: write `_` for an argument that is not needed
        stderr: 
        stderr: error[FK0204]: `map` takes 2 arguments, but 1 is given
        stderr:  --> <term>:1:1
        stderr:   |
        stderr: 1 | map {x ->
        stderr:   | ^^^
        stderr:   |
        stderr:   = help: what is left over is its second port, which takes a `List Int`
        stderr:   = help: to give the rest later, put braces around the call: `{x -> … x}`
        stderr: 
        exit 0
    "#]]);
}

#[test]
fn mistakes_are_shown_and_forgotten() {
    let dir = Dir::new(&[]);
    let input = "f : Int -> Int\nf x = 'x'\nf x = x\nf 1\nunknown\n1 / 0\n:strange\n2\n";
    dir.run_input("repl", input).expect(expect![[r#"
        1
        2
        stderr: error[FK0201]: this has type `Char`, but `Int` is needed
        stderr:  --> <repl>:3:7
        stderr:   |
        stderr: 2 | f : Int -> Int
        stderr:   |            --- `f` says here that its clauses give `Int`
        stderr: 3 | f x = 'x'
        stderr:   |       ^^^
        stderr: 
        stderr: error[FK0101]: there is no definition `unknown` in sight
        stderr:  --> <term>:1:1
        stderr:   |
        stderr: 1 | unknown
        stderr:   | ^^^^^^^
        stderr:   |
        stderr:   = help: define it (`unknown : …` and `unknown … = …`), or bind it as a variable around this
        stderr: 
        stderr: error: division by zero in `1 / 0`
        stderr:  --> <term>:1:1
        stderr:   |
        stderr: 1 | 1 / 0
        stderr:   | ^^^^^
        stderr:   |
        stderr:   = note: with 1, 0
        stderr:   = note: the stack, from the inside:
        stderr:           in the term
        stderr: frank: there is no command `:strange`; `:help` shows all
        exit 0
    "#]]);
}

#[test]
fn types() {
    let dir = Dir::new(&[]);
    dir.run_input(
        "repl",
        ":type 1\n:t map\n:type print \"a\"\n:type get!\n:type 1 + 'x'\n",
    )
    .expect(expect![[r#"
        1 : Int
        map : {{X -> [E|]Y} -> List X -> [E|]List Y}
        print "a" : [Console]Unit
        get! : [State X]X
        stderr: error[FK0210]: arithmetic and comparisons take numbers, but this has type `Char`
        stderr:  --> <term>:1:5
        stderr:   |
        stderr: 1 | 1 + 'x'
        stderr:   |   - ^^^
        stderr:   |   |
        stderr:   |   both operands of `+` have one number type
        stderr: 
        exit 0
    "#]]);
}

#[test]
fn what_takes_nothing_says_so() {
    let dir = Dir::new(&[("a.fk", "x : {Int}\nx! = 1\n")]);
    dir.run_input("repl a.fk", ":q x\n:reload b.fk\n:l a.fk\nx!\n:q\n")
        .expect(expect![[r#"
            1
            stderr: frank: loaded a.fk
            stderr: frank: `:quit` takes nothing, and `x` stands behind it
            stderr: frank: `:reload` takes nothing, and `b.fk` stands behind it
            stderr: frank: loaded a.fk
            exit 0
        "#]]);
}

#[test]
fn files_are_loaded_and_loaded_again() {
    let dir = Dir::new(&[
        ("sub/my-file.fk", "include lib\nx : {Int}\nx! = lib!\n"),
        ("sub/lib.fk", "lib : {Int}\nlib! = 1\n"),
        ("bad.fk", "y : {Int}\ny! = 'y'\n"),
        ("strange name.fk", ""),
    ]);
    dir.run_input("repl sub/my-file.fk", "x!\nz : {Int}\nz! = x! + 1\n:reload\nz!\n:load nothing.fk\nz!\n:load bad.fk\n1\n:load\nz!\n")
        .expect(expect![[r#"
            1
            2
            2
            1
            stderr: frank: loaded sub/my-file.fk
            stderr: frank: loaded sub/my-file.fk
            stderr: frank: nothing.fk: there is no such file or directory
            stderr: error[FK0201]: this has type `Char`, but `Int` is needed
            stderr:  --> bad.fk:2:6
            stderr:   |
            stderr: 1 | y : {Int}
            stderr:   |      --- `y` says here that its clauses give `Int`
            stderr: 2 | y! = 'y'
            stderr:   |      ^^^
            stderr: 
            stderr: frank: what was defined here is forgotten: `z`
            stderr: error[FK0201]: this has type `Char`, but `Int` is needed
            stderr:  --> bad.fk:2:6
            stderr:   |
            stderr: 1 | y : {Int}
            stderr:   |      --- `y` says here that its clauses give `Int`
            stderr: 2 | y! = 'y'
            stderr:   |      ^^^
            stderr: 
            stderr: error[FK0101]: there is no definition `z` in sight
            stderr:  --> <term>:1:1
            stderr:   |
            stderr: 1 | z!
            stderr:   | ^
            stderr:   |
            stderr:   = help: define it (`z : …` and `z … = …`), or bind it as a variable around this
            stderr: 
            exit 0
        "#]]);
    assert_eq!(dir.run("repl nothing.fk").code, 2);
    assert_eq!(dir.run("repl sub").code, 2);
    assert_eq!(dir.run_with(&["repl", "strange name.fk"]).code, 2);
}

#[test]
fn what_a_file_defines_can_be_defined_anew() {
    let dir = Dir::new(&[(
        "a.fk",
        "-- Twice.\nf : Int -> Int\nf 0 = 0\nf x = x + x\n\ng : Int -> Int\ng x = f x\n\n\
         data T = t\n\nh : T -> Int\nh t = 1\n",
    )]);
    // What depends on it sees it, or the reason why it cannot is told.
    dir.run_input(
        "repl a.fk",
        "f x = x * 10\nf 0\ng 3\nf : Char -> Int\nf _ = 1\ng 3\n:list\n\
         data T = t | u\nh u\n:load\ng 3\n",
    )
    .expect(expect![[r#"
        0
        30
        30
        f : Int -> Int
        f x = x * 10
        f _ = 1
        6
        stderr: frank: loaded a.fk
        stderr: frank: until `:load`, this takes the place of what the files call `f`
        stderr: error[FK0201]: this has type `Int`, but `Char` is needed
        stderr:  --> a.fk:7:9
        stderr:   |
        stderr: 7 | g x = f x
        stderr:   |         ^
        stderr:   |
        stderr:  ::: <repl>:2:5
        stderr:   |
        stderr: 2 | f : Char -> Int
        stderr:   |     ---- `Char` is required here: the first port of `f`
        stderr: 
        stderr: warning[FK0402]: this clause can never match: a clause before it matches all that it would
        stderr:  --> <repl>:4:1
        stderr:   |
        stderr: 3 | f x = x * 10
        stderr:   | - this clause comes first
        stderr: 4 | f _ = 1
        stderr:   | ^
        stderr:   |
        stderr:   = help: move it up, make the earlier clause more special, or leave it out
        stderr: 
        stderr: frank: until `:load`, this takes the place of what the files call `T`
        stderr: error: no clause of `h` matches
        stderr:   --> a.fk:11:1
        stderr:    |
        stderr: 11 | h : T -> Int
        stderr:    | ^
        stderr:    |
        stderr:    = note: with u
        stderr:    = note: the stack, from the inside:
        stderr:            in `h`, a.fk:11:1
        stderr: frank: loaded a.fk
        stderr: frank: what was defined here is forgotten: `f`, `T`
        exit 0
    "#]]);
}

/// Lines behind a term that reads are its input, whether they come one after the other or all at once.
#[test]
fn a_program_reads_the_lines_behind_it() {
    let dir = Dir::new(&[]);
    let input = "print \"name? \"; inch!\nxyz\nlet a = inch! in let b = inch! in [a, b, inch!]\np\nq\n1 + 1\n";
    dir.run_input("repl", input).expect(expect![[r#"
        name? 
        'x'
        "p\nq"
        2
        exit 0
    "#]]);
}

/// On a terminal too, which `script` is, and where all lines are typed ahead.
#[cfg(target_os = "linux")]
#[test]
fn a_program_reads_what_is_typed_ahead_on_a_terminal() {
    let dir = Dir::new(&[]);
    let mut command = std::process::Command::new("script");
    let command_line = format!("{} --color never repl", env!("CARGO_BIN_EXE_frank"));
    command.args(["-qc", &command_line, "/dev/null"]);
    command.current_dir(dir.path()).env("TERM", "xterm");
    command.env("FRANK_HISTORY", "");
    let piped = std::process::Stdio::piped;
    command.stdin(piped()).stdout(piped()).stderr(piped());
    let input = "print \"name? \"; [inch!, inch!]\nxyz\n1 + 1\n:quit\n";
    let run = crate::support::finish(command, input);
    for value in ["\r\n\"xy\"\r\n", "\r\n2\r\n"] {
        assert!(run.stdout.contains(value), "{}", run.stdout);
    }
}

#[test]
fn a_run_that_fails_does_not_end_the_session() {
    let dir = Dir::new(&[]);
    let run = dir.run_input(
        "repl --timeout 200ms",
        "loop : Int -> Int\nloop n = loop n\nloop 1\n1\n:quit\n2\n",
    );
    assert_eq!((run.stdout.as_str(), run.code), ("1\n", 0));
    assert!(
        run.stderr.contains("the time limit is reached"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_string_goes_on_behind_a_gap() {
    let dir = Dir::new(&[]);
    let input = "\"a\\\n  \\ -- b\"\n\"\\^\\\"\n1\n";
    dir.run_input("repl", input).expect(expect![[r#"
        "a -- b"
        "\FS"
        1
        exit 0
    "#]]);
}

/// As terminals give them that do not say what is pasted, and as people write them.
#[test]
fn a_definition_goes_on_in_lines_that_begin_with_blanks() {
    let dir = Dir::new(&[]);
    let input = "data Shape = circle Int\n           | square Int\narea : Shape -> Int\narea (circle r) = 3\n  * r\n\
        area (square a) = a * a\n[area (circle 2), area (square 2)]\n  1 + 1\n";
    dir.run_input("repl", input).expect(expect![[r#"
        [6, 4]
        2
        stderr: warning[FK0401]: `area` has no clause for `area (square _)`
        stderr:  --> <repl>:5:1
        stderr:   |
        stderr: 5 | area (circle r) = 3
        stderr:   | ^^^^
        stderr:   |
        stderr:   = help: this clause is missing:
        stderr:             area (square _) = …
        stderr: 
        stderr: warning[FK0401]: `area` has no clause for `area (square _)`
        stderr:  --> <repl>:5:1
        stderr:   |
        stderr: 5 | area (circle r) = 3
        stderr:   | ^^^^
        stderr:   |
        stderr:   = help: this clause is missing:
        stderr:             area (square _) = …
        stderr: 
        exit 0
    "#]]);
}

/// A fix for a clause without a signature may be another name for it.
#[test]
fn a_clause_whose_name_is_nearly_that_of_another_gets_its_signature() {
    let dir = Dir::new(&[("m.fk", "x1 : Int -> Int\nx1 n = n\n")]);
    dir.run_input(
        "repl m.fk",
        "x12 n = n + 3\nx12 1\n:info x12\n:info\n:derive\n",
    )
    .expect(expect![[r#"
        x12 : Int -> Int
        4
            x12 : Int -> Int

        defined here
        stderr: frank: loaded m.fk
        stderr: frank: `:info` takes a name
        stderr: frank: `:derive` takes the name of an operator, and a point
        exit 0
    "#]]);
}

#[test]
fn what_is_known_of_names() {
    let dir = Dir::new(&[(
        "shapes.fk",
        "data Shape = circle Int | square Int\n\n-- The area of a shape.\narea : Shape -> Int\narea (circle r) = 3 * r * r\narea (square a) = a * a\n",
    )]);
    let input = ":info area\n:i circle\n:i Shape\n:i map\n:i aera\n:browse\n:browse nowhere\n";
    dir.run_input("repl shapes.fk", input).expect(expect![[r#"
                area : Shape -> Int

            The area of a shape.

            defined in shapes.fk:4
                circle Int : Shape

            defined in shapes.fk:1
                data Shape = circle Int | square Int

            defined in shapes.fk:1
            Shape = circle | square
            area : Shape -> Int
            stderr: frank: loaded shapes.fk
            stderr: frank: there is no definition `map` in sight
            stderr: frank: there is no definition `aera` in sight; did you mean `area`?
            stderr: frank: no file `nowhere` is included; `:browse` alone shows the loaded one
            exit 0
        "#]]);
}

#[test]
fn derivatives_of_operators() {
    let dir = Dir::new(&[(
        "smooth.fk",
        "include ad\n\ncube : X -> [Smooth X]X\ncube x = t x (t x x)\n",
    )]);
    let input = ":derive cube 2\n:derive cube\n:derive none 1\n:derive cube 1 2 x\n";
    dir.run_input("repl smooth.fk", input).expect(expect![[r#"
            cube 2.0 = 8.0
            ∂ cube 2.0 = 12.0  (d, grad, gradc, gradm)
            cube 1.0 = 1.0
            ∂ cube 1.0 = 3.0  (d, grad, gradc, gradm)
            stderr: frank: loaded smooth.fk
            stderr: frank: there is no operator `none`
            stderr: frank: `x` is no number
            exit 0
        "#]]);
}

#[cfg(unix)]
#[test]
fn a_file_is_opened_in_the_users_editor() {
    let dir = Dir::new(&[("a.fk", "x : {Int}\nx! = 1\n")]);
    let run = |editor: &str, input: &str| {
        let mut command = dir.command("repl a.fk");
        command.env_remove("VISUAL").env("EDITOR", editor);
        finish(command, input)
    };
    run("sed -i s/1/2/", "x!\n:edit\nx!\n").expect(expect![[r#"
        1
        2
        stderr: frank: loaded a.fk
        stderr: frank: loaded a.fk
        exit 0
    "#]]);
    run("false", ":edit\nx!\n").expect(expect![[r#"
        2
        stderr: frank: loaded a.fk
        stderr: frank: `false` ended with exit status: 1
        exit 0
    "#]]);
    run("", ":edit\nx!\n").expect(expect![[r#"
        2
        stderr: frank: loaded a.fk
        stderr: frank: no editor is known: set the environment variable VISUAL or EDITOR to one
        exit 0
    "#]]);
}

/// Line by line, what a definition uses comes behind it, and it goes on on lines of their own.
#[test]
fn a_file_that_is_piped_in_means_what_it_means() {
    let dir = Dir::new(&[]);
    let program = "\
quarter : Int -> Int
quarter n = half (half n)

half : Int -> Int
half 0 = 0
half 1 = 0
half n = 1 + half (n - 2)

three : {Int -> Int} -> Int -> Int
three f n =
  if (n > 100)
     {f (f (f n))}
     {f n}
";
    let run = dir.run_input(
        "repl",
        format!("{program}quarter 21\nthree {{n -> half n}} 800\nthree {{n -> half n}} 8\n"),
    );
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines, ["5", "100", "4"], "{}", run.stderr);
}

#[test]
fn a_line_that_is_not_utf_8_is_passed_over() {
    let run = Dir::new(&[]).run_input("repl", b"f x = x + 1\n\xff\nf 2\n");
    assert_eq!((run.code, &*run.stdout), (0, "f : Int -> Int\n3\n"));
    assert_eq!(
        run.stderr,
        "frank: standard input: a line that is not UTF-8 is passed over\n"
    );
}

/// What is pasted is done as if it was typed: a term reads the lines behind it, and what it leaves goes on.
#[cfg(unix)]
#[test]
fn a_pasted_term_reads_the_lines_behind_it() {
    let dir = Dir::new(&[("r.fk", "include prelude\n")]);
    let mut screen = crate::screen::Screen::start(&dir, &["repl", "r.fk"]);
    screen.until("frank> ");
    screen.press("\x1b[200~readLine!\nabc\n20 + 3\x1b[201~\r");
    let shown = screen.until("23");
    assert!(shown.contains("\"abc\""), "{shown}");
    screen.press("\x04");
    assert_eq!(screen.end(), 0);
}

/// A run goes as far as the hole.
#[test]
fn definitions_with_holes_are_kept() {
    let dir = Dir::new(&[]);
    let input = "f : Int -> Int\nf 0 = 1\nf x = _more + 1\nf 0\nf 3\n";
    let said = dir.run_input("repl", input).whole();
    assert!(said.contains("hint[FK0109]"), "{said}");
    assert!(
        said.contains("error: a hole: a value of type `Int`"),
        "{said}"
    );
    assert!(said.starts_with("1\n"), "{said}");
}
