//! One mistake, one error: mistakes of many kinds are seeded into correct programs, one at a time
//! and several at once. Each must show exactly once, inside of the definition that it was seeded
//! into, and as what it is.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod support;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use frank_library::LIBRARY;
use frank_syntax::ast::{
    Adjustment, Item, ItemKind, NodeId, PatternId, PatternKind, TermId, TermKind, TypeArg, TypeKind,
};
use frank_syntax::outline::split;
use frank_syntax::parse::{ParsedItem, parse_item};
use rayon::prelude::*;
use support::{Program, project_root, render};

/// A mistake: a part of a text that becomes another one.
#[derive(Debug, Clone)]
struct Seed {
    kind: Kind,
    /// What the item that it is in defines.
    name: String,
    range: Range<usize>,
    text: String,
}

/// Kinds of mistakes, with the codes that they may show as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    UnknownName,
    UnknownConstructor,
    UnknownType,
    UnknownInterface,
    ForgottenForce,
    TooFewArguments,
    TooManyArguments,
    WrongArgument,
    SwappedArguments,
    MissingLift,
    MissingAdaptor,
    WrongAdaptor,
    StringForNumber,
    TooFewPatterns,
    TooManyPatterns,
    ConstructorPatterns,
    BoundTwice,
    MissingInstance,
    MissingAdjustment,
    TypeArguments,
    AbilityForType,
    Duplicate,
    ForgottenOperand,
    ForgottenBracket,
    SpareBracket,
    UnclosedString,
    BadEscape,
}

use Kind::*;

impl Kind {
    /// The codes that a mistake of this kind may show as.
    fn codes(self) -> &'static [&'static str] {
        match self {
            UnknownName => &["FK0101"],
            UnknownConstructor => &["FK0101", "FK0111"],
            UnknownType => &["FK0102"],
            UnknownInterface => &["FK0103"],
            ForgottenForce => &[
                "FK0201", "FK0203", "FK0206", "FK0210", "FK0213", "FK0301", "FK0302", "FK0303",
            ],
            TooFewArguments => &[
                "FK0201", "FK0202", "FK0203", "FK0204", "FK0206", "FK0207", "FK0210", "FK0213",
            ],
            TooManyArguments => &["FK0201", "FK0204", "FK0205", "FK0206", "FK0207"],
            WrongArgument => &[
                "FK0201", "FK0202", "FK0205", "FK0210", "FK0212", "FK0302", "FK0303",
            ],
            SwappedArguments => &[
                "FK0201", "FK0202", "FK0203", "FK0210", "FK0212", "FK0301", "FK0302", "FK0303",
                "FK0304",
            ],
            MissingLift => &["FK0201", "FK0202", "FK0303"],
            MissingAdaptor => &["FK0201", "FK0202", "FK0210", "FK0301", "FK0302", "FK0303"],
            WrongAdaptor => &["FK0304", "FK0305", "FK0301", "FK0302"],
            StringForNumber => &["FK0201", "FK0202", "FK0205", "FK0210", "FK0302", "FK0303"],
            TooFewPatterns | TooManyPatterns => &["FK0207"],
            ConstructorPatterns => &["FK0206"],
            BoundTwice => &["FK0108"],
            MissingInstance => &["FK0301", "FK0302", "FK0303", "FK0304", "FK0201"],
            MissingAdjustment => &["FK0306", "FK0301", "FK0302", "FK0303", "FK0201"],
            TypeArguments => &["FK0102", "FK0208", "FK0209"],
            AbilityForType => &["FK0209", "FK0208"],
            Duplicate => &["FK0106"],
            ForgottenOperand => &["FK0001"],
            ForgottenBracket => &["FK0002"],
            SpareBracket => &["FK0003"],
            // `"\"` ends where the next string begins, and what was in that stands outside.
            UnclosedString => &["FK0004", "FK0012"],
            BadEscape => &["FK0006"],
        }
    }

    /// Whether the mistake is one of a clause, which nothing outside of it can notice.
    fn is_inner(self) -> bool {
        !matches!(
            self,
            UnknownType
                | UnknownInterface
                | MissingInstance
                | MissingAdjustment
                | TypeArguments
                | AbilityForType
                | Duplicate
        )
    }
}

/// An item of a text with the mistakes that it can be seeded with.
struct Text<'a> {
    name: String,
    /// What stands for several instances.
    aliases: Vec<String>,
    offset: usize,
    text: &'a str,
    parsed: ParsedItem,
    seeds: Vec<Seed>,
}

impl Text<'_> {
    fn range(&self, node: NodeId) -> Range<usize> {
        let range = self.parsed.source_map.range(node);
        range.start().into()..range.end().into()
    }

    fn of(&self, term: TermId) -> Range<usize> {
        self.range(self.parsed.item.terms[term].id)
    }

    /// The range of a term with parentheses directly around it.
    fn whole(&self, term: TermId) -> Range<usize> {
        let range = self.of(term);
        let before = self.text[..range.start].trim_end();
        let after = self.text[range.end..].trim_start();
        if before.ends_with('(') && after.starts_with(')') {
            let end = range.end + (self.text.len() - range.end - after.len()) + 1;
            return before.len() - 1..end;
        }
        range
    }

    fn seed(&mut self, kind: Kind, range: Range<usize>, text: impl Into<String>) {
        let range = self.offset + range.start..self.offset + range.end;
        self.seeds.push(Seed {
            kind,
            name: self.name.clone(),
            range,
            text: text.into(),
        });
    }

    fn slice(&self, range: Range<usize>) -> String {
        self.text[range].to_owned()
    }

    fn all(&mut self) {
        let item: Item = self.parsed.item.clone();
        match &item.kind {
            ItemKind::Clause { .. } => {
                self.terms(&item);
                self.patterns(&item);
                self.syntax();
            }
            ItemKind::Signature { .. } => self.signature(&item),
            ItemKind::Data { .. } => self.data(&item),
            _ => {}
        }
    }

    fn terms(&mut self, item: &Item) {
        for (term, data) in item.terms.iter() {
            let here = self.of(term);
            match &data.kind {
                TermKind::Name(_) => self.seed(UnknownName, here, "qqq"),
                TermKind::Apply { head, args } if args.is_empty() => {
                    let head = self.whole(*head);
                    self.seed(ForgottenForce, head.end..here.end, "");
                }
                TermKind::Apply { head, args } => {
                    let is_head = item.terms.iter().any(|(_, other)| {
                        matches!(&other.kind, TermKind::Apply { head, .. } if *head == term)
                    });
                    if !is_head {
                        self.application(item, term, *head, args);
                    }
                }
                TermKind::Adapted { body, adaptors } if !adaptors.is_empty() => {
                    let body = self.slice(self.whole(*body));
                    let bare = body.strip_prefix('(').and_then(|b| b.strip_suffix(')'));
                    self.seed(MissingAdaptor, here, bare.unwrap_or(&body));
                    let adaptor = self.range(adaptors[0].id);
                    let interface = adaptors[0].interface.symbol;
                    self.seed(
                        WrongAdaptor,
                        adaptor.clone(),
                        format!("{interface}(s a b c d -> s a)"),
                    );
                    self.seed(WrongAdaptor, adaptor, format!("{interface}(s -> s zz)"));
                }
                TermKind::Natural(_) => self.seed(StringForNumber, here, "\"s\""),
                TermKind::Binary { operator_id, .. } => {
                    let operator = self.range(*operator_id);
                    let doubled = format!("{} * *", self.slice(operator.clone()));
                    self.seed(ForgottenOperand, operator, doubled);
                }
                TermKind::String(_) if self.text[here.clone()].starts_with('"') => {
                    self.seed(UnclosedString, here.end - 1..here.end, "");
                    self.seed(BadEscape, here.start + 1..here.start + 1, "\\q");
                }
                _ => {}
            }
        }
    }

    fn application(&mut self, item: &Item, term: TermId, head: TermId, args: &[TermId]) {
        let last = self.whole(*args.last().unwrap());
        let before = match args.len() {
            1 => self.whole(head).end,
            n => self.whole(args[n - 2]).end,
        };
        self.seed(TooFewArguments, before..last.end, "");
        self.seed(TooManyArguments, last.end..last.end, " 'c'");
        for arg in args {
            let arg = self.whole(*arg);
            self.seed(WrongArgument, arg, "'c'");
        }
        if let [first, second, ..] = args[..] {
            let (a, b) = (self.whole(first), self.whole(second));
            let between = self.slice(a.end..b.start);
            let swapped = format!(
                "{}{between}{}",
                self.slice(b.clone()),
                self.slice(a.clone())
            );
            self.seed(SwappedArguments, a.start..b.end, swapped);
        }
        let lifts = matches!(
            &item.terms[head].kind,
            TermKind::Name(name) if name.symbol.as_str().starts_with("lift")
        );
        // An adaptor cannot stand before what is no use.
        let adapted = self.text[..self.whole(term).start]
            .trim_end()
            .ends_with('>');
        if lifts && !adapted {
            let arg = self.slice(self.whole(args[0]));
            self.seed(MissingLift, self.of(term), arg);
        }
    }

    fn patterns(&mut self, item: &Item) {
        let ItemKind::Clause { clause, .. } = &item.kind else {
            return;
        };
        if let [first, _, ..] = clause.patterns[..] {
            let whole = self.pattern_range(item, first);
            self.seed(TooFewPatterns, whole.clone(), "");
            self.seed(TooManyPatterns, whole.start..whole.start, "_ ");
        }
        let mut bound: Vec<String> = Vec::new();
        for (_, pattern) in item.patterns.iter() {
            let here = self.range(pattern.id);
            match &pattern.kind {
                PatternKind::Constructor { name, args } if !args.is_empty() => {
                    let name = self.range(name.id);
                    self.seed(ConstructorPatterns, name.end..name.end, " _");
                    self.seed(UnknownConstructor, name, "Qqq");
                }
                PatternKind::Name(name) => {
                    let name = name.symbol.to_string();
                    if let Some(other) = bound.last() {
                        self.seed(BoundTwice, here, other.clone());
                    }
                    if !name.starts_with('_') {
                        bound.push(name);
                    }
                }
                _ => {}
            }
        }
    }

    fn pattern_range(&self, item: &Item, pattern: PatternId) -> Range<usize> {
        self.range(item.patterns[pattern].id)
    }

    /// Brackets.
    fn syntax(&mut self) {
        let body = self.text.trim_end();
        if body.contains("--") || body.contains('"') || body.contains('\'') {
            return;
        }
        let end = body.len();
        self.seed(SpareBracket, end..end, ")");
        if let Some(last) = body.rfind(')').filter(|last| *last + 1 == end) {
            self.seed(ForgottenBracket, last..end, "");
        }
    }

    fn signature(&mut self, item: &Item) {
        let ItemKind::Signature { ty, .. } = &item.kind else {
            return;
        };
        if let Some(ability) = &ty.peg.ability
            && !ability.instances.is_empty()
        {
            let whole = self.range(ability.id);
            for dropped in 0..ability.instances.len() {
                let interface = ability.instances[dropped].interface.symbol.to_string();
                if self.aliases.contains(&interface) {
                    continue;
                }
                let rest: Vec<String> = ability
                    .instances
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| *i != dropped)
                    .map(|(_, instance)| self.slice(self.range(instance.id)))
                    .collect();
                self.seed(
                    MissingInstance,
                    whole.clone(),
                    format!("[{}]", rest.join(", ")),
                );
            }
            let interface = self.range(ability.instances[0].interface.id);
            self.seed(UnknownInterface, interface, "Qqq");
        }
        for port in &ty.ports {
            if let [Adjustment::Instance(instance)] = &port.adjustments[..]
                && !self
                    .aliases
                    .contains(&instance.interface.symbol.to_string())
            {
                let start = self.range(instance.id).start;
                let open = self.text[..start].rfind('<').unwrap();
                let close = start + self.text[start..].find('>').unwrap();
                self.seed(MissingAdjustment, open..close + 1, "");
            }
        }
        for (_, ty) in item.types.iter() {
            if let TypeKind::Name { args, .. } = &ty.kind
                && !args.is_empty()
            {
                let here = self.range(ty.id);
                self.seed(TypeArguments, here.end..here.end, " Int");
                let first = self.range(match &args[0] {
                    TypeArg::Type(ty) => item.types[*ty].id,
                    TypeArg::Ability(ability) => ability.id,
                });
                let before = self.text[..first.start].trim_end();
                if !self.text[first.clone()].starts_with('[') && !before.ends_with('(') {
                    self.seed(AbilityForType, first, "[0]");
                }
            }
        }
    }

    fn data(&mut self, item: &Item) {
        let ItemKind::Data { constructors, .. } = &item.kind else {
            return;
        };
        for constructor in constructors {
            let here = self.range(constructor.id);
            self.seed(UnknownType, here.end..here.end, " Qqq");
            let name = constructor.name.symbol;
            self.seed(Duplicate, here.end..here.end, format!(" | {name}"));
        }
    }
}

fn seeds(text: &str) -> Vec<Seed> {
    let mut seeds = Vec::new();
    let is_alias = |line: &&str| line.starts_with("interface") && line.contains("= [");
    let name = |line: &str| line.split(' ').nth(1).unwrap_or_default().to_owned();
    let library = LIBRARY.iter().map(|(_, text)| *text);
    let lines = library.chain([text]).flat_map(str::lines);
    let aliases: Vec<String> = lines.filter(is_alias).map(name).collect();
    for outlined in split(text) {
        let own = outlined.text(text);
        let mut one = Text {
            aliases: aliases.clone(),
            name: outlined
                .name
                .map_or_else(String::new, |name| name.to_string()),
            offset: outlined.range.start,
            text: own,
            parsed: parse_item(own),
            seeds: Vec::new(),
        };
        one.all();
        seeds.extend(one.seeds);
    }
    seeds
}

fn planted(text: &str, seeds: &[&Seed]) -> String {
    let mut seeds: Vec<&&Seed> = seeds.iter().collect();
    seeds.sort_by_key(|seed| std::cmp::Reverse(seed.range.start));
    let mut text = text.to_owned();
    for seed in seeds {
        text.replace_range(seed.range.clone(), &seed.text);
    }
    text
}

/// Correct programs: the library, the examples, and the conformance chapters' programs.
fn corpus() -> Vec<(String, String)> {
    let mut corpus = Vec::new();
    for entry in std::fs::read_dir(project_root().join("docs/examples")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(".fk") {
            corpus.push((name, std::fs::read_to_string(path).unwrap()));
        }
    }
    for (name, text) in LIBRARY {
        corpus.push((format!("{name}.fk"), (*text).to_owned()));
    }
    for entry in std::fs::read_dir(project_root().join("tests/conformance")).unwrap() {
        let path = entry.unwrap().path();
        let chapter = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        for (i, block) in text.split("\n```frank\n").skip(1).enumerate() {
            let block = block.split("\n```").next().unwrap().to_owned() + "\n";
            if !block.contains("-- file:") {
                corpus.push((format!("{chapter}{i}.fk"), block));
            }
        }
    }
    corpus.sort();
    corpus.retain(|(_, text)| Program::single(text).errors() == 0);
    corpus
}

/// What the errors of a program are, with the names of the items that they stand in.
fn errors(program: &Program) -> Vec<(String, &'static str)> {
    let files = program.load();
    let text = &program.files[0].1;
    let items = split(text);
    support::findings(&files, program)
        .into_iter()
        .filter(|problem| problem.is_error())
        .map(|problem| {
            let start = usize::from(files.range(problem.location).start());
            let item = items.iter().rev().find(|item| item.range.start <= start);
            let name = item.and_then(|item| item.name);
            (
                name.map_or_else(String::new, |n| n.to_string()),
                problem.code.as_str(),
            )
        })
        .collect()
}

/// So many mistakes of one kind at most are tried in one program.
const SAMPLE: usize = 3;

/// Every n-th of the seeds of each kind.
fn sample(seeds: &[Seed]) -> Vec<&Seed> {
    let mut by_kind: BTreeMap<Kind, Vec<&Seed>> = BTreeMap::new();
    for seed in seeds {
        by_kind.entry(seed.kind).or_default().push(seed);
    }
    by_kind
        .into_values()
        .flat_map(|seeds| {
            let step = seeds.len().div_ceil(SAMPLE);
            seeds.into_iter().step_by(step)
        })
        .collect()
}

/// A generator of numbers that differ little enough from random ones.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Whether two mistakes can be one of the signature. One of the clauses has a wrong number of patterns, and the other calls
/// something with a wrong number of arguments; or one no longer applies a parameter, and the other exchanges the
/// arguments of a call: then the signature may have its ports the wrong way round.
fn say_alike(one: Kind, other: Kind) -> bool {
    let alike = |one, other| match one {
        TooFewArguments => matches!(other, TooFewPatterns | TooManyPatterns | SwappedArguments),
        TooManyArguments => matches!(other, TooFewPatterns | TooManyPatterns),
        _ => false,
    };
    alike(one, other) || alike(other, one)
}

/// What came of the mistakes that one program or all were seeded with.
#[derive(Default)]
struct Tally {
    failures: Vec<String>,
    /// Of each kind, how many were tried, and how many of them are none there.
    kinds: BTreeMap<Kind, (usize, usize)>,
    /// How many programs had several mistakes.
    together: usize,
}

fn tried(name: &str, text: &str) -> Tally {
    let mut tally = Tally::default();
    let Tally {
        failures,
        kinds,
        together,
    } = &mut tally;
    // What is tried in a program does not depend on the others.
    let mut numbers = Numbers(7);
    let all = seeds(text);
    let program = |seeds: &[&Seed]| Program {
        files: vec![(name.to_owned(), planted(text, seeds))],
    };
    let mut alone: Vec<(&Seed, &'static str)> = Vec::new();
    for seed in sample(&all) {
        let broken = program(&[seed]);
        let found = errors(&broken);
        let own: Vec<_> = found
            .iter()
            .filter(|(item, _)| *item == seed.name)
            .collect();
        let counted = kinds.entry(seed.kind).or_default();
        counted.0 += 1;
        // A name that happens to be another one's, a port that no clause handles anything of.
        let shows_as = match seed.kind {
            BoundTwice => "FK0108",
            MissingAdjustment => "FK0306",
            _ => "",
        };
        if !shows_as.is_empty() && own.iter().all(|(_, code)| *code != shows_as) {
            counted.0 -= 1;
            continue;
        }
        // Other definitions rely on what signatures and declarations say.
        let judged = if seed.kind.is_inner() {
            found.len()
        } else {
            own.len()
        };
        match (judged, &own[..]) {
            // It happens to make sense.
            (0, _) => counted.1 += 1,
            (1, [(_, code)]) if seed.kind.codes().contains(code) => {
                if found.len() == 1 && seed.kind.is_inner() {
                    alone.push((seed, code));
                }
            }
            _ => failures.push(format!(
                "{name}: {:?} gives {found:?}: {:?} -> {:?}\n{}",
                seed.kind,
                &text[seed.range.clone()],
                seed.text,
                render(&broken)
            )),
        }
    }
    // Several mistakes, each in a definition of its own.
    for _ in 0..if alone.len() > 3 { 3 } else { 0 } {
        let mut chosen: Vec<(&Seed, &'static str)> = Vec::new();
        let mut names = HashSet::new();
        for _ in 0..8 {
            let one = alone[numbers.below(alone.len())];
            let is_same = chosen
                .iter()
                .any(|(seed, _)| say_alike(one.0.kind, seed.kind));
            if !is_same && names.insert(one.0.name.clone()) {
                chosen.push(one);
            }
        }
        let broken = program(&chosen.iter().map(|(seed, _)| *seed).collect::<Vec<_>>());
        let found: BTreeSet<_> = errors(&broken).into_iter().collect();
        let wanted: BTreeSet<_> = chosen
            .iter()
            .map(|(seed, code)| (seed.name.clone(), *code))
            .collect();
        *together += 1;
        if found != wanted || errors(&broken).len() != chosen.len() {
            let chosen: Vec<_> = chosen.iter().map(|(seed, _)| seed).collect();
            failures.push(format!(
                "{name}: {chosen:#?}\nwanted {wanted:?}, found {found:?}\n{}",
                render(&broken)
            ));
        }
    }
    tally
}

#[test]
fn k_independent_mistakes_are_k_errors() {
    let corpus = corpus();
    let each = corpus.par_iter().map(|(name, text)| tried(name, text));
    let Tally {
        failures,
        kinds,
        together,
    } = each.reduce(Tally::default, |mut all, one| {
        all.failures.extend(one.failures);
        all.together += one.together;
        for (kind, (tried, harmless)) in one.kinds {
            let counted = all.kinds.entry(kind).or_default();
            counted.0 += tried;
            counted.1 += harmless;
        }
        all
    });
    for (kind, (tried, harmless)) in &kinds {
        println!("{kind:?}: {tried} tried, {harmless} of them harmless");
        assert!(
            *harmless * 2 < *tried,
            "most mistakes are not noticed: {kind:?}"
        );
    }
    println!(
        "{together} programs with several mistakes, {} failures",
        failures.len()
    );
    assert_eq!(kinds.len(), 27, "kinds without a mistake");
    assert!(
        failures.is_empty(),
        "{}\n{} failures",
        failures.join("\n\n"),
        failures.len()
    );
}
