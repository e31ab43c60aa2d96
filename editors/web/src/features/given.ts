// What an editor shows because the server has said it: it is given by an effect, and kept while the text goes on.

import { type Extension, StateEffect, type StateEffectType, StateField, type Transaction } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, showTooltip, type Tooltip } from '@codemirror/view';

export interface Given<T> {
  field: StateField<T>;
  /** Gives another one. */
  give: StateEffectType<T>;
}

/** Something that an effect gives; `kept` says what becomes of it with a transaction that gives none. */
export function given<T>(
  first: T,
  kept: (before: T, transaction: Transaction) => T,
  provide: (field: StateField<T>) => Extension,
): Given<T> {
  const give = StateEffect.define<T>();
  const field = StateField.define<T>({
    create: () => first,
    update: (before, transaction) => {
      const now = transaction.effects.find((effect) => effect.is(give));
      return now === undefined ? kept(before, transaction) : now.value;
    },
    provide,
  });
  return { field, give };
}

/** Decorations, which move with the text. */
export function givenDecorations(): Given<DecorationSet> {
  const moved = (before: DecorationSet, { changes }: Transaction): DecorationSet => before.map(changes);
  return given(Decoration.none, moved, (field) => EditorView.decorations.from(field));
}

/** A tooltip. */
export function givenTooltip(
  kept: (before: Tooltip | null, transaction: Transaction) => Tooltip | null,
): Given<Tooltip | null> {
  return given<Tooltip | null>(null, kept, (field) => showTooltip.from(field));
}

/** For a tooltip that belongs to where the cursor is: until that is elsewhere, or the text is another one. */
export function whileHere(before: Tooltip | null, { docChanged, selection }: Transaction): Tooltip | null {
  return docChanged || selection !== undefined ? null : before;
}
