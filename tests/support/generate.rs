//! Realistic programs of any size, for benchmarks and for tests of large input.

use std::fmt::Write;

/// A well-typed program of about so many lines: data types, interfaces, handlers, list operators
/// and differentiated functions, each part using the one before it.
pub fn program(lines: usize) -> String {
    let mut text = String::with_capacity(lines * 32);
    let mut module = 0;
    let mut count = 0;
    while count < lines {
        let start = text.len();
        write_module(&mut text, module);
        count += text.get(start..).unwrap_or_default().matches('\n').count();
        module += 1;
    }
    text.push_str("main : {Int}\nmain! = total0 (range0 0 10)\n");
    text
}

fn write_module(text: &mut String, i: usize) {
    let before = i.saturating_sub(1);
    let _infallible = write!(
        text,
        "
-- Module {i}: shapes, a counter with a log, lists, and a smooth function.
data Shape{i} X = point{i} | circle{i} X | rectangle{i} X X | group{i} (List (Shape{i} X))

data Tree{i} X = leaf{i} | node{i} (Tree{i} X) X (Tree{i} X)

interface Counter{i} = tick{i} : Int -> Int | total{i}s : Int

interface Log{i} X = note{i} : X -> Unit

-- The area of a shape, and of all the shapes in a group.
area{i} : Shape{i} Int -> Int
area{i} point{i}           = 0
area{i} (circle{i} r)      = 3 * r * r
area{i} (rectangle{i} w h) = w * h
area{i} (group{i} shapes)  = total{i} (map{i} {{s -> area{i} s}} shapes)

map{i} : {{X -> Y}} -> List X -> List Y
map{i} f nil       = nil
map{i} f (x :: xs) = f x :: map{i} f xs

fold{i} : {{Y -> X -> Y}} -> Y -> List X -> Y
fold{i} f y nil       = y
fold{i} f y (x :: xs) = fold{i} f (f y x) xs

total{i} : List Int -> Int
total{i} xs = fold{i} {{a b -> a + b}} 0 xs

range{i} : Int -> Int -> List Int
range{i} from to = case (from < to) {{
    true  -> from :: range{i} (from + 1) to
  | false -> []
  }}

-- Counts ticks from a start; the log goes on outwards.
count{i} : Int -> <Counter{i}>X -> [Log{i} Int]X
count{i} n x               = x
count{i} n <tick{i} d -> k>  = note{i} d; count{i} (n + d) (k (n + d))
count{i} n <total{i}s -> k> = count{i} n (k n)

-- Collects what was logged, in order.
logged{i} : List Y -> <Log{i} Y>X -> List Y
logged{i} seen x              = seen
logged{i} seen <note{i} y -> k> = logged{i} (y :: seen) (k unit)

insert{i} : Int -> Tree{i} Int -> Tree{i} Int
insert{i} x leaf{i} = node{i} leaf{i} x leaf{i}
insert{i} x (node{i} l y r) =
  let here = x < y in
  case here {{
      true  -> node{i} (insert{i} x l) y r
    | false -> node{i} l y (insert{i} x r)
  }}

work{i} : Int -> [Counter{i}, Log{i} Int]Int
work{i} n =
  let a = tick{i} n in
  let b = tick{i} (a * 2) in
  note{i} (a + b);
  total{i}s! + area{before} (rectangle{before} a b)

weight{i} : Tree{i} Int -> Int
weight{i} leaf{i}        = 0
weight{i} (node{i} l x r) = weight{i} l + x + weight{i} r

run{i} : {{Int}}
run{i}! =
  let radii = range{i} 0 (total{i} (logged{i} [] (count{i} 0 (work{i} 3)))) in
  let tree = fold{i} {{t x -> insert{i} x t}} leaf{i} radii in
  weight{i} tree + area{i} (group{i} (map{i} {{r -> circle{i} r}} radii))
"
    );
}
