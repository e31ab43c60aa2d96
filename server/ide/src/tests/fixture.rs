//! Fixtures for tests: Frank text with a cursor `$0`, ranges marked by lines of `^^^ label` under
//! them, and `//- path` in front of each file but the first, `main.fk`.

use frank_analysis::db::SourceFile;
use frank_analysis::files::Files;
use text_size::{TextRange, TextSize};

use crate::{Analysis, FilePosition, FileRange};

pub(crate) struct Fixture {
    pub files: Files,
    pub sources: Vec<(String, SourceFile)>,
    pub cursor: Option<FilePosition>,
    /// The marked ranges with their labels, in the order of the text.
    pub marks: Vec<(FileRange, String)>,
}

impl Fixture {
    pub fn new(text: &str) -> Fixture {
        let mut parts: Vec<(String, String)> = vec![("main.fk".to_owned(), String::new())];
        for line in text.split_inclusive('\n') {
            match line.strip_prefix("//- ") {
                Some(path) => parts.push((path.trim().to_owned(), String::new())),
                None => parts.last_mut().expect("a file").1.push_str(line),
            }
        }
        parts.retain(|(_, text)| !text.is_empty());
        let mut files = Files::new(None);
        let mut cursor = None;
        let mut marks = Vec::new();
        let mut cleaned = Vec::new();
        for (path, text) in &parts {
            let (text, found) = clean(text);
            cleaned.push((path.clone(), text, found));
        }
        let texts: Vec<(String, &str)> = cleaned
            .iter()
            .map(|(path, text, _)| (path.clone(), text.as_str()))
            .collect();
        let added = files.add(&texts);
        let mut sources = Vec::new();
        for ((path, _, found), file) in cleaned.iter().zip(added) {
            if let Some(offset) = found.cursor {
                cursor = Some(FilePosition::new(file, offset));
            }
            marks.extend(found.marks.iter().map(|(range, label)| {
                (
                    FileRange {
                        file,
                        range: *range,
                    },
                    label.clone(),
                )
            }));
            sources.push((path.clone(), file));
        }
        Fixture {
            files,
            sources,
            cursor,
            marks,
        }
    }

    pub fn analysis(&self) -> Analysis {
        Analysis::new(self.files.snapshot())
    }

    pub fn cursor(&self) -> FilePosition {
        self.cursor.expect("a cursor `$0`")
    }

    pub fn main(&self) -> SourceFile {
        self.sources[0].1
    }

    pub fn text(&self, at: FileRange) -> String {
        let text = self.files.text(at.file);
        text[std::ops::Range::<usize>::from(at.range)].to_owned()
    }

    /// `path:line:column`, counted from 1.
    pub fn place(&self, at: FileRange) -> String {
        let text = self.files.text(at.file);
        let before = &text[..usize::from(at.range.start())];
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |i| i + 1) + 1;
        let path = at.file.path(self.files.db());
        format!("{path}:{line}:{column} `{}`", self.text(at))
    }

    /// The marked ranges without their labels.
    pub fn ranges(&self) -> Vec<FileRange> {
        self.marks.iter().map(|(range, _)| *range).collect()
    }
}

struct Found {
    cursor: Option<usize>,
    marks: Vec<(TextRange, String)>,
}

fn clean(text: &str) -> (String, Found) {
    let mut out = String::new();
    let mut found = Found {
        cursor: None,
        marks: Vec::new(),
    };
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        if trimmed.starts_with('^') {
            let mut column = line.len() - trimmed.len();
            let mut rest = trimmed.trim_end();
            let mut own = Vec::new();
            while rest.starts_with('^') {
                let width = rest.bytes().take_while(|b| *b == b'^').count();
                let start = TextSize::new((line_start + column) as u32);
                own.push(TextRange::at(start, TextSize::new(width as u32)));
                let after = rest[width..].trim_start();
                column += rest.len() - after.len();
                rest = after;
            }
            found
                .marks
                .extend(own.into_iter().map(|range| (range, rest.to_owned())));
            continue;
        }
        line_start = out.len();
        match line.find("$0") {
            Some(at) => {
                found.cursor = Some(line_start + at);
                out.push_str(&line.replacen("$0", "", 1));
            }
            None => out.push_str(line),
        }
    }
    (out, found)
}
