//! Simplifies the blocks of a function before registers are given out: joins that one jump leads
//! to become part of the block that jumps, states of handlers that are known are not read again ([`states`]), what is
//! known of objects is decided ([`objects`]), and a
//! comparison that only decides a switch becomes a branch.

use frank_core::{Comparison, Number};

use super::ir::{Body, Cases, End, Statement, Var, at};
use super::objects;
use super::shared::Shared;
use super::states;

/// How often it is looked for objects that are taken apart where they are known.
const ROUNDS: usize = 8;

pub(super) fn clean(body: &mut Body, shared: &Shared<'_>) {
    let aliases = continue_into_joins(body);
    rename(body, &aliases);
    if let Some(aliases) = states::forward(body, shared) {
        rename(body, &aliases);
    }
    // What is decided leaves joins with one jump, and these more to be decided.
    for _ in 0..ROUNDS {
        let Some(aliases) = objects::open(body, shared) else {
            break;
        };
        rename(body, &aliases);
        objects::forget_unreached(body);
        let aliases = continue_into_joins(body);
        rename(body, &aliases);
    }
    objects::sink(body);
    fuse_comparisons(body, shared);
}

/// Joins with one jump, or none. Gives what each variable is another name of.
fn continue_into_joins(body: &mut Body) -> Vec<Var> {
    let mut aliases: Vec<Var> = (0..body.kinds.len() as Var).collect();
    let mut jumps = vec![0u32; body.blocks.len()];
    // Blocks that nothing leads to do not count.
    let order = body.reached();
    for block in &order {
        if let Some(End::Jump { join, .. }) = body.blocks.get(*block).map(|b| &b.end.what) {
            *at(&mut jumps, *join) += 1;
        }
    }
    for block in order {
        let Some(end) = body.blocks.get(block).map(|b| b.end.what.clone()) else {
            continue;
        };
        let next = match end {
            End::Jump { join, args } if *at(&mut jumps, join) == 1 => {
                let parameters = body.blocks.get(join).map(|b| b.parameters.clone());
                for (parameter, arg) in parameters.unwrap_or_default().iter().zip(&args) {
                    *at(&mut aliases, *parameter as usize) = *arg;
                }
                if let Some(b) = body.blocks.get_mut(join) {
                    b.parameters.clear();
                }
                End::Continue(join)
            }
            End::With { join, inner } if *at(&mut jumps, join) <= 1 => End::Continue(inner),
            _ => continue,
        };
        if let Some(b) = body.blocks.get_mut(block) {
            b.end.what = next;
        }
    }
    aliases
}

fn rename(body: &mut Body, aliases: &[Var]) {
    let resolve = |v: &mut Var| {
        while let Some(next) = aliases.get(*v as usize)
            && next != v
        {
            *v = *next;
        }
    };
    for block in &mut body.blocks {
        for statement in &mut block.statements {
            statement.what.operands().into_iter().for_each(resolve);
        }
        block.end.what.operands().into_iter().for_each(resolve);
    }
}

/// The block of a comparison, and what it compares.
type Compared = (usize, Comparison, Number, Var, Var);

/// A comparison whose only use is a switch moves to the switch.
fn fuse_comparisons(body: &mut Body, shared: &Shared<'_>) {
    let mut uses = vec![0u32; body.kinds.len()];
    let mut comparisons: Vec<Option<Compared>> = vec![None; body.kinds.len()];
    for (i, block) in body.blocks.iter_mut().enumerate() {
        for statement in &mut block.statements {
            for v in statement.what.operands() {
                *at(&mut uses, *v as usize) += 1;
            }
            if let Statement::Compare {
                to,
                operator,
                number,
                a,
                b,
            } = &statement.what
            {
                *at(&mut comparisons, *to as usize) = Some((i, *operator, *number, *a, *b));
            }
        }
        for v in block.end.what.operands() {
            *at(&mut uses, *v as usize) += 1;
        }
    }
    let mut moved = Vec::new();
    for block in &mut body.blocks {
        let End::Switch {
            of,
            cases: Cases::Constructor { cases, default },
        } = &block.end.what
        else {
            continue;
        };
        let Some((from, operator, number, a, b)) = *at(&mut comparisons, *of as usize) else {
            continue;
        };
        if *at(&mut uses, *of as usize) != 1 {
            continue;
        }
        let target = |word: crate::value::Value| {
            let found = cases.iter().find(|(c, _)| shared.nullary(*c) == word);
            found.map(|(_, b)| *b).or(*default)
        };
        let (Some(yes), Some(no)) = (target(shared.words.true_), target(shared.words.false_))
        else {
            continue;
        };
        // A block has one predecessor, so both outcomes need one of their own.
        if yes == no {
            continue;
        }
        moved.push((from, *of));
        block.end.what = End::Branch {
            operator,
            number,
            a,
            b,
            yes,
            no,
        };
    }
    for (from, target) in moved {
        if let Some(block) = body.blocks.get_mut(from) {
            block.statements.retain(|s| s.what.target() != Some(target));
        }
    }
}
