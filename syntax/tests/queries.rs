//! The queries fit the grammar and say sensible things.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::fmt::Write;

use expect_test::expect;
use frank_syntax::query;
use tree_sitter::{Parser, Query, QueryCursor, StreamingIterator};

const SAMPLE: &str = "\
-- Keeps a value.
interface State S = get : S | put : S -> Unit

data Maybe X = nothing | just X
include prelude

state : {S -> <State S>X -> [0|Console]X}
state _ x = x
state s <get -> k> = let y = k s in state s y
state _ <put.1 s -> k> = state s (k! + -1) {<m> -> <State(a b -> a)> m!}
f (just y) \"s\" 'c' = case g h
f (x :: -2) = x {-- done --}
";

/// What is captured last for every place.
fn captures(query: &str, text: &str) -> BTreeMap<(usize, usize), String> {
    let language = frank_syntax::language();
    let query = Query::new(&language, query).unwrap();
    let mut parser = Parser::new();
    parser.set_language(&language).unwrap();
    let tree = parser.parse(text, None).unwrap();
    let mut cursor = QueryCursor::new();
    let mut found: BTreeMap<(usize, usize), (usize, String)> = BTreeMap::new();
    let mut matches = cursor.matches(&query, tree.root_node(), text.as_bytes());
    while let Some(one) = matches.next() {
        for capture in one.captures() {
            let range = (capture.node.start_byte(), capture.node.end_byte());
            let name = query.capture_names()[capture.index as usize].to_owned();
            let place = found
                .entry(range)
                .or_insert((one.pattern_index, name.clone()));
            if place.0 <= one.pattern_index {
                *place = (one.pattern_index, name);
            }
        }
    }
    found
        .into_iter()
        .map(|(range, (_, name))| (range, name))
        .collect()
}

fn show(query: &str) -> String {
    let mut shown = String::new();
    for ((start, end), name) in captures(query, SAMPLE) {
        let text = SAMPLE[start..end].lines().next().unwrap_or_default();
        writeln!(shown, "{name:24} {text}").unwrap();
    }
    shown
}

#[test]
fn all_queries_fit_the_grammar() {
    let queries = [
        query::HIGHLIGHTS,
        query::LOCALS,
        query::FOLDS,
        query::INDENTS,
        query::TAGS,
        query::INJECTIONS,
    ];
    for query in queries {
        Query::new(&frank_syntax::language(), query).unwrap();
    }
}

#[test]
fn highlights() {
    expect![[r#"
        comment                  -- Keeps a value.
        keyword.type             interface
        type.definition          State
        variable.parameter       S
        operator                 =
        function.method          get
        punctuation.delimiter    :
        type                     S
        punctuation.delimiter    |
        function.method          put
        punctuation.delimiter    :
        type                     S
        operator                 ->
        type                     Unit
        keyword.type             data
        type.definition          Maybe
        variable.parameter       X
        operator                 =
        constructor              nothing
        punctuation.delimiter    |
        constructor              just
        type                     X
        keyword.import           include
        module                   prelude
        function                 state
        punctuation.delimiter    :
        punctuation.bracket      {
        type                     S
        operator                 ->
        punctuation.bracket      <
        type                     State
        type                     S
        punctuation.bracket      >
        type                     X
        operator                 ->
        punctuation.bracket      [
        constant.builtin         0
        punctuation.delimiter    |
        type                     Console
        punctuation.bracket      ]
        type                     X
        punctuation.bracket      }
        function                 state
        variable.parameter       _
        variable.parameter       x
        operator                 =
        variable                 x
        function                 state
        variable.parameter       s
        punctuation.bracket      <
        function.method          get
        operator                 ->
        variable.parameter       k
        punctuation.bracket      >
        operator                 =
        keyword                  let
        variable                 y
        operator                 =
        function.call            k
        variable                 s
        keyword                  in
        function.call            state
        variable                 s
        variable                 y
        function                 state
        variable.parameter       _
        punctuation.bracket      <
        function.method          put
        punctuation.delimiter    .
        number                   1
        variable.parameter       s
        operator                 ->
        variable.parameter       k
        punctuation.bracket      >
        operator                 =
        function.call            state
        variable                 s
        punctuation.bracket      (
        function.call            k
        operator                 !
        operator                 +
        operator                 -
        number                   1
        punctuation.bracket      )
        punctuation.bracket      {
        punctuation.bracket      <
        variable.parameter       m
        punctuation.bracket      >
        operator                 ->
        punctuation.bracket      <
        type                     State
        punctuation.bracket      (
        variable.parameter       a
        variable.parameter       b
        operator                 ->
        variable.parameter       a
        punctuation.bracket      )
        punctuation.bracket      >
        function.call            m
        operator                 !
        punctuation.bracket      }
        function                 f
        punctuation.bracket      (
        constructor              just
        variable.parameter       y
        punctuation.bracket      )
        string                   "s"
        character                'c'
        operator                 =
        function.builtin         case
        variable                 g
        variable                 h
        function                 f
        punctuation.bracket      (
        variable.parameter       x
        operator                 ::
        number                   -2
        number                   2
        punctuation.bracket      )
        operator                 =
        variable                 x
        comment                  {-- done --}
    "#]]
    .assert_eq(&show(query::HIGHLIGHTS));
}

#[test]
fn tags() {
    expect![[r#"
        doc                      -- Keeps a value.
        definition.interface     interface State S = get : S | put : S -> Unit
        name                     State
        name                     get
        definition.method        get : S
        reference.type           S
        name                     put
        definition.method        put : S -> Unit
        reference.type           S
        reference.type           Unit
        definition.type          data Maybe X = nothing | just X
        name                     Maybe
        name                     nothing
        name                     just
        definition.constructor   just X
        reference.type           X
        reference.module         include prelude
        name                     prelude
        name                     state
        definition.function      state : {S -> <State S>X -> [0|Console]X}
        reference.type           S
        reference.interface      State
        reference.type           S
        reference.type           X
        reference.interface      Console
        reference.type           X
        reference.call           <get -> k>
        name                     get
        name                     k
        reference.call           k s
        name                     state
        reference.call           state s y
        reference.call           <put.1 s -> k>
        name                     put
        name                     state
        reference.call           state s (k! + -1) {<m> -> <State(a b -> a)> m!}
        name                     k
        reference.call           k!
        reference.interface      State
        name                     m
        reference.call           m!
        reference.constructor    (just y)
        name                     just
        name                     case
        reference.call           case g h
    "#]]
    .assert_eq(&show(query::TAGS));
}

#[test]
fn locals() {
    expect![[r#"
        local.scope              state _ x = x
        local.definition         _
        local.definition         x
        local.reference          x
        local.scope              state s <get -> k> = let y = k s in state s y
        local.definition         s
        local.definition         k
        local.scope              let y = k s in state s y
        local.definition         y
        local.reference          k
        local.reference          s
        local.reference          state
        local.reference          s
        local.reference          y
        local.scope              state _ <put.1 s -> k> = state s (k! + -1) {<m> -> <State(a b -> a)> m!}
        local.definition         _
        local.definition         s
        local.definition         k
        local.reference          state
        local.reference          s
        local.reference          k
        local.scope              <m> -> <State(a b -> a)> m!
        local.definition         m
        local.reference          m
        local.scope              f (just y) "s" 'c' = case g h
        local.definition         y
        local.reference          case
        local.reference          g
        local.reference          h
        local.scope              f (x :: -2) = x
        local.definition         x
        local.reference          x
    "#]]
    .assert_eq(&show(query::LOCALS));
}

#[test]
fn folds() {
    expect![[r#"
        fold                     interface State S = get : S | put : S -> Unit
        fold                     data Maybe X = nothing | just X
        fold                     state : {S -> <State S>X -> [0|Console]X}
        fold                     state _ x = x
        fold                     state s <get -> k> = let y = k s in state s y
        fold                     state _ <put.1 s -> k> = state s (k! + -1) {<m> -> <State(a b -> a)> m!}
        fold                     {<m> -> <State(a b -> a)> m!}
        fold                     f (just y) "s" 'c' = case g h
        fold                     f (x :: -2) = x
        fold                     {-- done --}
    "#]]
    .assert_eq(&show(query::FOLDS));
}
