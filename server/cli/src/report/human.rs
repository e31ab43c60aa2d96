//! Findings for people, drawn as good compilers do.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use frank_analysis::diagnostics::Severity;

use frank_syntax::visible::{drawn, visible_lines};

use super::Options;
use crate::findings::{Findings, SourceRange};
use crate::output::{count, width};
use crate::source::Source;

/// Places in one file that are further apart than this, in lines, are drawn on their own.
const NEAR: usize = 200;
/// Lines longer than this, in bytes, are cut before they are drawn.
const LONG: usize = 1000;
/// So many places of a message are drawn at most.
const MOST_MARKS: usize = 16;
/// How much of a long line is kept on each side of what is marked.
const KEPT: usize = 60;

/// Draws all findings, with a blank line behind each.
pub fn write(out: &mut dyn Write, findings: &Findings, colored: bool) -> io::Result<()> {
    let renderer = renderer(colored);
    for finding in &findings.findings {
        let goal = finding.goal.as_ref();
        let goal = goal.map(|goal| goal.known.lines().join("\n"));
        let related = finding.related.iter().map(|(place, label)| Mark {
            place,
            label: Some(label),
        });
        let primary = Mark {
            place: &finding.place,
            label: None,
        };
        let message = Message {
            severity: finding.severity,
            text: &finding.message,
            code: Some(finding.code.as_str()),
            marks: std::iter::once(primary).chain(related).collect(),
            notes: goal.iter().map(String::as_str).collect(),
            help: finding.help.iter().map(String::as_str).collect(),
        };
        writeln!(
            out,
            "{}\n",
            renderer.render(&[message.group(&findings.sources)])
        )?;
    }
    Ok(())
}

fn renderer(colored: bool) -> Renderer {
    let renderer = if colored {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.term_width(width())
}

/// A message with the places that it is about.
pub struct Message<'m> {
    pub severity: Severity,
    pub text: &'m str,
    pub code: Option<&'static str>,
    /// The first one is the primary one.
    pub marks: Vec<Mark<'m>>,
    pub notes: Vec<&'m str>,
    pub help: Vec<&'m str>,
}

/// A place to mark, with what to say there.
#[derive(Clone, Copy)]
pub struct Mark<'m> {
    pub place: &'m SourceRange,
    pub label: Option<&'m str>,
}

impl Message<'_> {
    /// Draws the message, with a line break behind it.
    pub fn write(&self, out: &mut dyn Write, sources: &[Source], colored: bool) -> io::Result<()> {
        writeln!(out, "{}", renderer(colored).render(&[self.group(sources)]))
    }

    fn group<'g>(&'g self, sources: &'g [Source]) -> Group<'g> {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Hint => Level::NOTE.with_name("hint"),
        };
        let mut title = level.primary_title(visible_lines(self.text));
        if let Some(code) = self.code {
            title = title.id(code);
        }
        let mut group = Group::with_title(title);
        for cluster in self.clusters(sources) {
            group = draw(group, sources, &cluster);
        }
        let left = self.marks.len().saturating_sub(MOST_MARKS);
        let left = (left > 0)
            .then(|| Level::NOTE.message(format!("{} not shown", count(left, "more place"))));
        let notes = self.notes.iter();
        let notes = notes.map(|note| Level::NOTE.message(visible_lines(note)));
        let notes = left.into_iter().chain(notes);
        let help = self.help.iter();
        let help = help.map(|help| Level::HELP.message(visible_lines(help)));
        group.elements(notes.chain(help))
    }

    /// The marks, those together that are drawn in one excerpt; the primary one comes first.
    fn clusters(&self, sources: &[Source]) -> Vec<Vec<Mark<'_>>> {
        let mut clusters: Vec<Vec<Mark>> = Vec::new();
        for mark in self.marks.iter().take(MOST_MARKS) {
            let near = |cluster: &&mut Vec<Mark>| {
                let (Some(first), Some(source)) = (cluster.first(), sources.get(mark.place.source))
                else {
                    return false;
                };
                let distance = source
                    .line(first.place.start)
                    .abs_diff(source.line(mark.place.start));
                first.place.source == mark.place.source
                    && distance <= NEAR
                    && !is_long(source, mark.place)
                    && !is_long(source, first.place)
            };
            match clusters.iter_mut().find(near) {
                Some(cluster) => cluster.push(*mark),
                None => clusters.push(vec![*mark]),
            }
        }
        clusters
    }
}

/// The line that sums up.
pub fn summary(out: &mut dyn Write, findings: &Findings, options: &Options) -> io::Result<()> {
    let (errors, warnings) = (
        findings.count(Severity::Error),
        findings.count(Severity::Warning),
    );
    let mut parts = vec![match errors {
        0 => "no errors".to_owned(),
        _ => count(errors, "error"),
    }];
    if warnings > 0 {
        let denied = if options.deny_warnings {
            " (denied)"
        } else {
            ""
        };
        parts.push(count(warnings, "warning") + denied);
    }
    let hints = findings.count(Severity::Hint);
    if hints > 0 {
        parts.push(count(hints, "hint"));
    }
    let left_out = match options.left_out {
        0 => String::new(),
        left_out => format!("; {} left out", count(left_out, "ignored file")),
    };
    writeln!(
        out,
        "checked {}: {}{left_out}",
        count(findings.checked.len(), "file"),
        parts.join(", ")
    )
}

fn is_long(source: &Source, place: &SourceRange) -> bool {
    let lines = source.line(place.start)..=source.line(place.end);
    [*lines.start(), *lines.end()]
        .iter()
        .any(|line| source.line_range(*line).len() > LONG)
}

fn draw<'f>(group: Group<'f>, sources: &'f [Source], marks: &[Mark<'f>]) -> Group<'f> {
    let Some((first, source)) = marks
        .first()
        .and_then(|first| Some((first, sources.get(first.place.source)?)))
    else {
        return group;
    };
    if is_long(source, first.place) {
        return draw_part(group, source, first);
    }
    let start = marks.iter().map(|mark| mark.place.start).min().unwrap_or(0);
    let end = marks
        .iter()
        .map(|mark| mark.place.end)
        .max()
        .unwrap_or(start);
    let (first_line, last_line) = (source.line(start), source.line(end));
    let excerpt = Excerpt::new(
        source,
        (first_line..=last_line).map(|line| source.line_range(line)),
    );
    let annotations = marks
        .iter()
        .map(|mark| excerpt.annotation(mark.label, mark.place.start..mark.place.end));
    let annotations: Vec<_> = annotations.collect();
    let snippet = Snippet::source(excerpt.text)
        .line_start(first_line + 1)
        .path(source.shown());
    group.element(snippet.annotations(annotations))
}

/// Draws what is around a mark in a line that is too long to be drawn.
fn draw_part<'f>(group: Group<'f>, source: &'f Source, mark: &Mark<'f>) -> Group<'f> {
    let at = source.position(mark.place.start);
    let line = source.line_range(source.line(mark.place.start));
    let end = mark
        .place
        .end
        .min(line.end)
        .min(mark.place.start.saturating_add(LONG));
    let shown = boundary(&source.text, mark.place.start.saturating_sub(KEPT)).max(line.start)
        ..boundary(&source.text, end.saturating_add(KEPT)).min(line.end);
    let excerpt = Excerpt::new(source, [shown]);
    let marked = mark.place.start..boundary(&source.text, end);
    let annotation = excerpt.annotation(mark.label, marked);
    let origin = Origin::path(source.shown())
        .line(at.line)
        .char_column(at.column);
    let snippet = Snippet::source(excerpt.text).line_start(at.line);
    group
        .element(origin)
        .element(snippet.annotation(annotation))
}

fn boundary(text: &str, offset: usize) -> usize {
    text.floor_char_boundary(offset)
}

/// Parts of lines as they are drawn: what is not to be seen is replaced, and every line ends alike.
struct Excerpt<'s> {
    source: &'s Source,
    text: String,
    /// What of the source each line shows, and where that begins in the text.
    lines: Vec<(Range<usize>, usize)>,
}

impl<'s> Excerpt<'s> {
    fn new(source: &'s Source, shown: impl IntoIterator<Item = Range<usize>>) -> Excerpt<'s> {
        let mut excerpt = Excerpt {
            source,
            text: String::new(),
            lines: Vec::new(),
        };
        for range in shown {
            if !excerpt.lines.is_empty() {
                excerpt.text.push('\n');
            }
            excerpt.lines.push((range.clone(), excerpt.text.len()));
            excerpt.text += &excerpt.shown(range);
        }
        excerpt
    }

    fn shown(&self, range: Range<usize>) -> Cow<'s, str> {
        drawn(self.source.text.get(range).unwrap_or_default())
    }

    /// Where an offset of the source is in the text: what is left out has the place before it.
    fn offset(&self, offset: usize) -> usize {
        let line = self
            .lines
            .iter()
            .rfind(|(range, _)| range.start <= offset)
            .or(self.lines.first());
        line.map_or(0, |(range, start)| {
            let before = range.start..offset.clamp(range.start, range.end);
            start + self.shown(before).len()
        })
    }

    /// Marks a range of the source.
    fn annotation<'l>(&self, label: Option<&'l str>, marked: Range<usize>) -> Annotation<'l> {
        let span = self.offset(marked.start)..self.offset(marked.end);
        match label {
            None => AnnotationKind::Primary.span(span),
            Some(label) => AnnotationKind::Context
                .span(span)
                .label(visible_lines(label)),
        }
    }
}
