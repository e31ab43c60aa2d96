// The extension: starts `frank lsp` and lets it speak. Everything clever is in the server.

import * as vscode from 'vscode';
import { ErrorAction, type ErrorHandler, LanguageClient, RevealOutputChannelOn, State } from 'vscode-languageclient/node';
import { DERIVATIVE, Evaluator, RUN } from './evaluate';
import { NoProgram, explain, find, location } from './server';
import { Status } from './status';
import { Tasks } from './tasks';

/** The server's command behind lenses that lead to places. */
const SHOW_REFERENCES = 'frank.showReferences';

class Extension implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private readonly output = vscode.window.createOutputChannel('Frank', { log: true });
  private readonly status = new Status();
  private readonly evaluator: Evaluator;
  /** Starts and stops, one after the other. */
  private turn: Promise<void> = Promise.resolve();
  /** Whether the client of now is about to be stopped. */
  private leaving = false;

  public constructor(private readonly context: vscode.ExtensionContext) {
    this.evaluator = new Evaluator(context.workspaceState, async (command, args) => {
      if (this.client?.state !== State.Running) {
        throw new Error('The Frank server is not running.');
      }
      return this.client.sendRequest('workspace/executeCommand', { command, arguments: args });
    });
    const command = (name: string, run: () => unknown): vscode.Disposable =>
      vscode.commands.registerCommand(name, run);
    context.subscriptions.push(
      this,
      command('frank.runOperator', () => this.evaluator.choose(RUN)),
      command('frank.evaluateDerivative', () => this.evaluator.choose(DERIVATIVE)),
      command('frank.restartServer', () => this.restart()),
      command('frank.showOutput', () => { this.output.show(); }),
      command('frank.openSample', () => openSample(context)),
      vscode.tasks.registerTaskProvider('frank', new Tasks(() => location(context))),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('frank.server')) {
          void this.restart();
        }
      }),
      // Settings that a workspace may not decide before count from here.
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.restart()),
    );
  }

  public dispose(): void {
    this.evaluator.dispose();
    this.status.dispose();
    this.output.dispose();
  }

  public restart(): Promise<void> {
    this.leaving = true;
    this.turn = this.turn.then(() => this.stopNow()).then(() => this.startNow());
    return this.turn;
  }

  public stop(): Promise<void> {
    this.leaving = true;
    this.turn = this.turn.then(() => this.stopNow());
    return this.turn;
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      // A server that is gone already cannot be asked to go.
      this.output.warn(String(error));
    }
  }

  private async startNow(): Promise<void> {
    this.leaving = false;
    this.status.set('starting');
    try {
      const program = await find(this.context);
      this.status.version = program.version;
      this.output.info(`frank ${program.version}: ${program.path}`);
      this.client = this.makeClient(program.path);
      await this.client.start();
    } catch (error) {
      this.output.error(String(error));
      this.status.set(error instanceof NoProgram ? 'missing' : 'stopped');
      if (error instanceof NoProgram) {
        // Not awaited: the message stays until it is answered, and meanwhile others may restart.
        void explain(error).then((again) => (again ? this.restart() : undefined));
      }
    }
  }

  private makeClient(program: string): LanguageClient {
    const configuration = vscode.workspace.getConfiguration('frank');
    const args = ['lsp', ...configuration.get<string[]>('server.arguments', [])];
    const client = new LanguageClient(
      'frank',
      'Frank',
      { command: program, args },
      {
        documentSelector: [
          { language: 'frank', scheme: 'file' },
          { language: 'frank', scheme: 'untitled' },
        ],
        outputChannel: this.output,
        // What fails because the server is gone is no news: the status item says that it is.
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue, handled: true }),
          closed: () => restarts.closed(),
        },
        middleware: {
          workspace: {
            // The client would start a server that is being exchanged, only to notify it.
            didChangeConfiguration: async (sections, next) => {
              if (!this.leaving) {
                await next(sections);
              }
            },
          },
          executeCommand: (command, args: unknown[], next) =>
            command === SHOW_REFERENCES
              ? showReferences(args)
              : command === RUN || command === DERIVATIVE
              ? this.evaluator.execute(command, args, (command, args) => Promise.resolve<unknown>(next(command, args)))
              : (next(command, args) as unknown),
          provideCodeLenses: async (document, token, next) => {
            const lenses = await next(document, token);
            return vscode.workspace.isTrusted
              ? lenses
              : lenses?.filter(({ command }) => command?.command !== RUN && command?.command !== DERIVATIVE);
          },
          handleWorkDoneProgress: (token, params, next) => {
            if (params.kind === 'begin') {
              this.status.begin(token, params.title);
            } else if (params.kind === 'end') {
              this.status.end(token);
            }
            next(token, params);
          },
        },
      },
    );
    // Up to four times in three minutes; then it says that it does not.
    const restarts: ErrorHandler = client.createDefaultErrorHandler();
    client.onDidChangeState(({ newState }) => {
      if (this.client === client) {
        // A server that dies while it starts has stopped, too, whatever the client calls that.
        this.status.set(newState === State.Running ? 'running' : newState === State.Starting ? 'starting' : 'stopped');
      }
    });
    return client;
  }
}

interface Place {
  uri: string;
  range: { start: Position; end: Position };
}

interface Position {
  line: number;
  character: number;
}

/** Shows places as the editor shows references. */
async function showReferences([uri, position, places]: unknown[]): Promise<unknown> {
  const point = ({ line, character }: Position): vscode.Position => new vscode.Position(line, character);
  const locations = (places as Place[]).map(
    ({ uri, range }) => new vscode.Location(vscode.Uri.parse(uri), new vscode.Range(point(range.start), point(range.end))),
  );
  const here = vscode.Uri.parse(uri as string);
  return vscode.commands.executeCommand('editor.action.showReferences', here, point(position as Position), locations);
}

async function openSample(context: vscode.ExtensionContext): Promise<void> {
  const file = vscode.Uri.joinPath(context.extensionUri, 'samples', 'first-steps.fk');
  const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  // A copy without a name: the original belongs to the extension.
  const document = await vscode.workspace.openTextDocument({ language: 'frank', content });
  await vscode.window.showTextDocument(document);
}

let extension: Extension | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  extension = new Extension(context);
  await extension.restart();
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
  extension = undefined;
}
