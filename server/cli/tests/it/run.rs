//! `frank run`.

use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};

use expect_test::expect;

use crate::support::{BAD, Dir, GOOD, finish};

/// Programs that do not end well, or not by themselves.
const TROUBLE: &str = "\
include prelude

loop : Int -> Int
loop n = loop (n + 1)

forever : {Int}
forever! = loop 0

talk : [Console]Unit
talk! = ouch 'x'; talk!

echo : [Console]Unit
echo! = ouch inch!; echo!

greet : [Console]Int
greet! = print \"name: \"; greet2 inch!

greet2 : Char -> [Console]Int
greet2 c = printLine [c]; loop 0

grow : List Int -> Int
grow xs = grow (1 :: xs)

eat : {Int}
eat! = grow []

count : Int -> Int
count 0 = 1 / 0
count n = 1 + count (n - 1)

divide : {Int}
divide! = evalState 1 (put 3; count 10)

first : List Int -> Int
first (x :: _) = x

none : [Console]Int
none! = print \"before\"; first []

lonely : [State Int]Int
lonely! = get! + 1
";

#[test]
fn output_then_value() {
    let dir = Dir::new(&[
        ("good.fk", GOOD),
        (
            "line.fk",
            "include prelude\nmain : [Console]Unit\nmain! = printLine \"hello\"\n",
        ),
        (
            "half.fk",
            "include prelude\nmain : [Console]Int\nmain! = print \"hal\\nf\"; 7\n",
        ),
    ]);
    assert_eq!(dir.run("run good.fk").whole(), "2\nexit 0\n");
    assert_eq!(dir.run("run line.fk").whole(), "hello\nunit\nexit 0\n");
    assert_eq!(dir.run("run half.fk").whole(), "hal\nf\n7\nexit 0\n");
}

#[test]
fn entries() {
    let dir = Dir::new(&[(
        "a.fk",
        "one : {Int}\none! = 1\n\ntwo : Int -> Int\ntwo n = n\n\ndata T = three\n",
    )]);
    assert_eq!(dir.run("run a.fk --entry one").whole(), "1\nexit 0\n");
    for entry in ["main", "oen", "two", "three"] {
        dir.run(&format!("run a.fk --entry {entry}"))
            .expect(match entry {
                "main" => expect![[r#"
                    stderr: frank: there is no operator `main` to run; `--entry NAME` runs another one
                    exit 2
                "#]],
                "oen" => expect![[r#"
                    stderr: frank: there is no operator `oen` to run; did you mean `--entry one`?
                    exit 2
                "#]],
                "two" => expect![[r#"
                    stderr: frank: `two` cannot be run: it takes arguments; try `frank eval`
                    exit 2
                "#]],
                _ => expect![[r#"
                    stderr: frank: `three` is no operator, so it cannot be run
                    exit 2
                "#]],
            });
    }
}

#[test]
fn programs_with_errors_are_refused() {
    let dir = Dir::new(&[
        ("a.fk", BAD),
        ("lib.fk", BAD),
        ("b.fk", "include lib\nok : {Int}\nok! = 1\n"),
    ]);
    dir.run("run a.fk").expect(expect![[r#"
        stderr: error[FK0210]: arithmetic and comparisons take numbers, but this has type `String`
        stderr:  --> a.fk:2:13
        stderr:   |
        stderr: 2 | main! = 1 + "a"
        stderr:   |           - ^^^
        stderr:   |           |
        stderr:   |           both operands of `+` have one number type
        stderr:   |
        stderr:   = help: strings are put together by the prelude's `append`
        stderr: 
        exit 1
    "#]]);
    let refused = dir.run("run b.fk --entry ok");
    assert_eq!(refused.code, 1);
    assert!(
        refused
            .stderr
            .ends_with("frank: `ok` reaches no error: `--despite-errors` runs it all the same\n"),
        "{}",
        refused.stderr
    );
    assert_eq!(
        dir.run("run b.fk --entry ok --despite-errors").whole(),
        "1\nexit 0\n"
    );
    let broken = dir.run("run a.fk --despite-errors");
    assert_eq!(broken.code, 1);
    assert!(
        broken.stderr.starts_with("error[FK0210]"),
        "{}",
        broken.stderr
    );
    assert!(
        broken
            .stderr
            .ends_with("frank: `main` cannot run: it, or something that it uses, has errors\n"),
        "{}",
        broken.stderr
    );
    assert_eq!(
        dir.run("run nothing.fk").whole(),
        "stderr: frank: nothing.fk: there is no such file or directory\nexit 2\n"
    );
    assert_eq!(
        dir.run("run libb.fk").whole(),
        "stderr: frank: libb.fk: there is no such file or directory: did you mean `lib.fk`?\nexit 2\n"
    );
    assert_eq!(dir.run("run .").code, 2);
    assert_eq!(dir.run("run").code, 2);
}

#[test]
fn failures_show_place_values_and_stack() {
    let dir = Dir::new(&[("t.fk", TROUBLE)]);
    dir.run("run t.fk --entry divide").expect(expect![[r#"
        stderr: error: division by zero in `1 / 0`
        stderr:   --> t.fk:28:11
        stderr:    |
        stderr: 28 | count 0 = 1 / 0
        stderr:    |           ^^^^^
        stderr:    |
        stderr:    = note: with 1, 0
        stderr:    = note: the stack, from the inside:
        stderr:            in `count`, t.fk:28:11
        stderr:            in `count`, t.fk:29:15, 10 times
        stderr:            handled by `evalState`, library:/prelude.fk:572:1
        exit 3
    "#]]);
    dir.run("run t.fk --entry none").expect(expect![[r#"
        before
        stderr: error: no clause of `first` matches
        stderr:   --> t.fk:34:1
        stderr:    |
        stderr: 34 | first : List Int -> Int
        stderr:    | ^^^^^
        stderr:    |
        stderr:    = note: with []
        stderr:    = note: the stack, from the inside:
        stderr:            in `first`, t.fk:34:1
        exit 3
    "#]]);
    dir.run("run t.fk --entry lonely").expect(expect![[r#"
        stderr: frank: warning: `lonely` needs `State`, which nobody handles here
        stderr: error: nobody handles the command `get` of `State` here
        stderr:   --> t.fk:41:11
        stderr:    |
        stderr: 41 | lonely! = get! + 1
        stderr:    |           ^^^^
        stderr:    |
        stderr:    = note: the stack, from the inside:
        stderr:            in `lonely`, t.fk:41:11
        exit 3
    "#]]);
}

#[test]
fn fail_shows_a_text_and_the_call_in_the_program() {
    let dir = Dir::new(&[(
        "t.fk",
        "include ad\nmain : {Float}\nmain! = evaluate (directional {xs -> sumS xs} [1, 2] [1])\n\n\
         own : {Int}\nown! = 1 + fail \"no \\ESC[31m here\"\n",
    )]);
    dir.run("run t.fk --entry own").expect(expect![[r#"
        stderr: error: no \ESC[31m here
        stderr:  --> t.fk:6:12
        stderr:   |
        stderr: 6 | own! = 1 + fail "no \ESC[31m here"
        stderr:   |            ^^^^^^^^^^^^^^^^^^^^^^^
        stderr:   |
        stderr:   = note: the stack, from the inside:
        stderr:           in `own`, t.fk:6:12
        exit 3
    "#]]);
    dir.run("run t.fk").expect(expect![[r#"
        stderr: error: `directional`: the direction must have as many numbers as the point: 2, not 1
        stderr:    --> t.fk:3:19
        stderr:     |
        stderr:   3 | main! = evaluate (directional {xs -> sumS xs} [1, 2] [1])
        stderr:     |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        stderr:     |
        stderr:    ::: library:/ad.fk:613:5
        stderr:     |
        stderr: 613 |     fail (concat [rule, ": ", showInt wanted, ", not ", showInt found])}
        stderr:     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        stderr:     |
        stderr:     = note: the stack, from the inside:
        stderr:             in `sameLength`, library:/ad.fk:613:5
        stderr:             handled by `evaluate`, library:/ad.fk:415:1
        exit 3
    "#]]);
}

#[test]
fn calls_that_repeat_on_the_stack_are_counted() {
    let dir = Dir::new(&[(
        "t.fk",
        "even : Int -> Int\neven 0 = 1 / 0\neven n = 1 + odd (n - 1)\n\n\
         odd : Int -> Int\nodd n = 1 + even (n - 1)\n\nmain : {Int}\nmain! = even 40\n",
    )]);
    dir.run("run t.fk").expect(expect![[r#"
        stderr: error: division by zero in `1 / 0`
        stderr:  --> t.fk:2:10
        stderr:   |
        stderr: 2 | even 0 = 1 / 0
        stderr:   |          ^^^^^
        stderr:   |
        stderr:   = note: with 1, 0
        stderr:   = note: the stack, from the inside:
        stderr:           in `even`, t.fk:2:10
        stderr:           in `odd`, t.fk:6:13
        stderr:           in `even`, t.fk:3:14
        stderr:           these 2, 6 times
        stderr:           in `odd`, t.fk:6:13
        exit 3
    "#]]);
}

#[test]
fn input_is_read_and_its_end_is_a_failure() {
    let dir = Dir::new(&[("t.fk", TROUBLE)]);
    let run = dir.run_input("run t.fk --entry echo", "häß→🎉\n");
    assert_eq!((run.stdout.as_str(), run.code), ("häß→🎉\n", 3));
    let run = dir.run_input("run t.fk --entry echo", b"a\xff\xe4b");
    assert_eq!(run.stdout, "a\u{fffd}\u{fffd}b\n");
}

#[test]
fn limits_end_runs_with_all_that_was_printed() {
    let dir = Dir::new(&[("t.fk", TROUBLE)]);
    for (args, message) in [
        ("--entry forever --steps 1_000", "the step limit is reached"),
        (
            "--entry forever --timeout 200ms",
            "the time limit is reached",
        ),
        ("--entry eat --memory 50MiB", "the memory limit is reached"),
        ("--entry talk --timeout 100ms", "the time limit is reached"),
    ] {
        let start = Instant::now();
        let run = dir.run(&format!("run t.fk {args}"));
        assert_eq!(run.code, 3);
        assert!(
            run.stderr.starts_with(&format!("error: {message}\n")),
            "{args}: {}",
            run.stderr
        );
        assert!(start.elapsed() < Duration::from_secs(10), "{args}");
        assert_eq!(run.stdout.is_empty(), !args.contains("talk"));
    }
    // While it waits for input, too.
    let mut child = dir
        .command("run t.fk --entry echo --timeout 200ms")
        .spawn()
        .expect("it starts");
    let stdin = child.stdin.take();
    let output = child.wait_with_output().expect("it ends");
    drop(stdin);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.starts_with("error: the time limit is reached\n"),
        "{message}"
    );
    for bad in ["--steps -1", "--timeout soon", "--memory lots"] {
        assert_eq!(dir.run(&format!("run t.fk {bad}")).code, 2, "{bad}");
    }
}

#[test]
fn limits_come_from_the_configuration_too() {
    let dir = Dir::new(&[
        ("t.fk", TROUBLE),
        ("frank.toml", "[limits]\nsteps = 50\noutput = \"1KiB\"\n"),
    ]);
    assert!(
        dir.run("run t.fk --entry forever")
            .stderr
            .starts_with("error: the step limit")
    );
    let run = dir.run("run t.fk --entry talk --steps 1_000_000");
    assert_eq!((run.code, run.stdout.len()), (3, 1025));
}

#[test]
fn performance_is_explained() {
    let program = "\
include ad

interface Ask = tell : Int -> Int

inner : <Ask> X -> X
inner x = x
inner <tell i -> k> = inner (k (i + 1))

count : Int -> <Ask> X -> X
count _ x = x
count n <tell i -> k> = count (n + i) (k n)

work : Int -> [Ask] Int
work 0 = 0
work n = tell n + work (n - 1)

interface Given = ask : Int

given : Int -> <Given> X -> X
given _ x = x
given n <ask -> k> = given n (k n)

late : <Ask> X -> [Given] X
late x = x
late <tell i -> k> = let x = ask! in late (k (i + x))

interface Raise = raise X : Int -> X

caught : <Raise> Int -> Int
caught x = x
caught <raise i -> _> = i

far : Int -> [Raise] Int
far 0 = raise 3
far n = n + far (n - 1)

left : <Ask> Int -> Int
left x = x
left <tell i -> k> = i * left (k 2)

again : <Ask> Int -> Int
again x = x
again <tell i -> k> = again (k 1) + again (k i)

kept : <Ask> Int -> Int
kept x = x
kept <tell i -> k> = let rest = {k i} in kept rest!

interface Run = run : {[Run] Int} -> Int

running : <Run> Int -> Int
running x = x
running <run m -> k> = let y = running m! in running (k y)

handed : [Run] Int
handed! = run {run {2} + 1}

referred : [RefState, Console] Int
referred! = let r = new 1 in write r 2; read r

main : [Console, RefState] Int
main! = ouint 7; inner (work 3) + count 1 (work 3) + given 2 (late (work 2)) + more! + referred!

more : {Int}
more! = caught (far 9) + left (work 2) + again (work 2) + kept (work 2) + running handed! + floor slope!

slope : {Float}
slope! = evaluate (d {x -> tanhS x} 0.5)
";
    let dir = Dir::new(&[("a.fk", program)]);
    let run = dir.run("run a.fk --explain-performance");
    assert_eq!(run.code, 0);
    for line in [
        "`tell` in `work`: inlined: the clause of `inner`\n",
        "`tell` in `work`: inlined: the clause of `count`\n",
        "`raise` in `far`: inlined: a jump to the clause of `caught`, which drops the rest\n",
        "`tell` in `work`: inlined: the clause of `left`\n",
        "`tell` in `work`: dynamic: the clause of `again` needs the continuation as a value, or calls something before it \
         resumes\n",
        "`ask` in `late`: dynamic: other handlers may be between it and `given`, whose clause needs the other arguments \
         of `given`\n",
        "`tell` in `work`: dynamic: it is under `kept`, which is not deep: a clause keeps its continuation, runs it \
         elsewhere, or takes any command\n",
        "`run` in `handed`: direct: a call of the clause of `running`; not inlined: the clause of `running` needs the \
         continuation as a value, or calls something before it resumes\n",
        "`write` in `referred`: by the machine: an instruction\n",
        "`ouint` in `main`: by the machine: no handler of the program takes it\n",
    ] {
        assert!(run.stdout.contains(line), "{}", run.stdout);
    }
    let (known, sought) = (
        dir.run("run a.fk --stats"),
        dir.run("run a.fk --stats --no-specialise"),
    );
    assert_eq!(known.stdout, sought.stdout);
    let steps = |text: &str| text.split(' ').nth(1).map(str::to_owned);
    assert_eq!(steps(&known.stderr), steps(&sought.stderr));
    // The program's own commands come first, and the sums last.
    let lines: Vec<&str> = run.stdout.lines().collect();
    let in_library = |line: &&str| !line.starts_with("a.fk:");
    let (sums, rest) = lines.split_last().unwrap();
    let library = rest.iter().position(in_library).unwrap();
    assert!(rest[library..].iter().all(in_library), "{}", run.stdout);
    let counts: Vec<usize> = sums
        .split(' ')
        .filter_map(|word| word.parse().ok())
        .collect();
    let times = |line: &&str| match line
        .rsplit_once(" (")
        .and_then(|(_, times)| times.split(' ').next())
    {
        Some(times) => times.parse().unwrap_or(1),
        None => 1,
    };
    assert_eq!(
        counts.iter().sum::<usize>(),
        rest.iter().map(times).sum::<usize>(),
        "{sums}"
    );
    let run = dir.run("run a.fk --no-specialise --explain-performance");
    assert!(
        run.stdout.contains("\n0 inlined, 0 direct, "),
        "{}",
        run.stdout
    );
}

/// Machine code, where `frank` was built with it, changes nothing that is seen: not the value, not where a run stops, not
/// why, and not how many steps it took.
#[test]
fn machine_code_changes_nothing() {
    let program = "\
include ad

loop : Int -> X -> [Smooth X] X
loop 0 x = x
loop n x = loop (n - 1) (recip (p (c 1.3) (t (c (-0.8)) x)))

product : Int -> Int
product 0 = 1
product n = n * product (n - 1)

main : {Float}
main! = evaluate (d {x -> loop 20000 x} 0.4)

overflow : {Int}
overflow! = product 21

-- Numbers that no word holds for thousands of rounds, and small ones for thousands.
large : Int -> Int -> Int
large 0 x = x
large n x = large (n - 1) (if (rem n 20000 < 8000) {rem (x + 100000000000000000) 1000003} {rem (x * 3 + 1) 1000003})

mixed : {Int}
mixed! = large 200000 1

forever : {Int}
forever! = forever!
";
    let dir = Dir::new(&[("a.fk", program)]);
    let run = |args: &str, native: &str| {
        let mut command = dir.command(args);
        command.env("FRANK_NATIVE", native);
        let mut run = finish(command, "");
        // All but the milliseconds.
        if let Some((used, _)) = run.stderr.rsplit_once(", ") {
            run.stderr = used.to_owned();
        }
        (run.stdout, run.stderr, run.code)
    };
    for args in [
        "run a.fk --stats",
        "run a.fk --stats --steps 54321",
        "run a.fk --stats --entry overflow",
        "run a.fk --stats --entry mixed",
        "run a.fk --stats --entry mixed --steps 123457",
        "run a.fk --stats --entry forever --steps 1000001",
    ] {
        let machine = run(args, "0");
        assert_eq!(machine, run(args, "all"), "{args}");
        assert_eq!(machine, run(args, "1"), "{args}");
        assert_eq!(machine, run(&format!("{args} --no-native"), "1"), "{args}");
    }
    assert_eq!(run("run a.fk", "all").0, "2.2611772187966843\n");
    assert_eq!(run("run a.fk --entry mixed", "1").0, "526860\n");
}

#[test]
fn what_the_environment_says_in_vain_is_told() {
    let dir = Dir::new(&[("a.fk", "main : {Int}\nmain! = 1 + 2\n")]);
    let mut command = dir.command("run a.fk");
    command
        .env("FRANK_NATIVE", "of\u{1b}")
        .env("FRANK_SPECIALISE", "");
    let run = finish(command, "");
    assert_eq!((run.stdout.as_str(), run.code), ("3\n", 0));
    assert_eq!(
        run.stderr,
        "frank: the environment's FRANK_NATIVE is `of\\u{1b}`, which says nothing: it should be 0 or 1 or all\n"
    );
}

#[test]
fn statistics() {
    let dir = Dir::new(&[("a.fk", "main : [RefState]Int\nmain! = read (new 1)\n")]);
    let run = dir.run("run a.fk --stats");
    assert_eq!((run.stdout.as_str(), run.code), ("1\n", 0));
    assert!(
        run.stderr.contains("steps") && run.stderr.contains(" 1 peak cells"),
        "{}",
        run.stderr
    );
}

/// A dialogue: what is printed arrives before input is waited for.
#[test]
fn input_and_output_are_streamed() {
    let dir = Dir::new(&[("t.fk", TROUBLE)]);
    let mut child = dir
        .command("run t.fk --entry echo")
        .spawn()
        .expect("it starts");
    let (mut stdin, stdout) = (
        child.stdin.take().expect("piped"),
        child.stdout.take().expect("piped"),
    );
    let mut stdout = BufReader::new(stdout);
    for line in ["one\n", "two\n", "three\n"] {
        stdin.write_all(line.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stdout.read_line(&mut answer).expect("it answers");
        assert_eq!(answer, line);
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(3));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_run_cleanly() {
    use crate::support::interrupt;
    use std::io::Read;

    let dir = Dir::new(&[("t.fk", TROUBLE)]);
    for (entry, input, printed) in [("greet", "xyz", "name: x\n"), ("greet", "", "name: ")] {
        let mut child = dir
            .command(&format!("run t.fk --entry {entry}"))
            .spawn()
            .expect("it starts");
        let mut stdin = child.stdin.take().expect("piped");
        stdin.write_all(input.as_bytes()).expect("it reads");
        let mut stdout = child.stdout.take().expect("piped");
        let mut before = vec![0; printed.len()];
        stdout.read_exact(&mut before).expect("it prints");
        assert_eq!(before, printed.as_bytes());
        interrupt(&child);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130));
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("the run was interrupted"), "{message}");
    }
}

#[test]
fn a_reader_that_has_enough_ends_the_run() {
    let dir = Dir::new(&[("t.fk", TROUBLE)]);
    let mut child = dir
        .command("run t.fk --entry talk")
        .spawn()
        .expect("it starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}

#[test]
fn the_examples_say_what_they_do() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples");
    let mut seen = 0;
    for entry in std::fs::read_dir(root).expect("examples") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "fk") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        let mark = |mark: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(mark))?;
            Some(line.trim().to_owned())
        };
        let Some(value) = mark("-- value:") else {
            continue;
        };
        let output = mark("-- output:").unwrap_or_else(|| "\"\"".to_owned());
        let output: String = serde_json::from_str(&output).expect("a string");
        let line_end = if output.is_empty() || output.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        let dir = Dir::new(&[]);
        let mut args = vec!["run", path.to_str().expect("text")];
        // Where its pictures are is said beside what it prints, and else that there are none.
        let draws = text.contains("include picture");
        if draws && cfg!(feature = "plot") {
            args.extend(["--pictures", "."]);
        }
        let run = finish(dir.command_with(&args), "");
        let expected = format!("{output}{line_end}{value}\n");
        assert_eq!((run.code, &*run.stdout), (0, &*expected), "{path:?}");
        assert_eq!(run.stderr.contains("picture"), draws, "{}", run.whole());
        assert!(draws || run.stderr.is_empty(), "{}", run.whole());
        seen += 1;
    }
    assert!(seen > 10);
}

/// A type or an interface that was not read to its end may mean anything: nothing that uses it is run.
#[test]
fn what_a_wrong_declaration_means_is_not_run() {
    let dir = Dir::new(&[
        (
            "data.fk",
            "data Box X = box (List X) from a list.\n\n\
             open : Box Float -> Float\nopen (box [x] y z w) = x\nopen _ = 0\n\n\
             main : {Float}\nmain! = open (box [1.5] 1 2 3)\n\n\
             fine : {Int}\nfine! = 1\n",
        ),
        (
            "alias.fk",
            "include prelude\ninterface Both = [State Int, State ..\n\n\
             main : {Int}\nmain! = evalState 1 (evalState 2 both!)\n\n\
             both : [Both] Int\nboth! = get!\n",
        ),
    ]);
    let refused = dir.run("run data.fk --despite-errors");
    let reason = "frank: nothing that uses `Box` can run: its declaration has errors\n";
    assert!(refused.stderr.ends_with(reason), "{}", refused.stderr);
    assert_eq!(refused.code, 1);
    let fine = dir.run("run data.fk --entry fine --despite-errors");
    assert_eq!(fine.whole(), "1\nexit 0\n");
    let refused = dir.run("run alias.fk --despite-errors");
    let reason = "frank: `both` cannot run: it, or something that it uses, has errors\n";
    assert!(refused.stderr.ends_with(reason), "{}", refused.stderr);
}

/// What is deep is not copied once for each level.
#[test]
fn json_is_written_in_steps_that_grow_as_its_text() {
    let dir = Dir::new(&[(
        "deep.fk",
        "include json\n\nnest : Int -> Json\nnest 0 = jsonNull\nnest n = jsonArray [nest (n - 1)]\n\n\
         main : {Int}\nmain! = length (showJson (nest 2000))\n",
    )]);
    let run = dir.run("run --steps 50000 deep.fk");
    assert_eq!((run.code, &*run.stdout), (0, "4004\n"), "{}", run.whole());
}
