// Notebooks: Markdown whose blocks of Frank are cells. The server evaluates them, and says which are out of date.

import * as vscode from 'vscode';
import { mayRun } from './evaluate';
import { type Around, type Cell, read, write } from './notebookText';

/** The types of notebooks: `*.fk.md`, and any other Markdown that somebody opens as one. */
const TYPES = ['frank-notebook', 'frank-markdown'];
/** Nothing is typed for so long before the server is asked which cells are out of date, in milliseconds. */
const REST = 300;

type Request = <R>(method: string, params: unknown, token?: vscode.CancellationToken) => Promise<R>;
type Ask = <R>(method: string, params: unknown) => Promise<R | undefined>;

/** What a term has shown: text, a picture, or why there is none. */
type Part = { text: string } | { svg: string } | { missing: string };

/** What came of a cell. */
interface CellAnswer {
  results: { value: string | null; parts: Part[]; error: string | null }[];
  stamp: string | null;
  errors: string[];
}

interface CellStamp {
  uri: string;
  stamp: string | null;
}

export class Notebooks implements vscode.Disposable {
  private readonly listeners: { dispose: () => unknown }[];
  private readonly changed = new vscode.EventEmitter<void>();
  /** What a cell's values were computed from when it ran last. */
  private readonly ran = new WeakMap<vscode.NotebookCell, string>();
  private readonly stale = new WeakSet<vscode.NotebookCell>();
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  private order = 0;

  public constructor(
    private readonly request: Request,
    private readonly ask: Ask,
  ) {
    this.listeners = [
      this.changed,
      ...TYPES.map((type) => this.controller(type)),
      ...TYPES.map((type) =>
        vscode.workspace.registerNotebookSerializer(type, new Serializer(), { transientOutputs: true }),
      ),
      ...TYPES.map((type) =>
        vscode.notebooks.registerNotebookCellStatusBarItemProvider(type, {
          onDidChangeCellStatusBarItems: this.changed.event,
          provideCellStatusBarItems: (cell) => this.items(cell),
        }),
      ),
      vscode.commands.registerCommand('frank.runStaleCells', () => this.runStale()),
      vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => { this.later(notebook); }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        // A cell may depend on a file that it includes.
        const isFrank = document.languageId === 'frank';
        for (const notebook of vscode.workspace.notebookDocuments.filter(() => isFrank)) {
          this.later(notebook);
        }
      }),
    ];
  }

  public dispose(): void {
    for (const timer of this.timers.values()) {
      clearTimeout(timer);
    }
    for (const listener of this.listeners) {
      listener.dispose();
    }
  }

  private controller(type: string): vscode.NotebookController {
    const controller = vscode.notebooks.createNotebookController(type, type, 'Frank');
    controller.supportedLanguages = ['frank'];
    controller.supportsExecutionOrder = true;
    controller.executeHandler = (cells) => this.run(controller, cells);
    return controller;
  }

  /** Runs cells in order, until one fails. */
  private async run(controller: vscode.NotebookController, cells: vscode.NotebookCell[]): Promise<void> {
    if (!(await mayRun())) {
      return;
    }
    for (const cell of cells) {
      if (!(await this.runCell(controller, cell))) {
        return;
      }
    }
  }

  private async runCell(controller: vscode.NotebookController, cell: vscode.NotebookCell): Promise<boolean> {
    const execution = controller.createNotebookCellExecution(cell);
    this.order += 1;
    execution.executionOrder = this.order;
    execution.start(Date.now());
    await execution.clearOutput();
    const outputs: vscode.NotebookCellOutput[] = [];
    const text = (text: string): void => { outputs.push(output(vscode.NotebookCellOutputItem.text(text))); };
    const fail = (message: string): void => { outputs.push(output(vscode.NotebookCellOutputItem.error(new Failure(message)))); };
    let right = true;
    try {
      const textDocument = { uri: cell.document.uri.toString() };
      const answer = await this.request<CellAnswer>('frank/runCell', { textDocument }, execution.token);
      for (const { value, parts, error } of answer.results) {
        outputs.push(...parts.map((part) => output(shown(part))));
        if (error !== null) {
          right = false;
          fail(error);
        } else if (value !== null) {
          text(value);
        }
      }
      for (const error of answer.errors) {
        right = false;
        fail(error);
      }
      if (answer.stamp === null) {
        this.ran.delete(cell);
      } else {
        this.ran.set(cell, answer.stamp);
      }
      this.stale.delete(cell);
      this.changed.fire();
    } catch (error) {
      right = false;
      fail(execution.token.isCancellationRequested ? 'interrupted' : error instanceof Error ? error.message : String(error));
    }
    await execution.replaceOutput(outputs);
    execution.end(right, Date.now());
    // Something may have been typed meanwhile.
    this.later(cell.notebook);
    return right;
  }

  /** Runs the cells of the notebook in front that are out of date. */
  private async runStale(): Promise<void> {
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    if (notebook === undefined) {
      return;
    }
    await this.update(notebook);
    const ranges = notebook.getCells().filter((cell) => this.stale.has(cell)).map(({ index }) => ({ start: index, end: index + 1 }));
    if (ranges.length > 0) {
      await vscode.commands.executeCommand('notebook.cell.execute', { ranges, document: notebook.uri });
    }
  }

  private items(cell: vscode.NotebookCell): vscode.NotebookCellStatusBarItem[] {
    if (!this.stale.has(cell)) {
      return [];
    }
    const item = new vscode.NotebookCellStatusBarItem('$(history) stale', vscode.NotebookCellStatusBarAlignment.Left);
    item.tooltip = 'Something that this cell depends on has changed since it ran. A click runs all such cells.';
    item.command = 'frank.runStaleCells';
    return [item];
  }

  private later(notebook: vscode.NotebookDocument): void {
    if (!TYPES.includes(notebook.notebookType)) {
      return;
    }
    const key = notebook.uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.set(key, setTimeout(() => {
      this.timers.delete(key);
      void this.update(notebook);
    }, REST));
  }

  /** Asks which cells are out of date. */
  private async update(notebook: vscode.NotebookDocument): Promise<void> {
    const cells = notebook.getCells().filter((cell) => this.ran.has(cell));
    if (cells.length === 0) {
      return;
    }
    const stamps = await this.ask<CellStamp[]>('frank/cells', { uris: cells.map((cell) => cell.document.uri.toString()) });
    for (const [index, cell] of cells.entries()) {
      const stamp = stamps?.[index]?.stamp;
      if (stamp !== undefined && stamp !== this.ran.get(cell)) {
        this.stale.add(cell);
      } else {
        this.stale.delete(cell);
      }
    }
    this.changed.fire();
  }
}

/** Why a cell has no value. It has no stack of its own: what would be shown is this extension's. */
class Failure extends Error {
  public constructor(message: string) {
    super(message);
    this.name = 'Frank';
    this.stack = '';
  }
}

function shown(part: Part): vscode.NotebookCellOutputItem {
  if ('svg' in part) {
    // A picture, as an image: nothing in it could run.
    return vscode.NotebookCellOutputItem.text(part.svg, 'image/svg+xml');
  }
  return 'text' in part ? vscode.NotebookCellOutputItem.text(part.text) : vscode.NotebookCellOutputItem.stderr(part.missing);
}

function output(item: vscode.NotebookCellOutputItem): vscode.NotebookCellOutput {
  return new vscode.NotebookCellOutput([item]);
}

/** How a file becomes a notebook. What stands around its cells is kept in their metadata. */
class Serializer implements vscode.NotebookSerializer {
  public deserializeNotebook(content: Uint8Array): vscode.NotebookData {
    const { cells, newline, mark } = read(new TextDecoder('utf-8', { ignoreBOM: true }).decode(content));
    const data = new vscode.NotebookData(cells.map(({ code, text, around }) => {
      const kind = code ? vscode.NotebookCellKind.Code : vscode.NotebookCellKind.Markup;
      const cell = new vscode.NotebookCellData(kind, text, code ? 'frank' : 'markdown');
      cell.metadata = { around };
      return cell;
    }));
    data.metadata = { newline, mark };
    return data;
  }

  public serializeNotebook({ cells, metadata }: vscode.NotebookData): Uint8Array {
    const written = cells.map(({ kind, value, metadata }): Cell => {
      const around: unknown = metadata?.['around'];
      const cell = { code: kind === vscode.NotebookCellKind.Code, text: value.replace(/\r\n/g, '\n') };
      // Around Markdown there are blank lines alone; a cell whose kind was changed has what stood around the other kind.
      const fits = isAround(around) && (around.before.trim() !== '') === cell.code;
      return fits ? { ...cell, around } : cell;
    });
    const newline = metadata?.['newline'] === '\r\n' ? '\r\n' : '\n';
    return new TextEncoder().encode(write({ cells: written, newline, mark: metadata?.['mark'] === true }));
  }
}

function isAround(value: unknown): value is Around {
  return typeof value === 'object' && value !== null && 'before' in value && 'after' in value;
}
