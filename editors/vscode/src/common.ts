// The extension, wherever it runs: starts the language server and lets it speak. Everything clever is in the server. What
// needs a machine with programs and files, and what needs a browser, is in `extension.ts` and `browser.ts`.

import * as vscode from 'vscode';
import {
  type BaseLanguageClient,
  CloseAction,
  ErrorAction,
  type ErrorHandler,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
} from 'vscode-languageclient';
import { type ByType, findByType } from './byType';
import { CHECK, DEBUG, DERIVATIVE, RUN, WRITE_VALUE } from './commands';
import { Evaluator, type Execute, type Smooth, mayRun } from './evaluate';
import { type FileText, VirtualFiles } from './files';
import { FILL, Holes } from './holes';
import { InfoView } from './info';
import type { Info } from './infoPage';
import { LIBRARY_SCHEME, LibraryMark } from './library';
import { Notebooks } from './notebooks';
import { Status } from './status';
import { type Graph, PLOT, PlotPanel, type Plot, isDark } from './plot';
import { STEP, StepsPanel } from './steps';
import { type Debug, type Example, Tests } from './tests';

/** The server's command behind lenses that lead to places. */
const SHOW_REFERENCES = 'frank.showReferences';
/** The server's commands that run a program. */
const RUNNING = [RUN, DERIVATIVE, CHECK, WRITE_VALUE, STEP, DEBUG, FILL, PLOT];

/** A client whose server has not been started yet. */
export interface Made {
  client: BaseLanguageClient;
  /** Which server it will be, for the output. */
  name: string;
  /** Its version, if that is known before it starts. */
  version?: string;
}

/** What is another thing on a machine than in a browser. */
export interface Platform {
  /** Finds the server, and makes a client for it. */
  makeClient(options: LanguageClientOptions): Promise<Made>;
  /** If an error of `makeClient` is that there is no server: says so, and finds out whether to try again. */
  explain(error: unknown): Promise<boolean> | undefined;
  /** Whether the server has to be told of the workspace's files, since it cannot read them. */
  isVirtual(): boolean;
  /** The debugger, where there is one. */
  debug: Debug | undefined;
}

export class Extension implements vscode.Disposable {
  private client: BaseLanguageClient | undefined;
  /** Whether a server that is gone is started anew. */
  private restarts: ErrorHandler | undefined;
  private readonly output = vscode.window.createOutputChannel('Frank', { log: true });
  private readonly status = new Status();
  private readonly evaluator: Evaluator;
  private readonly info = new InfoView((document, at) => this.known(document, at));
  private readonly tests: Tests;
  private readonly files: VirtualFiles;
  /** The program of the walkthrough, once it was opened. */
  private sample: vscode.TextDocument | undefined;
  /** Starts and stops, one after the other. */
  private turn: Promise<void> = Promise.resolve();
  /** Whether the server of now has to be told of files. */
  private isVirtual = false;
  /** Whether the client of now is about to be stopped. */
  private leaving = false;

  public constructor(
    context: vscode.ExtensionContext,
    private readonly platform: Platform,
  ) {
    const execute: Execute = (command, args, token) =>
      this.request('workspace/executeCommand', { command, arguments: args }, token);
    this.evaluator = new Evaluator(context.workspaceState, execute, (uri, name) =>
      this.ask<Smooth | null>('frank/smooth', { textDocument: { uri }, name }),
    );
    this.files = new VirtualFiles(() => platform.isVirtual(), (files) => this.tell(files));
    this.tests = new Tests(
      (uri) => this.ask<Example[]>('frank/examples', { textDocument: { uri: uri.toString() } }),
      async (command, args) => ((await mayRun()) ? execute(command, args) : undefined),
      () => this.files.find(),
      platform.debug,
    );
    const command = (name: string, run: () => unknown): vscode.Disposable =>
      vscode.commands.registerCommand(name, run);
    context.subscriptions.push(
      this,
      command('frank.runOperator', () => this.evaluator.choose(RUN)),
      command('frank.evaluateDerivative', () => this.evaluator.choose(DERIVATIVE)),
      command('frank.findByType', () => {
        findByType((type, document) => {
          const about = document === undefined ? {} : { textDocument: { uri: document.toString() } };
          return this.ask<ByType>('frank/findByType', { type, ...about });
        });
      }),
      command('frank.restartServer', () => this.restart()),
      command('frank.showOutput', () => { this.output.show(); }),
      command('frank.openSample', async () => {
        this.sample = await openSample(context);
      }),
      new LibraryMark(),
      vscode.workspace.registerTextDocumentContentProvider(LIBRARY_SCHEME, {
        provideTextDocumentContent: async (uri) =>
          (await this.ask<{ text: string }>('workspace/textDocumentContent', { uri: uri.toString() }))?.text,
      }),
      new Holes((method, params, token) => this.ask(method, params, token)),
      new Notebooks((method, params, token) => this.request(method, params, token), (method, params) => this.ask(method, params)),
      new StepsPanel((uri, subject) => this.request('frank/step', { textDocument: { uri }, ...subject, html: true })),
      new PlotPanel(
        {
          plot: ({ uri, name }, wanted) => this.request<Plot>('frank/plot', { textDocument: { uri }, name, ...wanted }),
          graph: ({ uri, name }, wanted) => this.request<Graph>('frank/graph', { textDocument: { uri }, name, ...wanted }),
        },
        () => this.evaluator.operator(DERIVATIVE),
      ),
      this.evaluator.onDidChangeLenses(() => { this.redrawLenses(); }),
      // While it follows a run from file to file, the editor may leave titles of lenses there that cannot be clicked.
      vscode.debug.onDidTerminateDebugSession(() => { this.redrawLenses(); }),
      vscode.languages.onDidChangeDiagnostics(() => {
        if (this.sample !== undefined && isMended(this.sample)) {
          done('mended');
        }
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('frank.server') || change.affectsConfiguration('frank.run')) {
          void this.restart();
        }
      }),
      vscode.window.onDidChangeActiveColorTheme(() => {
        // The server asks for the settings again, of which the theme is one.
        if (this.client?.state === State.Running) {
          void this.client.sendNotification('workspace/didChangeConfiguration', { settings: null });
        }
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        // Which documents a client speaks of is settled when it starts.
        if (this.isVirtual || platform.isVirtual()) {
          void this.restart();
        }
      }),
      // Settings that a workspace may not decide before count from here.
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.restart()),
    );
  }

  public dispose(): void {
    this.evaluator.dispose();
    this.info.dispose();
    this.tests.dispose();
    this.files.dispose();
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

  /** What the server knows at a place. */
  private known(document: vscode.TextDocument, at: vscode.Position): Promise<Info | null | undefined> {
    const position = { line: at.line, character: at.character };
    return this.ask<Info | null>('frank/info', { textDocument: { uri: document.uri.toString() }, position });
  }

  /** Asks the server what the protocol has no request for, and says why there is no answer. */
  private async request<R>(method: string, params: unknown, token?: vscode.CancellationToken): Promise<R> {
    if (this.client?.state !== State.Running) {
      throw new Error('The Frank server is not running.');
    }
    // A token that is not there would count as a second parameter.
    return token === undefined ? this.client.sendRequest<R>(method, params) : this.client.sendRequest<R>(method, params, token);
  }

  /** The same; `undefined` if there is no server, or it was interrupted. */
  private async ask<R>(method: string, params: unknown, token?: vscode.CancellationToken): Promise<R | undefined> {
    if (this.client?.state !== State.Running) {
      return undefined;
    }
    try {
      return await this.request<R>(method, params, token);
    } catch (error) {
      this.output.warn(String(error));
      return undefined;
    }
  }

  /** Tells the server of files that it cannot read. */
  private async tell(files: FileText[]): Promise<void> {
    if (this.client?.state === State.Running) {
      await this.client.sendNotification('frank/files', { files });
    }
  }

  /** Has VS Code ask for lenses again. */
  private redrawLenses(): void {
    const feature = this.client?.getFeature('textDocument/codeLens');
    for (const document of vscode.workspace.textDocuments.filter(({ languageId }) => languageId === 'frank')) {
      feature?.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
    }
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
    this.isVirtual = this.platform.isVirtual();
    this.status.set('starting');
    this.files.look();
    try {
      const { client, name, version } = await this.platform.makeClient(this.options());
      this.output.info(name);
      this.status.version = version ?? '';
      this.follow(client);
      this.client = client;
      await client.start();
      void this.tests.discover();
    } catch (error) {
      this.output.error(String(error));
      // Not awaited: the message stays until it is answered, and meanwhile others may restart.
      const again = this.platform.explain(error);
      this.status.set(again === undefined ? 'stopped' : 'missing');
      void again?.then((again) => (again ? this.restart() : undefined));
    }
  }

  /** One of the server's commands, from a lens or an action; `next` sends it to the server. */
  private async execute(command: string, args: unknown[], next: Execute): Promise<unknown> {
    if (command === SHOW_REFERENCES) {
      return showReferences(args);
    }
    if (command === RUN || command === DERIVATIVE) {
      const answer = await this.evaluator.execute(command, args).finally(() => { this.info.refresh(); });
      if (answer !== undefined) {
        done('evaluated');
      }
      return answer;
    }
    return !RUNNING.includes(command) || (await mayRun()) ? next(command, args) : undefined;
  }

  /** What a client is made with. */
  private options(): LanguageClientOptions {
    // Where a document is shown in another state, such as that of a commit, nothing is said of it.
    const folders = this.isVirtual ? (vscode.workspace.workspaceFolders ?? []) : [];
    const files = [...new Set(['file', ...folders.map(({ uri }) => uri.scheme)])];
    return {
      documentSelector: [
        ...[...files, 'untitled', 'vscode-notebook-cell', LIBRARY_SCHEME].map((scheme) => ({ language: 'frank', scheme })),
        ...files.map((scheme) => ({ scheme, pattern: '**/*.fk.md' })),
      ],
      outputChannel: this.output,
      // What fails because the server is gone is no news: the status item says that it is.
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => this.restarts?.closed() ?? { action: CloseAction.DoNotRestart },
      },
      middleware: {
        workspace: {
          configuration: async (params, token, next) => {
            const answers: unknown = await next(params, token);
            return Array.isArray(answers)
              ? answers.map((answer: unknown, i) => (params.items[i]?.section === 'frank' ? withHovers(answer) : answer))
              : [];
          },
          // The client would start a server that is being exchanged, only to notify it.
          didChangeConfiguration: async (sections, next) => {
            if (!this.leaving) {
              await next(sections);
            }
          },
        },
        executeCommand: (command, args: unknown[], next) =>
          this.execute(command, args, (command, args) => Promise.resolve<unknown>(next(command, args))),
        provideCodeLenses: async (document, token, next) => {
          const lenses = await next(document, token);
          return vscode.workspace.isTrusted
            ? lenses?.map((lens) => this.evaluator.lens(lens))
            : lenses?.filter(({ command }) => !RUNNING.includes(command?.command ?? ''));
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
    };
  }

  /** Tells a client what the extension has, and follows how its server is. */
  private follow(client: BaseLanguageClient): void {
    // The commands behind the lenses `⏵ step`, `⏵ debug` and `∂ plot` and the action `Fill` are the extension's own.
    client.registerFeature({
      fillClientCapabilities: (capabilities) => {
        // The lens that plots runs its operator for its title.
        const frankPlot = vscode.workspace.isTrusted;
        const frankDebug = this.platform.debug !== undefined && !this.isVirtual;
        const own = { frankStep: true, frankDebug, frankFill: true, frankPictures: true, frankPlot };
        capabilities.experimental = { ...(capabilities.experimental as object | undefined), ...own };
      },
      initialize: () => undefined,
      getState: () => ({ kind: 'static' }),
      clear: () => undefined,
    });
    // Up to four times in three minutes; then it says that it does not.
    this.restarts = client.createDefaultErrorHandler();
    client.onDidChangeState(({ newState }) => {
      if (this.client !== client) {
        return;
      }
      if (newState === State.Running) {
        this.status.version = client.initializeResult?.serverInfo?.version ?? this.status.version;
        void this.files.sendAll();
      }
      // A server that dies while it starts has stopped, too, whatever the client calls that.
      this.status.set(newState === State.Running ? 'running' : newState === State.Starting ? 'starting' : 'stopped');
    });
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

/** The settings for the server, with the colours for pictures; a hover runs nothing that is not trusted. */
function withHovers(settings: unknown): unknown {
  const { hover, ...others } = (settings ?? {}) as { hover?: object };
  const off = vscode.workspace.isTrusted ? {} : { formulas: false, plots: false };
  return { ...others, hover: { theme: isDark() ? 'dark' : 'light', ...hover, ...off } };
}

/** A step of the walkthrough is done. */
export function done(step: 'mended' | 'evaluated' | 'checked'): void {
  void vscode.commands.executeCommand('setContext', `frank.${step}`, true);
}

/** Whether the walkthrough's program has been changed, and nothing in it is wrong any more. */
function isMended(sample: vscode.TextDocument): boolean {
  const errors = vscode.languages.getDiagnostics(sample.uri).filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
  return sample.version > 1 && errors.length === 0;
}

async function openSample(context: vscode.ExtensionContext): Promise<vscode.TextDocument> {
  const file = vscode.Uri.joinPath(context.extensionUri, 'samples', 'first-steps.fk');
  const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  // A copy without a name: the original belongs to the extension.
  const document = await vscode.workspace.openTextDocument({ language: 'frank', content });
  await vscode.window.showTextDocument(document);
  return document;
}
