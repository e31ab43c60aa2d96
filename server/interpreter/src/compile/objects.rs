//! Objects that a function both makes and takes apart: their fields are used at once, and an object that only some
//! branches need as a whole is made there.

use std::collections::{BTreeMap, HashMap};

use super::deep;
use super::ir::{BlockId, Body, Cases, End, Kind, Placed, Statement, Var, at, successors};
use super::shared::{Shared, id_of};

/// How many steps up the tree of blocks are made for one function: more is not worth its time.
const STEPS: usize = 100_000;

/// Takes apart and decides what is known, since it was made here. Gives what each variable is another name of, if
/// something was.
pub(super) fn open(body: &mut Body, shared: &Shared<'_>) -> Option<Vec<Var>> {
    let mut made: HashMap<Var, (u32, Vec<Var>)> = HashMap::new();
    for statement in body.blocks.iter().flat_map(|block| &block.statements) {
        if let Statement::Construct {
            to,
            constructor,
            args,
        } = &statement.what
        {
            let data = shared.program.constructors[id_of(*constructor)].data;
            if shared.program.data[data].standing.is_empty() {
                made.insert(*to, (*constructor, args.clone()));
            }
        }
    }
    if made.is_empty() {
        return None;
    }
    let mut aliases: Vec<Var> = (0..body.kinds.len() as Var).collect();
    let mut opened = false;
    for block in &mut body.blocks {
        block.statements.retain(|statement| {
            let Statement::Project { of, fields } = &statement.what else {
                return true;
            };
            let Some((_, args)) = made.get(of).filter(|(_, args)| args.len() == fields.len())
            else {
                return true;
            };
            for (field, arg) in fields.iter().zip(args) {
                *at(&mut aliases, *field as usize) = *arg;
            }
            opened = true;
            false
        });
        if let End::Switch {
            of,
            cases: Cases::Constructor { cases, default },
        } = &block.end.what
            && let Some((constructor, _)) = made.get(of)
        {
            let case = cases.iter().find(|(c, _)| c == constructor);
            if let Some(next) = case.map(|(_, block)| *block).or(*default) {
                block.end.what = End::Continue(next);
                opened = true;
            }
        }
    }
    opened.then_some(aliases)
}

/// Empties the blocks that nothing leads to any more.
pub(super) fn forget_unreached(body: &mut Body) {
    let mut reached = vec![false; body.blocks.len()];
    for block in body.reached() {
        *at(&mut reached, block) = true;
    }
    for (block, reached) in body.blocks.iter_mut().zip(reached) {
        if !reached {
            block.statements.clear();
            block.end.what = End::Open;
        }
    }
}

/// Has objects made as late as possible, and only where they are needed.
pub(super) fn sink(body: &mut Body) {
    let mut made: Vec<(Var, BlockId)> = Vec::new();
    for (id, block) in body.blocks.iter().enumerate() {
        for statement in &block.statements {
            if let Statement::Construct { to, .. } | Statement::Closure { to, .. } = &statement.what
            {
                made.push((*to, id));
            }
        }
    }
    if made.is_empty() {
        return;
    }
    let mut sinking = Sinking::new(body, &made);
    // The arguments of an object have smaller numbers than itself.
    made.sort_unstable_by_key(|(v, _)| std::cmp::Reverse(*v));
    for (v, block) in made {
        sinking.object(v, block);
    }
}

struct Sinking<'b> {
    body: &'b mut Body,
    /// Of each block the one that leads to it, and how many do so before that.
    above: Vec<(BlockId, usize)>,
    /// The blocks that use each object, once for each use.
    uses: HashMap<Var, Vec<BlockId>>,
    steps: usize,
}

impl Sinking<'_> {
    fn new<'b>(body: &'b mut Body, made: &[(Var, BlockId)]) -> Sinking<'b> {
        let mut above = vec![(body.entry, 0); body.blocks.len()];
        let mut queue = vec![(body.entry, 0)];
        let mut uses: HashMap<Var, Vec<BlockId>> =
            made.iter().map(|(v, _)| (*v, Vec::new())).collect();
        while let Some((id, depth)) = queue.pop() {
            let Some(block) = body.blocks.get_mut(id) else {
                continue;
            };
            successors(&block.end.what, &mut |next| {
                *at(&mut above, next) = (id, depth + 1);
                queue.push((next, depth + 1));
            });
            let statements = block.statements.iter_mut();
            let operands = statements.flat_map(|statement| statement.what.operands());
            for v in operands.chain(block.end.what.operands()) {
                if let Some(uses) = uses.get_mut(v) {
                    uses.push(id);
                }
            }
        }
        Sinking {
            body,
            above,
            uses,
            steps: 0,
        }
    }

    /// Moves an object that a block makes down to its uses.
    fn object(&mut self, v: Var, block: BlockId) {
        let Some(uses) = self.uses.get(&v).cloned() else {
            return;
        };
        if uses.is_empty() || uses.contains(&block) {
            return;
        }
        let mut places = Vec::new();
        let found = self.places(&uses, &mut places);
        let stays = places.iter().any(|(place, _)| *place == block);
        if !found || stays {
            return;
        }
        let Some(from) = self.body.blocks.get_mut(block) else {
            return;
        };
        let made = |s: &Placed<Statement>| s.what.target() == Some(v);
        let Some(index) = from.statements.iter().position(made) else {
            return;
        };
        let mut statement = from.statements.remove(index);
        let operands: Vec<Var> = statement.what.operands().into_iter().map(|v| *v).collect();
        for operand in &operands {
            if let Some(uses) = self.uses.get_mut(operand)
                && let Some(index) = uses.iter().position(|used| *used == block)
            {
                uses.swap_remove(index);
                uses.extend(places.iter().map(|(place, _)| *place));
            }
        }
        for (i, (place, users)) in places.into_iter().enumerate() {
            let mut statement = statement.clone();
            if i > 0 {
                self.body.kinds.push(Kind::Unknown);
                let other = self.body.kinds.len() as Var - 1;
                for user in users {
                    self.rename(user, v, other);
                }
                if let Statement::Construct { to, .. } | Statement::Closure { to, .. } =
                    &mut statement.what
                {
                    *to = other;
                }
            }
            self.insert(place, statement);
        }
    }

    /// Where an object is to be made for some uses, and for which of them each time. Gives whether that was found out
    /// in time.
    fn places(&mut self, uses: &[BlockId], to: &mut Vec<(BlockId, Vec<BlockId>)>) -> bool {
        let Some(meeting) = self.meeting(uses).filter(|_| self.steps <= STEPS) else {
            return false;
        };
        let end = self.body.blocks.get(meeting).map(|block| &block.end.what);
        let branches = match end {
            Some(end @ (End::Switch { .. } | End::Branch { .. })) => {
                let mut count = 0;
                successors(end, &mut |_| count += 1);
                count
            }
            _ => 0,
        };
        let mut groups: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
        if branches > 0 && !uses.contains(&meeting) {
            for used in uses {
                let below = self.below(meeting, *used);
                groups.entry(below).or_default().push(*used);
            }
        }
        // Where all branches use it one object is as good, and less code.
        if groups.is_empty() || groups.len() == branches {
            to.push((meeting, uses.to_vec()));
            return true;
        }
        let mut groups = groups.into_values();
        groups.all(|group| deep(|| self.places(&group, to)))
    }

    /// The innermost block that leads to all of some, or is one of them.
    fn meeting(&mut self, blocks: &[BlockId]) -> Option<BlockId> {
        let mut meeting = *blocks.first()?;
        for other in blocks {
            let mut other = *other;
            while meeting != other {
                self.steps += 1;
                let (above, depth) = *at(&mut self.above, meeting);
                let (others, other_depth) = *at(&mut self.above, other);
                if depth >= other_depth {
                    meeting = above;
                } else {
                    other = others;
                }
            }
        }
        Some(meeting)
    }

    /// The block right below one that leads to another one further down.
    fn below(&mut self, above: BlockId, mut block: BlockId) -> BlockId {
        loop {
            self.steps += 1;
            let (next, depth) = *at(&mut self.above, block);
            if next == above || depth == 0 {
                return block;
            }
            block = next;
        }
    }

    fn rename(&mut self, block: BlockId, from: Var, to: Var) {
        let Some(block) = self.body.blocks.get_mut(block) else {
            return;
        };
        let statements = block.statements.iter_mut();
        let operands = statements.flat_map(|statement| statement.what.operands());
        for v in operands.chain(block.end.what.operands()) {
            if *v == from {
                *v = to;
            }
        }
    }

    /// Puts a statement before the first use of what it makes in a block, or at its end.
    fn insert(&mut self, block: BlockId, statement: Placed<Statement>) {
        let Some(target) = statement.what.target() else {
            return;
        };
        let Some(block) = self.body.blocks.get_mut(block) else {
            return;
        };
        let mut statements = block.statements.iter_mut();
        let first = statements.position(|s| s.what.operands().into_iter().any(|v| *v == target));
        let index = first.unwrap_or(block.statements.len());
        block.statements.insert(index, statement);
    }
}
