//! The reverse of splitting: clauses that differ in one pattern alone, which together take all that
//! there is, become one.

use std::collections::HashSet;

use frank_analysis::surroundings::Parent;
use frank_analysis::types::{Port, TyKind, usual_names};
use frank_syntax::ast::tree::Node;
use frank_syntax::ast::{Clause, PatternId, PatternKind, TermId, TermKind};
use text_size::TextRange;

use super::clauses::{ClauseSite, operator_clauses, takes_all_values};
use super::site::Site;
use super::value::{computations, constructors, rebuilt, shallow_head};
use super::{Candidates, Plan, refuse};
use crate::rename::TextEdit;
use crate::tokens::words;

/// A token of a clause's body.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Text(String),
    /// The whole value that the clause's pattern took apart; for a catch-all, forced.
    Whole,
    /// The computation of a catch-all.
    Suspended,
    /// Either the value, or a constructor that happens to look like it.
    Either(String),
}

/// One of the clauses that are merged.
struct Member<'a> {
    site: &'a Site<'a>,
    clause: &'a Clause,
    /// All of the clause: for an operator's, the item.
    range: TextRange,
}

pub(super) fn plan<'s>(site: &'s Site<'_>) -> Option<Plan<'s>> {
    site.typed.as_ref()?;
    let path = site.path();
    let here = ClauseSite::at(site)?;
    let pattern = path.iter().find_map(|node| match node {
        Node::Pattern(pattern) if here.clause.patterns.contains(pattern) => Some(*pattern),
        _ => None,
    })?;
    let index = here
        .clause
        .patterns
        .iter()
        .position(|other| *other == pattern)?;
    let command = matches!(
        site.item().patterns[pattern].kind,
        PatternKind::Command { .. }
    );
    shallow_head(site, pattern)?;
    let others = match here.thunk {
        Some(_) => here.siblings(site).len(),
        None => site.view.operator()?.items(site.view.db()).clauses.len(),
    };
    if others < 2 {
        return None;
    }
    let what = if command { "commands" } else { "constructors" };
    Plan::new(format!("Merge the clauses of these {what}"), move || {
        let port = here.port(site, index);
        match here.thunk {
            Some(_) => {
                let members = here.siblings(site).iter().enumerate().map(|(i, clause)| {
                    let one = ClauseSite {
                        clause,
                        thunk: here.thunk,
                        index: i,
                    };
                    Member {
                        site,
                        clause,
                        range: one.range(site),
                    }
                });
                let members: Vec<Member<'_>> = members.collect();
                merge(&members, here.index, index, port.as_ref())
            }
            None => {
                let Some(clauses) = operator_clauses(site) else {
                    return refuse("a clause of the operator has a syntax error");
                };
                let position = clauses
                    .iter()
                    .position(|other| other.site.view.source == site.view.source);
                let members = clauses.iter().map(|other| Member {
                    site: &other.site,
                    clause: other.clause,
                    range: other.site.view.range(other.site.item().id),
                });
                let members: Vec<Member<'_>> = members.collect();
                merge(&members, position.unwrap_or_default(), index, port.as_ref())
            }
        }
    })
}

fn merge(members: &[Member<'_>], at: usize, index: usize, port: Option<&Port>) -> Candidates {
    let Some(chosen) = members.get(at) else {
        return refuse("there is no clause here");
    };
    // The neighbours that differ in this pattern alone.
    let like = |member: &&Member<'_>| same_but(chosen, member, index);
    let above = members.iter().take(at).rev().take_while(like).count();
    let below = members.iter().skip(at + 1).take_while(like).count();
    let all = members.iter().skip(at - above).take(above + 1 + below);
    let mut refusal = None;
    let all: Vec<&Member<'_>> = all.collect();
    // A variable below the constructors may belong to them or not, so each run is tried.
    for length in (2..=all.len()).rev() {
        for run in all.windows(length) {
            if !run.iter().any(|member| std::ptr::eq(*member, chosen)) {
                continue;
            }
            match merged(run, index, port) {
                Ok(edits) => return Ok(vec![edits]),
                Err(why) => refusal = refusal.or(Some(why)),
            }
        }
    }
    match refusal {
        Some(why) => Err(why),
        None => refuse("the clauses beside this one differ in other patterns, too"),
    }
}

/// Whether two clauses have the same patterns everywhere but at one place.
fn same_but(one: &Member<'_>, other: &Member<'_>, index: usize) -> bool {
    let (a, b) = (&one.clause.patterns, &other.clause.patterns);
    let same = |(i, (a, b)): (usize, (&PatternId, &PatternId))| {
        i == index || text_words(one.site, *a) == text_words(other.site, *b)
    };
    a.len() == b.len() && a.iter().zip(b).enumerate().all(same)
}

fn text_words(site: &Site<'_>, pattern: PatternId) -> Vec<String> {
    let text = site.slice(site.view.range(site.item().patterns[pattern].id));
    let words = words(text).into_iter();
    words.map(|word| word.text(text).to_owned()).collect()
}

fn merged(
    run: &[&Member<'_>],
    index: usize,
    port: Option<&Port>,
) -> Result<Vec<TextEdit>, crate::rename::Refusal> {
    let catch_all = run.iter().any(|member| {
        member.clause.patterns.get(index).is_some_and(|pattern| {
            matches!(
                member.site.item().patterns[*pattern].kind,
                PatternKind::Command { .. }
            )
        })
    });
    if !covers_all(run, index, catch_all, port) {
        return refuse("these clauses do not take all that there can be");
    }
    let mut bodies = Vec::new();
    for member in run {
        let Some(body) = body_tokens(member, index, catch_all) else {
            return refuse("the clauses use what their patterns take apart");
        };
        bodies.push(body);
    }
    let mut template = bodies.first().cloned().unwrap_or_default();
    for body in bodies.iter().skip(1) {
        let Some(common) = unified(&template, body) else {
            return refuse("the clauses do different things");
        };
        template = common;
    }
    // The clause with the most of its value in one piece is the one that stays.
    let Some((kept, body)) = run
        .iter()
        .zip(&bodies)
        .find(|(_, body)| fits(&template, body))
    else {
        return refuse("the clauses do different things");
    };
    let used = template
        .iter()
        .any(|token| matches!(token, Token::Whole | Token::Suspended));
    let site = kept.site;
    let name = match used {
        true => fresh_name(kept, index, catch_all),
        false => "_".to_owned(),
    };
    let text = kept_clause(kept, index, catch_all, &name, body, &template);
    let mut edits = vec![site.edit(kept.range, text)];
    for member in run.iter().filter(|member| !std::ptr::eq(**member, *kept)) {
        edits.push(removed(member));
    }
    Ok(edits)
}

/// Whether the patterns at a place are all the forms that there are.
fn covers_all(run: &[&Member<'_>], index: usize, catch_all: bool, port: Option<&Port>) -> bool {
    let Some(first) = run.first() else {
        return false;
    };
    let patterns: Vec<(&Site<'_>, PatternId)> = run
        .iter()
        .filter_map(|member| Some((member.site, *member.clause.patterns.get(index)?)))
        .collect();
    let mut heads = HashSet::new();
    let mut values = 0;
    for (site, pattern) in &patterns {
        match shallow_head(site, *pattern) {
            Some(head) => {
                if !heads.insert(head) {
                    return false;
                }
            }
            None if takes_all_values(site, *pattern) => values += 1,
            None => return false,
        }
    }
    if catch_all {
        let forms = port
            .filter(|port| port.added().next().is_some())
            .and_then(|port| computations(first.site, port, None));
        return values == 1
            && forms.is_some_and(|forms| {
                forms
                    .iter()
                    .filter_map(|form| form.head)
                    .all(|head| heads.contains(&head))
                    && forms.len() == heads.len() + 1
            });
    }
    let forms = patterns
        .first()
        .and_then(|(site, pattern)| constructors(site, *pattern, None));
    values == 0
        && forms.is_some_and(|forms| {
            forms.len() == heads.len()
                && forms
                    .iter()
                    .filter_map(|form| form.head)
                    .all(|head| heads.contains(&head))
        })
}

/// The terms of a clause's body that are what its pattern took apart, with whether they are so for
/// certain.
fn wholes(member: &Member<'_>, index: usize, catch_all: bool) -> Vec<(TextRange, Token)> {
    let site = member.site;
    let Some(pattern) = member.clause.patterns.get(index) else {
        return Vec::new();
    };
    let body = site.outer(member.clause.body);
    let words_of = |text: &str| -> Vec<String> {
        words(text)
            .iter()
            .map(|word| word.text(text).to_owned())
            .collect()
    };
    let mut found = Vec::new();
    let mut matching = |text: &str, token: Token| {
        let wanted = words_of(text);
        for (term, _) in site.item().terms.iter() {
            let range = site.inner(term);
            if body.contains_range(range) && words_of(site.slice(range)) == wanted {
                found.push((site.outer(term), token.clone()));
            }
        }
    };
    if catch_all {
        let (forced, name) = match &site.item().patterns[*pattern].kind {
            PatternKind::Command {
                name,
                index,
                args,
                continuation,
            } if *index == 0 => {
                let args: Vec<String> = args
                    .iter()
                    .map(|arg| {
                        site.slice(site.view.range(site.item().patterns[*arg].id))
                            .to_owned()
                    })
                    .collect();
                let call = match args.is_empty() {
                    true => format!("{}!", name.symbol),
                    false => format!("({} {})", name.symbol, args.join(" ")),
                };
                (format!("{} {call}", continuation.symbol), None)
            }
            PatternKind::Name(name) => (name.symbol.to_string(), Some(name)),
            _ => return Vec::new(),
        };
        matching(&format!("{{{forced}}}"), Token::Suspended);
        if name.is_none_or(|name| !name.symbol.is_wildcard()) {
            matching(&forced, Token::Whole);
        }
        return found;
    }
    let Some((text, _)) = rebuilt(site, *pattern) else {
        return Vec::new();
    };
    let has_variables = site.bound_in(site.view.range(site.item().patterns[*pattern].id));
    let token = match has_variables.is_empty() {
        true => Token::Either(text.clone()),
        false => Token::Whole,
    };
    matching(&text, token.clone());
    // Lists can be written in two ways.
    if text == "[]" || text == "nil" {
        let other = if text == "[]" { "nil" } else { "[]" };
        matching(other, Token::Either("[]".to_owned()));
    }
    for (_, token) in &mut found {
        if *token == Token::Either("nil".to_owned()) {
            *token = Token::Either("[]".to_owned());
        }
    }
    found
}

/// A clause's body with the value that its pattern took apart as one token; `None` if the body uses
/// parts of that value.
fn body_tokens(member: &Member<'_>, index: usize, catch_all: bool) -> Option<Vec<Token>> {
    let site = member.site;
    let pattern = *member.clause.patterns.get(index)?;
    let wholes = wholes(member, index, catch_all);
    let parts = site.names_in(site.view.range(site.item().patterns[pattern].id));
    let binders: Vec<_> = parts
        .filter(|name| name.role == crate::names::Role::Definition)
        .map(|name| name.node)
        .collect();
    for read in binders.iter().flat_map(|binder| site.reads(*binder)) {
        let range = site.inner(read);
        if !wholes.iter().any(|(whole, _)| whole.contains_range(range)) {
            return None;
        }
    }
    let body = site.outer(member.clause.body);
    let text = site.slice(body);
    let mut tokens = Vec::new();
    let mut done = body.start();
    for word in words(text) {
        let at = TextRange::new(
            body.start() + crate::view::size(word.range.start),
            body.start() + crate::view::size(word.range.end),
        );
        if at.start() < done {
            continue;
        }
        let whole = wholes
            .iter()
            .filter(|(whole, _)| whole.start() == at.start())
            .max_by_key(|(whole, _)| whole.len());
        match whole {
            Some((whole, token)) => {
                tokens.push(token.clone());
                done = whole.end();
            }
            None => {
                let text = word.text(text);
                tokens.push(Token::Text(text.to_owned()));
                done = at.end();
            }
        }
    }
    Some(tokens)
}

/// What two bodies have in common, if they are alike.
fn unified(a: &[Token], b: &[Token]) -> Option<Vec<Token>> {
    if a.len() != b.len() {
        return None;
    }
    a.iter().zip(b).map(|(a, b)| one_of_both(a, b)).collect()
}

fn one_of_both(a: &Token, b: &Token) -> Option<Token> {
    match (a, b) {
        (Token::Whole, Token::Whole | Token::Either(_)) | (Token::Either(_), Token::Whole) => {
            Some(Token::Whole)
        }
        (Token::Either(a), Token::Either(b)) if a != b => Some(Token::Whole),
        (Token::Either(a), Token::Text(b)) | (Token::Text(a), Token::Either(b)) if a == b => {
            Some(Token::Text(a.clone()))
        }
        (a, b) if a == b => Some(a.clone()),
        _ => None,
    }
}

/// Whether a body has each value that the template has in one piece.
fn fits(template: &[Token], body: &[Token]) -> bool {
    template.len() == body.len()
        && template
            .iter()
            .zip(body)
            .all(|(template, token)| match template {
                Token::Whole => matches!(token, Token::Whole | Token::Either(_)),
                other => one_of_both(other, token).is_some(),
            })
}

fn fresh_name(kept: &Member<'_>, index: usize, catch_all: bool) -> String {
    if catch_all {
        return kept.site.fresh(&["m"], &[]);
    }
    let kind = kept.site.typed.as_ref().and_then(|typed| {
        let pattern = kept.clause.patterns.get(index)?;
        let ty = typed.body().pattern_types.get(*pattern)?;
        Some(typed.inference.table.kind(*ty))
    });
    kept.site
        .fresh(usual_names(kind.unwrap_or(&TyKind::Error)), &[])
}

/// The text of the clause that stays, with `name` for what the pattern took apart.
fn kept_clause(
    kept: &Member<'_>,
    index: usize,
    catch_all: bool,
    name: &str,
    body: &[Token],
    template: &[Token],
) -> String {
    let site = kept.site;
    let Some(pattern) = kept.clause.patterns.get(index) else {
        return String::new();
    };
    let at = site.view.range(site.item().patterns[*pattern].id);
    let new = match catch_all {
        true => format!("<{name}>"),
        false => name.to_owned(),
    };
    let mut edits = vec![(at, new)];
    let outer_body = site.outer(kept.clause.body);
    // The wholes in the order of the text, as the tokens have them.
    let mut places = wholes(kept, index, catch_all);
    places.sort_by_key(|(range, _)| (range.start(), std::cmp::Reverse(range.end())));
    let mut outermost: Vec<(TextRange, Token)> = Vec::new();
    for place in places {
        if outermost
            .last()
            .is_none_or(|(last, _)| last.end() <= place.0.start())
        {
            outermost.push(place);
        }
    }
    let shown = body
        .iter()
        .zip(template)
        .filter(|(token, _)| !matches!(token, Token::Text(_)))
        .map(|(_, template)| template);
    for ((range, _), token) in outermost.iter().zip(shown) {
        if !outer_body.contains_range(*range) {
            continue;
        }
        match token {
            Token::Whole if catch_all => {
                let forced = format!("{name}!");
                edits.push((*range, protected(site, *range, &forced)));
            }
            Token::Whole | Token::Suspended => edits.push((*range, name.to_owned())),
            _ => {}
        }
    }
    site.spliced(kept.range, &edits)
}

/// `m!` where `k x` stood: a head of its own needs parentheses.
fn protected(site: &Site<'_>, range: TextRange, forced: &str) -> String {
    let term = site
        .item()
        .terms
        .iter()
        .map(|(term, _)| term)
        .find(|term| site.outer(*term) == range);
    let is_forced = |term: TermId| {
        matches!(site.around.parent(term), Some(Parent::Term(parent))
            if matches!(site.kind(parent), TermKind::Apply { head, args } if *head == term && args.is_empty()))
    };
    match term.is_some_and(is_forced) {
        true => format!("({forced})"),
        false => forced.to_owned(),
    }
}

/// The edit that removes a clause, with the bar beside it.
fn removed(member: &Member<'_>) -> TextEdit {
    let site = member.site;
    let text = site.text();
    if member.range == site.view.range(site.item().id) {
        let whole = TextRange::up_to(crate::view::size(text.len()));
        return site.edit(whole, comments_above(site));
    }
    // In braces: the bar in front of the clause goes with it, or the one behind the first.
    let before = text
        .get(..usize::from(member.range.start()))
        .unwrap_or_default()
        .trim_end();
    let after = text
        .get(usize::from(member.range.end())..)
        .unwrap_or_default();
    let range = match before.strip_suffix('|') {
        Some(rest) => TextRange::new(crate::view::size(rest.trim_end().len()), member.range.end()),
        None => {
            let bar = after.find('|').map_or(0, |bar| bar + 1);
            let blanks = after.get(bar..).unwrap_or_default();
            let blanks = blanks.len() - blanks.trim_start().len();
            TextRange::new(
                member.range.start(),
                member.range.end() + crate::view::size(bar + blanks),
            )
        }
    };
    site.edit(range, "")
}

/// The comments of an item that goes.
fn comments_above(site: &Site<'_>) -> String {
    let start = usize::from(site.view.range(site.item().id).start());
    let above = site.text().get(..start).unwrap_or_default();
    match above.trim().is_empty() {
        true => String::new(),
        false => above.to_owned(),
    }
}
