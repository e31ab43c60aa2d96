// Inlay hints: types and abilities that are not written.

import { type Extension, RangeSet } from '@codemirror/state';
import { Decoration, type EditorView, WidgetType } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { givenDecorations } from './given';
import { ask, inView, keepShown, offsetOf, servedBy } from './session';

class Hint extends WidgetType {
  public constructor(
    private readonly text: string,
    private readonly before: boolean,
    private readonly behind: boolean,
  ) {
    super();
  }

  public override eq(other: Hint): boolean {
    return this.text === other.text && this.before === other.before && this.behind === other.behind;
  }

  public override toDOM(): HTMLElement {
    const hint = document.createElement('span');
    hint.className = `fk-hint${this.before ? ' fk-before' : ''}${this.behind ? ' fk-behind' : ''}`;
    hint.textContent = this.text;
    return hint;
  }
}

const { field, give: hinted } = givenDecorations();

async function pull(view: EditorView): Promise<void> {
  const params = { textDocument: { uri: servedBy(view).uri }, range: inView(view) };
  const hints = await ask<lsp.InlayHint[] | null>(view, 'textDocument/inlayHint', params);
  if (hints === undefined) {
    return;
  }
  const { doc } = view.state;
  const widgets = (hints ?? []).map(({ position, label, paddingLeft, paddingRight }) => {
    const text = typeof label === 'string' ? label : label.map(({ value }) => value).join('');
    const widget = new Hint(text, paddingLeft === true, paddingRight === true);
    return Decoration.widget({ widget, side: 1 }).range(offsetOf(doc, position));
  });
  view.dispatch({ effects: hinted.of(RangeSet.of(widgets, true)) });
}

export const hints: Extension = [
  field,
  keepShown({ pull, refresh: 'workspace/inlayHint/refresh', patience: 200, follows: true }),
];
