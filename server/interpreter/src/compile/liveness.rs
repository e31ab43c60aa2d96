//! Which use of each variable is its last.
//!
//! Blocks are gone through backwards. The notes say for every statement which operands die there,
//! what a call's frame has to keep, and what has to be dropped; so memory is given back at the
//! last use, and a frame keeps nothing that is not needed.

use std::collections::{BTreeSet, HashMap};

use frank_core::Program;

use super::deep;
use super::ir::{Block, BlockId, Body, Cases, End, Kind, Statement, Var, successors};

type Live = BTreeSet<Var>;

#[derive(Debug, Clone, Default)]
pub(super) struct StatementNotes {
    /// The statement has no effect and nobody wants its result.
    pub dead: bool,
    /// For each operand whether it dies here.
    pub dies: Vec<bool>,
    /// What the frame of a call keeps.
    pub saved: Vec<Var>,
    /// What to drop afterwards.
    pub drops: Vec<Var>,
    /// Variables assigned that nobody wants.
    pub unwanted: Vec<Var>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct BlockNotes {
    pub live: Vec<Var>,
    /// What to drop first.
    pub drops: Vec<Var>,
    pub statements: Vec<StatementNotes>,
    /// For each operand of the end whether it dies there.
    pub dies: Vec<bool>,
    /// What the frame of the end keeps, and whether a copy is needed under it.
    pub saved: Vec<(Var, bool)>,
}

struct Liveness<'b> {
    body: &'b Body,
    program: &'b Program,
    notes: Vec<BlockNotes>,
    /// What is live where a join, or what follows an argument, begins.
    joins: HashMap<BlockId, Live>,
}

pub(super) fn analyse(body: &mut Body, program: &Program) -> Vec<BlockNotes> {
    let parameters = body.parameters.clone();
    // The parameters are dropped as those of a block are.
    let entry = body.entry;
    if let Some(block) = body.blocks.get_mut(entry) {
        block.parameters = parameters;
    }
    let mut liveness = Liveness {
        notes: vec![BlockNotes::default(); body.blocks.len()],
        body,
        program,
        joins: HashMap::new(),
    };
    liveness.block(entry);
    liveness.notes
}

impl Liveness<'_> {
    /// Whether a variable may have to be counted.
    fn counts(&self, v: Var) -> bool {
        !matches!(self.body.kind(v), Kind::Plain | Kind::Constant(_))
    }

    /// Adds a use; gives whether it is the last.
    fn use_of(&self, v: Var, live: &mut Live) -> bool {
        !matches!(self.body.kind(v), Kind::Constant(_)) && live.insert(v)
    }

    fn note(&mut self, block: BlockId, change: impl FnOnce(&mut BlockNotes)) {
        if let Some(notes) = self.notes.get_mut(block) {
            change(notes);
        }
    }

    fn block(&mut self, id: BlockId) -> Live {
        deep(|| self.block_here(id))
    }

    /// What is live at the start of a block, its parameters not included.
    fn block_here(&mut self, id: BlockId) -> Live {
        let body = self.body;
        let Some(block) = body.blocks.get(id) else {
            return Live::new();
        };
        let mut live = self.end(id, block);
        let mut notes = Vec::with_capacity(block.statements.len());
        for statement in block.statements.iter().rev() {
            notes.push(self.statement(&statement.what, &mut live));
        }
        notes.reverse();
        let mut drops = Vec::new();
        for parameter in &block.parameters {
            if !live.remove(parameter) && self.counts(*parameter) {
                drops.push(*parameter);
            }
        }
        self.note(id, |n| {
            n.statements = notes;
            n.live = live.iter().copied().collect();
            n.drops.extend(drops);
        });
        live
    }

    fn statement(&mut self, statement: &Statement, live: &mut Live) -> StatementNotes {
        let mut notes = StatementNotes::default();
        let targets = statement.targets();
        let wanted = targets.iter().any(|t| live.contains(t));
        if statement.is_pure() && !wanted {
            notes.dead = true;
            return notes;
        }
        for target in targets {
            if !live.remove(&target) {
                notes.unwanted.push(target);
            }
        }
        if statement.is_call() {
            notes.saved = live.iter().copied().collect();
        }
        let mut copy = statement.clone();
        let operands: Vec<Var> = copy.operands().into_iter().map(|v| *v).collect();
        notes.dies = vec![false; operands.len()];
        for (i, v) in operands.iter().enumerate().rev() {
            if self.use_of(*v, live)
                && let Some(dies) = notes.dies.get_mut(i)
            {
                *dies = true;
            }
        }
        if only_looks(statement) {
            for (v, dies) in operands.iter().zip(&notes.dies) {
                if *dies && self.counts(*v) {
                    notes.drops.push(*v);
                }
            }
        }
        notes
    }

    fn end(&mut self, id: BlockId, block: &Block) -> Live {
        let end = &block.end.what;
        let mut live = match end {
            End::With { join, inner } => {
                let at_join = self.block(*join);
                self.joins.insert(*join, at_join);
                return self.block(*inner);
            }
            End::Continue(next) => return self.block(*next),
            End::Jump { join, .. } => self.joins.get(join).cloned().unwrap_or_default(),
            End::Switch { of, cases } => return self.switch(id, *of, cases, end),
            End::Branch { a, b, .. } => return self.branch(id, *a, *b, end),
            End::Handle { inner, after, .. } | End::Adapt { inner, after, .. } => {
                let after = after.map(|after| self.block(after)).unwrap_or_default();
                let inner = self.block(*inner);
                self.save(id, &after, |v| inner.contains(v));
                inner.union(&after).copied().collect()
            }
            End::Pause { inner, after, .. } | End::Rest { inner, after, .. } => {
                let after = self.block(*after);
                let inner = self.block(*inner);
                self.save(id, &after, |v| inner.contains(v));
                inner.union(&after).copied().collect()
            }
            End::EnterPort { inner, after, .. } => {
                let at_after = self.block(*after);
                self.joins.insert(*after, at_after.clone());
                let inner = self.block(*inner);
                // If the port is plain, nothing is saved, and all stays in its registers.
                self.save(id, &at_after, |_| true);
                inner
            }
            End::LeavePort { after, .. } => self.joins.get(after).cloned().unwrap_or_default(),
            // The arguments stay where they are for the slow way.
            End::WindowLeave => self.body.parameters.iter().copied().collect(),
            _ => Live::new(),
        };
        let mut copy = end.clone();
        let operands: Vec<Var> = copy.operands().into_iter().map(|v| *v).collect();
        let mut dies = vec![false; operands.len()];
        for (i, v) in operands.iter().enumerate().rev() {
            if self.use_of(*v, &mut live)
                && let Some(dies) = dies.get_mut(i)
            {
                *dies = true;
            }
        }
        self.note(id, |n| n.dies = dies);
        live
    }

    fn save(&mut self, id: BlockId, after: &Live, copied: impl Fn(&Var) -> bool) {
        let saved = after
            .iter()
            .map(|v| (*v, copied(v) && self.counts(*v)))
            .collect();
        self.note(id, |n| n.saved = saved);
    }

    fn switch(&mut self, id: BlockId, of: Var, cases: &Cases, end: &End) -> Live {
        let mut live = self.union(end);
        let dies = self.use_of(of, &mut live);
        self.note(id, |n| n.dies = vec![dies]);
        // A float is never counted; nor is a constructor without arguments.
        let float = matches!(cases, Cases::Float { .. });
        let nullary: Vec<BlockId> = match cases {
            Cases::Constructor { cases, .. } => cases
                .iter()
                .filter(|(c, _)| self.is_nullary(*c))
                .map(|(_, block)| *block)
                .collect(),
            _ => Vec::new(),
        };
        let mut blocks = Vec::new();
        successors(end, &mut |block| blocks.push(block));
        for block in blocks {
            let plain = float || nullary.contains(&block);
            self.drop_in(block, &live, plain.then_some(of));
        }
        live
    }

    fn is_nullary(&self, constructor: u32) -> bool {
        let id = super::shared::id_of::<frank_core::Constructor>(constructor);
        self.program.constructors[id].fields.is_empty()
    }

    fn branch(&mut self, id: BlockId, a: Var, b: Var, end: &End) -> Live {
        let below = self.union(end);
        let mut live = below.clone();
        let b_dies = self.use_of(b, &mut live);
        let a_dies = self.use_of(a, &mut live);
        self.note(id, |n| n.dies = vec![a_dies, b_dies]);
        let mut blocks = Vec::new();
        successors(end, &mut |block| blocks.push(block));
        for block in blocks {
            // An operand that dies in the comparison is dropped by it.
            self.drop_in(block, &below, None);
        }
        live
    }

    /// What is live in any of the blocks that an end leads to.
    fn union(&mut self, end: &End) -> Live {
        let mut blocks = Vec::new();
        successors(end, &mut |block| blocks.push(block));
        let mut live = Live::new();
        for block in blocks {
            let mut at_block = self.block(block);
            if at_block.len() > live.len() {
                std::mem::swap(&mut live, &mut at_block);
            }
            live.extend(at_block);
        }
        live
    }

    /// Has a block drop what is live before it and not in it, but for one variable.
    fn drop_in(&mut self, block: BlockId, live: &Live, except: Option<Var>) {
        let Some(notes) = self.notes.get(block) else {
            return;
        };
        let here: Live = notes.live.iter().copied().collect();
        let drops: Vec<Var> = live
            .difference(&here)
            .copied()
            .filter(|v| Some(*v) != except && self.counts(*v))
            .collect();
        self.note(block, |n| n.drops.extend(drops));
    }
}

/// Whether a statement leaves its operands for others to drop.
pub(super) fn only_looks(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Builtin { .. } | Statement::PausedArgs { .. } | Statement::Reverse { .. }
    )
}
