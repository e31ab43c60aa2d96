//! What tests of messages share: programs in Markdown, plain rendering, edits.

#![allow(dead_code, reason = "each test uses a part")]

use std::path::{Path, PathBuf};

use frank_analysis::db::Origin;
use frank_analysis::diagnostics::{Diagnostic, Fix, Location};
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;

/// A program of several files; the last one is the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub files: Vec<(String, String)>,
}

impl Program {
    /// Reads a program in which `-- file: NAME` begins another file.
    pub fn parse(text: &str) -> Program {
        let mut files = vec![("main.fk".to_owned(), String::new())];
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("-- file: ") {
                if files.last().is_some_and(|(_, text)| text.trim().is_empty()) {
                    files.pop();
                }
                files.push((name.trim().to_owned(), String::new()));
            } else if let Some((_, text)) = files.last_mut() {
                text.push_str(line);
                text.push('\n');
            }
        }
        Program { files }
    }

    pub fn single(text: &str) -> Program {
        Program {
            files: vec![("main.fk".to_owned(), text.to_owned())],
        }
    }

    /// The program as [`Program::parse`] reads it.
    pub fn text(&self) -> String {
        if let [(name, text)] = &self.files[..]
            && name == "main.fk"
        {
            return text.clone();
        }
        self.files
            .iter()
            .map(|(name, text)| format!("-- file: {name}\n{text}"))
            .collect()
    }

    pub fn load(&self) -> Files {
        let mut files = Files::new(None);
        for (name, text) in &self.files {
            files.set_text(name, text);
        }
        files
    }

    /// All findings, in the order of the files and their texts.
    pub fn findings(&self) -> Vec<Diagnostic> {
        findings(&self.load(), self)
    }

    pub fn errors(&self) -> usize {
        self.findings()
            .iter()
            .filter(|problem| problem.is_error())
            .count()
    }
}

pub fn findings(files: &Files, program: &Program) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    for (name, _) in &program.files {
        let Some(file) = files.file(name) else {
            continue;
        };
        let mut found = file_diagnostics(files.db(), file);
        found.sort_by_key(|problem| {
            let range = files.range(problem.location);
            (range.start(), range.end(), problem.code)
        });
        all.extend(found);
    }
    all
}

/// The findings of a program as plain text.
pub fn render(program: &Program) -> String {
    let files = program.load();
    let mut out = String::new();
    for problem in findings(&files, program) {
        if !out.is_empty() {
            out.push('\n');
        }
        render_one(&files, program, &problem, &mut out);
    }
    if out.is_empty() {
        "no findings\n".to_owned()
    } else {
        out
    }
}

fn render_one(files: &Files, program: &Program, problem: &Diagnostic, out: &mut String) {
    let word = problem.severity.word();
    out.push_str(&format!(
        "{word}[{}]: {}\n",
        problem.code.as_str(),
        problem.message
    ));
    out.push_str(&format!("{}\n", place(files, problem.location, true)));
    for related in &problem.related {
        out.push_str(&format!(
            "  note: {}: {}\n",
            place(files, related.location, false).trim_start(),
            related.message
        ));
    }
    for help in &problem.help {
        let mut lines = help.lines();
        out.push_str(&format!("  help: {}\n", lines.next().unwrap_or_default()));
        for line in lines {
            out.push_str(&format!("        {line}\n"));
        }
    }
    for fix in &problem.fixes {
        out.push_str(&format!("  fix: {}\n", fix.title));
        let fixed = apply(files, program, fix);
        for ((name, before), (_, after)) in program.files.iter().zip(&fixed.files) {
            for line in changed_lines(before, after) {
                let prefix = if program.files.len() > 1 {
                    format!("{name}: ")
                } else {
                    String::new()
                };
                out.push_str(&format!("       {prefix}{line}\n"));
            }
        }
    }
}

/// The lines of `after` that are not in `before`, between their common start and end.
fn changed_lines<'a>(before: &str, after: &'a str) -> Vec<&'a str> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - start;
    let end = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(|(a, b)| a == b)
        .count()
        .min(most);
    new[start..new.len() - end].to_vec()
}

/// ` --> main.fk:3:5` with the line under it, or `main.fk:3:5 `word`` in one line.
fn place(files: &Files, location: Location, whole: bool) -> String {
    let file = location.item.file(files.db());
    let text = files.text(file);
    let range = files.range(location);
    let (start, end) = (usize::from(range.start()), usize::from(range.end()));
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let line = text[..start].matches('\n').count() + 1;
    let column = text[line_start..start].chars().count() + 1;
    let path = file.path(files.db());
    let path = if file.origin(files.db()) == Origin::Library {
        path.rsplit('/').next().unwrap_or(path)
    } else {
        path
    };
    if !whole {
        let quoted: String = text[start..end]
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let shown: String = quoted.chars().take(30).collect();
        let dots = if quoted.chars().count() > 30 {
            "…"
        } else {
            ""
        };
        return format!("{path}:{line}:{column} `{shown}{dots}`");
    }
    let shown = &text[line_start..line_end];
    let marked = text[start..end.min(line_end).max(start)]
        .chars()
        .count()
        .max(1);
    let number = line.to_string();
    let pad = " ".repeat(number.len());
    format!(
        "{pad}--> {path}:{line}:{column}\n{number} | {shown}\n{pad} | {}{}",
        " ".repeat(column - 1),
        "^".repeat(marked)
    )
}

/// The program after a fix.
pub fn apply(files: &Files, program: &Program, fix: &Fix) -> Program {
    let mut edits: Vec<(String, usize, usize, String)> = fix
        .edits
        .iter()
        .map(|edit| {
            let file = edit
                .location
                .item
                .file(files.db())
                .path(files.db())
                .to_owned();
            let range = edit.replaced(files.range(edit.location));
            let (start, end) = (usize::from(range.start()), usize::from(range.end()));
            (file, start, end, edit.text.clone())
        })
        .collect();
    edits.sort_by_key(|(_, start, _, _)| std::cmp::Reverse(*start));
    let mut fixed = program.clone();
    for (path, start, end, text) in edits {
        if let Some((_, file)) = fixed.files.iter_mut().find(|(name, _)| *name == path) {
            file.replace_range(start..end, &text);
        }
    }
    fixed
}

/// The root of the project.
pub fn project_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("a workspace")
        .to_owned()
}

/// Whether tests write what they find instead of comparing with it.
pub fn updating() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value != "0")
}

/// Compares a file with what it should say, or writes it.
pub fn expect_file(path: &Path, wanted: &str, failures: &mut Vec<String>) {
    let found = std::fs::read_to_string(path).unwrap_or_default();
    if found == wanted {
        return;
    }
    if updating() {
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("writable");
        std::fs::write(path, wanted).expect("writable");
        return;
    }
    let line = found
        .lines()
        .zip(wanted.lines())
        .take_while(|(a, b)| a == b)
        .count();
    let near = |text: &str| {
        text.lines()
            .skip(line.saturating_sub(2))
            .take(8)
            .collect::<Vec<_>>()
            .join("\n")
    };
    failures.push(format!(
        "{} differs from line {} on (UPDATE_EXPECT=1 writes it)\n--- there\n{}\n--- now\n{}",
        path.display(),
        line + 1,
        near(&found),
        near(wanted)
    ));
}
