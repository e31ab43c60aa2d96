//! Terms as source: variables stand as their values, and sugar is kept.

use frank_core::{
    Arithmetic, Comparison, Handler, Local, OperatorId, Pattern, Term, TermId, ValuePattern,
};
use frank_interpreter::show_float;

use super::Shower;
use super::tree::{Kind, Tree};
use super::values::quoted;
use crate::state::EnvId;

impl<'s> Shower<'s> {
    /// Whether there is room for another part of a term so deep inside.
    pub(super) fn has_room(&mut self, depth: usize) -> bool {
        if self.left == 0 || depth > self.limits.depth {
            return false;
        }
        self.left -= 1;
        true
    }

    /// A term whose variables stand as their values where they have one.
    pub(super) fn term(&mut self, term: TermId, env: Option<EnvId>, depth: usize) -> Tree {
        if !self.has_room(depth) {
            return Tree::atom("…");
        }
        let deeper = depth + 1;
        Tree::new(match &self.program.terms[term] {
            Term::Int(i) => Kind::Atom(i.to_string()),
            Term::Float(x) => Kind::Atom(show_float(*x)),
            Term::Char(c) => Kind::Atom(quoted(&[*c], '\'')),
            Term::String(text) => Kind::Atom(quoted(&text.chars().collect::<Vec<char>>(), '"')),
            Term::Local(local) => match self.store.lookup(env, *local) {
                Some(value) => return self.shown(value, deeper),
                None => Kind::Atom(self.name(term, *local)),
            },
            Term::Operator(id) => self.operator(*id),
            Term::Command(id) => self.global(&self.program.commands[*id].name),
            Term::Construct { constructor, args } => {
                let parts = self.terms(args, env, deeper);
                self.constructed(*constructor, parts)
            }
            Term::List(args) => Kind::List(self.terms(args, env, deeper)),
            Term::Thunk(handler) => self.braces(term, handler, env, deeper),
            Term::Apply { head, args } => {
                let mut parts = vec![self.term(*head, env, deeper)];
                parts.extend(self.terms(args, env, deeper));
                Kind::Call(parts)
            }
            Term::Adapted { body, .. } => {
                let body = self.term(*body, env, deeper);
                Kind::Adapted(self.adaptors(term), Box::new(body))
            }
            Term::Let { local, bound, body } => {
                let bound = self.term(*bound, env, deeper);
                let body = self.scoped(term, &[*local], |own| own.term(*body, env, deeper));
                Kind::Let(self.name(term, *local), Box::new(bound), Box::new(body))
            }
            Term::LetMatch {
                pattern,
                bound,
                body,
            } => {
                let bound = self.term(*bound, env, deeper);
                let bound_here = bound_by(pattern);
                let body = self.scoped(term, &bound_here, |own| own.term(*body, env, deeper));
                let pattern = self.value_pattern(term, pattern, 0);
                Kind::Let(pattern, Box::new(bound), Box::new(body))
            }
            Term::Sequence { first, second } => {
                let first = self.term(*first, env, deeper);
                let second = self.term(*second, env, deeper);
                Kind::Sequence(Box::new(first), Box::new(second))
            }
            Term::Arithmetic {
                operator,
                left,
                right,
                ..
            } => {
                let left = self.term(*left, env, deeper);
                arithmetic(*operator, left, self.term(*right, env, deeper))
            }
            Term::Compare {
                operator,
                left,
                right,
                ..
            } => {
                let left = self.term(*left, env, deeper);
                comparison(*operator, left, self.term(*right, env, deeper))
            }
            Term::Hole { name, .. } => Kind::Atom(name.clone()),
            Term::Negate { operand, .. } => {
                Kind::Negate(Box::new(self.term(*operand, env, deeper)))
            }
        })
    }

    pub(super) fn operator(&mut self, id: OperatorId) -> Kind {
        match self.namesakes.get(&id) {
            Some(name) => Kind::Atom(name.clone()),
            None => self.global(&self.program.operators[id].name),
        }
    }

    /// The name of an operator or a command.
    pub(super) fn global(&mut self, name: &str) -> Kind {
        self.globals.push(name.to_owned());
        Kind::Atom(name.to_owned())
    }

    /// A term in which variables of `term` are bound. Values that stand in it may name operators as the variables
    /// are named: these get other names then.
    pub(super) fn scoped(
        &mut self,
        term: TermId,
        bound: &[Local],
        body: impl Fn(&mut Shower<'s>) -> Tree,
    ) -> Tree {
        let (first, left) = (self.globals.len(), self.left);
        let tree = body(self);
        let mut is_captured = false;
        for local in bound {
            let name = self.name(term, *local);
            let within = self.globals.get(first..).unwrap_or_default();
            if within.contains(&name) {
                let taken = tree.atoms();
                let mut names = (1..).map(|number| format!("{name}{number}"));
                let free = names.find(|name| !taken.contains(name.as_str()));
                let owner = self.semantics.owners(term).of(term);
                self.renamed.insert((owner, local.0), free.unwrap_or(name));
                is_captured = true;
            }
        }
        if !is_captured {
            return tree;
        }
        self.globals.truncate(first);
        self.left = left;
        body(self)
    }

    pub(super) fn terms(
        &mut self,
        terms: &[TermId],
        env: Option<EnvId>,
        depth: usize,
    ) -> Vec<Tree> {
        let terms = terms.iter();
        terms.map(|term| self.term(*term, env, depth)).collect()
    }

    pub(super) fn adaptors(&self, term: TermId) -> String {
        let written = self.program.written.adaptors.get(term);
        written.cloned().unwrap_or_default()
    }

    pub(super) fn braces(
        &mut self,
        term: TermId,
        handler: &Handler,
        env: Option<EnvId>,
        depth: usize,
    ) -> Kind {
        let mut clauses = Vec::with_capacity(handler.clauses.len());
        for clause in &handler.clauses {
            let bound: Vec<Local> = clause.patterns.iter().flat_map(bound_in).collect();
            let body = self.scoped(term, &bound, |own| own.term(clause.body, env, depth));
            let patterns = clause.patterns.iter();
            let patterns: Vec<String> = patterns.map(|p| self.pattern(term, p)).collect();
            clauses.push((patterns.join(" "), body));
        }
        Kind::Braces(clauses)
    }

    // --- patterns ---

    pub(super) fn pattern(&self, term: TermId, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Value(pattern) => self.value_pattern(term, pattern, 1),
            Pattern::Command {
                command,
                index,
                args,
                continuation,
            } => {
                let mut text = format!("<{}", self.program.commands[*command].name);
                if *index > 0 {
                    text += &format!(".{index}");
                }
                for arg in args {
                    text += " ";
                    text += &self.value_pattern(term, arg, 1);
                }
                text += " -> ";
                text += &self.binder(term, *continuation);
                text + ">"
            }
            Pattern::CatchAll(local) => format!("<{}>", self.binder(term, *local)),
        }
    }

    pub(super) fn binder(&self, term: TermId, local: Option<Local>) -> String {
        local.map_or_else(|| "_".to_owned(), |local| self.name(term, local))
    }

    /// `depth` is 0 where a constructor with arguments needs no parentheses.
    pub(super) fn value_pattern(
        &self,
        term: TermId,
        pattern: &ValuePattern,
        depth: usize,
    ) -> String {
        if depth > self.limits.depth {
            return "…".to_owned();
        }
        match pattern {
            ValuePattern::Any => "_".to_owned(),
            ValuePattern::Bind(local) => self.name(term, *local),
            ValuePattern::Int(i) => i.to_string(),
            ValuePattern::Float(x) => show_float(*x),
            ValuePattern::Char(c) => quoted(&[*c], '\''),
            ValuePattern::String(text) => quoted(&text.chars().collect::<Vec<char>>(), '"'),
            ValuePattern::Constructor(constructor, args) => {
                let args: Vec<String> = args
                    .iter()
                    .map(|arg| self.value_pattern(term, arg, depth + 1))
                    .collect();
                let known = &self.program.known;
                let text = match &args[..] {
                    [] if Some(*constructor) == known.nil => return "[]".to_owned(),
                    [] => return self.constructor(*constructor),
                    [first, rest] if Some(*constructor) == known.cons => {
                        format!("{first} :: {rest}")
                    }
                    args => format!("{} {}", self.constructor(*constructor), args.join(" ")),
                };
                match depth {
                    0 => text,
                    _ => format!("({text})"),
                }
            }
        }
    }
}

/// The variables of a clause's pattern.
pub(super) fn bound_in(pattern: &Pattern) -> Vec<Local> {
    match pattern {
        Pattern::Value(pattern) => bound_by(pattern),
        Pattern::Command {
            args, continuation, ..
        } => {
            let args = args.iter().flat_map(bound_by);
            args.chain(*continuation).collect()
        }
        Pattern::CatchAll(local) => local.iter().copied().collect(),
    }
}

/// The variables of a pattern for a value.
pub(super) fn bound_by(pattern: &ValuePattern) -> Vec<Local> {
    match pattern {
        ValuePattern::Bind(local) => vec![*local],
        ValuePattern::Constructor(_, args) => args.iter().flat_map(bound_by).collect(),
        _ => Vec::new(),
    }
}

pub(super) fn arithmetic(operator: Arithmetic, left: Tree, right: Tree) -> Kind {
    let sign = match operator {
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
    };
    Kind::Infix(sign, Box::new(left), Box::new(right))
}

pub(super) fn comparison(operator: Comparison, left: Tree, right: Tree) -> Kind {
    let sign = match operator {
        Comparison::Less => "<",
        Comparison::Greater => ">",
        Comparison::LessEqual => "<=",
        Comparison::GreaterEqual => ">=",
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
    };
    Kind::Infix(sign, Box::new(left), Box::new(right))
}
