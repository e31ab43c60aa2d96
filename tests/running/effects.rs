//! Handlers in every shape: in place and captured, resumed once, often, never and elsewhere.

use crate::{run, value};

const BASICS: &str = "
data Pair X Y = pair X Y
data Maybe X = nothing | just X
interface State S = get : S | put : S -> Unit
state : S -> <State S>X -> X
state _ x = x
state s <get -> k> = state s (k s)
state _ <put s -> k> = state s (k unit)
interface Choice = choose : Bool
append : List X -> List X -> List X
append [] ys = ys
append (x :: xs) ys = x :: append xs ys
all : <Choice>X -> List X
all x = [x]
all <choose -> k> = append (all (k true)) (all (k false))
interface Abort = fail X : X
maybe : <Abort>X -> Maybe X
maybe x = just x
maybe <fail -> _> = nothing
if : Bool -> {X} -> {X} -> X
if true t _ = t!
if false _ e = e!
";

fn with(text: &str) -> String {
    value(&format!("{BASICS}{text}"))
}

#[test]
fn many_resumptions_have_their_own_state() {
    let text = "
step : [State Int, Choice]Int
step! = if choose! {put (get! + 1)} {put (get! * 10)}; get!
main : {Pair (List Int) (List Int)}
main! = pair (all (state 1 (step!; step!; step!))) (state 1 (all (step!; step!; step!)))
";
    assert_eq!(
        with(text),
        "pair [4, 30, 21, 200, 12, 110, 101, 1000] [4, 40, 401, 4010, 40102, 401020, 4010201, 40102010]"
    );
}

/// A continuation that is shared keeps the handlers inside it as they were.
#[test]
fn handlers_inside_a_shared_continuation() {
    let text = "
main : {List Int}
main! = all (state 5 (
  let a = choose! in
  put (get! + 1);
  let b = choose! in
  put (get! + 10);
  get! + (if a {100} {200}) + (if b {1000} {2000})))
";
    assert_eq!(with(text), "[1116, 2116, 1216, 2216]");
}

/// A clause in place may be interrupted by a command that captures it, and be resumed twice.
#[test]
fn clauses_in_place_are_captured_and_copied() {
    let text = "
interface Ask = ask : Int
asking : Int -> <Ask>X -> [Choice]X
asking _ x = x
asking n <ask -> k> = let b = choose! in asking (n + 1) (k (if b {n} {0 - n}))
main : {List Int}
main! = all (asking 1 (let x = ask! in let y = ask! in x * 10 + y))
";
    assert_eq!(with(text), "[12, 8, -8, -12]");
    // The same, with a handler between.
    let text = "
interface Ask = ask : Int
asking : Int -> <Ask>X -> [Choice, State Int]X
asking _ x = x
asking n <ask -> k> =
  put (get! + n);
  let b = choose! in
  put (get! * 2);
  asking (n + 1) (k (if b {get!} {0 - n}))
main : {Pair (List Int) (List Int)}
main! = pair (all (state 0 (asking 1 (let x = ask! in let y = ask! in x * 10 + y))))
             (state 0 (all (asking 1 (let x = ask! in let y = ask! in x * 10 + y))))
";
    assert_eq!(with(text), "pair [28, 18, -2, -12] [28, 18, 58, -12]");
}

/// What is resumed with is computed under the handler that stays.
#[test]
fn the_answer_is_computed_inside() {
    let text = "
interface Ask = ask : Int
asking : Int -> <Ask>X -> X
asking _ x = x
asking 0 <ask -> k> = asking 0 (k 7)
asking n <ask -> k> = asking (n - 1) (k (1 + ask!))
main : {List Int}
main! = [asking 5 (ask! * 100 + ask!), asking 0 ask!, asking 1 (ask! + ask! * 10)]
";
    assert_eq!(with(text), "[1207, 7, 78]");
}

/// Some branches of a clause resume in place, others do not.
#[test]
fn branches_of_a_clause_differ() {
    let text = "
interface Step = step : Int -> Int
run : Int -> <Step>Int -> Int
run n x = x + n
run n <step i -> k> =
  if (i < 0) {0 - 1}
     {if (i == 0) {run n (k n)}
         {let r = run (n + 1) (k (i * 10)) in r + 1000}}
main : {List Int}
main! = [ run 1 (step 0 + step 5 + step 0)
        , run 1 (step 0 + step (0 - 5) + step 0)
        , run 1 (step 1 + step 2 + step 3) ]
";
    assert_eq!(with(text), "[1055, -1, 3064]");
}

#[test]
fn catch_alls_forced_elsewhere() {
    let text = "
hold : <State Int>X -> {[State Int]X}
hold <m> = m
main : {List Int}
main! = let m = hold (put (get! + 1); get! * 2) in
  [state 10 m!, state 20 (m! + m!), state 30 (put 5; m!)]
";
    assert_eq!(with(text), "[22, 86, 12]");
}

/// A catch-all passes what it does not know on to another handler inside its own.
#[test]
fn catch_alls_pass_on() {
    let text = "
interface Log = log : Int -> Unit
interface Level = level : Int
logs : <Log, Level>X -> Pair (List Int) X
logs x = pair [] x
logs <log i -> k> = case (logs (k unit)) {(pair is x) -> pair (i :: is) x}
logs <m> = logs (<Level(s a -> s)> (levels 7 m!))
levels : Int -> <Level>X -> X
levels _ x = x
levels n <level -> k> = levels (n + 1) (k n)
main : {Pair (List Int) Int}
main! = logs (log 1; log level!; log level!; level!)
";
    assert_eq!(with(text), "pair [1, 7, 8] 9");
}

#[test]
fn several_paused_arguments() {
    let text = "
interface Send X = send : X -> Unit
interface Receive X = receive : X
pipe : <Send X>Unit -> <Receive X>Y -> Maybe Y
pipe <send x -> s> <receive -> r> = pipe (s unit) (r x)
pipe <m> y = just y
pipe unit <m> = nothing
sends : Int -> [Send Int]Unit
sends 0 = unit
sends n = send n; sends (n - 1)
sum : Int -> [Receive Int]Int
sum 0 = 0
sum n = receive! + sum (n - 1)
main : {List (Maybe Int)}
main! = [pipe (sends 10) (sum 5), pipe (sends 3) (sum 5), pipe (sends 5) (sum 5)]
";
    assert_eq!(with(text), "[just 40, nothing, just 15]");
}

/// The handled argument need not be the last.
#[test]
fn arguments_after_the_handled_one() {
    let text = "
run : <State Int>X -> Int -> Pair X Int
run x s = pair x s
run <get -> k> s = run (k s) s
run <put s -> k> _ = run (k unit) s
main : {[Console]Pair Int Int}
main! = run (put (get! + 1); ouch 'a'; put (get! * 2); get!) (ouch 'b'; 20)
";
    let ran = run(&format!("{BASICS}{text}"));
    assert_eq!(ran.value.unwrap(), "pair 42 42");
    assert_eq!(ran.output, "ba");
}

#[test]
fn instances_and_adaptors() {
    let text = "
two : [State Int, State Int]Int
two! = get! * 10 + <State(s a b -> s a)> get!
swapped : [State Int, State Int]Int
swapped! = <State(s a b -> s b a)> two!
copied : [State Int]Int
copied! = <State(s a -> s a a)> two!
both : Int -> <State Int, State Int>X -> List X
both n x = [x]
both n <get -> k> = both n (k n)
both n <get.1 -> k> = both n (k (n + 1))
both n <put s -> k> = both s (k unit)
both n <put.1 s -> k> = both s (k unit)
main : {List Int}
main! = append
  [ state 1 (state 2 two!), state 1 (state 2 swapped!), state 3 copied!
  , state 1 (state 2 (<State> get!)), state 1 (state 2 (<State> (put 7); two!)) ]
  (append (both 5 two!) (both 5 (put 6; two!)))
";
    assert_eq!(with(text), "[21, 12, 33, 1, 27, 56, 67]");
}

/// Adaptors in ports: hidden, swapped and added instances.
#[test]
fn adaptors_in_ports() {
    let text = "
outer : <State|>X -> [State Int]X
outer x = x
swap : <State(s a b -> s b a)|>X -> [State Int, State Int]X
swap x = x
local : <State(s a -> s) | State Int>X -> [State Int]X
local x = x
local <get -> k> = local (k 99)
local <put s -> k> = local (k unit)
two : [State Int, State Int]Int
two! = get! * 10 + <State(s a b -> s a)> get!
main : {List Int}
main! = [ state 1 (state 2 (outer get!))
        , state 1 (state 2 (swap two!))
        , state 1 (state 2 (local two!)) ]
";
    assert_eq!(with(text), "[1, 12, 991]");
}

#[test]
fn handlers_as_values() {
    let text = "
handle : {<State Int>Int -> Int} -> Int
handle h = h (put (get! + 1); get! * 2)
apply : {X -> Y} -> X -> Y
apply f x = f x
main : {List Int}
main! = [ handle {x -> x | <get -> k> -> state 10 (k 5) | <put s -> k> -> state s (k unit)}
        , handle (state2)
        , apply {n -> state n get!} 3 ]
state2 : <State Int>Int -> Int
state2 x = x
state2 <get -> k> = state2 (k 20)
state2 <put s -> k> = state2 (k unit) + s
";
    assert_eq!(with(text), "[12, 61, 3]");
}

#[test]
fn continuations_are_kept_and_resumed_later() {
    let text = "
interface Yield X = yield : X -> Unit
data Stream X = end | item X {Stream X}
stream : <Yield X>Unit -> Stream X
stream unit = end
stream <yield x -> k> = item x {stream (k unit)}
take : Int -> Stream X -> List X
take 0 _ = []
take n end = []
take n (item x rest) = x :: take (n - 1) rest!
from : Int -> [Yield Int]Unit
from n = yield n; from (n + 1)
main : {List (List Int)}
main! = let s = stream (from 1) in
  case s { end -> [] | (item x rest) -> [take 3 s, take 4 rest!, take 2 rest!] }
";
    assert_eq!(with(text), "[[1, 2, 3], [2, 3, 4, 5], [2, 3]]");
}

/// An argument that is itself the thunk of a catch-all is a finished argument.
#[test]
fn thunks_of_catch_alls_are_values() {
    let text = "
hold : <State Int>X -> {[State Int]X}
hold <m> = m
interface Ask = ask : Int
pass : <Ask>X -> X
pass x = x
pass <ask -> k> = pass (k 0)
id : X -> X
id x = x
main : {List Int}
main! = let m = hold (put (get! + 1); get! * get!) in
  [state 4 (pass (id m))!, state 5 (pass m)!]
";
    assert_eq!(with(text), "[25, 36]");
}

#[test]
fn commands_and_operators_as_values() {
    let text = "
map : {X -> Y} -> List X -> List Y
map f [] = []
map f (x :: xs) = f x :: map f xs
double : Int -> Int
double x = x + x
main : {Pair (List Int) (List Unit)}
main! = pair (map double [1, 2, 3]) (state 0 (map put [1, 2]))
";
    assert_eq!(with(text), "pair [2, 4, 6] [unit, unit]");
}

#[test]
fn references_are_shared_between_resumptions() {
    let text = "
main : {[RefState](List Int)}
main! = let r = new 0 in
  all (let b = choose! in write r (read r + 1); if b {read r} {read r * 100})
";
    assert_eq!(with(text), "[1, 200]");
}
