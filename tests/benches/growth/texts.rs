//! Programs of any size in which one thing is large.

use std::fmt::Write;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// One operator with so many clauses.
pub fn clauses(count: usize) -> String {
    let clauses: String = (0..count).map(|n| format!("f {n} = {n}\n")).collect();
    format!("f : {{Int -> Int}}\n{clauses}f n = n\n\nmain : {{Int}}\nmain! = f 1\n")
}

/// The same definition so many times.
pub fn repeated(count: usize) -> String {
    let all = "f : {Int -> Int}\nf n = n\n\n".repeat(count);
    format!("{all}main : {{Int}}\nmain! = f 1\n")
}

/// A sum of so many terms.
pub fn sum(terms: usize) -> String {
    let more = " + x".repeat(terms.saturating_sub(1));
    format!("f : {{Int -> Int}}\nf x = x{more}\n\nmain : {{Int}}\nmain! = f 1\n")
}

/// A data type of many constructors, and a clause for a pair of each.
pub fn pairs(count: usize) -> String {
    let constructors: Vec<String> = (0..count).map(|i| format!("c{i}")).collect();
    let clauses = (0..count).map(|i| format!("f c{i} c{} = {i}\n", count - 1 - i));
    let clauses: String = clauses.collect();
    format!(
        "data D = {}\nf : D -> D -> Int\n{clauses}",
        constructors.join(" | ")
    )
}

/// A definition of many names that nothing is like.
pub fn unknown(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|i| format!("zz{i}")).collect();
    format!("main : {{Int}}\nmain! = {}\n", names.join(" + "))
}

/// Operators that call each other, of which the last one alone has a signature.
pub fn unsigned(count: usize) -> String {
    let chain = (0..count).map(|i| format!("f{i} x = f{} x\n", i + 1));
    let chain: String = chain.collect();
    format!("{chain}f{count} : Int -> Int\nf{count} x = x\n")
}

/// So many operators with long names, each of which misspells the name of another one.
pub fn misspelt(count: usize) -> String {
    let mut random = SmallRng::seed_from_u64(1);
    let mut letter = move || char::from(random.random_range(b'a'..=b'z'));
    let names: Vec<String> = (0..count)
        .map(|_| (0..36).map(|_| letter()).collect())
        .collect();
    let mut random = SmallRng::seed_from_u64(2);
    let mut text = String::new();
    for name in &names {
        let mut other = names.choose(&mut random).cloned().unwrap_or_default();
        other.insert(random.random_range(1..36), 'q');
        let _infallible = write!(text, "{name} : {{Int -> Int}}\n{name} n = {other} n\n\n");
    }
    text
}

/// Two types that are so many times pairs of themselves, and differ at the bottom.
pub fn doubling(times: usize) -> String {
    let chain = |name: &str, bottom: &str| {
        let steps = (1..=times).map(|n| {
            let before = n - 1;
            format!("  let {name}{n} = pair {name}{before} {name}{before} in\n")
        });
        format!("  let {name}0 = {bottom} in\n{}", steps.collect::<String>())
    };
    format!(
        "include prelude\n\nsame : {{X -> X -> Int}}\nsame x y = 1\n\nmain : {{Int}}\nmain! =\n{}{}  \
         same x{times} y{times}\n",
        chain("x", "1"),
        chain("y", "\"a\"")
    )
}

/// So many operators, each with habits of other languages inside of another.
pub fn habits(count: usize) -> String {
    let operators: String = (0..count)
        .map(|n| {
            format!(
                "f{n} : Int -> Bool\nf{n} x = if x > {n} && x < 100 then x `rem` 2 == 0 else x == 1 || x /= 7\n\n"
            )
        })
        .collect();
    format!("include prelude\n\n{operators}")
}

/// So many definitions whose clauses break off.
pub fn cut_off(count: usize) -> String {
    let definitions = (0..count).map(|n| format!("f{n} : {{Int}}\nf{n}! = {n} +\n\n"));
    definitions.collect()
}

/// A clause with so many adaptors, each around the next one.
pub fn adaptors(count: usize) -> String {
    let (open, close) = ("<Console> (".repeat(count), ")".repeat(count));
    format!("f : {{Int -> Int}}\nf x = {open}x{close}\n")
}

/// A definition with so many calls whose arguments are the wrong way round.
pub fn swapped(count: usize) -> String {
    let calls: String = (0..count)
        .map(|n| format!("  let y{n} = take \"a\" {n} in\n"))
        .collect();
    format!(
        "take : {{Int -> String -> Int}}\ntake n s = n\n\nmain : {{Int}}\nmain! =\n{calls}  1\n"
    )
}
