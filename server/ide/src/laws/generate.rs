//! Values at random.

use frank_core::{Program, Type};

use super::types::Types;
use super::value::Value;

/// The largest size that is asked for; a list has at most as many elements.
const LARGEST: u32 = 11;
/// So many parts at most are chosen freely in the values of one try; what is left is made as small as can be.
const MOST_PARTS: u32 = 120;
/// Three integers of this size can be multiplied.
const LARGE: i64 = 1_000_000;

/// Floats that are often the exception.
const FLOATS: [f64; 10] = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-9, 1e-300, 1e9, 1e300, -1e300];
/// Integers where representations end: those of 64 and 32 bits, and those that a `Float` has without gaps.
const EXTREME_INTS: [i64; 14] = [
    i64::MIN,
    i64::MIN + 1,
    i64::MAX,
    i64::MAX - 1,
    0,
    1,
    -1,
    1 << 31,
    (1 << 31) - 1,
    -(1 << 31),
    1 << 32,
    1 << 53,
    (1 << 53) + 1,
    -(1 << 53),
];
/// Floats at the ends. `nan` is none of them: no law that compares would hold for it.
const EXTREME_FLOATS: [f64; 10] = [
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    5e-324,
    0.0,
    -0.0,
    9_007_199_254_740_992.0,
    1.000_000_000_000_000_2,
];
const CHARS: [char; 12] = [
    ' ', '\n', '\t', '"', '\'', '\\', ',', '-', '0', 'é', '∀', '😀',
];

/// Makes values of the types of a law's variables.
pub(super) struct Generator<'p> {
    pub program: &'p Program,
    pub types: &'p Types,
    pub state: u64,
    parts: u32,
    /// Every other number is an extreme one.
    extreme: bool,
}

impl<'p> Generator<'p> {
    /// Whoever begins with the same seed gets the same values.
    pub fn new(program: &'p Program, types: &'p Types, seed: u64) -> Generator<'p> {
        Generator {
            program,
            types,
            state: seed,
            parts: 0,
            extreme: false,
        }
    }

    /// Values for all variables, for a try: small ones first, and again and again. `extreme`: with numbers from the ends of
    /// their types among them.
    pub fn values(
        &mut self,
        variables: &[(String, Type)],
        number: u32,
        extreme: bool,
    ) -> Vec<Value> {
        self.parts = MOST_PARTS;
        self.extreme = extreme;
        let size = number % (LARGEST + 1);
        let all = variables.iter();
        all.map(|(_, ty)| self.value(ty, size)).collect()
    }

    /// The next number of Steele, Lea and Flood's SplitMix, which is written here so that no seed ever means something else.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below another one, which is not zero.
    fn below(&mut self, end: u64) -> u64 {
        // The remainder prefers none of so few by more than can be noticed.
        self.next() % end.max(1)
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        let position = self.below(all.len() as u64);
        all.get(usize::try_from(position).unwrap_or_default())
            .copied()
    }

    /// A number not further from zero than another one.
    fn around_zero(&mut self, most: i64) -> i64 {
        self.below(2 * most.unsigned_abs() + 1).cast_signed() - most
    }

    fn value(&mut self, ty: &Type, size: u32) -> Value {
        self.parts = self.parts.saturating_sub(1);
        match ty {
            Type::Int => Value::Int(self.int(size)),
            Type::Float => Value::Float(self.float(size)),
            Type::Char => Value::Char(self.char()),
            Type::Data(data, args) if self.program.known.list == Some(*data) => {
                self.list(args.first().unwrap_or(&Type::Unknown), size)
            }
            _ => self.made(ty, size),
        }
    }

    /// One of some numbers, every other time if extreme ones are wanted.
    fn extreme<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        match self.extreme && self.below(2) == 0 {
            true => self.one_of(all),
            false => None,
        }
    }

    fn int(&mut self, size: u32) -> i64 {
        if let Some(number) = self.extreme(&EXTREME_INTS) {
            return number;
        }
        match self.below(16) {
            0 if size > LARGEST / 2 => self.around_zero(LARGE),
            _ => self.around_zero(i64::from(size * size)),
        }
    }

    fn float(&mut self, size: u32) -> f64 {
        if let Some(number) = self.extreme(&EXTREME_FLOATS) {
            return number;
        }
        match self.below(4) {
            0 => self.one_of(&FLOATS).unwrap_or_default(),
            // Eighths: what is computed of them is often exact.
            _ => self.around_zero(i64::from(size * size) * 8) as f64 / 8.0,
        }
    }

    fn char(&mut self) -> char {
        let letter = self.below(26) as u8 + b'a';
        match self.below(8) {
            0 | 1 => self.one_of(&CHARS).unwrap_or(' '),
            2 => char::from(letter.to_ascii_uppercase()),
            // Few letters, so that the same ones meet.
            3..=5 => char::from(b'a' + (letter - b'a') % 3),
            _ => char::from(letter),
        }
    }

    fn list(&mut self, element: &Type, size: u32) -> Value {
        let length = match self.types.height(element) {
            None => 0,
            Some(_) => self.below(u64::from(size) + 1),
        };
        if *element == Type::Char {
            return Value::String((0..length).map(|_| self.char()).collect());
        }
        let mut all = Vec::new();
        for _ in 0..length {
            if self.parts == 0 {
                break;
            }
            all.push(self.value(element, size));
        }
        Value::List(all)
    }

    fn made(&mut self, ty: &Type, size: u32) -> Value {
        let types = self.types;
        let ways = types.ways(ty);
        let least = ways.first().map_or(0, |way| way.height);
        let small = ways.iter().take_while(|way| way.height == least).count();
        // A value of no depth that is left is as small as can be.
        let count = match size.min(self.parts) {
            0 => small,
            _ => ways.len(),
        };
        let position = usize::try_from(self.below(count as u64)).unwrap_or_default();
        let Some(way) = ways.get(position) else {
            return Value::List(Vec::new());
        };
        let size = match ways.len() {
            // Pairs and the like are no depth.
            1 => size,
            _ => size.saturating_sub(1),
        };
        let fields = way.fields.iter().map(|field| self.value(field, size));
        Value::Made(way.constructor, fields.collect())
    }
}
