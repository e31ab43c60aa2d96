//! `frank step` in a terminal: keys go in, and what stands on the screen is read.

use crate::screen::Screen;
use crate::support::Dir;

const COUNTER: &str = "\
include prelude

tick : [State Int] Int
tick! = put (get! + 1); get!

main : [Console] Int
main! = ouint 7; evalState 1 (tick!; tick!)
";

#[test]
fn a_person_goes_through_a_run() {
    let dir = Dir::new(&[("c.fk", COUNTER)]);
    let mut screen = Screen::start(&dir, &["step", "c.fk"]);
    let first = screen.until("q quit");
    for text in [
        "1 of ",
        "main!",
        "the host",
        "c.fk",
        "tick : [State Int] Int",
        "? all keys",
    ] {
        assert!(first.contains(text), "{text}:\n{first}");
    }
    // To the first command, which the host answers, and to the second, which `evalState` takes.
    screen.press("c");
    screen.until("ouint 7; evalState 1 (tick!; tick!)");
    screen.press("c");
    screen.until("perform");
    screen.until("State  evalState 1 □");
    let printed = screen.until("printed");
    let printed = printed.split_once("printed").map(|(_, printed)| printed);
    assert!(printed.is_some_and(|printed| printed.contains('7')));
    assert!(
        screen.marked().contains("State  evalState 1 □"),
        "{}",
        screen.marked()
    );
    // Its handler's answer.
    screen.press("a");
    let answer = screen.until("handle");
    assert!(
        answer.contains("{r -> (put (r + 1); get!; tick!)}"),
        "{answer}"
    );
    // Back to where the jump began.
    screen.press("b");
    screen.until("perform");
    // What it comes to.
    screen.press("G");
    let last = screen.until("this is the value");
    assert!(
        last.lines().any(|line| line.trim_start().starts_with('3')),
        "{last}"
    );
    screen.press("q");
    assert_eq!(screen.end(), 0);
}

#[test]
fn what_is_not_there_is_told() {
    let dir = Dir::new(&[("c.fk", COUNTER)]);
    let mut screen = Screen::start(&dir, &["step", "c.fk", "--from", "2"]);
    screen.until("2 of ");
    screen.press("h");
    screen.until("1 of ");
    screen.press("h");
    screen.until("this is the first state");
    screen.press("iSta\t\r");
    screen.until("put (get! + 1)");
    screen.press("iTree\r");
    screen.until("the program has no interface and no command `Tree`");
    screen.press("/evalState 3\r");
    screen.until("evalState 3");
    screen.press("n/never\r");
    screen.until("`never` stands in no state after this one");
    screen.press("#99999\r");
    screen.until("is expected, not `99999`");
    screen.press("#1\r");
    screen.until("1 of ");
    screen.press("m");
    screen.until("where numbers, characters and names come from is not kept");
    screen.press("?");
    screen.until("where the value at the focus was made");
    // Control-C.
    screen.press("\u{3}");
    assert_eq!(screen.end(), 0);
}

/// Between the command and its handler stands another one, which the continuation gets.
#[test]
fn the_continuation_is_drawn() {
    let program = "\
include prelude

interface Gen = yield : Int -> Unit

sum : <Gen> Unit -> Int
sum unit         = 0
sum <yield n -> k> = n + sum (k unit)

count : {[State Int, Gen] Unit}
count! = yield (get! + 1); put 5

main : {Int}
main! = sum (evalState 1 count!)
";
    let dir = Dir::new(&[("c.fk", program)]);
    let mut screen = Screen::start(&dir, &["step", "c.fk"]);
    screen.until("q quit");
    screen.press("iyield\r");
    let shown = screen.until("╷ yield 2");
    assert!(shown.contains("│ State  evalState 1 □"), "{shown}");
    assert!(shown.contains("▶ Gen  sum □"), "{shown}");
    assert!(
        screen.marked().contains("(evalState 1 (yield 2; put 5))"),
        "{}",
        screen.marked()
    );
    screen.press("q");
    assert_eq!(screen.end(), 0);
}

#[test]
fn what_is_large_is_folded() {
    let program = "\
include prelude

upTo : Int -> List Int
upTo n = if (n == 0) {[]} {n :: upTo (n - 1)}

sum : List Int -> Int
sum []        = 0
sum (x :: xs) = x + sum xs

main : {Int}
main! = sum (upTo 60)
";
    let dir = Dir::new(&[("c.fk", program)]);
    let mut screen = Screen::start(&dir, &["step", "c.fk"]);
    screen.until("q quit");
    screen.press("/[3\r");
    screen.until("f unfolds");
    // In the middle of the adding: what is innermost and what is outermost stand, nothing between.
    screen.press("/25 + sum [24\r");
    let folded = screen.until("f unfolds");
    assert!(folded.contains('…'), "{folded}");
    assert!(folded.contains("60 + "), "{folded}");
    assert!(!folded.contains("40 + "), "{folded}");
    // All of it is not folded; half as much is folded more.
    screen.press("f");
    let whole = screen.until("call ──");
    assert!(!whole.contains('…'), "{whole}");
    screen.press("f");
    screen.until("f unfolds");
    let sums = |screen: &str| screen.matches(" +").count();
    screen.press("-/never\r");
    let less = screen.until("`never` stands in no state");
    assert!(sums(&less) < sums(&folded), "{less}");
    screen.press("+/nowhere\r");
    let again = screen.until("`nowhere` stands in no state");
    assert_eq!(sums(&again), sums(&folded), "{again}");
    screen.press("q");
    assert_eq!(screen.end(), 0);
}

#[test]
fn over_and_out() {
    let program = COUNTER.to_owned() + "\ntwice : Int -> Int\ntwice x = x + x\n";
    let dir = Dir::new(&[("c.fk", &program)]);
    let mut screen = Screen::start(&dir, &["step", "c.fk", "twice (twice 2) + 40"]);
    screen.until("q quit");
    screen.press("l");
    screen.until("2 of ");
    screen.press("o");
    screen.until("twice 4 + 40");
    screen.press("o");
    screen.until("8 + 40");
    screen.press("o");
    screen.until("this is the value");
    // A command leaves what it is performed in.
    let mut screen = Screen::start(&dir, &["step", "c.fk", "evalState 1 tick!"]);
    screen.until("q quit");
    screen.press("l");
    screen.until("2 of ");
    screen.press("o");
    let handled = screen.until("{r -> (put (r + 1); get!)}");
    assert!(handled.contains("handle"), "{handled}");
    // Control-C.
    screen.press("\u{3}");
    assert_eq!(screen.end(), 0);
}

/// The focus is in view in the source, however far to the right it stands.
#[test]
fn long_lines_are_moved() {
    let name = "a".repeat(90);
    let text = format!("main : {{Int}}\nmain! = let {name} = 7 * 9 in {name}\n");
    let dir = Dir::new(&[("c.fk", &text)]);
    let mut screen = Screen::start(&dir, &["step", "c.fk"]);
    screen.until("q quit");
    screen.press("\x1b[C");
    let shown = screen.until("2 of ");
    assert_eq!(shown.matches("7 * 9").count(), 2, "{shown}");
    screen.press("q");
    assert_eq!(screen.end(), 0);
}
