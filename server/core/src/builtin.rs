//! The built-in operators, in one table.
//!
//! A built-in operator has a signature in the library and no clauses: the interpreter computes it. It is there for
//! programs that include the file with the signature, and for no others; `builtin` is the file that every program has.
//! The same name in another file is another operator. A new one needs four things. What is forgotten does not compile,
//! or fails a test.
//!
//! 1. Its row in the table below, under the name of its file.
//! 2. What it computes: an arm of `Machine::builtin` in the interpreter's `machine/services.rs`.
//! 3. The same for who steps through a program: an arm of `Semantics::builtin` in `server/semantics/src/primitive.rs`.
//! 4. Its signature with a comment, in that file of `server/library`.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Makes the enumeration and its facts of the rows of the table.
macro_rules! table {
    ($($library:literal {$(
        $(#[$doc:meta])*
        $builtin:ident $name:literal ($($argument:ident),*) -> $result:ident, $effect:ident;
    )*})*) => {
        /// An operator without a definition in Frank. It needs no ability of its own.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Builtin {
            $($(#[doc = concat!("`", $name, "`")] $(#[$doc])* $builtin,)*)*
        }

        impl Builtin {
            /// All of them, in the order of the table.
            pub const ALL: &'static [Builtin] = &[$($(Builtin::$builtin,)*)*];

            const fn row(self) -> &'static Row {
                match self {
                    $($(Builtin::$builtin => &Row {
                        library: $library,
                        name: $name,
                        arguments: &[$(BuiltinType::$argument,)*],
                        result: BuiltinType::$result,
                        effect: Effect::$effect,
                    },)*)*
                }
            }
        }
    };
}

table! {
    "builtin" {
        Case "case" (X, XToY) -> Y, Calls;

        EqualChars "eqc" (Char, Char) -> Bool, Pure;
        IsAlphaNum "isAlphaNum" (Char) -> Bool, Pure;
        CharToInt "charToInt" (Char) -> CodePoint, Pure;
        IntToChar "intToChar" (Int) -> Char, Partial;

        ToFloat "toFloat" (Int) -> Float, Pure;
        Round "round" (Float) -> Int, Partial;
        Floor "floor" (Float) -> Int, Partial;
        Truncate "truncate" (Float) -> Int, Partial;
        ShowInt "showInt" (Int) -> String, Pure;
        ShowFloat "showFloat" (Float) -> String, Pure;

        Sin "sin" (Float) -> Float, Pure;
        Cos "cos" (Float) -> Float, Pure;
        Tan "tan" (Float) -> Float, Pure;
        Asin "asin" (Float) -> Float, Pure;
        Acos "acos" (Float) -> Float, Pure;
        Atan "atan" (Float) -> Float, Pure;
        Sinh "sinh" (Float) -> Float, Pure;
        Cosh "cosh" (Float) -> Float, Pure;
        Tanh "tanh" (Float) -> Float, Pure;
        Exp "exp" (Float) -> Float, Pure;
        Log "log" (Float) -> Float, Pure;
        Sqrt "sqrt" (Float) -> Float, Pure;
        Pow "pow" (Float, Float) -> Float, Pure;
        Abs "abs" (Float) -> Float, Pure;
        IsNaN "isNaN" (Float) -> Bool, Pure;

        Fail "fail" (String) -> X, AsksForCall;
        /// ends the run at a hole with the text that says what is missing. No program can name it: the
        /// compile phase calls it where a program has a hole.
        Hole "_" (String) -> X, Partial;
    }

    "numbers" {
        BitAnd "bitAnd" (Int, Int) -> Int, Pure;
        BitOr "bitOr" (Int, Int) -> Int, Pure;
        BitXor "bitXor" (Int, Int) -> Int, Pure;
        ShiftLeft "shiftLeft" (Int, Int) -> Int, Partial;
        ShiftRight "shiftRight" (Int, Int) -> Int, Partial;
    }

    "text" {
        IsLetter "isLetter" (Char) -> Bool, Pure;
        IsUpper "isUpper" (Char) -> Bool, Pure;
        IsLower "isLower" (Char) -> Bool, Pure;
        IsSpace "isSpace" (Char) -> Bool, Pure;
        ToUpper "toUpper" (String) -> String, Pure;
        ToLower "toLower" (String) -> String, Pure;
        /// the one number that a text is, or none.
        FloatsOf "floatsOf" (String) -> Floats, Pure;
        ShowFloatTo "showFloatTo" (Int, Float) -> String, Partial;
    }

    // In the text that marks the numbers of derivatives.
    "ad" {
        /// gives another number each time: the mark of a run of a derivative. The machine remembers
        /// the call in the program that led there.
        NewRun "newRun" (Unit) -> Int, AsksForCall;
        /// ends the run: the derivative's run with the first mark came upon a number of the run with
        /// the second.
        ForeignNumber "foreignNumber" (Int, Int) -> X, AsksForCall;
    }

    "array" {
        Array "array" (ListX) -> ArrayX, Pure;
        ToList "toList" (ArrayX) -> ListX, Pure;
        Size "size" (ArrayX) -> Int, Pure;
        At "at" (Int, ArrayX) -> X, Partial;
        /// changes the array itself where nobody else has it.
        Set "set" (Int, X, ArrayX) -> ArrayX, Partial;
        Fill "fill" (Int, X) -> ArrayX, Partial;
        Slice "slice" (Int, Int, ArrayX) -> ArrayX, Partial;
    }

    "ad-tensor" {
        MapFloats "mapFloats" (Unary, ArrayFloat) -> ArrayFloat, Partial;
        ZipFloats "zipFloats" (Binary, ArrayFloat, ArrayFloat) -> ArrayFloat, Partial;
        ProductFloats "productFloats" (Int, ArrayFloat, ArrayFloat) -> ArrayFloat, Partial;
        StretchFloats "stretchFloats" (Ints, Ints, ArrayFloat) -> ArrayFloat, Partial;
        SumFloats "sumFloats" (Ints, Ints, ArrayFloat) -> ArrayFloat, Partial;
        PermuteFloats "permuteFloats" (Ints, Ints, ArrayFloat) -> ArrayFloat, Partial;
        GatherFloats "gatherFloats" (Int, ArrayInt, ArrayFloat) -> ArrayFloat, Partial;
        ScatterFloats "scatterFloats" (Int, ArrayInt, ArrayFloat) -> ArrayFloat, Partial;
    }

    "ad-stage" {
        /// computes a graph.
        RunStaged "runStaged" (Graph, Floats) -> Floats, Partial;
        /// `fail` for a handler that will not answer a command, whose continuation it is given. The error is
        /// about the call in the program that the continuation waits in.
        FailAt "failAt" (X, String) -> Y, AsksForCall;
        /// the number of the place in the program that performed the last command, which its handler asks for
        /// first; what is written down from now on belongs to it. 0 in a run that was not asked to keep such places.
        Origin "origin" (Unit) -> Int, AsksForCall;
        /// what is written down from now on belongs to the place with a number.
        WrittenFor "writtenFor" (Int) -> Unit, AsksForCall;
        /// a node is written down.
        NoteNode "noteNode" (Int) -> Unit, AsksForCall;
        /// a line of the graph, and the node that it is of.
        NoteLine "noteLine" (Int, Int) -> Unit, AsksForCall;
    }
}

/// What the table says of one operator.
struct Row {
    library: &'static str,
    name: &'static str,
    arguments: &'static [BuiltinType],
    result: BuiltinType,
    effect: Effect,
}

/// The type of an argument or a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BuiltinType {
    Int,
    /// An `Int` that is the code point of a character, so one machine word holds it.
    CodePoint,
    Float,
    Char,
    Bool,
    String,
    Unit,
    /// The type variable `X`: any value.
    X,
    /// The type variable `Y`.
    Y,
    /// `{X -> Y}`
    XToY,
    /// `List X`
    ListX,
    /// `Array X` of the library's `array`
    ArrayX,
    /// `Array Float`
    ArrayFloat,
    /// `Array Int`
    ArrayInt,
    /// `List Int`
    Ints,
    /// `Unary` of the library's `ad`
    Unary,
    /// `Binary` of the library's `ad`
    Binary,
    /// `List Float`
    Floats,
    /// `Graph` of the library's `ad-stage`
    Graph,
}

impl Builtin {
    /// Whether the library has clauses for it, too: they say what it does, and are what a copy of the library's text runs.
    pub fn has_clauses(self) -> bool {
        matches!(
            self,
            Builtin::RunStaged
                | Builtin::FailAt
                | Builtin::Origin
                | Builtin::WrittenFor
                | Builtin::NoteNode
                | Builtin::NoteLine
        )
    }
}

impl BuiltinType {
    /// Whether some of its values are objects on the heap. All others are one machine word.
    pub const fn may_be_object(self) -> bool {
        match self {
            BuiltinType::CodePoint
            | BuiltinType::Float
            | BuiltinType::Char
            | BuiltinType::Bool
            | BuiltinType::Unit => false,
            // An integer of 64 bits does not fit a word that says what it is.
            BuiltinType::Int
            | BuiltinType::String
            | BuiltinType::X
            | BuiltinType::Y
            | BuiltinType::XToY
            | BuiltinType::ListX
            | BuiltinType::ArrayX
            | BuiltinType::ArrayFloat
            | BuiltinType::ArrayInt
            | BuiltinType::Ints
            | BuiltinType::Unary
            | BuiltinType::Binary
            | BuiltinType::Floats
            | BuiltinType::Graph => true,
        }
    }
}

/// As Frank writes the type.
impl fmt::Display for BuiltinType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BuiltinType::Int | BuiltinType::CodePoint => "Int",
            BuiltinType::Float => "Float",
            BuiltinType::Char => "Char",
            BuiltinType::Bool => "Bool",
            BuiltinType::String => "String",
            BuiltinType::Unit => "Unit",
            BuiltinType::X => "X",
            BuiltinType::Y => "Y",
            BuiltinType::XToY => "{X -> Y}",
            BuiltinType::ListX => "List X",
            BuiltinType::ArrayX => "Array X",
            BuiltinType::ArrayFloat => "Array Float",
            BuiltinType::ArrayInt => "Array Int",
            BuiltinType::Ints => "List Int",
            BuiltinType::Unary => "Unary",
            BuiltinType::Binary => "Binary",
            BuiltinType::Floats => "List Float",
            BuiltinType::Graph => "Graph",
        })
    }
}

/// What a call does besides giving a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Nothing. The value is the same for the same arguments.
    Pure,
    /// As `Pure`, but some arguments end the run with an error.
    Partial,
    /// It asks for the call in the program that led to it: to end the run with an error about that
    /// call, or to remember it.
    AsksForCall,
    /// It calls its last argument, in the ability of its own caller.
    Calls,
}

impl Builtin {
    /// The largest number of arguments.
    pub const MOST_ARGUMENTS: usize = {
        let (mut most, mut rest) = (0, Builtin::ALL);
        while let [first, others @ ..] = rest {
            let arity = first.arity();
            if arity > most {
                most = arity;
            }
            rest = others;
        }
        most
    };

    /// The built-in operator of a name in a file of the library, which is named as an `include` names it.
    pub fn named(library: &str, name: &str) -> Option<Builtin> {
        let is_meant = |one: &Builtin| one.name() == name && one.library() == library;
        Builtin::ALL.iter().copied().find(is_meant)
    }

    /// The file of the library that has its signature, as an `include` names it.
    pub const fn library(self) -> &'static str {
        self.row().library
    }

    /// The name in Frank.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The types of the arguments.
    pub const fn arguments(self) -> &'static [BuiltinType] {
        self.row().arguments
    }

    /// How many arguments it takes.
    pub const fn arity(self) -> usize {
        self.row().arguments.len()
    }

    /// The type of the result.
    pub const fn result(self) -> BuiltinType {
        self.row().result
    }

    /// What a call does besides giving a value.
    pub const fn effect(self) -> Effect {
        self.row().effect
    }

    /// The signature in Frank: `pow : Float -> Float -> Float`.
    pub fn signature(self) -> String {
        let types = self.arguments().iter().chain([&self.row().result]);
        let types: Vec<String> = types.map(BuiltinType::to_string).collect();
        format!("{} : {}", self.name(), types.join(" -> "))
    }
}
