// Running and differentiating from the editor. What can be run, and how, the server knows: this asks
// for the operator and the point, and shows the answer.

import * as vscode from 'vscode';
import type { Derivative, DerivativeAnswer, Question, RunAnswer } from '../../shared/answers';
import { DERIVATIVE, RUN } from './commands';

/** Sends a command to the server; gives its answer. */
export type Execute = (command: string, args: unknown[], token?: vscode.CancellationToken) => Promise<unknown>;

/** What the server knows about an operator before it is differentiated. */
export interface Smooth {
  arity: number;
}

/** Ends what runs on a lens. */
const CANCEL = 'frank.cancelRun';
/** What has ended after so many milliseconds was never shown as running. */
const PATIENCE = 300;

export class Evaluator implements vscode.Disposable {
  private readonly results = vscode.window.createOutputChannel('Frank Results');
  /** What runs, by what its lens does. */
  private readonly running = new Map<string, vscode.CancellationTokenSource>();
  private readonly redrawn = new vscode.EventEmitter<undefined>();
  /** Lenses are other ones, since something runs or has ended. */
  public readonly onDidChangeLenses = this.redrawn.event;
  private readonly cancel = vscode.commands.registerCommand(CANCEL, (key: string) => { this.running.get(key)?.cancel(); });

  public constructor(
    private readonly memory: vscode.Memento,
    private readonly send: Execute,
    private readonly about: (uri: string, name: string) => Promise<Smooth | null | undefined>,
  ) {}

  public dispose(): void {
    this.results.dispose();
    this.redrawn.dispose();
    this.cancel.dispose();
  }

  /** A lens of the server's; while that which it does runs, one that ends it. */
  public lens(lens: vscode.CodeLens): vscode.CodeLens {
    const key = keyOf(lens.command?.command, lens.command?.arguments ?? []);
    return this.running.has(key)
      ? new vscode.CodeLens(lens.range, { title: '■ cancel', command: CANCEL, arguments: [key] })
      : lens;
  }

  /** One of the server's commands, from a lens or from the palette. */
  public async execute(command: string, args: unknown[]): Promise<unknown> {
    if (!(await mayRun())) {
      return undefined;
    }
    const [uri, name, options] = args;
    // An application that stands in the program has its point.
    const closed = typeof options === 'object' && options !== null && 'closed' in options;
    if (command === DERIVATIVE && !closed && typeof uri === 'string' && typeof name === 'string') {
      const question = await this.ask(uri, name);
      if (question === undefined) {
        return undefined;
      }
      args = [uri, name, question];
    }
    const title = command === RUN ? 'Running' : 'Differentiating';
    const answer = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: `${title} ${String(name)}` },
      () => this.runToEnd(command, args),
    );
    if (typeof answer === 'object' && answer !== null) {
      this.show(command === RUN ? describeRun(String(name), answer) : describeDerivative(answer as DerivativeAnswer));
    }
    return answer;
  }

  /** Has the server do a command; meanwhile its lens can end it. */
  private async runToEnd(command: string, args: unknown[]): Promise<unknown> {
    const key = keyOf(command, args);
    const source = new vscode.CancellationTokenSource();
    this.running.set(key, source);
    const timer = setTimeout(() => { this.redrawn.fire(undefined); }, PATIENCE);
    try {
      return await this.send(command, args, source.token);
    } catch (error) {
      if (source.token.isCancellationRequested) {
        return undefined;
      }
      throw error;
    } finally {
      clearTimeout(timer);
      this.running.delete(key);
      this.redrawn.fire(undefined);
      source.dispose();
    }
  }

  /** Does one of the server's commands with an operator that the user chooses. */
  public async choose(command: string): Promise<void> {
    const operator = await this.operator(command);
    if (operator !== undefined) {
      await this.execute(command, [operator.uri, operator.name]);
    }
  }

  /** Lets the user choose among the operators above which the server offers a command. */
  public async operator(command: string): Promise<{ uri: string; name: string } | undefined> {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== 'frank') {
      return undefined;
    }
    const uri = editor.document.uri;
    const lenses =
      (await vscode.commands.executeCommand<vscode.CodeLens[] | undefined>('vscode.executeCodeLensProvider', uri, 1000)) ?? [];
    const offered = lenses.flatMap((lens) => {
      const name: unknown = lens.command?.arguments?.[1];
      const closed = lens.command?.arguments !== undefined && lens.command.arguments.length > 2;
      return lens.command?.command === command && typeof name === 'string' && !closed
        ? [{ label: name, line: lens.range.start.line }]
        : [];
    });
    const here = editor.selection.active.line;
    // What the cursor stands in comes first, and what is above it before what is below.
    const distance = (line: number): number => (line <= here ? here - line : 1e6 + line - here);
    offered.sort((one, other) => distance(one.line) - distance(other.line));
    const items = offered.map(({ label, line }) => ({ label, description: `line ${line + 1}` }));
    if (items.length === 0) {
      const what = command === RUN ? 'can be run' : 'has a derivative';
      void vscode.window.showInformationMessage(`The server offers no operator in this file that ${what}.`);
      return undefined;
    }
    const chosen = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { placeHolder: 'Operator' });
    return chosen === undefined ? undefined : { uri: uri.toString(), name: chosen.label };
  }

  /** What is wanted of an operator, and the point as it was typed; without one the server chooses. */
  private async ask(uri: string, name: string): Promise<Question | undefined> {
    const key = `point ${uri} ${name}`;
    const arity = (await this.about(uri, name))?.arity;
    const menu = vscode.window.createQuickPick<Wanted>();
    menu.title = `The derivative of ${name}${arity === undefined ? '' : `, at ${arity === 1 ? '1 argument' : `${arity} arguments`}`}`;
    menu.placeholder = '2 or 2 3, [1, 2, 3], pair 1 2. Empty: the point in its comment, or else that of last time.';
    menu.value = this.memory.get<string>(key, '');
    menu.items = wanted(menu.value);
    return new Promise((resolve) => {
      menu.onDidChangeValue((typed) => {
        menu.items = wanted(typed);
      });
      menu.onDidAccept(() => {
        const question = menu.selectedItems[0]?.question;
        if (question === undefined) {
          return;
        }
        const typed = menu.value;
        void this.memory.update(key, typed).then(() => {
          resolve(typed.trim() === '' ? question : { ...question, at: [typed] });
          menu.hide();
        });
      });
      menu.onDidHide(() => {
        resolve(undefined);
        menu.dispose();
      });
      menu.show();
    });
  }

  /** The lens and the hint show it, too; this is what stays of it. */
  private show({ line, details, output, wrong }: Description): void {
    for (const text of [line, ...details]) {
      this.results.appendLine(text);
    }
    if (output !== '') {
      this.results.append(output.endsWith('\n') ? output : `${output}\n`);
      // What a program prints is shown nowhere else.
      this.results.show(true);
    }
    if (wrong) {
      void vscode.window.showErrorMessage(line);
    } else {
      vscode.window.setStatusBarMessage(line, 10_000);
    }
  }
}

/** Whether the workspace's programs may be run; if not, says so. */
export async function mayRun(): Promise<boolean> {
  if (vscode.workspace.isTrusted) {
    return true;
  }
  const manage = 'Manage Trust';
  const message = 'Programs of a workspace that is not trusted are checked, but not run.';
  if ((await vscode.window.showWarningMessage(message, manage)) === manage) {
    await vscode.commands.executeCommand('workbench.trust.manage');
  }
  return false;
}

/** What tells runs apart: the command, the file, the operator, and which application in it. */
function keyOf(command: string | undefined, [uri, name, options]: unknown[]): string {
  const closed = typeof options === 'object' && options !== null && 'closed' in options ? options.closed : undefined;
  return JSON.stringify([command, uri, name, closed]);
}

interface Description {
  line: string;
  details: string[];
  /** What the program printed. */
  output: string;
  /** Derivative operators disagree, which must not go unseen. */
  wrong: boolean;
}

/** An entry of the menu; without a question it says what is wrong with the point. */
interface Wanted extends vscode.QuickPickItem {
  question?: Question;
}

/** What can be asked at a point. */
function wanted(typed: string): Wanted[] {
  // What else is wrong with it, the server says.
  if (/^\s*\p{L}[\p{L}\d_']*\s*$/u.test(typed) && !/^\s*(nan|inf|true|false)\s*$/i.test(typed)) {
    return [{ label: 'Numbers, with blanks or commas between them; also [1, 2] and pair 1 2', alwaysShow: true }];
  }
  const where = typed.trim() === '' ? 'at the point of its comment, or that of last time' : `at ${typed.trim()}`;
  const entry = (label: string, question: Question): Wanted => ({ label, description: where, alwaysShow: true, question });
  return [
    entry('∂  Derivative', {}),
    entry('∂² Second derivatives', { order: 2 }),
    entry('∂  Derivative, checked by finite differences', { check: true }),
    entry('∂² Second derivatives, checked by finite differences', { order: 2, check: true }),
  ];
}

function describeRun(name: string, answer: RunAnswer): Description {
  const cost = answer.steps === undefined ? '' : `  (${answer.steps} steps, ${answer.millis ?? 0} ms)`;
  return { line: `${name} = ${answer.value ?? '?'}${cost}`, details: [], output: answer.output ?? '', wrong: false };
}

function describeDerivative(answer: DerivativeAnswer): Description {
  const said =
    (sign: string) =>
    ({ by, values, error }: Derivative): string =>
      `  ${sign} by ${by} ${error === undefined ? `= ${values.join(' ')}` : `fails: ${error}`}`;
  return {
    line: answer.text,
    details: [...(answer.derivatives ?? []).map(said('∂')), ...(answer.second ?? []).map(said('∂²'))],
    output: '',
    wrong: answer.agree === false || answer.checked === false,
  };
}
