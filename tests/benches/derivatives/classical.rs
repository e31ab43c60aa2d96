//! The classical programs with handlers: in Frank (`tests/benches/programs`), and in Rust by hand.

use std::collections::VecDeque;
use std::hint::black_box;
use std::rc::Rc;
use std::time::Duration;

use cpu_time::ThreadTime;

/// A classical benchmark of handlers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Classical {
    Countdown,
    Queens,
    Generator,
    Exceptions,
    Iterator,
    Parsing,
    Scheduler,
}

impl Classical {
    pub const ALL: [Classical; 7] = [
        Classical::Countdown,
        Classical::Queens,
        Classical::Generator,
        Classical::Exceptions,
        Classical::Iterator,
        Classical::Parsing,
        Classical::Scheduler,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Classical::Countdown => "countdown",
            Classical::Queens => "queens",
            Classical::Generator => "generator",
            Classical::Exceptions => "exceptions",
            Classical::Iterator => "iterator",
            Classical::Parsing => "parsing",
            Classical::Scheduler => "scheduler",
        }
    }

    pub fn size(self) -> u64 {
        match self {
            Classical::Countdown | Classical::Iterator => 1_000_000,
            Classical::Queens => 8,
            Classical::Generator => 16,
            Classical::Exceptions => 1_000,
            Classical::Parsing => 10_000,
            Classical::Scheduler => 3_000,
        }
    }

    /// What the program gives, by arithmetic.
    pub fn expected(self, n: u64) -> u64 {
        match self {
            Classical::Countdown => 0,
            Classical::Queens => [1, 1, 0, 0, 2, 10, 4, 40, 92, 352][n as usize],
            Classical::Generator => (1..=n).fold(0, |below, label| 2 * below + label),
            Classical::Exceptions => n * (1_000 + 1) - 1_000 * n,
            Classical::Iterator => n * (n + 1) / 2,
            Classical::Parsing => n + n / 3,
            Classical::Scheduler => 100 * (n + 1),
        }
    }

    /// How often something is done in a run: no machine does that in less than a part of a nanosecond each time.
    pub fn rounds(self, n: u64) -> u64 {
        match self {
            Classical::Countdown | Classical::Iterator | Classical::Parsing => n,
            Classical::Queens => 1_000,
            Classical::Generator => 1 << n,
            Classical::Exceptions => n * 1_000,
            Classical::Scheduler => 100 * (n + 1),
        }
    }

    pub fn text(self, n: u64) -> String {
        let program = match self {
            Classical::Countdown => include_str!("../programs/countdown.fk"),
            Classical::Queens => include_str!("../programs/queens.fk"),
            Classical::Generator => include_str!("../programs/generator.fk"),
            Classical::Exceptions => include_str!("../programs/exceptions.fk"),
            Classical::Iterator => include_str!("../programs/iterator.fk"),
            Classical::Parsing => include_str!("../programs/parsing.fk"),
            Classical::Scheduler => include_str!("../programs/scheduler.fk"),
        };
        format!("{program}\nmain : {{Int}}\nmain! = run {n}\n")
    }

    /// The same in Rust, written by hand, with the same checks: what it gives, and how long it takes.
    pub fn by_hand(self, n: u64) -> (u64, Duration) {
        // Otherwise the compiler computes what does not change.
        let n = black_box(n as i64);
        let start = ThreadTime::now();
        let value = match self {
            Classical::Countdown => countdown(n),
            Classical::Queens => place(n, n, &mut Vec::new()),
            Classical::Generator => Labels::of(&tree(n)).fold(0, plus),
            Classical::Exceptions => (0..n).fold(0, |sum, _| plus(sum, caught())),
            Classical::Iterator => Upwards { next: 1, last: n }.fold(0, plus),
            Classical::Parsing => parse(n),
            Classical::Scheduler => schedule(n),
        };
        (black_box(value) as u64, start.elapsed())
    }
}

/// Integers do not overflow in silence.
fn plus(a: i64, b: i64) -> i64 {
    a.checked_add(b).expect("a sum of few numbers")
}

fn countdown(n: i64) -> i64 {
    let mut state = n;
    while state != 0 {
        state = plus(state, -1);
    }
    state
}

fn place(n: i64, left: i64, placed: &mut Vec<i64>) -> i64 {
    if left == 0 {
        return 1;
    }
    let mut ways = 0;
    for queen in 1..=n {
        let safe = (1..).zip(placed.iter().rev()).all(|(distance, other)| {
            queen != *other && queen != plus(*other, distance) && queen != plus(*other, -distance)
        });
        if safe {
            placed.push(queen);
            ways = plus(ways, place(n, left - 1, placed));
            placed.pop();
        }
    }
    ways
}

/// Both branches of a node are the same tree.
struct Node {
    below: Option<Rc<Node>>,
    label: i64,
}

fn tree(n: i64) -> Option<Rc<Node>> {
    (1..=n).fold(None, |below, label| Some(Rc::new(Node { below, label })))
}

/// The labels of a tree from left to right.
struct Labels<'a> {
    waiting: Vec<&'a Node>,
}

impl<'a> Labels<'a> {
    fn of(tree: &'a Option<Rc<Node>>) -> Labels<'a> {
        let waiting = Vec::new();
        let mut labels = Labels { waiting };
        labels.leftwards(tree);
        labels
    }

    fn leftwards(&mut self, mut tree: &'a Option<Rc<Node>>) {
        while let Some(node) = tree {
            self.waiting.push(node);
            tree = &node.below;
        }
    }
}

impl Iterator for Labels<'_> {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        let node = self.waiting.pop()?;
        self.leftwards(&node.below);
        Some(node.label)
    }
}

/// An exception out of a thousand calls that wait.
fn caught() -> i64 {
    #[inline(never)]
    fn dig(n: i64) -> Result<i64, i64> {
        match n {
            0 => Err(1),
            n => Ok(plus(1, dig(plus(n, -1))?)),
        }
    }
    match dig(black_box(1_000)) {
        Ok(value) | Err(value) => value,
    }
}

struct Upwards {
    next: i64,
    last: i64,
}

impl Iterator for Upwards {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        let number = self.next;
        self.next = plus(number, 1);
        (number <= self.last).then_some(number)
    }
}

fn parse(n: i64) -> i64 {
    fn expression(text: &[char]) -> Option<(i64, &[char])> {
        let (value, rest) = term(text)?;
        match rest.split_first() {
            Some(('+', behind)) => match expression(behind) {
                Some((other, rest)) => Some((plus(value, other), rest)),
                None => Some((value, rest)),
            },
            _ => Some((value, rest)),
        }
    }
    fn term(text: &[char]) -> Option<(i64, &[char])> {
        match text.split_first()? {
            ('(', inside) => match expression(inside)? {
                (value, [')', rest @ ..]) => Some((value, rest)),
                _ => None,
            },
            ('1', rest) => Some((1, rest)),
            _ => None,
        }
    }
    let summands = (2..=n)
        .rev()
        .map(|n| if n % 3 == 0 { "(1+1)+" } else { "1+" });
    let text: Vec<char> = summands.chain(["1"]).flat_map(str::chars).collect();
    match expression(&text) {
        Some((value, rest)) => plus(value, rest.len() as i64),
        None => -1,
    }
}

fn schedule(n: i64) -> i64 {
    let mut waiting: VecDeque<i64> = (0..100).map(|_| n).collect();
    let mut turns = 0;
    while let Some(pauses) = waiting.pop_front() {
        turns = plus(turns, 1);
        if pauses > 0 {
            waiting.push_back(plus(pauses, -1));
        }
    }
    turns
}
