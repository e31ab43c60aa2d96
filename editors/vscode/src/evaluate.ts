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

interface DerivativeAnswer {
  at?: unknown[];
  value?: string;
  derivatives?: { by: string; values: string[]; error?: string }[];
  /** Whether all agree but for rounding. */
  agree?: boolean;
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
      const at = await this.askPoint(uri, name);
      if (at === undefined) {
        return undefined;
      }
      args = [uri, name, at.length > 0 ? { at } : {}];
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

  /** The numbers of a point, as they were typed; none lets the server choose. */
  private async askPoint(uri: string, name: string): Promise<string[] | undefined> {
    const key = `point ${uri} ${name}`;
    const typed = await vscode.window.showInputBox({
      title: `The derivative of ${name}`,
      prompt: 'A number for each argument. Empty: the point in its comment, or else that of last time.',
      placeHolder: '2 (or 2 3, with two arguments)',
      value: this.memory.get<string>(key, ''),
      validateInput: (text) =>
        numbers(text).every((number) => /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(number))
          ? undefined
          : 'Numbers, with blanks or commas between them',
    });
    if (typed === undefined) {
      return undefined;
    }
    await this.memory.update(key, typed);
    return numbers(typed);
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

function numbers(text: string): string[] {
  return text.split(/[\s,]+/).filter((number) => number !== '');
}

function describeRun(name: string, answer: RunAnswer): Description {
  const cost = answer.steps === undefined ? '' : `  (${answer.steps} steps, ${answer.millis ?? 0} ms)`;
  return { line: `${name} = ${answer.value ?? '?'}${cost}`, details: [], output: answer.output ?? '', wrong: false };
}

function describeDerivative(name: string, answer: DerivativeAnswer): Description {
  const at = (answer.at ?? []).map(String).join(' ');
  const derivatives = answer.derivatives ?? [];
  const first = derivatives.find(({ error }) => error === undefined)?.values.join(' ') ?? '?';
  const all = derivatives.map(({ by, values, error }) => `∂ by ${by} ${error === undefined ? `= ${values.join(' ')}` : `fails: ${error}`}`);
  const sum = answer.agree === false ? `they disagree: ${all.join(' · ')}` : `∂ = ${first}`;
  return {
    line: `${name} ${at} = ${answer.value ?? '?'} · ${sum}`,
    details: all.map((text) => `  ${text}`),
    output: '',
    wrong: answer.agree === false,
  };
}
