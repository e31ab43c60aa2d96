// What is known of a place: under the pointer, or where the cursor is; and what an operator that is applied takes.

import type { Extension } from '@codemirror/state';
import { type Command, EditorView, hoverTooltip, keymap, type Tooltip, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { givenTooltip, whileHere } from './given';
import { markdown, told } from './markdown';
import { ask, placeIn, servedBy, spanOf } from './session';

async function hoverAt(view: EditorView, at: number): Promise<Tooltip | null> {
  const found = await ask<lsp.Hover | null>(view, 'textDocument/hover', placeIn(view, at));
  if (found === undefined || found === null) {
    return null;
  }
  const { contents, range } = found;
  const texts = Array.isArray(contents) ? contents : [contents];
  const dom = document.createElement('div');
  dom.className = 'fk-hover';
  for (const text of texts) {
    dom.append(typeof text !== 'string' && 'language' in text ? markdown(`\`\`\`\n${text.value}\n\`\`\``) : told(text));
  }
  const span = range === undefined ? { from: at, to: at } : spanOf(view.state.doc, range);
  return { pos: span.from, end: span.to, above: true, create: () => ({ dom }) };
}

/** What is told where the cursor is. */
const { field: shownHere, give: shown } = givenTooltip(whileHere);

/** Tells what is known of the place where the cursor is. */
export const tell: Command = (view) => {
  void hoverAt(view, view.state.selection.main.head).then((tooltip) => {
    const nothing = document.createElement('div');
    nothing.className = 'fk-hover';
    nothing.textContent = 'Nothing is known of this place.';
    const { head } = view.state.selection.main;
    const spoken = tooltip ?? { pos: head, above: true, create: () => ({ dom: nothing }) };
    view.dispatch({ effects: [shown.of(spoken), EditorView.announce.of(spoken.create(view).dom.textContent)] });
  });
  return true;
};

const { field: signature, give: signed } = givenTooltip((before, { docChanged, changes }) =>
  before !== null && docChanged ? { ...before, pos: changes.mapPos(before.pos) } : before,
);

/** A signature with the argument that is next. */
function signatureBox(help: lsp.SignatureHelp): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'fk-hover fk-signature';
  const active = help.signatures[help.activeSignature ?? 0];
  if (active === undefined) {
    return dom;
  }
  const line = dom.appendChild(document.createElement('code'));
  const parameter = active.parameters?.[active.activeParameter ?? help.activeParameter ?? 0];
  const [from, to] = Array.isArray(parameter?.label) ? parameter.label : [0, 0];
  line.append(active.label.slice(0, from));
  line.appendChild(document.createElement('strong')).textContent = active.label.slice(from, to);
  line.append(active.label.slice(to));
  if (active.documentation !== undefined) {
    dom.append(told(active.documentation));
  }
  return dom;
}

async function help(view: EditorView): Promise<void> {
  const { head } = view.state.selection.main;
  const found = await ask<lsp.SignatureHelp | null>(view, 'textDocument/signatureHelp', placeIn(view, head));
  if (found === undefined) {
    return;
  }
  const isThere = found !== null && found.signatures.length > 0;
  const tooltip = isThere ? { pos: head, above: true, create: () => ({ dom: signatureBox(found) }) } : null;
  if (tooltip !== null || view.state.field(signature) !== null) {
    view.dispatch({ effects: signed.of(tooltip) });
  }
}

/** Asks after what begins an argument, and while the signature is shown. */
const follows = ViewPlugin.define((view) => ({
  update: (update: ViewUpdate) => {
    if (!update.docChanged && !update.selectionSet) {
      return;
    }
    const triggers = servedBy(view).connection.capabilities?.signatureHelpProvider?.triggerCharacters ?? [];
    const { head } = update.state.selection.main;
    const isTyped = update.transactions.some((transaction) => transaction.isUserEvent('input.type'));
    const isTrigger = isTyped && triggers.includes(update.state.sliceDoc(Math.max(0, head - 1), head));
    if (isTrigger || update.state.field(signature) !== null) {
      queueMicrotask(() => { void help(view); });
    }
  },
}));

const escape: Command = (view) => {
  const { state } = view;
  if (state.field(signature) === null && state.field(shownHere) === null) {
    return false;
  }
  view.dispatch({ effects: [signed.of(null), shown.of(null)] });
  return true;
};

export const hover: Extension = [
  hoverTooltip(
    // A lens stands above a line and is not a part of it.
    (view, at) => (view.dom.querySelector('.fk-lenses:hover') === null ? hoverAt(view, at) : null),
    { hoverTime: 250, hideOnChange: true },
  ),
  shownHere,
  signature,
  follows,
  keymap.of([
    { key: 'Alt-i', run: tell },
    { key: 'Mod-Shift-Space', run: (view) => { void help(view); return true; } },
    { key: 'Escape', run: escape },
  ]),
];
