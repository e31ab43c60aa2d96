// The panel “Frank: Plot”: an operator and its derivatives as a picture, whose range, order and point can be moved, or
// as the graph of what they compute, whose nodes lead to the program. The server evaluates and draws.

import * as vscode from 'vscode';
import { mayRun } from './evaluate';
import { page } from './plotPage';

/** The command, also for keys of one's own. */
export const PLOT = 'frank.plot';

/** What is drawn; what is not there the server chooses. */
export interface Wanted {
  view?: 'plot' | 'graph';
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

type Point = { variable: string; value: number }[];

/** The answer to `frank/plot`, as far as the panel needs it. */
export interface Plot {
  variable: string;
  x: [number, number];
  point: Point;
  svg?: string;
}

/** The answer to `frank/graph`. */
export interface Graph {
  point: Point;
  svg: string | null;
  /** The places of nodes, by their numbers. */
  places: (Place | null)[];
  /** Why the graph has not all derivatives. */
  missing: string | null;
}

/** A location of the protocol. */
interface Place {
  uri: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
}

type Theme = 'light' | 'dark';

/** Asks the server for pictures. */
export interface Ask {
  plot(subject: Subject, wanted: Wanted & { theme: Theme }): Promise<Plot>;
  graph(subject: Subject, wanted: { moved?: Record<string, number>; theme: Theme }): Promise<Graph>;
}

/** What the page says: what it wants to show, or that somebody wants to see the place of a node or of an error. */
type Said = { kind: 'show'; wanted: Wanted } | { kind: 'go'; place: number };

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
  /** Where the nodes that are shown stand, or what went wrong. */
  private places: (Place | null)[] = [];
  /** The latest question; answers to earlier ones are too late. */
  private turn = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
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
    panel.webview.onDidReceiveMessage((said: Said) => {
      if (said.kind === 'go') {
        void go(this.places[said.place]);
        return;
      }
      this.wanted = said.wanted;
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
    const theme = isDark() ? 'dark' : 'light';
    const asked = this.wanted.view === 'graph' ? this.graph(subject, theme) : this.plot(subject, theme);
    const told = await asked.catch((error: unknown) => {
      const place = placeOf(error);
      const message = error instanceof Error ? error.message : String(error);
      return { places: place === undefined ? [] : [place], said: { error: message, leads: place !== undefined } };
    });
    if (turn === this.turn) {
      this.places = told.places;
      void panel.webview.postMessage(told.said);
    }
  }

  private async plot(subject: Subject, theme: Theme): Promise<Told> {
    const { svg, variable, x, point } = await this.ask.plot(subject, { ...this.wanted, theme });
    if (svg === undefined) {
      throw new Error(CANNOT_DRAW);
    }
    return { places: [], said: { view: 'plot', svg, variable, x, point } };
  }

  private async graph(subject: Subject, theme: Theme): Promise<Told> {
    const { moved } = this.wanted;
    const { svg, point, places, missing } = await this.ask.graph(subject, { ...(moved && { moved }), theme });
    if (svg === null) {
      throw new Error(CANNOT_DRAW);
    }
    return { places, said: { view: 'graph', svg, point, error: missing ?? undefined } };
  }
}

const CANNOT_DRAW = 'This server was built without pictures: released ones have them.';

/** What the page is told, and where what it shows stands. */
interface Told {
  places: (Place | null)[];
  said: object;
}

/** The place that an error of the server is about. */
function placeOf(error: unknown): Place | undefined {
  return (error as { data?: { place?: Place } } | undefined)?.data?.place;
}

/** Shows a place in an editor beside the panel. */
async function go(place: Place | null | undefined): Promise<void> {
  if (place === null || place === undefined) {
    return;
  }
  const { start, end } = place.range;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  const uri = vscode.Uri.parse(place.uri);
  const open = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const viewColumn = open?.viewColumn ?? vscode.ViewColumn.One;
  await vscode.window.showTextDocument(uri, { selection, viewColumn });
}
