//! Findings for programs: an object for each, one a line; those about holes say what is known of them. The form is
//! stable.

use std::io::{self, Write};

use frank_ide::{GoalLocal, StackInstance};
use serde::Serialize;

use crate::findings::{Findings, SourceRange};
use crate::goals;
use crate::json::visible;
use crate::source::Positions;

#[derive(Serialize)]
struct Object<'f> {
    code: &'f str,
    severity: &'f str,
    message: &'f str,
    file: &'f str,
    range: Positions,
    related: Vec<Related<'f>>,
    help: &'f [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<Goal<'f>>,
}

/// What is known of a hole.
#[derive(Serialize)]
struct Goal<'f> {
    hole: &'f str,
    inside: &'f str,
    #[serde(rename = "type")]
    ty: Option<&'f str>,
    undecided: Option<&'f str>,
    ability: Option<Ability<'f>>,
    locals: Vec<Local<'f>>,
}

#[derive(Serialize)]
struct Ability<'f> {
    instances: Vec<Instance<'f>>,
    rest: Option<&'f str>,
}

#[derive(Serialize)]
struct Instance<'f> {
    instance: &'f str,
    active: bool,
    by: Vec<Origin<'f>>,
}

/// Who brings an instance.
#[derive(Serialize)]
struct Origin<'f> {
    message: &'f str,
    file: Option<&'f str>,
    range: Option<Positions>,
}

#[derive(Serialize)]
struct Local<'f> {
    name: &'f str,
    #[serde(rename = "type")]
    ty: &'f str,
    continuation: bool,
    fit: Option<&'static str>,
    written: Option<String>,
}

#[derive(Serialize)]
struct Related<'f> {
    message: &'f str,
    file: &'f str,
    range: Positions,
}

pub fn write(out: &mut dyn Write, findings: &Findings) -> io::Result<()> {
    for finding in &findings.findings {
        let related = finding.related.iter().map(|(place, message)| Related {
            message,
            file: &findings.source(place).name,
            range: range(findings, place),
        });
        let object = Object {
            code: finding.code.as_str(),
            severity: finding.severity.word(),
            message: &finding.message,
            file: &findings.source(&finding.place).name,
            range: range(findings, &finding.place),
            related: related.collect(),
            help: &finding.help,
            goal: finding.goal.as_ref().map(|found| goal(findings, found)),
        };
        writeln!(out, "{}", visible(&serde_json::to_string(&object)?))?;
    }
    Ok(())
}

fn range(findings: &Findings, place: &SourceRange) -> Positions {
    let source = findings.source(place);
    source.positions(place.start..place.end)
}

fn goal<'f>(findings: &'f Findings, found: &'f goals::Goal) -> Goal<'f> {
    let known = &found.known;
    let instance = |(instance, places): (&'f StackInstance, &'f Vec<Option<SourceRange>>)| {
        let origins = instance.origins.iter().zip(places);
        let origins = origins.map(|(origin, place)| Origin {
            message: &origin.text,
            file: place.as_ref().map(|place| &*findings.source(place).name),
            range: place.as_ref().map(|place| range(findings, place)),
        });
        Instance {
            instance: &instance.shown,
            active: instance.active,
            by: origins.collect(),
        }
    };
    let ability = known.ability.as_ref().map(|ability| {
        let instances = ability.instances.iter().zip(&found.origins);
        Ability {
            instances: instances.map(instance).collect(),
            rest: ability.rest.as_deref(),
        }
    });
    Goal {
        hole: &known.hole.name,
        inside: &known.hole.inside,
        ty: known.hole.ty.as_deref(),
        undecided: known.undecided.as_deref(),
        ability,
        locals: known.locals.iter().map(local).collect(),
    }
}

fn local(local: &GoalLocal) -> Local<'_> {
    Local {
        name: &local.name,
        ty: &local.ty,
        continuation: local.is_continuation,
        fit: local.fit_shown(),
        written: local.use_shown(),
    }
}
