// Names: where one is defined, and another one in its place.

import { type Extension, Facet } from '@codemirror/state';
import { type Command, EditorView, keymap, type Panel, showPanel } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { applyAll } from './edits';
import { given } from './given';
import { ask, placeIn, servedBy, spanOf } from './session';

type Show = (place: lsp.Location) => void;

/** What shows a place in another text. */
const elsewhere = Facet.define<Show, Show>({ combine: ([first]) => first ?? (() => undefined), static: true });

/** Selects a place, in whatever text. */
export function goTo(view: EditorView, place: lsp.Location): void {
  if (place.uri === servedBy(view).uri) {
    const { from, to } = spanOf(view.state.doc, place.range);
    view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    view.focus();
  } else {
    view.state.facet(elsewhere)(place);
  }
}

async function define(view: EditorView, at: number): Promise<void> {
  const found = await ask<lsp.Location | lsp.Location[] | null>(view, 'textDocument/definition', placeIn(view, at));
  const place = Array.isArray(found) ? found[0] : found;
  if (place !== undefined && place !== null) {
    goTo(view, place);
  }
}

/** Goes to where the name at the cursor is defined. */
export const toDefinition: Command = (view) => {
  void define(view, view.state.selection.main.head);
  return true;
};

interface Renamed {
  /** Where the name stands. */
  at: number;
  name: string;
}

const { field, give: asked } = given<Renamed | null>(
  null,
  (before) => before,
  (own) => showPanel.from(own, (renamed) => (renamed === null ? null : (view) => panel(view, renamed))),
);

function panel(view: EditorView, { at, name }: Renamed): Panel {
  const dom = document.createElement('form');
  dom.className = 'fk-rename';
  const label = dom.appendChild(document.createElement('label'));
  label.append(`A new name for ${name} `);
  const input = label.appendChild(document.createElement('input'));
  input.value = name;
  input.autocapitalize = 'off';
  input.spellcheck = false;
  const button = dom.appendChild(document.createElement('button'));
  button.textContent = 'Rename';
  const wrong = dom.appendChild(document.createElement('span'));
  wrong.setAttribute('role', 'alert');
  const end = (): void => {
    view.dispatch({ effects: asked.of(null) });
    view.focus();
  };
  dom.addEventListener('submit', (event) => {
    event.preventDefault();
    rename(view, at, input.value).then(end, (error: unknown) => {
      wrong.textContent = error instanceof Error ? error.message : String(error);
    });
  });
  dom.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      end();
    }
  });
  return { dom, top: false, mount: () => { input.select(); } };
}

async function rename(view: EditorView, at: number, newName: string): Promise<void> {
  const { connection } = servedBy(view);
  const { doc } = view.state;
  const edit = await connection.request<lsp.WorkspaceEdit | null>('textDocument/rename', { ...placeIn(view, at), newName });
  const why = edit === null ? undefined : applyAll(view, doc, edit);
  if (why !== undefined) {
    throw new Error(why);
  }
}

async function ready(view: EditorView): Promise<void> {
  const at = view.state.selection.main.head;
  const found = await ask<lsp.Range | { range: lsp.Range; placeholder: string } | null>(
    view,
    'textDocument/prepareRename',
    placeIn(view, at),
  );
  if (found === undefined || found === null) {
    return;
  }
  const { from, to } = spanOf(view.state.doc, 'range' in found ? found.range : found);
  const name = 'placeholder' in found ? found.placeholder : view.state.sliceDoc(from, to);
  view.dispatch({ effects: asked.of({ at, name }) });
}

const startRename: Command = (view) => {
  void ready(view);
  return true;
};

export function names(show: Show): Extension {
  return [
    elsewhere.of(show),
    field,
    keymap.of([
      { key: 'F12', run: toDefinition },
      { key: 'F2', run: startRename },
    ]),
    EditorView.domEventHandlers({
      mousedown: (event, view) => {
        const at = event.ctrlKey || event.metaKey ? view.posAtCoords({ x: event.clientX, y: event.clientY }) : null;
        if (at === null || event.button !== 0) {
          return false;
        }
        event.preventDefault();
        void define(view, at);
        return true;
      },
    }),
  ];
}
