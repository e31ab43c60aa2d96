// Changes that the server makes to the text.

import { EditorSelection, type Text, Transaction, type TransactionSpec } from '@codemirror/state';
import { type Command, EditorView, ViewPlugin } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { ask, editorOf, placeIn, servedBy, spanOf } from './session';

/** Makes edits of a text as one change, unless that text is another one by now; says whether it did. */
export function apply(view: EditorView, doc: Text, edits: lsp.TextEdit[], more: TransactionSpec = {}): boolean {
  if (view.state.doc !== doc) {
    return false;
  }
  const changes = edits.map(({ range, newText }) => ({ ...spanOf(doc, range), insert: newText }));
  view.dispatch({ changes, userEvent: 'input.server', ...more });
  return true;
}

/** The edits of a text among those of many. */
export function editsOf(uri: string, { changes, documentChanges }: lsp.WorkspaceEdit): lsp.TextEdit[] {
  const simple = changes?.[uri] ?? [];
  const versioned = (documentChanges ?? []).flatMap((change) =>
    'edits' in change && change.textDocument.uri === uri ? change.edits.filter((edit) => 'newText' in edit) : [],
  );
  return [...simple, ...versioned];
}

/**
 * Makes the edits of all texts, those of one as one change; `doc` is what the editor had when they were asked for. Either all
 * of them are made or none, and then it says why.
 */
export function applyAll(view: EditorView, doc: Text, edit: lsp.WorkspaceEdit, more: TransactionSpec = {}): string | undefined {
  const { connection, uri: own } = servedBy(view);
  const others: [EditorView, string][] = [];
  for (const change of edit.documentChanges ?? []) {
    if (!('edits' in change) || change.textDocument.uri === own) {
      continue;
    }
    const { uri, version } = change.textDocument;
    const other = editorOf(connection, uri);
    if (other === undefined) {
      return `That changes ${uri.slice(uri.lastIndexOf('/') + 1)}, too, which is in no editor here.`;
    }
    if (version !== null && version !== connection.versionOf(uri)) {
      return CHANGED;
    }
    others.push([other, uri]);
  }
  if (!apply(view, doc, editsOf(own, edit), more)) {
    return CHANGED;
  }
  for (const [other, uri] of others) {
    apply(other, other.state.doc, editsOf(uri, edit));
  }
  return undefined;
}

const CHANGED = 'The text has changed meanwhile.';

/** The server may make edits of its own, after a command. */
export const serverEdits = ViewPlugin.define((view) => {
  const { connection, uri } = servedBy(view);
  const end = connection.on('workspace/applyEdit', ({ edit }: lsp.ApplyWorkspaceEditParams) => {
    const edits = editsOf(uri, edit);
    if (edits.length === 0) {
      return undefined;
    }
    return { applied: apply(view, view.state.doc, edits) };
  });
  return { destroy: end };
});

const OPTIONS: lsp.FormattingOptions = { tabSize: 2, insertSpaces: true };

/** Formats the text. */
export async function format(view: EditorView): Promise<boolean> {
  const { uri } = servedBy(view);
  const params = { textDocument: { uri }, options: OPTIONS };
  const edits = await ask<lsp.TextEdit[] | null>(view, 'textDocument/formatting', params);
  if (edits === undefined || edits === null || edits.length === 0) {
    return edits !== undefined;
  }
  return apply(view, view.state.doc, edits, { userEvent: 'format' });
}

export const formatCommand: Command = (view) => {
  void format(view);
  return true;
};

/** How CodeMirror calls what keys put in: signs, and new lines. */
const TYPED = ['input', 'input.type'];

/** After a sign that ends something the server lays out what was typed. */
export const formatOnType = EditorView.updateListener.of((update) => {
  const isTyped = update.transactions.some((transaction) => TYPED.includes(transaction.annotation(Transaction.userEvent) ?? ''));
  const { view } = update;
  const options = servedBy(view).connection.capabilities?.documentOnTypeFormattingProvider;
  if (!update.docChanged || !isTyped || options === undefined) {
    return;
  }
  const { head, empty } = view.state.selection.main;
  let typed = '';
  update.changes.iterChanges((_, __, ___, to, inserted) => {
    if (to === head) {
      typed = inserted.toString();
    }
  });
  // A new line comes with its indentation.
  const character = typed.startsWith('\n') ? '\n' : typed;
  if (!empty || ![options.firstTriggerCharacter, ...(options.moreTriggerCharacter ?? [])].includes(character)) {
    return;
  }
  void layOut(view, head, character);
});

async function layOut(view: EditorView, head: number, ch: string): Promise<void> {
  const params = { ...placeIn(view, head), ch, options: OPTIONS };
  const edits = await ask<lsp.TextEdit[] | null>(view, 'textDocument/onTypeFormatting', params);
  if (edits === undefined || edits === null || edits.length === 0) {
    return;
  }
  const { doc, selection } = view.state;
  const changes = view.state.changes(edits.map(({ range, newText }) => ({ ...spanOf(doc, range), insert: newText })));
  // What is put in where the cursor is goes before it.
  view.dispatch({ changes, selection: EditorSelection.cursor(changes.mapPos(selection.main.head, 1)), userEvent: 'format' });
}
