// Running and differentiating from the editor. What can be run, and how, the server knows: this asks
// for the operator and the point, and shows the answer.

import * as vscode from 'vscode';

/** The server's commands; their arguments are a file's URI, an operator's name, and a point. */
export const RUN = 'frank.run';
export const DERIVATIVE = 'frank.derivative';

type Send = (command: string, args: unknown[]) => Promise<unknown>;

interface RunAnswer {
  value?: string;
  output?: string;
  steps?: number;
  millis?: number;
}

interface Derivative {
  by: string;
  values: string[];
  error?: string;
}

interface DerivativeAnswer {
  at?: unknown[];
  value?: string;
  derivatives?: Derivative[];
  second?: Derivative[];
  /** Whether all agree but for rounding. */
  agree?: boolean | null;
  /** Whether none of them is something else than finite differences give. */
  checked?: boolean | null;
  /** What the lens says. */
  text?: string;
}

/** What is asked about an operator. */
interface Question {
  at?: string[];
  order?: number;
  check?: boolean;
}

export class Evaluator implements vscode.Disposable {
  private readonly results = vscode.window.createOutputChannel('Frank Results');

  public constructor(
    private readonly memory: vscode.Memento,
    private readonly send: Send,
  ) {}

  public dispose(): void {
    this.results.dispose();
  }

  /** One of the server's commands, from a lens or from the palette. */
  public async execute(command: string, args: unknown[], send: Send = this.send): Promise<unknown> {
    if (!vscode.workspace.isTrusted) {
      const manage = 'Manage Trust';
      const message = 'Programs of a workspace that is not trusted are checked, but not run.';
      if ((await vscode.window.showWarningMessage(message, manage)) === manage) {
        await vscode.commands.executeCommand('workbench.trust.manage');
      }
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
      () => send(command, args),
    );
    if (typeof answer === 'object' && answer !== null) {
      this.show(command === RUN ? describeRun(String(name), answer) : describeDerivative(String(name), answer));
    }
    return answer;
  }

  /** Lets the user choose among the operators above which the server offers a command. */
  public async choose(command: string): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== 'frank') {
      return;
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
      return;
    }
    const chosen = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { placeHolder: 'Operator' });
    if (chosen !== undefined) {
      await this.execute(command, [uri.toString(), chosen.label]);
    }
  }

  /** What is wanted of an operator, and the point as it was typed; without one the server chooses. */
  private ask(uri: string, name: string): Promise<Question | undefined> {
    const key = `point ${uri} ${name}`;
    const menu = vscode.window.createQuickPick<Wanted>();
    menu.title = `The derivative of ${name}`;
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

function describeDerivative(name: string, answer: DerivativeAnswer): Description {
  const at = (answer.at ?? []).map(String).join(' ');
  const derivatives = answer.derivatives ?? [];
  const first = derivatives.find(({ error }) => error === undefined)?.values.join(' ') ?? '?';
  const said =
    (sign: string) =>
    ({ by, values, error }: Derivative): string =>
      `${sign} by ${by} ${error === undefined ? `= ${values.join(' ')}` : `fails: ${error}`}`;
  const all = [...derivatives.map(said('∂')), ...(answer.second ?? []).map(said('∂²'))];
  const sum = answer.agree === false ? `they disagree: ${all.join(' · ')}` : `∂ = ${first}`;
  const more = answer.second !== undefined || answer.checked !== undefined;
  const line = `${name} ${at} = ${answer.value ?? '?'} · ${sum}`;
  return {
    line: more ? (answer.text ?? line) : line,
    details: all.map((text) => `  ${text}`),
    output: '',
    wrong: answer.agree === false || answer.checked === false,
  };
}
