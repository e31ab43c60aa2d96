//! The habits, the special ones before the general ones.

use super::Habit;
use super::Place::*;
use super::Rewrite::{No, Perhaps, Sure};
use super::rewrite::{
    self, bindings, calls, clauses, comments, conditionals, declarations, functions, lists,
    operators, patterns, types,
};

/// A row says where a shape may stand, what is told, what to do, and what to write instead.
macro_rules! habits {
    ($($place:ident $shape:literal: $message:expr, $help:expr, $rewrite:expr;)*) => {
        pub(super) const HABITS: &[Habit] = &[$(Habit {
            shape: $shape,
            place: $place,
            message: $message,
            help: $help,
            rewrite: $rewrite,
        }),*];
    };
}

const CASE: &str =
    "`case` takes a value, and then clauses in braces: `case m {nothing -> 0 | (just x) -> x}`";
const FUNCTION: &str = "a function is written in braces: `{x -> …}`";
const CONDITION: &str =
    "`if`, from the prelude, takes two computations in braces: `if (x < 0) {…} {…}`";
const HANDLER: &str = "an operator handles what its port adds: `run : <Abort> X -> Maybe X`, with the \
                       clauses `run x = …` and `run <abort -> k> = …`";
const ADAPTOR: &str =
    "`<Reader> ask!` passes by the next instance of `Reader` and reaches the one behind it";
const ALONE: &str = "an adaptor names an interface alone";
const INSTANCE: &str = "which instance is meant says its place: `<Reader> ask!`";
const NAMED: &str = "`let x = … in …` gives a result its name";
const PAIR: &str = "the prelude has pairs: `pair a b`, of the type `Pair A B`";
const DATA: &str =
    "constructors are followed by the types of their arguments: `data Point = point Int Int`";
const AND: &str =
    "`andThen a {b}`, from the prelude, looks at `b` only if `a` is `true`; `and a b` at both";
const OR: &str =
    "`orElse a {b}`, from the prelude, looks at `b` only if `a` is `false`; `or a b` at both";
const LIST: &str = "brackets hold an ability, as in `[Console]Unit`";
const OPERATOR: &str = "a function in braces calls it: `{x y -> x + y}`";
const INCLUDE: &str = "it stands alone, without its folder and without `.fk`; `frank.toml` says in which folders files \
                       are looked for";
const SEQUENCE: &str = "`a; b` computes one after the other, and `let x = … in …` names a result";
const NESTED: &str = "a pattern with arguments needs parentheses";
const COMMENT: &str = "a comment is `-- …` to the end of a line, or `{-- … --}`";
const CLASS: &str =
    "hand over the operator that is needed, or let an interface have it as a command";
const ARGUMENTS: &str =
    "arguments follow with blanks between them: `f 1 2`; `f!` calls without any";
const FIELD: &str =
    "what takes a value apart is an operator: `fst p`; or match it: `case p {(pair a b) -> …}`";
const COMMANDS: &str = "commands stand behind `=`, with bars between them: `interface Ask = ask : Int | tell : Int -> Unit`";
const COMMAND: &str = "its arguments come first, and then what it answers with: `interface Store = fetch : Int | keep : Int -> Unit`";
const BEFORE_EQUAL: &str = "patterns stand in front of `=`, a clause for each case: `f x = …`";
const RESULT: &str =
    "a clause with a variable takes the result: `run x = …`, beside `run <ask -> k> = …`";
const BARS: &str = "write `|`: `{nothing -> 0 | (just x) -> x}`";
const COMPOSE: &str =
    "`compose f g`, from the prelude, applies `g` and then `f`; or `{x -> f (g x)}`";
const NEGATIVE: &str = "write `(-1)`; without them `-` subtracts";
const CONS: &str = "`(x :: xs)`; `[]` is the empty list";
const PRINT: &str =
    "`printLine` and `print`, from the prelude, take a string; `showInt 3` makes one of a number";
const PATH: &str =
    "what an included file defines is called by its name alone: `just 3`, `map f xs`";
const ABILITY: &str =
    "an ability stands in brackets before the result's type: `[Console, State Int]Unit`";

const PERFORMED: &str =
    "what a computation performs is said where it gives its result: `{Int -> [Console]Int}`";
const METHOD: &str = "a call begins with the operator: `map f xs`";

habits! {
    // Comments.
    Anywhere "{- … -}": "a comment begins with `{--` and ends with `--}`",
        COMMENT, Sure(comments::block_comment);
    Anywhere "{-": "a comment begins with `{--` and ends with `--}`",
        COMMENT, Sure(comments::block_comment);
    Anywhere "/*": "a comment begins with `{--` and ends with `--}`",
        COMMENT, Sure(comments::block_comment);
    Body "ATOM « // » ATOM": "a comment begins with `--`, and `/` divides integers, too",
        COMMENT, Perhaps(comments::line_comment);
    Anywhere "//": "a comment begins with `--`",
        COMMENT, Sure(comments::line_comment);
    Anywhere "#": "a comment begins with `--`",
        COMMENT, Sure(comments::line_comment);
    // Items.
    Start "type NAME … = { NAME : …": "fields have no names",
        DATA, No;
    Start "type … | …": "a type with constructors is declared with `data`",
        DATA, Sure(declarations::data);
    Start "type …": "`type` declares nothing: no type gets a second name",
        "write the type out; `data` declares one with constructors of its own, `interface A = [I, J]` names an ability", No;
    Start "newtype …": "a type with constructors is declared with `data`",
        DATA, Sure(declarations::data);
    Start "« module … »": "a file has no `module`: it goes by the file's own name",
        "leave the line out", Perhaps(rewrite::all_left_out);
    Start "« import » NAME END": "a file is included with `include`",
        INCLUDE, Sure(declarations::included);
    Start "« open » NAME END": "a file is included with `include`",
        INCLUDE, Sure(declarations::included);
    Start "« import » …": "a file is included with `include`",
        INCLUDE, No;
    Start "open …": "a file is included with `include`",
        INCLUDE, No;
    Start "« use¦require¦using » NAME END": "a file is included with `include`",
        INCLUDE, Sure(declarations::included);
    Start "« use¦require¦using¦import¦open » NAME ; END": "a file is included with `include`",
        INCLUDE, Sure(declarations::included);
    Start "from NAME import …": "a file is included with `include`",
        INCLUDE, Perhaps(declarations::included);
    Start "include « LITERAL » END": "`include` takes the name of a file",
        INCLUDE, Sure(declarations::file_name);
    Start "include « … / … »": "`include` takes the name of a file",
        INCLUDE, Sure(declarations::file_name);
    Start "include « … . … »": "`include` takes the name of a file",
        INCLUDE, Sure(declarations::file_name);
    Start "include FILE « ; » END": "an item ends without `;`",
        "leave it out", Sure(rewrite::mark_left_out);
    Start "include FILE « , » …": "an `include` names one file",
        "each has a line of its own", Sure(declarations::a_line_each);
    Start "include FILE « NAME » END": "an `include` names one file",
        "a second one has a line of its own", Sure(declarations::on_lines_of_their_own);
    Start "include FILE « include¦data¦interface … »": "an item begins on a line of its own",
        "break the line here", Sure(declarations::on_lines_of_their_own);
    Start "include FILE « NAME : … »": "an item begins on a line of its own",
        "break the line here", Sure(declarations::on_lines_of_their_own);
    Start "include FILE « NAME … = … »": "an item begins on a line of its own",
        "break the line here", Sure(declarations::on_lines_of_their_own);
    Start "effect¦ability …": "an effect is declared with `interface`",
        "its commands have types: `interface Ask = ask : Int | tell : Int -> Unit`", Sure(|view, found| rewrite::spelled("interface", view, found));
    Start "operation NAME : …": "an operation is a command of an interface",
        "`interface Tick = tick : Int -> Unit`", No;
    Start "enum WORD { …": "a type with constructors is declared with `data`",
        "constructors are separated by bars: `data Color = red | green`", No;
    Start "struct WORD { …": "a type with constructors is declared with `data`",
        DATA, No;
    Start "« enum¦union » CAPITAL … = …": "a type with constructors is declared with `data`",
        "write `data`", Sure(|view, found| rewrite::spelled("data", view, found));
    Start "« struct¦record » CAPITAL … = …": "a type with constructors is declared with `data`",
        DATA, Sure(|view, found| rewrite::spelled("data", view, found));
    Start "impl … { …": "Frank has no classes",
        CLASS, No;
    Start "trait … { …": "Frank has no classes",
        CLASS, No;
    Start "pub fn …": "an item has no `pub`",
        "every item of a file can be used where the file is included", No;
    Start "export function …": "an item has no `export`",
        "every item of a file can be used where the file is included", No;
    Start "async function …": "an item has no `async`",
        "what an operator may do stands in its signature: `f : Int -> [Console]Unit`", No;
    Start "class …": "Frank has no classes",
        CLASS, No;
    Start "instance …": "Frank has no classes",
        CLASS, No;
    Start "« let rec » …": "an item has no `let`: every operator can call itself",
        "write a signature, `f : Int -> Int`, and below it `f x = …`", Perhaps(rewrite::words_left_out);
    Start "let NAME =": "an item has no `let`",
        "write a signature, `x : {Int}`, and below it `x! = …`; it is run by `x!`", Perhaps(functions::top_level);
    Start "let ( ) = …": "an item has no `let`",
        "what a program does is an operator `main`: `main : {[Console]Unit}`, and `main! = …`", No;
    Start "let NAME …": "an item has no `let`",
        "write a signature, `f : Int -> Int`, and below it `f x = …`", Perhaps(rewrite::left_out);
    Start "« def » NAME NAMES = …": "an item has no `def`",
        "write a signature, `f : Int -> Int`, and below it `f x = …`", Perhaps(rewrite::left_out);
    Start "def …": "an item has no `def`",
        "write a signature, `f : Int -> Int`, and below it `f x = …`", No;
    Start "« fun » NAME NAMES = …": "an item has no `fun`",
        "write a signature, `f : Int -> Int`, and below it `f x = …`", Perhaps(rewrite::left_out);
    Start "fun …": "an item has no `fun`",
        "write a signature, `f : Int -> Int`, and below it `f x = …`", No;
    Start "« fn » NAME NAMES = …": "an item has no `fn`",
        "write a signature, `f : Int -> Int`, and below it `f x = …`", Perhaps(rewrite::left_out);
    Start "fn …": "an item has no `fn`",
        "write a signature, `f : Int -> Int`, and below it `f x = …`", No;
    Start "function …": "an item has no `function`",
        "write a signature, `f : Int -> Int`, and below it `f x = …`", No;
    Start "const …": "an item has no `const`",
        "write a signature, `f : Int -> Int`, and below it `f x = …`", No;
    Start "var …": "an item has no `var`",
        "write a signature, `f : Int -> Int`, and below it `f x = …`", No;
    Start "val …": "an item has no `val`",
        "write a signature, `f : Int -> Int`, and below it `f x = …`", No;
    Start "handler …": "Frank has no `handler`",
        HANDLER, No;
    Start "« interface » … { … : number¦string¦boolean": "an interface declares commands, and no fields",
        DATA, No;
    Start "≈include NAME END": "an item that includes a file begins with `include`",
        "write `include`", Sure(|view, found| rewrite::spelled("include", view, found));
    Start "≈interface CAPITAL … = …": "commands are declared with `interface`",
        "write `interface`", Sure(|view, found| rewrite::spelled("interface", view, found));
    Start "≈data CAPITAL … = …": "a type is declared with `data`",
        "write `data`", Sure(|view, found| rewrite::spelled("data", view, found));
    Start "interface … = « { … } »": "an interface's commands stand in no braces",
        COMMANDS, Sure(declarations::commands);
    Start "interface … « where » …": "commands stand behind `=`",
        COMMANDS, Sure(declarations::commands);
    Start "interface … « { … } »": "an interface's commands stand in no braces",
        COMMANDS, Sure(declarations::commands);
    Start "NAME ~ « < … > » :": "type variables are not declared",
        "any name that is no type is a variable: `id : X -> X`", Sure(rewrite::mark_left_out);
    Start "NAME « = » { … } END": "an operator's arguments stand in front of `=`",
        BEFORE_EQUAL, Sure(functions::clauses_of_function);
    Start "NAME « = » \\ NAMES -> …": "an operator's arguments stand in front of `=`",
        BEFORE_EQUAL, Sure(functions::arguments_first);
    Start "NAME « = » fun NAMES -> …": "an operator's arguments stand in front of `=`",
        BEFORE_EQUAL, Sure(functions::arguments_first);
    Start "NAME « = » fun NAMES => …": "an operator's arguments stand in front of `=`",
        BEFORE_EQUAL, Sure(functions::arguments_first);
    Start "NAME « = » fn NAMES -> …": "an operator's arguments stand in front of `=`",
        BEFORE_EQUAL, Sure(functions::arguments_first);
    Start "NAME « = » fn NAMES => …": "an operator's arguments stand in front of `=`",
        BEFORE_EQUAL, Sure(functions::arguments_first);
    Start "NAME « = » function …": "an operator's arguments stand in front of `=`",
        BEFORE_EQUAL, No;
    Start "NAME « = » NAMES => …": "an operator's arguments stand in front of `=`",
        BEFORE_EQUAL, Sure(functions::arguments_first);
    Start "NAME « = » NAMES -> …": "an operator's arguments stand in front of `=`",
        BEFORE_EQUAL, Sure(functions::arguments_first);
    Start "NAME « = » ( … ) => …": "an operator's arguments stand in front of `=`",
        BEFORE_EQUAL, Sure(functions::listed_arguments_first);
    Start "NAME « = » … . …": "an operator's arguments stand in front of `=`",
        BEFORE_EQUAL, Sure(operators::composition);
    Declaration "deriving …": "Frank derives nothing",
        "showing and comparing are operators: write them with a clause for each constructor", Sure(rewrite::all_left_out);
    Start "interface … =¦| « NAME » END": "a command has a type",
        COMMAND, No;
    Start "interface … =¦| « NAME » | …": "a command has a type",
        COMMAND, No;
    Start "interface … =¦| « NAME » ATOMS -> …": "a colon stands behind a command's name",
        COMMAND, Sure(declarations::command_colon);
    Declaration "where …": "constructors stand behind `=`",
        "they are separated by bars: `data Maybe X = nothing | just X`", Sure(declarations::constructors);
    Start "data NAMES « :: ~ = »": "`=` stands behind the name of a data type",
        "`data Maybe X = nothing | just X`", Sure(|view, found| rewrite::spelled("=", view, found));
    Start "data NAMES « : »": "`=` stands behind the name of a data type",
        "`data Maybe X = nothing | just X`", Sure(|view, found| rewrite::spelled("=", view, found));
    Start "data … NAME « : » …": "no colon stands behind a constructor",
        DATA, Sure(declarations::constructors);
    Start "data … =¦| NAME … « -> » …": "the type of a function has braces",
        "`data Parser X = parser {String -> Maybe X}`", Sure(declarations::function_in_braces);
    Declaration "of": "no `of` stands behind a constructor",
        DATA, Sure(rewrite::left_out);
    Declaration "{ NAME : … }": "fields have no names",
        DATA, Sure(declarations::fields);
    Declaration "{ NAME :: … }": "fields have no names",
        DATA, No;
    Declaration "( NAME : … )": "fields have no names",
        DATA, Sure(declarations::fields);
    Declaration "NAME ~ « < … > »": "the arguments of a type follow with blanks between them",
        "write `Maybe Int`, and `List (Maybe Int)`", Sure(types::in_angles);
    Declaration ": ( … , … )": "Frank has no tuples",
        PAIR, No;
    Declaration "CHARACTER": "a type variable is a name alone",
        "`data Tree X = leaf | node (Tree X) X (Tree X)`", Perhaps(types::without_quotes);
    Declaration "« [ [ … ] ] »": "a list's type is `List X`",
        LIST, Sure(types::list_type);
    Declaration "« [ Int¦Float¦Char¦String ] »": "a list's type is `List X`",
        LIST, Sure(types::list_type);
    Declaration "« [ ( … ) ] »": "a list's type is `List X`",
        LIST, Sure(types::list_type);
    Declaration "« [ ATOMS ] » END": "a list's type is `List X`",
        LIST, Sure(types::list_type);
    Declaration "« [ ATOMS ] » ->": "a list's type is `List X`",
        LIST, Sure(types::list_type);
    Declaration "« [ ATOMS ] » |": "a list's type is `List X`",
        LIST, Sure(types::list_type);
    Declaration "( … « , » … )": "a constructor's arguments follow it with blanks between them",
        "write `point Float Float`", No;
    Declaration ",": "constructors and commands are separated by `|`",
        "write `|`", Sure(|view, found| rewrite::spelled(" |", view, found));
    Declaration "; END": "an item ends without `;`",
        "leave it out", Sure(rewrite::all_left_out);
    Declaration ";": "constructors and commands are separated by `|`",
        "write `|`", Sure(|view, found| rewrite::spelled(" |", view, found));
    Declaration "LINE « NAME » :": "constructors and commands are separated by `|`",
        "write `|`", Sure(clauses::bar_before);
    Declaration ": WORD « SMALL » :": "constructors and commands are separated by `|`",
        "write `|`", Sure(clauses::bar_before);
    Declaration "-> WORD « SMALL » :": "constructors and commands are separated by `|`",
        "write `|`", Sure(clauses::bar_before);
    Declaration "NAME ~ « ( ) »": "a command's name is followed by its type",
        "`interface Ask = ask : Int | tell : Int -> Unit`", Sure(rewrite::mark_left_out);
    Declaration "( )": "the type of `unit` is called `Unit`",
        "write `Unit`; a command without arguments has a result alone: `ask : Int`", Sure(|view, found| rewrite::spelled("Unit", view, found));
    // Types.
    Types "forall … .": "type variables are not declared",
        "any name that is no type is a variable: `id : X -> X`", Sure(rewrite::all_left_out);
    Types "BEGIN WORD « => »": "an arrow is `->`",
        "`f : Int -> Float`", Sure(|view, found| rewrite::spelled("->", view, found));
    Types "=>": "Frank has no classes",
        CLASS, No;
    Types "( )": "the type of `unit` is called `Unit`",
        "write `Unit`; what takes no argument is a suspended computation: `{Int}`", Sure(types::unit);
    Types "( NAME : … )": "a type has no names for arguments",
        "`f : Int -> Int`; the clauses name them", Sure(types::argument_types);
    Types "( … , … )": "Frank has no tuples",
        PAIR, Perhaps(types::pair_type);
    Types "NAME ~ « [ WORD ] »": "the arguments of a type follow with blanks between them",
        "write `Maybe Int`, and `List (Maybe Int)`", Sure(types::type_argument);
    Types "« [ [ … ] ] »": "a list's type is `List X`",
        LIST, Sure(types::list_type);
    Types "BEGIN « [ WORD ] » END": "a list's type is `List X`",
        LIST, Sure(types::list_type);
    Types "BEGIN « [ WORD ] » ->": "a list's type is `List X`",
        LIST, Sure(types::list_type);
    Types "BEGIN « [ WORD … ] » ->": "a list's type is `List X`",
        LIST, Sure(types::list_type);
    Types "BEGIN « [ ( … ) ] »": "a list's type is `List X`",
        LIST, Sure(types::list_type);
    Types "[ Int¦Float¦Char¦String ]": "a list's type is `List X`",
        LIST, Sure(types::list_type);
    Types "NAME ~ « < … > »": "the arguments of a type follow with blanks between them",
        "write `Maybe Int`, and `List (Maybe Int)`", Sure(types::in_angles);
    Types "( … -> … )": "the type of a function has braces",
        "`twice : {X -> X} -> X -> X`", Sure(types::in_braces);
    Types "CHARACTER": "a type variable is a name alone",
        "any name that is no type is a variable, and arguments follow a type: `length : List X -> Int`", Perhaps(types::without_quotes);
    Types "WORD [ … ] END": "an ability stands before the result's type",
        ABILITY, Sure(types::ability_first);
    Types ": « WORD WORD [ … ] » END": "an ability stands before the result's type",
        ABILITY, Perhaps(types::ability_of_result);
    Types ": « Int¦Float¦Char¦String¦Unit [ … ] » END": "an ability stands before the result's type",
        ABILITY, Perhaps(types::ability_of_result);
    Types "[ … « | » CAPITAL": "instances are separated by commas",
        "`[State Int, Console]`", Sure(types::comma);
    Types "[ … « | » ]": "a bar stands behind the name of an effect variable",
        "`[State Int]` adds to the instances around it, and so does `[E|State Int]` to those that `E` stands for",
        Sure(rewrite::mark_left_out);
    Types ": « WORD < … > » ->": "an adjustment stands before the type of what it is about",
        "`<Abort>X`: the port handles `Abort` in a computation of an `X`", Sure(types::adjustment_first);
    Types "-> « WORD < … > » ->": "an adjustment stands before the type of what it is about",
        "`<Abort>X`: the port handles `Abort` in a computation of an `X`", Sure(types::adjustment_first);
    Types "-> [ … ] « [ … ] »": "an ability has one pair of brackets",
        "`[State Int, Console]`", Sure(types::one_ability);
    Types ": « [ 0 … ] » WORD … -> …": "an ability stands before the result's type",
        PERFORMED, Sure(types::ability_to_result);
    Types "{ « [ 0 ] » WORD … -> …": "an ability stands before the result's type",
        "leave `[0]` out: without it a computation may do what is allowed around it", Sure(rewrite::words_left_out);
    Types "{ « [ … ] » WORD … -> …": "an ability stands before the result's type",
        PERFORMED, Perhaps(types::ability_to_result);
    Types "< … > « [ … ] » WORD … ->": "no ability stands behind what a port handles",
        "what its argument may perform is what it handles, and what stands before the result: `run : <Abort>X -> [Console]Maybe X`",
        Perhaps(rewrite::mark_left_out_with_blanks);
    Types "< [ … ] >": "no ability stands where a port says what it handles",
        "`<Abort>X` handles `Abort` in its argument; what else that may perform stands before the result", No;
    Types "[ « CAPITAL … » ] WORD ->": "no ability stands before the type of an argument",
        "`<Abort>X` handles `Abort` in its argument; what the operator itself performs stands before its result: `Int -> [Abort]Int`",
        Perhaps(types::as_adjustment);
    Types ": [ … ] « [ … ] »": "an ability has one pair of brackets",
        "`[State Int, Console]`", Sure(types::one_ability);
    Types "WORD « * » WORD": "Frank has no tuples",
        PAIR, No;
    Types "NAME : … « = » …": "a signature has no `=`",
        "clauses stand below it: `f : Int -> Int`, and `f x = …`", No;
    Types "; END": "an item ends without `;`",
        "leave it out", Sure(rewrite::all_left_out);
    Types "NAME : … « , »": "arguments are separated by `->`",
        "`f : Int -> Int -> Int`", Sure(|view, found| rewrite::spelled(" ->", view, found));
    Types "NAME « :: »": "a signature has one colon",
        "`f : Int -> Int`", Sure(types::one_colon);
    Types "-> « { NAME … } » WORD": "an ability stands in brackets",
        ABILITY, Sure(types::ability_in_brackets);
    Types "-> [ … ] « -> »": "no arrow stands behind an ability",
        ABILITY, Sure(rewrite::words_left_out);
    Types "! {": "an ability stands in brackets",
        ABILITY, No;
    // Clauses of operators.
    Head "« [ ATOM | ATOM ] »": "a list's pattern is written with `::`",
        CONS, Sure(patterns::cons_pattern);
    Head "« [ … | … ] »": "a list's pattern is written with `::`",
        CONS, No;
    Head "[ ATOM , « ... » ATOM ]": "a list's pattern is written with `::`",
        CONS, Sure(patterns::cons_pattern);
    Head "[ … « ... » …": "a list's pattern is written with `::`",
        CONS, No;
    Head "« ( … | … ) »": "a pattern has no alternatives",
        "each is a clause of its own: `f 0 = …`, and below it `f 1 = …`", Sure(patterns::alternatives);
    Head "when¦if …": "Frank has no guards",
        CONDITION, No;
    Head "|": "Frank has no guards",
        CONDITION, No;
    Head "( return NAME )": "no pattern has `return`",
        RESULT, Sure(patterns::result);
    Head "return NAME": "no pattern has `return`",
        RESULT, Sure(patterns::result);
    Head "< NAME « ( ) » ->": "no pattern is empty",
        "a command without arguments is matched by `<get -> k>`; the value of the type `Unit` is `unit`",
        Perhaps(patterns::without_empty);
    Head "< NAME « ! » … ->": "a command's pattern has no `!`",
        "`<get -> k>` matches the command `get`", Sure(rewrite::mark_left_out);
    Head "< COMMAND « NAME » >": "a command's pattern ends with `->` and a name for the continuation",
        "`<tell x -> k>`", Perhaps(patterns::continuation);
    Head "< « NAME NAMES » >": "no command has this name, and one name stands for a computation",
        "`<m>` matches any computation, and `<c x -> k>` the command `c`", No;
    Head "< NAME … « , » NAME >": "`->` stands before a command's continuation",
        "`<put s -> k>`", Sure(|view, found| rewrite::spelled(" ->", view, found));
    Head "( )": "no pattern is empty",
        "the value of the type `Unit` is `unit`; what takes no argument is forced: `f! = …`, with the signature `f : {Int}`",
        Sure(patterns::empty);
    Head "( … , … )": "Frank has no tuples",
        PAIR, Perhaps(patterns::pair);
    Head "( ATOM ~ : ~ ATOM )": "a list's pattern has two colons",
        "`(x :: xs)`", Sure(patterns::cons_pattern);
    Head "( NAME ~ : … )": "patterns have no types",
        "the signature says them: `f : Int -> Int`", No;
    Head "( ATOM : ATOM )": "a list's pattern has two colons",
        "`(x :: xs)`", Sure(patterns::cons_pattern);
    Head "( NAME … -> NAME )": "a command's pattern stands in `<` and `>`",
        "`<c x -> k>`; `<m>` matches any computation", Sure(patterns::command_pattern);
    Head "( NAME : … )": "patterns have no types",
        "the signature says them: `f : Int -> Int`", No;
    Head "« ATOM ~ : ~ ATOM »": "a list's pattern has two colons",
        "`(x :: xs)`", Sure(patterns::cons_pattern);
    Head "( « NAME ATOMS » ::": NESTED,
        "`((just x) :: xs)`", Sure(rewrite::in_parentheses);
    Head "( ATOM :: « NAME ATOMS » )": NESTED,
        "`(x :: (node y ys))`", Sure(rewrite::in_parentheses);
    Head "[ « NAME ATOMS » ,¦]": NESTED,
        "`[(just x), y]`", Sure(patterns::elements_in_parentheses);
    Head "[ … , « NAME ATOMS » ,¦]": NESTED,
        "`[x, (just y)]`", Sure(patterns::elements_in_parentheses);
    Head "« ATOM :: ATOM »": "a pattern of `::` needs parentheses",
        "`(x :: xs)`", Sure(patterns::head_cons);
    Head "« : ~ = »": "a clause has `=` behind its patterns",
        "`f x = …`", Sure(|view, found| rewrite::spelled("=", view, found));
    Head "NAME « ! » ATOM": "a clause with patterns has no `!`",
        "`f x = …`; what takes nothing is defined by `f! = …`", Sure(rewrite::mark_left_out);
    Head "< NAME … « :¦=> » NAME >": "`->` stands before a command's continuation",
        "`<put s -> k>`", Sure(|view, found| rewrite::spelled("->", view, found));
    Head "NAME « ! » :": "a signature names its operator without `!`",
        "`f : {Int}`, and below it `f! = …`", Sure(rewrite::mark_left_out);
    Head "ATOM « : »": "a clause has no types",
        "they stand in a signature above it: `f : Int -> Int`", No;
    Head "NAME @": "no name stands for all of a pattern",
        "bind a name, and match it in the body: `case xs {(y :: ys) -> …}`", No;
    Head "->": "a clause has `=` behind its patterns",
        "`f x = …`", Perhaps(|view, found| rewrite::spelled("=", view, found));
    Head "=>": "a clause has `=` behind its patterns",
        "`f x = …`", Sure(|view, found| rewrite::spelled("=", view, found));
    // `match`, `case` and handlers.
    Body "match … with …": "Frank has no `match`",
        CASE, Sure(clauses::clauses);
    Body "match ATOM { … }": "Frank has no `match`",
        CASE, Sure(clauses::clauses);
    Body "match ATOM LINE …": "Frank has no `match`",
        CASE, Sure(clauses::clauses);
    Body "case … « of » …": "`case` has no `of`",
        CASE, Sure(clauses::clauses);
    Body "switch ATOM { …": "Frank has no `switch`",
        CASE, No;
    Body "BEGIN ( « function » … ) ATOM": "Frank has no `function`",
        CASE, Sure(clauses::function_applied);
    Body "( « function » … )": "Frank has no `function`",
        "clauses stand in braces: `{nothing -> 0 | (just x) -> x}`", Sure(clauses::function);
    Body "function … ->": "Frank has no `function`",
        "clauses stand in braces: `{nothing -> 0 | (just x) -> x}`", No;
    Body "try … with …": "Frank has no `try`",
        HANDLER, No;
    Body "try … catch …": "Frank has no `try`",
        "the prelude's `catch` handles `Abort`: `catch m {…}` gives the second one if the first aborts", No;
    Body "try": "Frank has no `try`",
        "the prelude's `catch` handles `Abort`: `catch m {…}` gives the second one if the first aborts", No;
    Body "handle … with …": "Frank has no `handle`",
        HANDLER, No;
    Body "with handler …": "Frank has no `handler`",
        HANDLER, No;
    Body "handle": "Frank has no `handle`",
        HANDLER, No;
    Body "handler": "Frank has no `handler`",
        HANDLER, No;
    Body "perform ( … )": "Frank has no `perform`",
        "a command is called by its name: `put 1`, and `get!` without arguments", Sure(rewrite::left_out);
    Body "perform NAME": "Frank has no `perform`",
        "a command is called by its name: `put 1`, and `get!` without arguments", Sure(calls::performed);
    Body "do NAME": "Frank has no `do`",
        SEQUENCE, No;
    Body "do": "Frank has no `do`",
        SEQUENCE, No;
    Body "perform": "Frank has no `perform`",
        "a command is called by its name: `put 1`, and `get!` without arguments", No;
    Body "ATOM « with » … ->": "Frank has no `with`",
        HANDLER, No;
    Body "with": "Frank has no `with`",
        HANDLER, No;
    Body "{ « return NAME » ->": "no pattern has `return`",
        RESULT, Sure(patterns::marked_result);
    Body "| « return NAME » ->": "no pattern has `return`",
        RESULT, Sure(patterns::marked_result);
    Body "{ « ( return NAME ) » ->": "no pattern has `return`",
        RESULT, Sure(patterns::marked_result);
    Body "| « ( return NAME ) » ->": "no pattern has `return`",
        RESULT, Sure(patterns::marked_result);
    Body "resume": "Frank has no `resume`",
        "a command's pattern gives the continuation a name: `<get -> k>`, and `k x` goes on with `x`", No;
    Body "ref": "a reference is made by `new`",
        "`new 0`; `write r 1` and `read r` use it", Sure(|view, found| rewrite::spelled("new", view, found));
    Body "return END": "Frank has no `return`",
        "the last term is the result; `unit` is the value that says nothing", No;
    Body "return": "Frank has no `return`",
        "the last term is the result", Sure(rewrite::left_out);
    Body "throw": "Frank has no `throw`",
        "`abort!`, a command of the prelude's `Abort`, ends what is computed", No;
    Body "raise": "Frank has no `raise`",
        "`abort!`, a command of the prelude's `Abort`, ends what is computed", No;
    Body "« continue » ATOM": "Frank has no `continue`",
        "a command's pattern gives the continuation a name: `<get -> k>`, and `k x` goes on with `x`", Perhaps(rewrite::left_out);
    Body "ATOM « !! » ATOM": "Frank has no `!!`",
        "`nth 1 xs`, from the prelude, is the element at a place; it aborts where there is none", No;
    Body "f¦F « ~ LITERAL »": "a string has no places for values",
        "`append \"n = \" (showInt n)` puts strings together", No;
    Body "None": "the `Maybe` without a value is `nothing`",
        "`nothing` and `just x`, from the prelude", Perhaps(|view, found| rewrite::named(&["nothing"], view, found));
    Body "Some ATOM": "the `Maybe` with a value is made by `just`",
        "`nothing` and `just x`, from the prelude", Perhaps(|view, found| rewrite::named(&["just"], view, found));
    Body "null ATOM": "Frank has no `null`",
        "`isEmpty xs`, from the prelude", Perhaps(|view, found| rewrite::named(&["isEmpty"], view, found));
    Body "fromJust ATOM": "Frank has no `fromJust`",
        "`fromMaybe 0 m`, from the prelude, gives another value for `nothing`; `orAbort m` aborts", Perhaps(|view, found| rewrite::named(&["orAbort"], view, found));
    Body "« NAME ~ [ NUMBER ] »": "a list has no index in brackets",
        "`nth 0 xs`, from the prelude, which aborts where there is no such element", No;
    Body "len ATOM": "Frank has no `len`",
        "`length xs`, from the prelude, counts the elements of a list", Perhaps(|view, found| rewrite::named(&["length"], view, found));
    Body "mod ATOM ATOM": "Frank has no `mod`",
        "`rem a b`, from the prelude, is the rest of a division", Perhaps(|view, found| rewrite::named(&["rem"], view, found));
    Body "concatMap ATOM ATOM": "Frank has no `concatMap`",
        "`concat (map f xs)`, both from the prelude", Perhaps(calls::concatenated);
    Body "fold_left ATOM": "Frank has no `fold_left`",
        "`foldl f y xs`, from the prelude, goes through a list from the left", Perhaps(|view, found| rewrite::named(&["foldl"], view, found));
    Body "error ATOM": "Frank has no `error`",
        "`abort!`, a command of the prelude's `Abort`, ends what is computed", No;
    Body "while": "Frank has no `while`",
        "an operator that calls itself goes on: `go n = if (n > 0) {go (n - 1)} {n}`", No;
    Body "begin": "Frank has no `begin`",
        "parentheses hold terms together: `(a; b)`", No;
    Body "where NAME NAMES = …": "Frank has no `where`",
        "make it an operator of its own, or name a function before its use: `let f = {x -> …} in …`", Sure(bindings::local_function);
    Body "where NAME = …": "Frank has no `where`",
        "`let y = … in …` stands before what uses it; or make it an operator of its own", Sure(bindings::local_definition);
    Body "where NAME … = …": "Frank has no `where`",
        "make it an operator of its own, with a signature and a clause for each case", No;
    Body "where": "Frank has no `where`",
        "`let y = … in …` stands before what uses it; or make it an operator of its own", No;
    Body "when … -> …": "Frank has no guards",
        CONDITION, No;
    // Adaptors.
    Body "« NAME ! < CAPITAL > » )": "an adaptor stands before what it adapts",
        ADAPTOR, Sure(calls::adaptor_first);
    Body "« NAME ! < CAPITAL > »": "an adaptor stands before what it adapts",
        ADAPTOR, Sure(calls::adaptor_first);
    Body "[ « CAPITAL ( … -> … ) » ] NAME": "an adaptor stands in `<` and `>`",
        ADAPTOR, Sure(calls::adaptor_in_angles);
    Body "< CAPITAL « WORD » >¦,": ALONE,
        INSTANCE, Sure(rewrite::mark_left_out_with_blanks);
    Body "< CAPITAL « WORD ATOMS » >¦,": ALONE,
        INSTANCE, Sure(rewrite::mark_left_out_with_blanks);
    Body "< CAPITAL « [ … ] » >¦,": ALONE,
        INSTANCE, Sure(rewrite::mark_left_out_with_blanks);
    Body "< CAPITAL « ( CAPITAL ATOMS ) » >¦,": ALONE,
        INSTANCE, Sure(rewrite::mark_left_out_with_blanks);
    Body "< CAPITAL … , CAPITAL « ATOMS » >¦,": ALONE,
        INSTANCE, Sure(rewrite::mark_left_out_with_blanks);
    Body "< CAPITAL ( … « , » … -> …": "blanks stand between the names of an adaptor",
        "`<State(s a b -> s b a)>`", Sure(calls::adaptor_without_commas);
    Body "< CAPITAL « : » NAMES -> NAMES >": "what an adaptor does stands in parentheses",
        "`<State(s a b -> s b a)>`", Sure(calls::adaptor_in_parentheses);
    Body "-> … « , » < NAME": "clauses are separated by bars",
        BARS, Sure(|view, found| rewrite::spelled(" |", view, found));
    Body "! « , » TOKEN": "a `;` stands between what is done first and what is done then",
        "commas stand between the elements of a list", Perhaps(|view, found| rewrite::spelled(";", view, found));
    Body "[ « CAPITAL » ] NAME": "an adaptor stands in `<` and `>`",
        ADAPTOR, Perhaps(calls::adaptor_in_angles);
    Body "NAME ~ « . ~ NUMBER »": "no number says which instance is meant",
        ADAPTOR, No;
    // `let`.
    Body "if « let » …": "Frank has no `if let`",
        CASE, No;
    Body "let « ( ) » = … in": "a `let` names a result",
        SEQUENCE, Sure(bindings::sequence);
    Body "let NAME = … LINE « NAME » = …": "a `let` binds one name",
        "each has a `let` of its own: `let a = … in let b = … in …`", Sure(bindings::next_let);
    Body "let NAME = … LINE « NAME NAMES » = …": "a `let` binds one name",
        "each has a `let` of its own: `let a = … in let b = … in …`", Sure(bindings::next_let);
    Body "let « rec » …": "a `let` does not see itself",
        "make it an operator of its own, with a signature: `go : Int -> Int`, and `go n = …`", No;
    Body "let « mut » …": "variables do not change",
        "`new 0` makes a reference, `write r 1` and `read r` use it; or `State`, from the prelude", No;
    Body "let « ! »": "a `let` has no `!`",
        "what it names is computed there: `let x = get! in …`", Sure(rewrite::mark_left_out);
    Body "let « * »": "a `let` has no `*`",
        NAMED, Sure(rewrite::mark_left_out);
    Body "let ATOM « <- »": "a `let` has `=`",
        NAMED, No;
    Body "let NAME « NAMES » =": "a `let` has no parameters",
        "it names a function in braces: `let f = {x y -> …} in …`", Sure(bindings::let_function);
    Body "let NAME « : … » =": "a `let` has no type",
        "leave the type out: it is found", Sure(bindings::without_type);
    Body "let « ( … ) » =": "a `let` has no pattern",
        "`case` takes values apart: `case q {(pair a b) -> …}`", Sure(bindings::let_pattern);
    Body "let « [ … ] » =": "a `let` has no pattern",
        "`case` takes values apart: `case q {(pair a b) -> …}`", No;
    Body "val NAME = … LINE": "Frank has no `val`",
        NAMED, Sure(bindings::binding_line);
    Body "val NAME = … ;": "Frank has no `val`",
        NAMED, Sure(bindings::binding_line);
    Body "const NAME = … ;": "Frank has no `const`",
        NAMED, Sure(bindings::binding_line);
    Body "var NAME = … LINE": "Frank has no `var`",
        NAMED, No;
    Body "const NAME = … LINE": "Frank has no `const`",
        NAMED, Sure(bindings::binding_line);
    Body "BEGIN NAME « <- »": "Frank has no `<-`",
        NAMED, No;
    // `if`.
    Body "if … « : »": "Frank has no `:` behind a condition",
        CONDITION, No;
    Body "if … « then » …": "Frank has no `then` and `else`",
        CONDITION, Sure(conditionals::conditional);
    Body "if … { … } « else » …": "Frank has no `else`",
        CONDITION, Sure(conditionals::braced_conditional);
    Body "if¦when « NAMES COMPARISON NUMBER » {": "an argument with an operator in it stands in parentheses",
        "the condition is one argument", Sure(rewrite::in_parentheses);
    Body "ATOM « if » … else": "the condition comes first",
        CONDITION, Sure(conditionals::condition_first);
    Body "if … « else »": "Frank has no `else`",
        CONDITION, Sure(conditionals::without_else);
    Body "? … :": "Frank has no `?`",
        CONDITION, Sure(conditionals::ternary);
    Body "ATOM ~ ?": "Frank has no `?`",
        "`orAbort m`, from the prelude, gives what a `Maybe` holds, or aborts; `case m {…}` looks at both", No;
    // Functions.
    Body "\\ NAMES ->": "Frank has no `\\`",
        FUNCTION, Sure(functions::function_behind_sign);
    Body "\\": "Frank has no `\\`",
        FUNCTION, No;
    Body "fun NAMES ->": "Frank has no `fun`",
        FUNCTION, Sure(functions::function_behind_sign);
    Body "fun NAMES =>": "Frank has no `fun`",
        FUNCTION, Sure(functions::function_behind_sign);
    Body "fn NAMES ->": "Frank has no `fn`",
        FUNCTION, Sure(functions::function_behind_sign);
    Body "fn NAMES =>": "Frank has no `fn`",
        FUNCTION, Sure(functions::function_behind_sign);
    Body "fun": "Frank has no `fun`",
        FUNCTION, No;
    Body "fn": "Frank has no `fn`",
        FUNCTION, No;
    Body "lambda NAMES : …": "Frank has no `lambda`",
        FUNCTION, Sure(functions::function_behind_sign);
    Body "lambda": "Frank has no `lambda`",
        FUNCTION, No;
    Body "{ < NAME « ( ) » ->": "no pattern is empty",
        "a command without arguments is matched by `<get -> k>`; the value of the type `Unit` is `unit`",
        Perhaps(patterns::without_empty);
    Body "| < NAME « ( ) » ->": "no pattern is empty",
        "a command without arguments is matched by `<get -> k>`; the value of the type `Unit` is `unit`",
        Perhaps(patterns::without_empty);
    Body "{ < NAME « ! » … ->": "a command's pattern has no `!`",
        "`<get -> k>` matches the command `get`", Sure(rewrite::mark_left_out);
    Body "| < NAME « ! » … ->": "a command's pattern has no `!`",
        "`<get -> k>` matches the command `get`", Sure(rewrite::mark_left_out);
    Body "{ < NAME … « , » NAME > ->": "`->` stands before a command's continuation",
        "`<put s -> k>`", Sure(|view, found| rewrite::spelled(" ->", view, found));
    Body "| < NAME … « , » NAME > ->": "`->` stands before a command's continuation",
        "`<put s -> k>`", Sure(|view, found| rewrite::spelled(" ->", view, found));
    Body "let NAME = « NAMES -> … » in": "a function stands in braces",
        FUNCTION, Sure(functions::bound_by_let);
    Body "{ … -> … « ; » ATOM ->": "clauses are separated by `|`",
        BARS, Sure(clauses::bar_between);
    Body "{ … -> … « ; » NAMES ->": "clauses are separated by `|`",
        BARS, Sure(clauses::bar_between);
    Body "; « NAMES -> … »": "a function stands in braces",
        FUNCTION, Sure(functions::braces_around);
    Body "in « NAMES -> … »": "a function stands in braces",
        FUNCTION, Sure(functions::braces_around);
    Body "{ NAMES « => »": "an arrow is `->`",
        FUNCTION, Sure(clauses::arrow);
    Body "| ATOM « => »": "an arrow is `->`",
        FUNCTION, Sure(clauses::arrow);
    Body "{ ATOM « => »": "an arrow is `->`",
        FUNCTION, Sure(clauses::arrow);
    Body "BEGIN NAMES « => » …": "a function stands in braces",
        FUNCTION, Sure(functions::function);
    Body "( … ) « => » …": "a function stands in braces",
        FUNCTION, No;
    Body "| « NAME , NAME » ->": "several values are matched as one",
        "`[x, y]` matches a list of two, and `(pair x y)` a pair", No;
    Body "{ … -> … « , » ATOM ->": "clauses are separated by `|`",
        BARS, Sure(clauses::bar_between);
    Body "{ … -> … « , » NAMES ->": "clauses are separated by `|`",
        BARS, Sure(clauses::bar_between);
    Body "{ … -> … LINE « ATOM » ->": "clauses are separated by `|`",
        BARS, Sure(clauses::bar_before);
    Body "{ … -> … LINE « NAMES » ->": "clauses are separated by `|`",
        BARS, Sure(clauses::bar_before);
    Body "=>": "an arrow is `->`",
        FUNCTION, Sure(|view, found| rewrite::spelled("->", view, found));
    Body "{ « | »": "no bar stands before the first clause",
        "write `|` between clauses: `{0 -> 1 | n -> n}`", Sure(clauses::without_bar);
    Body "{ « ( NAME … -> NAME ) »": "a command's pattern stands in `<` and `>`",
        "`<c x -> k>`; `<m>` matches any computation", Sure(patterns::inner_command_pattern);
    Body "| « ( NAME … -> NAME ) »": "a command's pattern stands in `<` and `>`",
        "`<c x -> k>`; `<m>` matches any computation", Sure(patterns::inner_command_pattern);
    Body "BEGIN ( NAMES -> …": "a function stands in braces",
        FUNCTION, Sure(functions::braced);
    Body "( NAMES -> … )": "a function stands in braces",
        FUNCTION, Sure(functions::braced);
    Body "{ « [ ATOM | ATOM ] » ->": "a list's pattern is written with `::`",
        CONS, Sure(patterns::inner_cons);
    Body "| « [ ATOM | ATOM ] » ->": "a list's pattern is written with `::`",
        CONS, Sure(patterns::inner_cons);
    Body "BEGIN « | NAMES | »": "a function stands in braces",
        FUNCTION, Sure(functions::function_behind_bars);
    Body "« | NAMES | »": "a function stands in braces",
        FUNCTION, No;
    Body "| NAME « COMPARISON » … ->": "Frank has no guards",
        CONDITION, No;
    Body "| … « COMPARISON » NUMBER ->": "Frank has no guards",
        CONDITION, No;
    Body "{¦| ATOM « if » … ->": "Frank has no guards",
        CONDITION, No;
    Body "{¦| ATOM ATOM « if » … ->": "Frank has no guards",
        CONDITION, No;
    Body "{ LITERAL « | » LITERAL ->": "a pattern has no alternatives",
        "each is a clause of its own: `{0 -> x | 1 -> x}`", No;
    Body "| LITERAL « | » LITERAL ->": "a pattern has no alternatives",
        "each is a clause of its own: `{0 -> x | 1 -> x}`", No;
    Body "{ NAME « | » NAME ->": "a pattern has no alternatives",
        "each is a clause of its own: `{sat -> x | sun -> x}`", No;
    Body "ATOM @": "no name stands for all of a pattern",
        "bind a name, and match it in the body: `case xs {(y :: ys) -> …}`", No;
    // Operators.
    Body "( . )": "an operator is no value",
        COMPOSE, Sure(|view, found| rewrite::named(&["compose"], view, found));
    Body "( ++ )": "an operator is no value",
        "`append a b`, from the prelude, puts lists and strings together", Sure(|view, found| rewrite::named(&["append"], view, found));
    Body "( && )": "an operator is no value",
        AND, Sure(|view, found| rewrite::named(&["and"], view, found));
    Body "( || )": "an operator is no value",
        OR, Sure(|view, found| rewrite::named(&["or"], view, found));
    Body "( « < WORD > » NAME ATOM": "an adapted operator needs parentheses before it can have arguments",
        "write `<I> (f x)` to adapt the call, or `(<I> f) x` to adapt `f` alone", No;
    Body "( « < NAME > ( … ) » )": "an adaptor stands before a call",
        "`(<State> get!) + 1`, or `<State> (f x)`", No;
    Body "( « < NAME ( … ) > ( … ) » )": "an adaptor stands before a call",
        "`(<State> get!) + 1`, or `<State> (f x)`", No;
    Body "« < Int¦Float¦Char¦String > » ATOM": "an adaptor names an interface, and this is a type",
        INSTANCE, No;
    Body "BEGIN ( OPERATOR )": "an operator is no value",
        OPERATOR, Sure(operators::section);
    Body "( OPERATOR )": "an operator is no value",
        OPERATOR, Sure(operators::section);
    Body "( OPERATOR … )": "an operator is no value",
        OPERATOR, Sure(operators::section);
    Body "( ATOM OPERATOR )": "an operator is no value",
        OPERATOR, Sure(operators::section);
    Body "++": "Frank has no `++`",
        "`append a b`, from the prelude, puts lists and strings together", Sure(operators::append);
    Body "<>": "Frank has no `<>`",
        "`a != b` compares numbers; `append a b`, from the prelude, puts lists and strings together", No;
    Body "**": "Frank has no `**`",
        "`pow x y` is for `Float`; `x * x` for both", No;
    Body "^": "Frank has no `^`",
        "`pow x y` is for `Float`, `powi x 3`, from `ad`, for what is differentiated, and `x * x` for both numbers; `append a b` puts strings together", No;
    Body "%": "Frank has no `%`",
        "`rem a b`, from the prelude, is the rest of a division", Sure(operators::rest_of_division);
    Body "&&": "Frank has no `&&`",
        AND, Sure(operators::and_then);
    Body "||": "Frank has no `||`",
        OR, Sure(operators::or_else);
    Body "|>": "Frank has no `|>`",
        "the function comes first: `f x`, and `g (f x)`", Sure(operators::applied);
    Body ">>=": "Frank has no `>>=`",
        "`let x = … in …` names what a computation gives, and `case m {(just x) -> … | nothing -> …}` takes a `Maybe` apart", No;
    Body ">>": "Frank has no `>>`",
        SEQUENCE, No;
    Body "<$>": "Frank has no `<$>`",
        "`map f xs`, from the prelude, is for lists; for other types match with `case`", No;
    Body "$": "Frank has no `$`",
        "put the last argument in parentheses: `f (g x)`", Sure(operators::last_argument);
    Body "===": "equality is `==`",
        "`==` compares numbers", Sure(|view, found| rewrite::spelled("==", view, found));
    Body "!==": "inequality is `!=`",
        "`!=` compares numbers", Sure(|view, found| rewrite::spelled("!=", view, found));
    Body "/=": "inequality is `!=`",
        "`!=` compares numbers", Sure(|view, found| rewrite::spelled("!=", view, found));
    Body ":=": "a reference is written by `write`",
        "`write r 1`; `read r` is what it holds", Sure(operators::write_reference);
    Body "+=": "variables do not change",
        "`write r (read r + 1)` changes what a reference holds; or `State`, from the prelude", No;
    Body "BEGIN ! ATOM": "`!` stands behind what it runs",
        "`f!` runs `f`; `not x`, from the prelude, is the opposite of `x`; `read r` is what a reference holds", Perhaps(operators::negated);
    Body "[ … , « ... » ATOM ]": "a list has no `...`",
        "`x :: xs` puts an element in front, and `append xs ys`, from the prelude, lists together", Sure(lists::spread);
    Body "[ … « ... » …": "a list has no `...`",
        "`x :: xs` puts an element in front, and `append xs ys`, from the prelude, lists together", No;
    Body "[ ATOM « | » ATOM ]": "a list is made by `::`",
        "`x :: xs`", Sure(lists::cons);
    Body "[ … « for » NAME in …": "Frank has no list comprehensions",
        "`map {x -> x * 2} xs` and `filter {x -> x > 0} xs` are in the prelude", No;
    Body "[ … « | » …": "Frank has no list comprehensions",
        "`map {x -> x * 2} xs` and `filter {x -> x > 0} xs` are in the prelude", Sure(lists::comprehension);
    Body "for NAME in …": "Frank has no `for`",
        "`mapM {x -> …} xs`, from the prelude, does something for each element; `map {x -> …} xs` makes a list",
        Sure(lists::for_each);
    Body "for ( …": "Frank has no `for`",
        "`mapM {x -> …} xs`, from the prelude, does something for each element; an operator that calls itself goes on", No;
    Body "[ ATOM .. ATOM ]": "Frank has no `..`",
        "`range 1 10`, from the prelude, is the list of the integers, both included", Sure(lists::range);
    Body "..": "Frank has no `..`",
        "`range 1 10`, from the prelude, is the list of the integers, both included", No;
    Body "« ` NAME ` »": "no operator stands between its arguments",
        "`f a b`", Sure(operators::infix);
    Body "« ` … ` »": "a string stands in double quotes",
        "`append` puts strings together, and `showInt` shows a number", No;
    Body "println¦print¦format ~ ! ~ ( … , …": "Frank has no format strings",
        "`append \"n = \" (showInt n)` makes a string, and `print`, from the prelude, prints it", No;
    Body "printf¦printfn¦sprintf": "Frank has no format strings",
        "`append \"n = \" (showInt n)` makes a string, and `print`, from the prelude, prints it", No;
    Body "println¦putStrLn¦print_endline¦puts¦console.log¦System.out.println": "a line is printed by `printLine`",
        PRINT, Sure(|view, found| calls::printed(&["printLine"], view, found));
    Body "putStr¦print_string": "a string is printed by `print`",
        PRINT, Sure(|view, found| calls::printed(&["print"], view, found));
    Body "show¦toString¦to_string¦str": "each type is shown by an operator of its own",
        "`showInt`, `showFloat`, and from the prelude `showBool` and `showList` make strings", No;
    Body "« CAPITAL ~ :: » ~ NAME": "a name has no path in front of it",
        PATH, Sure(calls::without_path);
    Body "« CAPITAL ~ . » ~ NAME": "a name has no path in front of it",
        PATH, Sure(calls::without_path);
    Body "ATOM ~ « . ~ NAME » ATOM": "Frank has no fields and methods",
        METHOD, Sure(calls::method);
    Body "ATOM ~ « . ~ NAME »": "Frank has no fields and methods",
        FIELD, Sure(calls::field);
    Body "NAME « . » NAME": "Frank has no `.`",
        COMPOSE, Sure(operators::composed);
    Body ") « . » NAME": "Frank has no `.`",
        COMPOSE, Sure(operators::composed);
    Body "NAME « . » (": "Frank has no `.`",
        COMPOSE, Sure(operators::composed);
    Body "APART NAME ~ « ( ) »": "no parentheses follow what is called",
        ARGUMENTS, Sure(calls::forced);
    Body "APART NAME ~ « ( … , … ) »": "no parentheses follow what is called",
        ARGUMENTS, Sure(calls::call_arguments);
    Body "APART ( )": "the value without content is `unit`",
        "write `unit`", Sure(|view, found| rewrite::spelled("unit", view, found));
    Body "+¦-¦*¦/¦<¦> ~ « . » BLANK": "one operator serves `Int` and `Float`",
        "`2.0 * x`", Sure(|view, found| rewrite::spelled("", view, found));
    Body "! ~ « . ~ NAME »": "Frank has no fields and methods",
        FIELD, No;
    Body "APART « . ~ NUMBER »": "a number begins with a digit",
        "`0.5`", Sure(|view, found| rewrite::surrounded("0", "", view, found));
    Body "« NUMBER ~ . ~ NUMBER »": "a number has one point",
        "`1.25`; a version is a string, `\"1.2.3\"`", No;
    Body "« NUMBER ~ . »": "digits stand behind a number's point",
        "`5.0`, or `5` for a whole number", Sure(|view, found| rewrite::surrounded("", "0", view, found));
    Body "{ « ( … , … ) » ->": "Frank has no tuples",
        PAIR, Perhaps(patterns::inner_pair);
    Body "| « ( … , … ) » ->": "Frank has no tuples",
        PAIR, Perhaps(patterns::inner_pair);
    Body "( … , … )": "Frank has no tuples",
        PAIR, Perhaps(patterns::pair);
    Body "{¦| ( « NAME ATOMS » :: … ) ->": NESTED,
        "`((just x) :: xs)`", Sure(rewrite::in_parentheses);
    Body "{¦| ( ATOM :: « NAME ATOMS » ) ->": NESTED,
        "`(x :: (node y ys))`", Sure(rewrite::in_parentheses);
    Body "{¦| [ « NAME ATOMS » … ] ->": NESTED,
        "`[(just x), y]`", Sure(patterns::elements_in_parentheses);
    Body "{¦| [ … , « NAME ATOMS » … ] ->": NESTED,
        "`[x, (just y)]`", Sure(patterns::elements_in_parentheses);
    Body "{ « ATOM :: ATOM » ->": "a pattern of `::` needs parentheses",
        "`(x :: xs)`", Sure(patterns::inner_cons);
    Body "| « ATOM :: ATOM » ->": "a pattern of `::` needs parentheses",
        "`(x :: xs)`", Sure(patterns::inner_cons);
    Body "( NAME « : CAPITAL … » )": "a variable's type is not written",
        "leave the type out: it is found", Sure(patterns::without_type);
    Body "( NAME « : Int¦Float¦Char¦String … » )": "a variable's type is not written",
        "leave the type out: it is found", Sure(patterns::without_type);
    Body "( ATOM : ATOM )": "a list is made by `::`",
        "`x :: xs`", Sure(patterns::cons_pattern);
    Body "{ NAME = … }": "Frank has no records",
        "a constructor is followed by its arguments: `point 1 2`", No;
    Body "{ NAME : … }": "Frank has no records",
        "a constructor is followed by its arguments: `point 1 2`", No;
    Body "ATOM : ATOM": "a list is made by `::`",
        "`x :: xs`", Sure(patterns::colons);
    Body "ATOM mod": "no operator stands between its arguments",
        "`rem a b`, from the prelude, is the rest of a division", Sure(operators::infix_word);
    Body "ATOM rem": "no operator stands between its arguments",
        "`rem a b`, from the prelude, is the rest of a division", Sure(operators::infix_word);
    Body "ATOM div": "no operator stands between its arguments",
        "`a / b` divides, and truncates whole numbers", Sure(operators::infix_word);
    Body "NAME and": "no operator stands between its arguments",
        AND, Sure(operators::infix_word);
    Body "NAME or": "no operator stands between its arguments",
        OR, Sure(operators::infix_word);
    Body "ATOM and": "no operator stands between its arguments",
        AND, Sure(operators::infix_word);
    Body "ATOM or": "no operator stands between its arguments",
        OR, Sure(operators::infix_word);
    Body "ATOM BLANK « - ~ NUMBER » ATOM": "a negative argument needs parentheses",
        NEGATIVE, Sure(rewrite::in_parentheses);
    Body "ATOM « NAME OPERATOR BLANK NUMBER » ATOM": "an argument with an operator in it stands in parentheses",
        "`f (n - 1) x`", Perhaps(rewrite::in_parentheses);
    Body "[ « LITERAL » BLANK LITERAL": "a comma stands between the elements of a list",
        "`[1, 2]`", Perhaps(lists::with_commas);
    Body ", NUMBER « NUMBER »": "a comma stands between the elements of a list",
        "`[1, 2]`", Sure(lists::comma);
    // What is left over.
    Body "; END": "a `;` stands between terms",
        "leave the last one out, or write `unit` behind it; what goes on below it is indented", Perhaps(rewrite::left_out);
    Body ", ]": "a comma stands between terms",
        "leave the last one out", Sure(rewrite::comma_left_out);
    Body "« , » LINE": "a `;` stands between what is done first and what is done then",
        "commas stand between the elements of a list", Perhaps(|view, found| rewrite::spelled(";", view, found));
}
