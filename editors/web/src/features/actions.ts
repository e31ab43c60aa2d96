// Code actions: what mends a finding, and what can be done at a place, in a menu of its own.

import type { Extension, Text } from '@codemirror/state';
import { type Command, type EditorView, keymap } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { applyAll } from './edits';
import { givenTooltip, whileHere } from './given';
import { ask, rangeOf, servedBy } from './session';

/** Something that mends a finding. */
export interface Fix {
  title: string;
  apply: () => Promise<void>;
}

async function actions(view: EditorView, range: lsp.Range, context: lsp.CodeActionContext): Promise<lsp.CodeAction[]> {
  const params = { textDocument: { uri: servedBy(view).uri }, range, context };
  const answer = await ask<(lsp.Command | lsp.CodeAction)[] | null>(view, 'textDocument/codeAction', params);
  return (answer ?? []).filter((action): action is lsp.CodeAction => typeof action.command !== 'string');
}

/** Does an action that was found for a text, unless that is another one by now; the server says what it is once it is chosen. */
async function perform(view: EditorView, action: lsp.CodeAction, doc: Text): Promise<void> {
  const isWhole = action.edit !== undefined || action.data === undefined;
  const whole = isWhole ? action : await ask<lsp.CodeAction>(view, 'codeAction/resolve', action);
  const { connection } = servedBy(view);
  const why = whole?.edit === undefined ? undefined : applyAll(view, doc, whole.edit, { scrollIntoView: true });
  if (why !== undefined) {
    view.dispatch({ effects: shown.of({ pos: view.state.selection.main.head, create: () => ({ dom: notice(why) }) }) });
    return;
  }
  if (whole?.command !== undefined) {
    const { command, arguments: args } = whole.command;
    await connection.request('workspace/executeCommand', { command, arguments: args }).catch(() => undefined);
  }
  view.focus();
}

/** What mends a finding, the best first. */
export async function fixesOf(view: EditorView, finding: lsp.Diagnostic): Promise<Fix[]> {
  const found = await actions(view, finding.range, { diagnostics: [finding], only: ['quickfix'] });
  const own = found.filter(
    ({ diagnostics }) => diagnostics === undefined || diagnostics.some((other) => other.code === finding.code),
  );
  const { doc } = view.state;
  own.sort((one, other) => Number(other.isPreferred ?? false) - Number(one.isPreferred ?? false));
  return own.map((action) => ({ title: action.title, apply: () => perform(view, action, doc) }));
}

const { field, give: shown } = givenTooltip(whileHere);

function close(view: EditorView): void {
  if (view.state.field(field) !== null) {
    view.dispatch({ effects: shown.of(null) });
  }
}

/** A menu of actions. Arrows lead through it, Escape leads back. */
function menu(view: EditorView, found: lsp.CodeAction[]): HTMLElement {
  const { doc } = view.state;
  const root = document.createElement('div');
  root.className = 'fk-menu';
  root.setAttribute('role', 'menu');
  root.setAttribute('aria-label', 'What can be done here');
  const items = found.map((action) => {
    const item = document.createElement('button');
    item.type = 'button';
    item.setAttribute('role', 'menuitem');
    item.textContent = action.title;
    item.addEventListener('click', () => {
      close(view);
      void perform(view, action, doc);
    });
    return item;
  });
  root.append(...items);
  root.addEventListener('keydown', (event) => {
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    const ways: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
    const next = ways[event.key];
    if (next !== undefined) {
      items.at(next % items.length)?.focus();
    } else if (event.key === 'Escape') {
      close(view);
      view.focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  root.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && root.contains(relatedTarget))) {
      setTimeout(() => { close(view); });
    }
  });
  return root;
}

/** Shows what can be done where the cursor is. */
export const showActions: Command = (view) => {
  void open(view);
  return true;
};

async function open(view: EditorView): Promise<void> {
  const { from, to, head } = view.state.selection.main;
  const { uri } = servedBy(view);
  const params = { textDocument: { uri } };
  const report = await ask<lsp.DocumentDiagnosticReport>(view, 'textDocument/diagnostic', params);
  const { doc } = view.state;
  const range = rangeOf(doc, from, to);
  const diagnostics = (report?.kind === 'full' ? report.items : []).filter(
    (finding) => finding.range.start.line <= range.end.line && finding.range.end.line >= range.start.line,
  );
  const found = await actions(view, range, { diagnostics, triggerKind: 1 });
  const usable = found.filter(({ disabled }) => disabled === undefined);
  const create = (): { dom: HTMLElement; mount: () => void } => {
    const dom = usable.length > 0 ? menu(view, usable) : notice('There is nothing to do here.');
    return { dom, mount: () => { dom.querySelector('button')?.focus(); } };
  };
  view.dispatch({ effects: shown.of({ pos: head, create }) });
}

function notice(text: string): HTMLElement {
  const root = document.createElement('div');
  root.className = 'fk-menu';
  root.setAttribute('role', 'status');
  root.textContent = text;
  return root;
}

const escape: Command = (view) => {
  const isOpen = view.state.field(field) !== null;
  close(view);
  return isOpen;
};

export const codeActions: Extension = [
  field,
  keymap.of([
    { key: 'Mod-.', run: showActions },
    { key: 'Escape', run: escape },
  ]),
];
