// The panel “Frank: Plot”: an operator and its derivatives as a picture, whose range, order and point can be moved. The
// server evaluates and draws.

import * as vscode from 'vscode';
import { mayRun } from './evaluate';
import { page } from './plotPage';

/** The command, also for keys of one's own. */
export const PLOT = 'frank.plot';

/** What is drawn; what is not there the server chooses. */
export interface Wanted {
  from?: number;
  to?: number;
  order?: number;
  /** Numbers of the point that were moved, by their variables. */
  moved?: Record<string, number>;
}

interface Subject {
  uri: string;
  name: string;
}

/** The answer to `frank/plot`, as far as the panel needs it. */
export interface Plot {
  variable: string;
  x: [number, number];
  point: { variable: string; value: number }[];
  svg?: string;
}

type Ask = (subject: Subject, wanted: Wanted & { theme: 'light' | 'dark' }) => Promise<Plot>;

/** Whether pictures are shown on a dark background. */
export function isDark(): boolean {
  const { kind } = vscode.window.activeColorTheme;
  return kind === vscode.ColorThemeKind.Dark || kind === vscode.ColorThemeKind.HighContrast;
}

/** After an edit so many milliseconds pass before the picture is drawn again. */
const PATIENCE = 300;

export class PlotPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private subject: Subject | undefined;
  private wanted: Wanted = {};
  /** The latest question; answers to earlier ones are too late. */
  private turn = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly parts: vscode.Disposable[];

  public constructor(
    private readonly ask: Ask,
    private readonly choose: () => Promise<Subject | undefined>,
  ) {
    this.parts = [
      vscode.commands.registerCommand(PLOT, (uri?: string, name?: string) => this.open(uri, name)),
      vscode.window.onDidChangeActiveColorTheme(() => this.draw()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.languageId === 'frank' && this.panel !== undefined) {
          clearTimeout(this.timer);
          this.timer = setTimeout(() => { void this.draw(); }, PATIENCE);
        }
      }),
    ];
  }

  public dispose(): void {
    clearTimeout(this.timer);
    this.panel?.dispose();
    for (const part of this.parts) {
      part.dispose();
    }
  }

  private async open(uri: string | undefined, name: string | undefined): Promise<void> {
    if (!(await mayRun())) {
      return;
    }
    const subject = uri === undefined || name === undefined ? await this.choose() : { uri, name };
    if (subject === undefined) {
      return;
    }
    this.subject = subject;
    this.wanted = {};
    this.panel ??= this.made();
    this.panel.title = `Plot: ${subject.name}`;
    this.panel.webview.html = page(subject.name);
    this.panel.reveal(undefined, true);
  }

  private made(): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(
      'frank.plot',
      'Frank: Plot',
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] },
    );
    // The page asks for its first picture, too, once it listens.
    panel.webview.onDidReceiveMessage((wanted: Wanted) => {
      this.wanted = wanted;
      void this.draw();
    });
    panel.onDidDispose(() => { this.panel = undefined; });
    return panel;
  }

  private async draw(): Promise<void> {
    const { panel, subject } = this;
    if (panel === undefined || subject === undefined) {
      return;
    }
    const turn = ++this.turn;
    const told = await this.ask(subject, { ...this.wanted, theme: isDark() ? 'dark' : 'light' }).then(
      (plot) =>
        plot.svg === undefined
          ? { error: 'This server was built without pictures: released ones have them.' }
          : { svg: plot.svg, variable: plot.variable, x: plot.x, point: plot.point },
      (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
    );
    if (turn === this.turn) {
      void panel.webview.postMessage(told);
    }
  }
}
