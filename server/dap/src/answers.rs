//! The answers to requests, in a session in which the run stands unless a request says otherwise.

use std::io::{self, Write};

use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use crate::goals::Goal;
use crate::messages::{
    EvaluateArguments, Request, Source, SourceArguments, StepArguments, VariablesArguments,
};
use crate::session::{Doing, Session};
use crate::stopped::{THREAD, no_frame};
use crate::stops::Why;
use crate::variables::{Node, Opener, locals};

fn read<T: DeserializeOwned + Default>(request: &Request) -> Result<T, String> {
    if request.arguments.is_null() {
        return Ok(T::default());
    }
    let read = serde_json::from_value(request.arguments.clone());
    read.map_err(|error| {
        format!(
            "`{}` has other arguments than the protocol says: {error}",
            request.command
        )
    })
}

impl<W: Write> Session<'_, '_, W> {
    /// Answers a request; whether it was the last.
    pub fn take(&mut self, request: &Request) -> io::Result<bool> {
        let is_standing = matches!(self.doing, Doing::Standing);
        let body = match request.command.as_str() {
            "setBreakpoints" => read(request).map(|asked| self.stopped.set_breakpoints(&asked)),
            "setFunctionBreakpoints" => {
                read(request).map(|asked| self.stopped.set_function_breakpoints(&asked))
            }
            "setExceptionBreakpoints" => {
                read(request).map(|asked| self.stopped.set_exception_breakpoints(&asked))
            }
            "breakpointLocations" => {
                read(request).map(|asked| self.stopped.breakpoint_locations(&asked))
            }
            "threads" => Ok(json!({ "threads": [{ "id": THREAD, "name": "run" }] })),
            "loadedSources" => {
                let all: Vec<usize> = self.stopped.texts.all().map(|(index, _)| index).collect();
                let sources: Vec<Source> = all
                    .into_iter()
                    .filter_map(|file| self.stopped.source(file))
                    .collect();
                Ok(json!({ "sources": sources }))
            }
            "source" => read(request).and_then(|asked| self.source_text(&asked)),
            "configurationDone" => {
                self.client.answer(request, Ok(Json::Null))?;
                if matches!(self.doing, Doing::Configuring) {
                    self.configured()?;
                }
                return Ok(false);
            }
            "pause" => {
                self.client.answer(request, Ok(Json::Null))?;
                self.pause()?;
                return Ok(false);
            }
            "disconnect" => {
                self.client.answer(request, Ok(Json::Null))?;
                return Ok(true);
            }
            "terminate" => {
                self.client.answer(request, Ok(Json::Null))?;
                if !matches!(self.doing, Doing::Over) {
                    self.exit(130)?;
                }
                return Ok(false);
            }
            "evaluate" if !is_standing => read(request).and_then(|asked| self.line(&asked)),
            "continue" | "next" | "stepIn" | "stepOut" | "stepBack" | "reverseContinue"
            | "stackTrace" | "scopes" | "variables" | "evaluate" | "exceptionInfo"
                if !is_standing =>
            {
                Err(self.why_not_standing())
            }
            "stackTrace" => read(request).and_then(|asked| self.stopped.stack_trace(&asked)),
            "scopes" => read(request).and_then(|asked| self.stopped.scopes(&asked)),
            "variables" => read(request).and_then(|asked| self.variables(&asked)),
            "evaluate" => read(request).and_then(|asked| self.term(&asked)),
            "exceptionInfo" => Ok(match &self.stopped.exception {
                Some((id, text)) => {
                    json!({ "exceptionId": id, "description": text, "breakMode": "always" })
                }
                None => json!({ "exceptionId": "none", "breakMode": "never" }),
            }),
            "continue" | "next" | "stepIn" | "stepOut" | "stepBack" | "reverseContinue" => {
                let asked: Result<StepArguments, String> = read(request);
                return self.movement(request, asked).map(|()| false);
            }
            "launch" => Err("a run was launched already".to_owned()),
            other => Err(format!(
                "there is no request `{}` here",
                frank_syntax::visible::visible(other)
            )),
        };
        self.client.answer(request, body)?;
        Ok(false)
    }

    /// Lets the run go on or back.
    fn movement(
        &mut self,
        request: &Request,
        asked: Result<StepArguments, String>,
    ) -> io::Result<()> {
        let asked = match asked {
            Ok(asked) => asked,
            Err(reason) => return self.client.answer(request, Err(reason)),
        };
        let by_rules = asked.granularity.as_deref() == Some("instruction");
        let clock = self.stopped.clock();
        let goal = match request.command.as_str() {
            "continue" => Goal::On,
            "next" if by_rules => Goal::Rule,
            "next" => self.stopped.over(),
            "stepIn" if by_rules => Goal::Rule,
            "stepIn" => Goal::Into,
            "stepOut" => self.stopped.out(),
            back => Goal::Back {
                steps: back == "stepBack",
                until: clock,
            },
        };
        let body = match request.command.as_str() {
            "continue" => json!({ "allThreadsContinued": true }),
            _ => Json::Null,
        };
        self.client.answer(request, Ok(body))?;
        let is_back = matches!(goal, Goal::Back { .. });
        if is_back {
            self.stopped.is_failure_seen = false;
            self.stopped.is_end_seen = false;
        }
        self.start(goal);
        if is_back && by_rules && clock > 0 {
            self.go_to(clock - 1);
            return self.stop(Why::Step);
        }
        Ok(())
    }

    fn source_text(&self, asked: &SourceArguments) -> Result<Json, String> {
        let named = asked.source.clone().unwrap_or_default();
        let reference = named.source_reference.filter(|reference| *reference > 0);
        let source = Source {
            source_reference: Some(reference.unwrap_or(asked.source_reference)),
            ..named
        };
        let file = self.stopped.file(&source);
        let text = file.and_then(|file| self.stopped.texts.all().find(|(index, _)| *index == file));
        let (_, text) = text.ok_or("there is no such source")?;
        Ok(json!({ "content": text.source.text, "mimeType": "text/x-frank" }))
    }

    fn variables(&mut self, asked: &VariablesArguments) -> Result<Json, String> {
        let number = |number: Option<i64>| number.and_then(|number| usize::try_from(number).ok());
        let start = number(asked.start).unwrap_or(0);
        let count = number(asked.count)
            .filter(|count| *count > 0)
            .unwrap_or(usize::MAX);
        let stopped = &mut self.stopped;
        let (Some(history), Some(node)) = (
            &stopped.history,
            stopped.nodes.get(asked.variables_reference),
        ) else {
            return Err(format!(
                "there are no variables {} here: `scopes` and `variables` name those that there are",
                asked.variables_reference
            ));
        };
        let node = node.clone();
        let programs = &mut *self.programs;
        let mut opener = Opener {
            semantics: &history.semantics,
            sites: &stopped.sites,
            state: &history.now,
            nodes: &mut stopped.nodes,
            types: &mut stopped.types,
            ask: &mut |operator| programs.types(operator),
        };
        Ok(json!({ "variables": opener.open(&node, start, count) }))
    }

    /// Why nothing can be asked about the run's state.
    fn why_not_standing(&self) -> String {
        let reason = match self.doing {
            Doing::Over => "the run is over: `launch` begins another one",
            Doing::Configuring => "the run has not begun: `configurationDone` begins it",
            _ => "the run does not stand still: pause it first",
        };
        reason.to_owned()
    }

    /// A line of the console while the run goes on: input, if it waits for that.
    fn line(&mut self, asked: &EvaluateArguments) -> Result<Json, String> {
        if !matches!(self.doing, Doing::Waiting(_))
            || asked
                .context
                .as_deref()
                .is_some_and(|context| context != "repl")
        {
            return Err(self.why_not_standing());
        }
        self.typed(&asked.expression);
        Ok(json!({ "result": "", "variablesReference": 0 }))
    }

    /// A term that is evaluated where the run stands; a variable's name gives its value as it is.
    fn term(&mut self, asked: &EvaluateArguments) -> Result<Json, String> {
        let text = asked.expression.trim();
        if text.is_empty() {
            return Err("a term is expected".to_owned());
        }
        let entry = self.stopped.entry(asked.frame_id);
        if let (None, Some(id)) = (&entry, asked.frame_id) {
            return Err(no_frame(id));
        }
        if let (Some(entry), Some(history)) = (&entry, &self.stopped.history) {
            let found = locals(&history.semantics, entry.env, entry.term);
            if let Some(local) = found.into_iter().find(|local| local.name == text) {
                let owner = history.semantics.owner(entry.term);
                let programs = &mut *self.programs;
                let mut ask = |operator| programs.types(operator);
                let ty = self.stopped.types.of(owner, local.number, &mut ask);
                let mut opener = Opener {
                    semantics: &history.semantics,
                    sites: &self.stopped.sites,
                    state: &history.now,
                    nodes: &mut self.stopped.nodes,
                    types: &mut self.stopped.types,
                    ask: &mut ask,
                };
                let variable = opener.variable(local.name, local.value, ty);
                return Ok(json!({
                    "result": variable.value, "type": variable.ty,
                    "variablesReference": variable.variables_reference,
                    "indexedVariables": variable.indexed_variables,
                }));
            }
        }
        let outcome = self.evaluate(text, asked.frame_id)?;
        if !outcome.printed.is_empty() && asked.context.as_deref() == Some("repl") {
            // It is the term's output, not the program's.
            let _ = self
                .client
                .output("console", &format!("{}\n", outcome.printed));
        }
        let reference = match outcome.parts.is_empty() {
            true => 0,
            false => self.stopped.nodes.add(Node::Made(outcome.parts)),
        };
        Ok(json!({ "result": outcome.shown, "variablesReference": reference }))
    }
}
