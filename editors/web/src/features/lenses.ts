// Lenses: what can be done with an operator, above the line where it begins.

import { type EditorState, type Extension, Facet, RangeSet } from '@codemirror/state';
import { type Command, Decoration, type EditorView, WidgetType } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { givenDecorations } from './given';
import { ask, keepShown, offsetOf, servedBy } from './session';

/** Who does what lenses say. */
export interface LensUser {
  /** Does the command of a lens. */
  act: (command: lsp.Command) => void;
  /** The lenses are others. */
  changed: () => void;
}

const nobody: LensUser = { act: () => undefined, changed: () => undefined };
const user = Facet.define<LensUser, LensUser>({ combine: ([first]) => first ?? nobody, static: true });

class Row extends WidgetType {
  private readonly key: string;

  public constructor(
    public readonly commands: lsp.Command[],
    private readonly indent: number,
  ) {
    super();
    this.key = JSON.stringify([indent, commands]);
  }

  public override eq(other: Row): boolean {
    return this.key === other.key;
  }

  public override get estimatedHeight(): number {
    return 20;
  }

  public override toDOM(view: EditorView): HTMLElement {
    const row = document.createElement('div');
    row.className = 'fk-lenses';
    row.style.paddingInlineStart = `calc(6px + ${this.indent}ch)`;
    for (const command of this.commands) {
      const button = row.appendChild(document.createElement('button'));
      button.type = 'button';
      // The cursor's way through the text does not lead through these; there are keys.
      button.tabIndex = -1;
      // Few systems have a letter for the server's sign.
      button.textContent = command.title.replace('⏵', '▷');
      button.addEventListener('mousedown', (event) => { event.preventDefault(); });
      button.addEventListener('click', () => { view.state.facet(user).act(command); });
    }
    return row;
  }

  public override ignoreEvent(): boolean {
    return true;
  }
}

const { field, give } = givenDecorations();

async function pull(view: EditorView): Promise<void> {
  const params = { textDocument: { uri: servedBy(view).uri } };
  const answer = await ask<lsp.CodeLens[] | null>(view, 'textDocument/codeLens', params);
  if (answer === undefined) {
    return;
  }
  const { doc } = view.state;
  const resolved = await Promise.all(
    (answer ?? []).map(async (lens) => (lens.command === undefined ? ask<lsp.CodeLens>(view, 'codeLens/resolve', lens) : lens)),
  );
  if (view.state.doc !== doc) {
    return;
  }
  const lines = new Map<number, lsp.Command[]>();
  for (const lens of resolved) {
    if (lens?.command !== undefined) {
      const { from } = doc.lineAt(offsetOf(doc, lens.range.start));
      lines.set(from, [...(lines.get(from) ?? []), lens.command]);
    }
  }
  const rows = [...lines].map(([from, commands]) => {
    const indent = /^\s*/.exec(doc.lineAt(from).text)?.[0].length ?? 0;
    return Decoration.widget({ widget: new Row(commands, indent), block: true, side: -1 }).range(from);
  });
  view.dispatch({ effects: give.of(RangeSet.of(rows, true)) });
  view.state.facet(user).changed();
}

/** All that lenses offer, with the offsets of their lines. */
export function offered(state: EditorState): { at: number; command: lsp.Command }[] {
  const found: { at: number; command: lsp.Command }[] = [];
  state.field(field).between(0, state.doc.length, (at, _, { spec }) => {
    const { widget } = spec as { widget: unknown };
    if (widget instanceof Row) {
      found.push(...widget.commands.map((command) => ({ at, command })));
    }
  });
  return found;
}

/** Does what the first lens above the cursor says, or else the first one below. */
export const doNearest: Command = (view) => {
  const { head } = view.state.selection.main;
  const all = offered(view.state).filter(({ command }) => command.command !== 'frank.step' && command.command !== 'frank.plot');
  const above = all.filter(({ at }) => at <= head).sort((one, other) => other.at - one.at);
  const nearest = above[0] ?? all[0];
  if (nearest === undefined) {
    return false;
  }
  view.state.facet(user).act(nearest.command);
  return true;
};

export function lenses(by: LensUser): Extension {
  return [user.of(by), field, keepShown({ pull, refresh: 'workspace/codeLens/refresh', patience: 200 })];
}
