// An editor's side of the session: the text's changes go to the server as they are made, and what the server says about
// the text is asked for again whenever that may be something else.

import { type Extension, Facet, type Text } from '@codemirror/state';
import { EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { AT_ONCE, type Connection, Lost, ServerError } from '../connection';

/** The text of an editor, as the server knows it. */
export interface Served {
  connection: Connection;
  uri: string;
}

const facet = Facet.define<Served, Served | undefined>({ combine: ([first]) => first, static: true });

/** The server of an editor. */
export function servedBy(view: EditorView): Served {
  const found = view.state.facet(facet);
  if (found === undefined) {
    throw new Error('this editor has no server');
  }
  return found;
}

/** The editors of each session, by the addresses of their texts. */
const editors = new WeakMap<Connection, Map<string, EditorView>>();

/** The editor of another text of the same session. */
export function editorOf(connection: Connection, uri: string): EditorView | undefined {
  return editors.get(connection)?.get(uri);
}

/** Tells the server of a text and its changes. */
export function served(server: Served): Extension {
  const { connection, uri } = server;
  return [
    facet.of(server),
    ViewPlugin.define((view) => {
      const all = editors.get(connection) ?? new Map<string, EditorView>();
      editors.set(connection, all.set(uri, view));
      connection.open(uri, () => view.state.doc.toString());
      return {
        update: (update) => {
          if (update.docChanged) {
            connection.change(uri, contentChanges(update));
          }
        },
        destroy: () => {
          all.delete(uri);
          connection.close(uri);
        },
      };
    }),
  ];
}

/** The changes as the protocol has them: each counts from the text behind those before it, so the last goes first. */
function contentChanges({ changes, startState }: ViewUpdate): lsp.TextDocumentContentChangeEvent[] {
  const found: lsp.TextDocumentContentChangeEvent[] = [];
  changes.iterChanges((from, to, _, __, inserted) => {
    found.push({ range: rangeOf(startState.doc, from, to), text: inserted.toString() });
  });
  return found.reverse();
}

export function positionOf(doc: Text, offset: number): lsp.Position {
  const line = doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

export function rangeOf(doc: Text, from: number, to: number): lsp.Range {
  return { start: positionOf(doc, from), end: positionOf(doc, to) };
}

/** The offset of a position; one outside of the text is moved to where that ends. */
export function offsetOf(doc: Text, { line, character }: lsp.Position): number {
  if (line >= doc.lines) {
    return doc.length;
  }
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}

export function spanOf(doc: Text, { start, end }: lsp.Range): { from: number; to: number } {
  return { from: offsetOf(doc, start), to: offsetOf(doc, end) };
}

/** The parameters of a question about a place. */
export function placeIn(view: EditorView, offset: number): lsp.TextDocumentPositionParams {
  return { textDocument: { uri: servedBy(view).uri }, position: positionOf(view.state.doc, offset) };
}

/** With anything else a server that waits for its rest is left in peace for so many milliseconds: it would answer nothing. */
const PEACE = 3_000;

/**
 * Asks the server about an editor's text. `undefined` if there is no answer, or if the text is another one by then:
 * whoever wants to know asks again.
 */
export async function ask<R>(view: EditorView, method: string, params: unknown): Promise<R | undefined> {
  const { doc } = view.state;
  const { connection } = servedBy(view);
  if (!AT_ONCE.includes(method)) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([connection.whole, new Promise((done) => { timer = setTimeout(done, PEACE); })]);
    clearTimeout(timer);
    if (view.state.doc !== doc) {
      return undefined;
    }
  }
  try {
    const answer = await connection.request<R>(method, params);
    return view.state.doc === doc ? answer : undefined;
  } catch (error) {
    if (error instanceof ServerError || error instanceof Lost) {
      return undefined;
    }
    throw error;
  }
}

/** After another text has changed so many milliseconds pass at least. */
const PATIENCE = 150;

/** What an editor shows of a text until that is another one. */
export interface Shown {
  /** Asks the server, and shows the answer. */
  pull: (view: EditorView) => Promise<void>;
  /** The method by which the server says that what is shown is out of date. */
  refresh: string;
  /** So many milliseconds after the last edit it is asked for. */
  patience: number;
  /** Whether it is asked for again when something else is in view. */
  follows?: boolean;
}

/** Keeps something up to date. At most one question is under way. */
export function keepShown(shown: Shown): Extension {
  return ViewPlugin.define((view) => new Keeper(view, shown));
}

class Keeper {
  private isAsking = false;
  private isOld = false;
  private isGone = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly ends: (() => void)[];

  public constructor(
    private readonly view: EditorView,
    private readonly shown: Shown,
  ) {
    const { connection, uri } = servedBy(view);
    this.ends = [
      // Texts include one another, and the server leaves it to its clients to ask again.
      connection.onChange((changed) => {
        if (changed !== uri) {
          this.later(Math.max(shown.patience, PATIENCE));
        }
      }),
      connection.on(shown.refresh, () => {
        this.later(0);
        return null;
      }),
      connection.onState(({ is }) => {
        if (is === 'ready') {
          this.later(0);
        }
      }),
    ];
  }

  public update(update: ViewUpdate): void {
    if (update.docChanged && this.shown.patience === 0) {
      // The server has been told of the change, and the view takes its time to show it.
      clearTimeout(this.timer);
      void this.pull();
    } else if (update.docChanged) {
      this.later(this.shown.patience);
    } else if (update.viewportChanged && this.shown.follows === true) {
      this.later(100);
    }
  }

  public destroy(): void {
    this.isGone = true;
    clearTimeout(this.timer);
    this.ends.forEach((end) => { end(); });
  }

  private later(patience: number): void {
    clearTimeout(this.timer);
    if (patience === 0) {
      // An update is not done yet, or a view is not made yet.
      queueMicrotask(() => { void this.pull(); });
    } else {
      this.timer = setTimeout(() => { void this.pull(); }, patience);
    }
  }

  private async pull(): Promise<void> {
    if (this.isGone || servedBy(this.view).connection.state.is !== 'ready') {
      return;
    }
    if (this.isAsking) {
      this.isOld = true;
      return;
    }
    this.isAsking = true;
    this.isOld = false;
    try {
      await this.shown.pull(this.view);
    } finally {
      this.isAsking = false;
    }
    this.pullIfOld();
  }

  private pullIfOld(): void {
    if (this.isOld) {
      void this.pull();
    }
  }
}

/** What is in view, and some lines around it. */
export function inView(view: EditorView): lsp.Range {
  const margin = 100;
  const { doc } = view.state;
  const first = Math.max(1, doc.lineAt(view.viewport.from).number - margin);
  const last = Math.min(doc.lines, doc.lineAt(view.viewport.to).number + margin);
  return rangeOf(doc, doc.line(first).from, doc.line(last).to);
}
