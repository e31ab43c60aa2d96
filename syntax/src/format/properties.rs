//! What formatting promises, tried on random programs and on the programs of the project.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::generate::{Random, Spread, comments, item, spread};
use super::*;

fn formatted(text: &str) -> String {
    format(text, &FormatOptions::default()).apply(text)
}

/// Checks all promises for a text.
pub(super) fn check(text: &str, columns: usize) {
    let options = FormatOptions { columns };
    let once = format(text, &options).apply(text);
    let (before, after) = (split(text), split(&once));
    assert_eq!(before.len(), after.len(), "{text}\nbecame\n{once}");
    for (before, after) in before.iter().zip(&after) {
        let (old, new) = (parse_item(before.text(text)), parse_item(after.text(&once)));
        assert_eq!(old.item, new.item, "{text}\nbecame\n{once}");
        assert_eq!(old.errors.len(), new.errors.len(), "{text}\nbecame\n{once}");
        if !old.errors.is_empty() {
            assert_eq!(
                before.text(text),
                after.text(&once),
                "{text}\nbecame\n{once}"
            );
        }
    }
    assert_eq!(comments(text), comments(&once), "{text}\nbecame\n{once}");
    let twice = format(&once, &options).apply(&once);
    assert_eq!(once, twice, "{text}\nbecame\n{once}\nand then\n{twice}");
}

/// The text of a program of the project with other blanks.
fn mangled(text: &str, random: &mut Random, how: Spread) -> String {
    let mut mangled = String::new();
    for item in split(text) {
        let mut tokens = Vec::new();
        token::read(text, &item, &mut tokens);
        let code = tokens
            .iter()
            .position(|token| !token.kind.is_comment())
            .unwrap_or(0);
        let tokens: Vec<String> = tokens
            .iter()
            .map(|token| text[token.start..token.end].to_owned())
            .collect();
        for comment in &tokens[..code] {
            mangled.push_str(&" ".repeat(random.below(3) as usize));
            mangled.push_str(comment);
            mangled.push_str(&"\n".repeat(1 + random.below(3) as usize));
        }
        // Comments within the item would swallow what follows.
        let tokens: Vec<String> = tokens[code..]
            .iter()
            .filter(|token| !token.starts_with("--"))
            .cloned()
            .collect();
        mangled.push_str(&spread(random, &tokens, 0, how));
        mangled.push_str(&"\n".repeat(random.below(4) as usize));
    }
    mangled
}

/// The files below a directory of the project that end in `extension`.
fn files(directory: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|known| known == extension) {
            found.push(path);
        }
    }
}

fn texts(directories: &[&str], extension: &str) -> Vec<String> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut found = Vec::new();
    for directory in directories {
        files(&root.join(directory), extension, &mut found);
    }
    found.sort();
    found
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect()
}

fn programs() -> Vec<String> {
    let directories = [
        "server/library",
        "docs/examples",
        "syntax/tests",
        "tests/benches",
        "editors/vscode/samples",
    ];
    let programs = texts(&directories, "fk");
    assert!(programs.len() > 25);
    programs
}

/// The programs in the book and in the conformance chapters, those with mistakes included.
fn blocks() -> Vec<String> {
    let mut blocks = Vec::new();
    for text in texts(&["docs", "tests/conformance"], "md") {
        let mut block: Option<String> = None;
        for line in text.split_inclusive('\n') {
            match &mut block {
                None if line.starts_with("```frank") => block = Some(String::new()),
                None => {}
                Some(_) if line.starts_with("```") => blocks.extend(block.take()),
                Some(block) => block.push_str(line),
            }
        }
    }
    assert!(blocks.len() > 500, "{}", blocks.len());
    blocks
}

fn check_mangled(program: &str, index: u64, seeds: std::ops::Range<u64>) {
    check(program, 100);
    check(&program.replace('\n', "\r\n"), 60);
    for seed in seeds {
        let mut random = Random::new(seed * 1000 + index);
        let how = Spread {
            line_breaks: seed,
            comments: 0,
            newline: if seed % 5 == 4 { "\r\n" } else { "\n" },
        };
        let mangled = mangled(program, &mut random, how);
        check(&mangled, if seed % 2 == 0 { 100 } else { 40 });
    }
}

#[test]
fn programs_of_the_project() {
    for (index, program) in programs().iter().enumerate() {
        check_mangled(program, index as u64, 0..20);
    }
}

#[test]
fn programs_of_the_book_and_the_chapters() {
    for (index, program) in blocks().iter().enumerate() {
        let first = index as u64 % 17;
        check_mangled(program, index as u64, first..first + 4);
    }
}

/// An item on one line is formatted in one way, however it was spaced.
#[test]
fn blanks_do_not_matter() {
    let how = Spread {
        line_breaks: 0,
        comments: 0,
        newline: "\n",
    };
    for program in programs() {
        for item in split(&program) {
            let text = &item.text(&program)[item.token_offset..];
            // What follows a comment of several lines keeps its column.
            if text.contains("{--") {
                continue;
            }
            let once = formatted(&mangled(text, &mut Random::new(1), how))
                .trim_end()
                .to_owned();
            for seed in 2..6 {
                let again = formatted(&mangled(text, &mut Random::new(seed), how));
                assert_eq!(again.trim_end(), once);
            }
        }
    }
}

fn generated() -> impl Strategy<Value = String> {
    (
        any::<u64>(),
        1usize..6,
        0u64..6,
        0u64..20,
        0u64..10,
        0usize..3,
        any::<bool>(),
    )
        .prop_map(
            |(seed, items, depth, line_breaks, comments, column, crlf)| {
                let mut random = Random::new(seed);
                let mut text = String::new();
                let newline = if crlf { "\r\n" } else { "\n" };
                for _ in 0..items {
                    let tokens = item(&mut random, depth);
                    text.push_str(&spread(
                        &mut random,
                        &tokens,
                        column,
                        Spread {
                            line_breaks,
                            comments,
                            newline,
                        },
                    ));
                    for _ in 0..random.below(4) / 2 {
                        text.push_str(newline);
                    }
                    if random.percent(20) {
                        text.push_str("   -- about it\n");
                    }
                }
                text
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_programs(text in generated(), columns in 20usize..120) {
        check(&text, columns);
    }

    #[test]
    fn damaged_programs(text in generated(), damage in "[-(){}<>|!=:;,\"' a\n]{1,3}", at in any::<prop::sample::Index>()) {
        let mut text = text;
        let at = (0..=at.index(text.len() + 1)).rev().find(|&at| text.is_char_boundary(at)).unwrap();
        text.insert_str(at, &damage);
        check(&text, 100);
    }

    #[test]
    fn parts_of_programs(text in generated(), start in any::<prop::sample::Index>(), end in any::<prop::sample::Index>()) {
        let options = FormatOptions::default();
        let (start, end) = (start.index(text.len() + 1), end.index(text.len() + 1));
        let range = start.min(end)..start.max(end);
        let whole = format(&text, &options).edits;
        let part = format_range(&text, range.clone(), &options).edits;
        prop_assert!(part.iter().all(|edit| whole.contains(edit)));
        let items = split(&text);
        let wanted = items.iter().filter(|item| item.range.start < range.end && range.start < item.range.end);
        for item in wanted {
            let inside = |edit: &&FormatEdit| item.range.start <= edit.range.start && edit.range.end <= item.range.end;
            prop_assert!(whole.iter().filter(inside).all(|edit| part.contains(edit)));
        }
    }
}
