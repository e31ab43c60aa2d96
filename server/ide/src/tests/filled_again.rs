//! Operators of the library whose bodies are taken out: how many of them are found again.
//!
//! The figures stand in the book (docs/holes.md).

use std::fmt::Write;
use std::time::Duration;

use expect_test::expect;
use frank_analysis::db::item;
use frank_analysis::files::Files;
use frank_library::LIBRARY;
use frank_syntax::ast::{Item, ItemKind, TermId, TermKind};
use frank_syntax::lexer::lex;
use frank_syntax::outline::OutlineKind;
use rayon::prelude::*;

use crate::{Analysis, FilePosition, Filling};

/// So many operators of each library file are taken, of those that have so many.
const OF_A_FILE: usize = 12;
/// Of bodies up to so large at least half must be found.
const SMALL: usize = 4;
/// A term counts as found if it is among so many.
const FIRST: usize = 10;
/// Larger bodies are not taken.
const LARGEST: usize = 8;

/// A body that was taken out.
struct TakenOut {
    text: String,
    body: String,
    hole: usize,
    nodes: usize,
}

/// How many names, literals and operations a term has.
fn nodes(item: &Item, term: TermId) -> usize {
    let mut count = 0;
    let mut queue = vec![term];
    while let Some(term) = queue.pop() {
        let data = &item.terms[term];
        count += usize::from(!matches!(
            data.kind,
            TermKind::Apply { .. } | TermKind::Thunk { .. }
        ));
        let parts = data.kind.parts();
        queue.extend(parts.direct());
        queue.extend(parts.clauses.iter().map(|clause| clause.body));
    }
    count
}

/// The last clauses of some operators of a library, each taken out of its file.
fn taken_out(text: &str) -> Vec<TakenOut> {
    let mut files = Files::new(None);
    let file = files.set_text("main.fk", text);
    let analysis = Analysis::new(files.snapshot());
    let items: Vec<_> = analysis.snapshot().items(file).collect();
    let mut found = Vec::new();
    for (index, (entry, _)) in items.iter().enumerate() {
        let next = items.get(index + 1).map(|(next, _)| (next.kind, next.name));
        let is_last = next != Some((OutlineKind::Clause, entry.name));
        let item = item(files.db(), entry.item);
        let ItemKind::Clause { clause, .. } = &item.kind else {
            continue;
        };
        let nodes = nodes(item, clause.body);
        if !is_last || nodes > LARGEST {
            continue;
        }
        let view = analysis.view_of(entry.item);
        let range = view.file_range(item.terms[clause.body].id).range;
        let range = std::ops::Range::<usize>::from(range);
        let body = text[range.clone()].to_owned();
        let hole = range.start;
        let mut text = text.to_owned();
        text.replace_range(range, "_");
        found.push(TakenOut {
            text,
            body,
            hole,
            nodes,
        });
    }
    found.truncate(OF_A_FILE);
    found
}

/// A term without blanks and parentheses, its own variables numbered.
fn normal(text: &str) -> String {
    let words: Vec<&str> = lex(text)
        .filter(|(kind, _)| !kind.is_trivia())
        .map(|(_, range)| &text[range])
        .filter(|word| !matches!(*word, "(" | ")"))
        .map(|word| match word {
            "nil" => "[]",
            "cons" => "::",
            word => word,
        })
        .collect();
    let mut bound: Vec<&str> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if matches!(*word, "{" | "|") {
            let rest = &words[at + 1..];
            let arrow = rest.iter().position(|word| *word == "->").unwrap_or(0);
            bound.extend(&rest[..arrow]);
        }
    }
    let numbered = words
        .iter()
        .map(|word| match bound.iter().position(|own| own == word) {
            Some(number) => format!("v{number}"),
            None => (*word).to_owned(),
        });
    numbered.collect::<Vec<_>>().join(" ")
}

/// How many of some bodies are found, without examples and with them.
#[derive(Default)]
struct Count {
    of: usize,
    found: [usize; 2],
}

/// Whether a body is found, without examples and with them, and the first term with them.
fn found_again(taken: &TakenOut) -> ([bool; 2], String) {
    let mut files = Files::new(None);
    let file = files.set_text("main.fk", &taken.text);
    let analysis = Analysis::new(files.snapshot());
    let at = FilePosition::new(file, taken.hole);
    let mut first = String::new();
    let found = [false, true].map(|with_examples| {
        let filling = Filling {
            time: Duration::from_secs(60),
            size: 8,
            tries: 100_000,
            with_examples,
        };
        let filled = analysis.fill(at, filling, &|| false);
        let terms = filled.map(|filled| filled.terms).unwrap_or_default();
        first = terms
            .first()
            .map_or(String::new(), |term| term.text.clone());
        let mut terms = terms.iter().take(FIRST);
        terms.any(|term| normal(&term.text) == normal(&taken.body))
    });
    (found, first)
}

#[test]
fn operators_of_the_library_are_found_again() {
    let (mut small, mut large, mut out) = (Count::default(), Count::default(), String::new());
    let all: Vec<(&str, TakenOut)> = LIBRARY
        .iter()
        .flat_map(|(name, text)| taken_out(text).into_iter().map(|taken| (*name, taken)))
        .collect();
    // One takes from nothing to seconds.
    let found: Vec<_> = all
        .par_iter()
        .with_max_len(1)
        .map(|(_, taken)| found_again(taken))
        .collect();
    for ((name, taken), (found, first)) in all.iter().zip(found) {
        let count = match taken.nodes <= SMALL {
            true => &mut small,
            false => &mut large,
        };
        count.of += 1;
        for (count, found) in count.found.iter_mut().zip(found) {
            *count += usize::from(found);
        }
        let [_, with_examples] = found;
        if !with_examples {
            let body = taken.body.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = writeln!(out, "{name}: not {body} but {first}");
        }
    }
    let shown = |count: &Count| {
        let [without, with] = count.found;
        format!(
            "{without} of {} without examples, {with} with them",
            count.of
        )
    };
    let _ = writeln!(out, "up to {SMALL}: {}", shown(&small));
    let _ = writeln!(out, "from there to {LARGEST}: {}", shown(&large));
    expect![[r#"
        ad-batch: not lanesOf (length xs) (batch (f (batchOf xs))) but vmapList {_ -> f (batchOf xs)} []
        ad-batch: not lanesOf (length points) (batch (f (coordinates points))) but vmap {_ -> f (coordinates points)} []
        ad-checkpoint: not bisectTo 8 n step zs but step (join zs (units n))
        ad-compare: not not (compareBy equalR x y) but atLeastS y x
        ad-compare: not closeBy eps eps [x] [y] but greaterS y x
        ad-compare: not compareFloat (k (areClose eps rel xs ys)) but compareFloat (k (atLeastS rel eps))
        ad-compare: not sumS (take 1 (seriesTerms a)) but lastOf (seriesTerms a)
        ad-compare: not closeBy eps rel xs ys but eps < rel
        ad-custom: not adoptr (prop y dr) but prop y dr
        ad-custom: not adoptm (propm y i) but propm y i
        ad-debug: not firstOdd {x -> x != x} [] m! but firstInfinite m!
        ad-debug: not firstOdd {x -> x - x != 0.0} [] m! but firstOdd (compose isNaN acos) [] m!
        ad-debug: not case (firstNan m!) { (right y) -> y | (left result) -> fail (showOdd result)} but 
        ad-debug: not "ap1 positiveE" but []
        ad-debug: not "ap2 scaleE" but []
        ad-debug: not d {z -> guarded name f z} x but x
        ad-debug: not grad {z -> guarded name f z} x but x
        ad-debug: not sumS (guardedLists name {xs -> map f xs} [x]) but square x
        ad-debug: not owned mark (concat ["at `", name, "`"]) a but owned mark name a
        ad-fixpoint: not prop x (new (c 0)) but prop x (new x)
        ad-optim: not momentumBy rate beta stop {zs -> valueGradList f zs} xs but lbfgs stop sumS (beta :: xs)
        ad-optim: not lbfgsBy 10 stop {zs -> valueGradList f zs} xs but newtonCG stop rosenbrock (gradList f xs)
        ad-optim: not dotFloat s g > 0 but isNaN (dotFloat g s)
        ad-optim: not bendBy (scaleOf past) q past but scaleOf past :: q
        ad-optim: not dotFloat s g / dotFloat g g but dotFloat g s
        ad-optim: not newtonFrom stop f h 0 xs (f xs) but lbfgsBy 0 stop f (h xs xs)
        ad-optim: not sumFloat (zipWith {x y -> x * y} xs ys) but norm (append ys xs)
        ad-optim: not zipWith {x y -> y + a * x} xs ys but zipWith {_ _ -> a} ys xs
        ad-special: not let y = values f xs in specialFloat values (k y) but specialFloat values (k (<Special> (values f xs)))
        ad-special: not sameLength "the slopes of an operation must be as many as its operands" xs ss but sameLength [] xs ss
        ad-stage: not stageList ieee 1 {xs -> map f xs} but stageGrad fastMath 0 lastOf
        ad-stage: not stageList care size {xs -> inHalves f xs} but stageGrad care size lastOf
        ad-stage: not failAt k (concat [ "when a loop ends depends on the numbers of the second stage, and a graph is ", "as long for all of them; a number of rounds can be staged" ]) but refuseCompare (k false)
        ad-stage: not fail text but 
        ad-stage: not inBoth (inBoth ss ss') (inOne more) but inBoth ss' ss
        ad-stop: not let r = liftr (stopped (fwd x)) in stopProp (k r) but stopProp (k (liftr (fwd x)))
        ad-stop: not let r = propm (stopped x) 0 in stopPropM (k r) but stopPropM (k (propm x 0))
        ad-stop: not let r = mapBatch {x -> stopped x} a in stopBatch (k r) but stopBatch (k (mapBatch {x -> <Stop> (stopGradient x)} a))
        ad-taylor: not timesFactorials 0 1 (taylor k f x) but wholePower k 0 []
        ad-taylor: not lastOf (derivatives k f x) but ap1 (powIntE k) x
        ad-taylor: not solveFrom 1 k f [y] but map {_ -> y} (range 0 k)
        ad-taylor: not padTo (k + 1) (seriesTerms a) [] but taylorCurve k {_ -> a} []
        ad-taylor: not seriesOf2 k b (seriesTerms a) (seriesTerms a') but coefficients k a'
        ad-taylor: not combine {x y -> p x y} {y -> y} xs ys [] but minusSeries ys xs
        ad-taylor: not productFrom k timesE xs ys [] but padTo k ys xs
        ad-tensor: not foldl {a i -> a * i} 1 shape but length (showShape shape)
        ad-tensor: not tensor [rows, columns] xs but tensorOf (range columns rows) xs
        ad-tensor: not fail (append "`toVector` of a tensor of shape " (showShape shape)) but vectorOf (itemsT (tensor shape (array [])))
        ad-tensor: not fail (append "`toMatrix` of a tensor of shape " (showShape shape)) but rowsOf (drop (volume shape) [])
        ad-tensor: not zipT "plusT" plusE x y but productT y x
        ad-tensor: not zipT "minusT" minusE x y but productT y x
        array: not foldFrom 0 (size xs) f y xs but f y (at 0 xs)
        array: not tabulate (size xs) {i -> f (at i xs)} but array (map f (toList xs))
        clock: not case (shownTime ts) {(pair t rest) -> atTimes rest (k t)} but atTimes ts (k 2.0)
        csv: not parseCsvBy ',' s but parseCsvBy (intToChar 0) s
        csv: not case peekChar! { (just '\n') -> skipChar! | _ -> unit} but unit
        csv: not elem eqc c [sep, '\n', '\r'] but eqc c sep
        csv: not showCsvBy ',' rows but concat (concat rows)
        exn: not f!; throw e but throw (fst (pair e f!))
        file: not tryFiles (k (tryListFolder path)) but tryFiles (k (left path))
        file: not maybe false {_ -> true} (lookup eqString path files) but isEmpty (zip files path)
        file: not sort {a b -> not (lessString b a)} (map fst files) but map fst files
        input: not case nextLine! { (just l) -> f l; eachLine f | nothing -> unit} but mapM f inputLines!
        json: not parse s (spaceJson!; jsonValue!) but parse s jsonBare!
        json: not takeChars {c -> elem eqc c " \t\n\r"}; unit but unit
        json: not let v = jsonBare! in spaceJson!; v but jsonNull
        json: not case peekChar! { (just '0') -> skipChar!; "0" | _ -> jsonDigits!} but []
        json: not let c = satisfy "a digit" isDigit in c :: takeChars isDigit but []
        json: not satisfy "a text in quotes" {c -> eqc c '"'}; jsonTextOnto [] but []
        json: not jsonHexFrom 0 4 but 0
        json: not showJsonBefore j "" but showJsonBefore j []
        json: not '{' :: showJsonItems showJsonFieldBefore fields ('}' :: behind) but showJsonItems showJsonFieldBefore fields behind
        json: not showJsonFieldBefore field "" but showJsonFieldBefore field []
        json: not append (showJsonText name) (':' :: showJsonBefore v behind) but showJsonBefore v behind
        json: not concat ["\"", concat (map showJsonChar s), "\""] but showJson (jsonString s)
        lists: not fst (span f xs) but filter f (take 3 xs)
        lists: not snd (span f xs) but rev (nub {x _ -> f x} xs)
        lists: not concatMap {x -> maybe [] {y -> [y]} (f x)} xs but concatMap {_ -> []} (map f xs)
        lists: not zip (range 0 (length xs - 1)) xs but zip (range 0 1) xs
        lists: not scanOnto f [] y xs but map {x -> f y x} xs
        log: not 3 but 0
        log: not "error" but []
        log: not keepLogOnto (messageOf l s :: ms) (k unit) but keepLogOnto ms (k (mapM (const l) s))
        map: not maybe false {_ -> true} (mapLookup le k m) but not (le k k)
        map: not mapFoldr {k v ps -> pair k v :: ps} [] m but zip (mapKeys m) (mapValues m)
        map: not mapFoldr {k _ ks -> k :: ks} [] m but map fst (mapToList m)
        map: not mapFoldr {_ v vs -> v :: vs} [] m but map snd (mapToList m)
        map: not setOf (mapFromList le (map {k -> pair k unit} ks)) but setDifference le (setOf mapTip) (setOf mapTip)
        numbers: not if (n < 0) {-n} {n} but 0 - n
        numbers: not rem n 2 == 0 but isOdd (bitNot n)
        numbers: not rem n 2 != 0 but isEven (bitNot n)
        numbers: not if (y < x) {y} {x} but x - y
        numbers: not if (y > x) {y} {x} but pow x y
        numbers: not 3.141592653589793 but acos (0.0 - 1.0)
        numbers: not -1 - n but n - 1
        parser: not parseFrom (placeAt s 1 1) (wholly m!) but parseFrom (placeAt s 0 0) m!
        parser: not case peekChar! { nothing -> x | (just _) -> expecting "the end of the text"} but x
        parser: not expectChar c; expectText s but expecting (c :: s)
        parser: not takeChars isSpace; unit but expectText (trim (takeChars isSpace))
        picture: not caption title "" "" but caption title [] []
        pipe: not send x; sendAll xs but through (sendFrom (length xs)) (mapping {_ -> x})
        pipe: not send n; sendFrom (n + 1) but send n
        random: not fail "`answered`: there are no more numbers in the list" but at 0 (array [])
        random: not scrambled 3 (remainder i 2147483563) (remainder i 2147483399) but seedOf i i
        random: not remainder (i - j) 2147483562 but fifthPower j i
        text: not digitValue c < 10 but isEmpty (range smallestInt! (digitValue c))
        text: not digitValue c < 16 but isEmpty (range smallestInt! (digitValue c))
        text: not and (low <= n) (n <= high) but n < (low + high)
        text: not charToInt a < charToInt b but not (eqc b a)
        text: not wordsOnto s [] [] but lines s
        text: not rev word :: ws but word :: ws
        text: not join " " ws but unlines ws
        text: not linesOnto s (c :: line) ls but linesOnto line s ls
        text: not concat (map {l -> append l "\n"} ls) but unwords ls
        text: not if (eqc a b) {stripPrefix p s} {nothing} but stripPrefix s p
        text: not maybe false {_ -> true} (stripPrefix p s) but lessString p s
        thread: not nextThread ts ({k unit} :: us) but threadsFrom us ts (k unit)
        thread: not write c (append (read c) [x]) but write c [x]
        thread: not pause!; takeFrom c but takeFrom c
        transaction: not append (waysOf (k true)) (waysOf (k false)) but allChoices (<Abort> (k choose!))
        transaction: not concat (map {x -> maybe [] {y -> [y]} x} xs) but drop (length xs) []
        ad-paper: not c i but ap0 (constE i)
        ad-paper: not n (c 1) but ap1 negateE (d {y -> y} x)
        up to 4: 99 of 143 without examples, 112 with them
        from there to 8: 14 of 110 without examples, 18 with them
    "#]]
    .assert_eq(&out);
    assert!(small.found[0] * 2 >= small.of, "fewer than half");
}
