//! The links of the book, and its contents.

use std::collections::BTreeSet;

use frank_tests::book::{Anchors, Page, book_root, pages};
use frank_tests::project_root;

/// The text of a page without its fenced blocks and without code in lines.
fn prose(text: &str) -> String {
    let mut prose = String::new();
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => {
                prose.push_str(line);
                prose.push('\n');
            }
        }
    }
    // Every second part between backticks is code.
    let parts = prose.split('`').enumerate();
    parts.fold(String::new(), |mut kept, (i, part)| {
        if i % 2 == 0 {
            kept.push_str(part);
        } else {
            kept.push('`');
            kept.extend(part.chars().filter(|c| !"[]()".contains(*c)));
            kept.push('`');
        }
        kept
    })
}

/// The targets of a page's links and images.
fn targets(text: &str) -> Vec<String> {
    let prose = prose(text);
    let starts = prose.match_indices("](").map(|(at, _)| at + 2);
    starts
        .filter_map(|start| {
            let rest = &prose[start..];
            Some(rest[..rest.find(')')?].to_owned())
        })
        .collect()
}

/// The anchors of a page's headings, as mdbook and GitHub make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = Anchors::default();
    let mut fenced = false;
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        }
        let title = line.trim_start_matches('#');
        if !fenced && title.len() < line.len() && title.starts_with(' ') {
            anchors.of(title);
        }
    }
    anchors.given
}

fn broken_links(page: &Page, all: &[Page]) -> Vec<String> {
    let mut broken = Vec::new();
    for target in targets(&page.text) {
        if target.starts_with("https://") || target.starts_with("http://") {
            continue;
        }
        let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
        let path = match file {
            "" => page.path.clone(),
            _ => page.path.parent().unwrap().join(file),
        };
        let Ok(path) = path.canonicalize() else {
            broken.push(format!("{target} leads nowhere"));
            continue;
        };
        if !path.starts_with(book_root().canonicalize().unwrap()) {
            broken.push(format!("{target} leads out of the book"));
        }
        if anchor.is_empty() {
            continue;
        }
        let page = all
            .iter()
            .find(|page| page.path.canonicalize().is_ok_and(|known| known == path));
        if !page.is_some_and(|page| anchors(&page.text).contains(anchor)) {
            broken.push(format!("{target} names no heading"));
        }
    }
    broken
}

#[test]
fn links_lead_somewhere() {
    let all = pages().unwrap();
    let mut failures = Vec::new();
    for page in &all {
        for why in broken_links(page, &all) {
            failures.push(format!("docs/{}: {why}", page.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Pages outside of the book may lead anywhere in the project.
#[test]
fn links_of_other_pages_lead_somewhere() {
    let root = project_root();
    for name in [
        "README.md",
        "SECURITY.md",
        "server/library/README.md",
        "tests/conformance/README.md",
    ] {
        let path = root.join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        for target in targets(&text) {
            let file = target.split('#').next().unwrap();
            assert!(
                target.starts_with("https://") || path.parent().unwrap().join(file).exists(),
                "{name}: {target} leads nowhere"
            );
        }
    }
}

#[test]
fn the_contents_mention_every_page_once() {
    let all = pages().unwrap();
    let summary = all.iter().find(|page| page.name == "SUMMARY.md").unwrap();
    let mut mentioned = targets(&summary.text);
    mentioned.sort();
    let mut names: Vec<String> = all.iter().map(|page| page.name.clone()).collect();
    names.retain(|name| name != "SUMMARY.md");
    names.sort();
    assert_eq!(mentioned, names);
}

#[test]
fn headings_make_anchors() {
    let page =
        "# The type `Int`\n```sh\n# no heading\n```\n## What's *new*?\n### `int`\n### `Int`\n";
    let expected = ["the-type-int", "whats-new", "int", "int-1"];
    assert_eq!(anchors(page), expected.map(str::to_owned).into());
}

#[test]
fn code_has_no_links() {
    let page = "A [link](a.md) and `main : [Console](List Int)`.\n\n```frank\nf : [E](X)\n```\n[b\n](b.md)\n";
    assert_eq!(targets(page), ["a.md", "b.md"]);
}
