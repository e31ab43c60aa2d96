//! Parallel moves: the arguments of a call go to the first registers, where others of them stand.

use std::collections::{BTreeMap, HashMap};

use crate::code::{Operand, Reg};

/// Puts moves in an order in which none overwrites what another still has to read. Targets are
/// different from each other; a cycle goes through `spare`, a register that no move names.
pub(super) fn order(mut moves: Vec<(Operand, Reg)>, spare: Reg) -> Vec<(Operand, Reg)> {
    moves.retain(|(from, to)| from.register() != *to as usize || from.flag());
    // How often each register is read by a move to another one.
    let mut reads: HashMap<usize, usize> = HashMap::new();
    for (from, to) in &moves {
        if from.register() != *to as usize {
            *reads.entry(from.register()).or_default() += 1;
        }
    }
    let mut ordered = Vec::with_capacity(moves.len());
    // The moves by target, and the targets that nothing reads any more.
    let mut by_target: BTreeMap<Reg, Operand> = moves.iter().map(|(f, t)| (*t, *f)).collect();
    let unread = |reads: &HashMap<usize, usize>, to: Reg| {
        reads.get(&(to as usize)).copied().unwrap_or(0) == 0
    };
    let mut free: Vec<Reg> = by_target
        .keys()
        .copied()
        .filter(|to| unread(&reads, *to))
        .collect();
    loop {
        while let Some(to) = free.pop() {
            let Some(from) = by_target.remove(&to) else {
                continue;
            };
            ordered.push((from, to));
            let source = from.register();
            if source != to as usize
                && let Some(count) = reads.get_mut(&source)
            {
                *count -= 1;
                if *count == 0 {
                    free.push(source as Reg);
                }
            }
        }
        // All that is left are cycles. The value in one of the targets steps aside.
        let Some((&to, _)) = by_target.iter().next() else {
            return ordered;
        };
        ordered.push((Operand::new(to, false), spare));
        let mut count = 0;
        for (target, from) in &mut by_target {
            if from.register() == to as usize && *target != to {
                *from = Operand::new(spare, from.flag());
                count += 1;
            }
        }
        reads.insert(spare as usize, count);
        reads.insert(to as usize, 0);
        free.push(to);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever is moved where, every target ends up with what its source held.
        #[test]
        fn all_arrive(sources in proptest::collection::vec(0u16..8, 0..8)) {
            let moves: Vec<(Operand, Reg)> =
                sources.iter().enumerate().map(|(i, s)| (Operand::new(*s, false), i as Reg)).collect();
            let mut registers: Vec<u16> = (0..16).collect();
            for (from, to) in order(moves, 15) {
                registers[to as usize] = registers[from.register()];
            }
            for (i, s) in sources.iter().enumerate() {
                prop_assert_eq!(registers[i], *s);
            }
        }
    }

    #[test]
    fn a_value_in_its_place_is_still_counted() {
        let moves = vec![(Operand::new(0, true), 0), (Operand::new(0, false), 1)];
        let ordered = order(moves, 9);
        assert_eq!(ordered.iter().filter(|(from, _)| from.flag()).count(), 1);
    }
}
