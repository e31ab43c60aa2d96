// The Testing view: each example and each law in a comment is a test, which the server evaluates.

import * as vscode from 'vscode';
import { CHECK } from './commands';
import type { Execute } from './evaluate';
import { PROGRAMS } from './files';

/** An example or a law, as the server lists it. */
export interface Example {
  /** Servers from before there were laws do not say it. */
  kind?: 'example' | 'law';
  /** The term, or all of the law. */
  term: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  value: string | null;
}

/** What became of an example or a law. */
interface Checked {
  right: boolean;
  value: string | null;
  expected: string | null;
  error: string | null;
  output: string;
}

/** Lists the examples of a file; `undefined` if no server can say. */
type List = (uri: vscode.Uri) => Promise<Example[] | undefined>;

/** What is debugged: an operator, or a term in the scope of the file. */
export interface Subject {
  entry?: string;
  term?: string;
}

/** A debugger, where there is one. */
export interface Debug {
  /** Starts a session; whether it has begun. */
  start(file: vscode.Uri, subject: Subject, options?: vscode.DebugSessionOptions): Promise<boolean>;
}

/** Nothing is typed for so long before a file's examples are listed anew, in milliseconds. */
const REST = 300;

export class Tests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('frank', 'Frank');
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** The terms of the examples, as they are written. A law has none that could be debugged. */
  private readonly terms = new WeakMap<vscode.TestItem, string>();
  private readonly listeners: vscode.Disposable[];

  public constructor(
    private readonly list: List,
    private readonly execute: Execute,
    private readonly find: () => Promise<vscode.Uri[]>,
    debug: Debug | undefined,
  ) {
    this.controller.resolveHandler = async (item) => {
      if (item === undefined) {
        await this.discover();
      }
    };
    this.controller.refreshHandler = () => this.discover();
    this.controller.createRunProfile('Check', vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    if (debug !== undefined) {
      this.controller.createRunProfile('Debug', vscode.TestRunProfileKind.Debug, (request, token) => this.step(debug, request, token));
    }
    const watcher = vscode.workspace.createFileSystemWatcher(PROGRAMS);
    this.listeners = [
      watcher,
      watcher.onDidCreate((uri) => { this.later(uri); }),
      // A notebook is no document that tells of its changes.
      watcher.onDidChange((uri) => { this.later(uri); }),
      watcher.onDidDelete((uri) => { this.controller.items.delete(uri.toString()); }),
      vscode.workspace.onDidOpenTextDocument((document) => { this.ifFrank(document); }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => { this.ifFrank(document); }),
    ];
  }

  public dispose(): void {
    for (const timer of this.timers.values()) {
      clearTimeout(timer);
    }
    for (const listener of this.listeners) {
      listener.dispose();
    }
    this.controller.dispose();
  }

  /** Lists the examples of all files anew, when the server is another one. */
  public async discover(): Promise<void> {
    const files = await this.find();
    const open = vscode.workspace.textDocuments.filter(({ languageId }) => languageId === 'frank').map(({ uri }) => uri);
    const all = new Map([...files, ...open].map((uri) => [uri.toString(), uri]));
    await Promise.all([...all.values()].map((uri) => this.update(uri)));
  }

  private ifFrank(document: vscode.TextDocument): void {
    // Files of the library are not the workspace's to test.
    if (document.languageId === 'frank' && (document.isUntitled || vscode.workspace.getWorkspaceFolder(document.uri))) {
      this.later(document.uri);
    }
  }

  private later(uri: vscode.Uri): void {
    const key = uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.set(key, setTimeout(() => {
      this.timers.delete(key);
      void this.update(uri);
    }, REST));
  }

  private async update(uri: vscode.Uri): Promise<void> {
    const examples = await this.list(uri);
    if (examples === undefined) {
      return;
    }
    const key = uri.toString();
    if (examples.length === 0) {
      this.controller.items.delete(key);
      return;
    }
    const file = this.controller.items.get(key) ?? this.controller.createTestItem(key, vscode.workspace.asRelativePath(uri), uri);
    // Two examples with one term are told apart by their order.
    const count = new Map<string, number>();
    file.children.replace(examples.map(({ kind, term, range: { start, end } }, index) => {
      const same = count.get(term) ?? 0;
      count.set(term, same + 1);
      const id = `${key}#${same} ${term}`;
      const item = file.children.get(id) ?? this.controller.createTestItem(id, term.replace(/\s*\n\s*/g, ' '), uri);
      item.range = new vscode.Range(start.line, start.character, end.line, end.character);
      if (kind !== 'law') {
        this.terms.set(item, term);
      }
      item.sortText = String(index).padStart(6, '0');
      return item;
    }));
    this.controller.items.add(file);
  }

  /** The examples that a request is about. */
  private asked(request: vscode.TestRunRequest): vscode.TestItem[] {
    const asked: vscode.TestItem[] = [];
    const gather = (item: vscode.TestItem): void => {
      if (request.exclude?.includes(item)) {
        return;
      }
      if (item.children.size === 0) {
        asked.push(item);
      } else {
        item.children.forEach(gather);
      }
    };
    if (request.include === undefined) {
      this.controller.items.forEach(gather);
    } else {
      request.include.forEach(gather);
    }
    return asked;
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    const asked = this.asked(request);
    for (const item of asked) {
      run.enqueued(item);
    }
    for (const item of asked) {
      if (token.isCancellationRequested) {
        run.skipped(item);
      } else {
        await this.check(run, item);
      }
    }
    run.end();
  }

  /** Debugs examples, one after the other; afterwards each is checked. */
  private async step(debug: Debug, request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    for (const item of this.asked(request)) {
      const term = this.terms.get(item);
      if (token.isCancellationRequested || item.uri === undefined || term === undefined) {
        run.skipped(item);
        continue;
      }
      const over = new Promise<void>((resolve) => {
        const listener = vscode.debug.onDidTerminateDebugSession(({ configuration }) => {
          if (configuration['term'] === term) {
            listener.dispose();
            resolve();
          }
        });
        token.onCancellationRequested(() => {
          listener.dispose();
          resolve();
          void vscode.debug.stopDebugging();
        });
      });
      if (await debug.start(item.uri, { term }, { testRun: run })) {
        await over;
        await this.check(run, item);
      } else {
        run.skipped(item);
      }
    }
    run.end();
  }

  private async check(run: vscode.TestRun, item: vscode.TestItem): Promise<void> {
    const { uri, range } = item;
    if (uri === undefined || range === undefined) {
      run.skipped(item);
      return;
    }
    run.started(item);
    const began = Date.now();
    try {
      const answer = await this.execute(CHECK, [uri.toString(), range.start.line]);
      const took = Date.now() - began;
      if (!isChecked(answer)) {
        run.skipped(item);
        return;
      }
      if (answer.output !== '') {
        run.appendOutput(answer.output.replace(/\r?\n/g, '\r\n'), new vscode.Location(uri, range), item);
      }
      if (answer.right) {
        run.passed(item, took);
      } else {
        run.failed(item, message(answer, new vscode.Location(uri, range)), took);
      }
    } catch (error) {
      run.errored(item, new vscode.TestMessage(error instanceof Error ? error.message : String(error)));
    }
  }
}

function isChecked(answer: unknown): answer is Checked {
  return typeof answer === 'object' && answer !== null && 'right' in answer;
}

function message({ value, expected, error }: Checked, location: vscode.Location): vscode.TestMessage {
  const said =
    value !== null && expected !== null
      ? vscode.TestMessage.diff(`It is ${value}, and should be ${expected}.`, expected, value)
      : new vscode.TestMessage(error ?? 'There is no value.');
  said.location = location;
  return said;
}
