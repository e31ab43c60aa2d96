//! What a run takes of the system's memory, whatever it is that grows.

use wait4::Wait4;

use crate::support::Dir;

const MIB: u64 = 1 << 20;

/// Programs that never have enough, each in another way.
const GREEDY: &str = "include prelude

onto : Int -> List Int -> Int
onto n xs = onto (n + 1) (n :: xs)

idle : {Int}
idle! = 1

list : {Int}
list! = onto 0 []

wide : {Int}
wide! = onto 4611686018427387904 []

down : Int -> Int
down n = n + down (n + 1)

deep : {Int}
deep! = down 1

double : String -> Int
double s = double (append s s)

text : {Int}
text! = double \"abcdefgh\"

cellsOnto : List (Ref Int) -> [RefState] Int
cellsOnto xs = cellsOnto (new 1 :: xs)

cells : [RefState] Int
cells! = cellsOnto []

interface Ask = ask : Int

asks : {[Ask] Int}
asks! = ask! + asks!

collect : List {Int -> [Ask] Int} -> <Ask> Int -> Int
collect ks n          = n
collect ks <ask -> k> = collect (k :: ks) (k 1)

continuations : {Int}
continuations! = collect [] asks!

handle : <Ask> Int -> Int
handle n          = n
handle <ask -> k> = handle (k 1)

nest : Int -> Int
nest n = handle (n + nest (n + ask!))

handlers : {Int}
handlers! = handle (nest 0)

value : {List Int}
value! = range 1 5000000
";

/// The most memory that a command has at a time, in bytes, and what it says.
fn peak(dir: &Dir, args: &str) -> (u64, String) {
    let mut child = dir.command(args).spawn().expect("the binary starts");
    drop(child.stdin.take());
    // What it prints is more than a pipe holds.
    let mut out = child.stdout.take().expect("piped");
    let reader = std::thread::spawn(move || std::io::copy(&mut out, &mut std::io::sink()));
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().expect("piped"), &mut said)
        .expect("text");
    reader.join().expect("no panic").expect("a pipe");
    let used = child.wait4().expect("the binary ends").rusage;
    (used.maxrss, said)
}

/// What runs at a time may take together beside the program's own, in bytes: the limit, in MiB, with what is not
/// counted exactly, and for each of them what a thread has for itself.
fn allowed(limit: u64, runs: u64) -> u64 {
    limit * MIB * 11 / 10 + runs * 12 * MIB
}

#[test]
fn a_run_takes_what_it_may_and_no_more() {
    let dir = Dir::new(&[("greedy.fk", GREEDY)]);
    // What the program itself takes, with what it knows of the text.
    let (own, _) = peak(&dir, "run greedy.fk --entry idle");
    for memory in [64, 256] {
        for entry in [
            "list",
            "wide",
            "deep",
            "text",
            "cells",
            "continuations",
            "handlers",
        ] {
            let args = format!("run greedy.fk --entry {entry} --memory {memory}MiB");
            let (peak, said) = peak(&dir, &args);
            assert!(
                said.contains("the memory limit is reached"),
                "{args}: {said}"
            );
            assert!(
                peak <= own + allowed(memory, 1),
                "{args}: {} MiB",
                peak / MIB
            );
        }
    }
    let (peak, said) = peak(&dir, "run greedy.fk --entry value --memory 128MiB");
    assert_eq!(said, "");
    assert!(
        peak <= own + allowed(128, 1),
        "a printed value: {} MiB",
        peak / MIB
    );
}

#[test]
fn examples_that_run_at_a_time_share_the_memory() {
    let dir = Dir::new(&[]);
    let examples: String = (0..16).map(|n| format!("-- > onto {n} []\n")).collect();
    // This one fits into the whole of it, and not into half.
    let large = "-- > length (range 1 4000000)\n-- = 4000000\n";
    dir.write("many.fk", format!("{examples}{large}{GREEDY}"));
    dir.write("none.fk", GREEDY);
    let (own, _) = peak(&dir, "run none.fk --entry idle");
    let (peak, said) = peak(&dir, "test many.fk --memory 128MiB");
    assert_eq!(said, "");
    let at_a_time = std::thread::available_parallelism().map_or(1, |count| count.get());
    assert!(
        peak <= own + allowed(128, at_a_time.min(17) as u64),
        "{} MiB of them {} the program's own",
        peak / MIB,
        own / MIB
    );
    let run = dir.run("test many.fk --memory 128MiB");
    assert!(
        run.stdout.contains("17 examples in 1 file: 16 failed"),
        "{}",
        run.stdout
    );
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_a_run_is_given_back() {
    use std::io::{BufRead, BufReader, Write};

    let dir = Dir::new(&[]);
    let mut child = dir
        .command("repl --memory 512MiB")
        .spawn()
        .expect("the binary starts");
    let mut input = child.stdin.take().expect("piped");
    let mut answers = BufReader::new(child.stdout.take().expect("piped")).lines();
    let process = child.id();
    let mut kib = |term: &str, field: &str| -> u64 {
        writeln!(input, "{term}").expect("a pipe");
        answers.next().expect("an answer").expect("text");
        kib_of(process, field)
    };
    let before = kib("1", "VmRSS:");
    let peak = kib("length (range 1 8000000)", "VmHWM:");
    let after = kib("2", "VmRSS:");
    assert!(peak > before + (150 << 10), "it took {peak} KiB");
    assert!(
        after < before + (30 << 10),
        "{before} KiB before, {after} KiB after"
    );
    drop(input);
    child.wait().expect("the binary ends");
}

/// What a process takes now, or took at most, in KiB.
#[cfg(target_os = "linux")]
fn kib_of(process: u32, field: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a process");
    let line = status.lines().find(|line| line.starts_with(field));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.expect("a number").parse().expect("a number")
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_a_run_in_the_editor_is_given_back() {
    let dir = Dir::new(&[]);
    let (mut server, _) = crate::lsp::Server::start(&dir);
    let text = serde_json::json!(GREEDY);
    server.send(&format!(
        r#""method":"textDocument/didOpen","params":{{"textDocument":{{"uri":"untitled:a",
        "languageId":"frank","version":1,"text":{text}}}}}"#
    ));
    let process = server.child.id();
    let run = |server: &mut crate::lsp::Server, number: u32, name: &str| {
        server.send(&format!(
            r#""id":{number},"method":"workspace/executeCommand","params":{{
            "command":"frank.run","arguments":["untitled:a","{name}"]}}"#
        ));
        let said = server.until(&format!(r#""id":{number}"#));
        assert!(said.contains("the memory limit is reached"), "{said}");
    };
    let before = kib_of(process, "VmRSS:");
    for (number, name) in (2..).zip(["list", "deep", "cells"]) {
        run(&mut server, number, name);
        let peak = kib_of(process, "VmHWM:");
        assert!(peak > before + (150 << 10), "{name} took {peak} KiB");
        // The answer is there before the thread that ran has ended.
        let begin = std::time::Instant::now();
        while kib_of(process, "VmRSS:") > before + (50 << 10) {
            let after = kib_of(process, "VmRSS:");
            let waited = begin.elapsed().as_secs();
            assert!(
                waited < 60,
                "{name}: {before} KiB before, {after} KiB after"
            );
        }
    }
    assert_eq!(server.end(), Some(0));
}
