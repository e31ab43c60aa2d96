// The view “Frank: Info” beside the text: what the server knows at the cursor, or at a place that was pinned.

import * as vscode from 'vscode';
import { type Info, OPEN_PLACE, PIN, type Place, body, page } from './infoPage';

/** Asks the server; `undefined` if there is none now. */
type Ask = (document: vscode.TextDocument, at: vscode.Position) => Promise<Info | null | undefined>;

/** The cursor rests for so long before it is asked about, in milliseconds. */
const REST = 80;

interface At {
  document: vscode.TextDocument;
  position: vscode.Position;
}

export class InfoView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private shown: At | undefined;
  private pinned = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** How many questions there have been: answers to older ones are not shown. */
  private asked = 0;
  private readonly listeners: vscode.Disposable[];

  public constructor(private readonly ask: Ask) {
    this.listeners = [
      vscode.commands.registerCommand('frank.showInfo', () => { this.open(); }),
      vscode.commands.registerCommand(PIN, () => {
        this.pinned = !this.pinned;
        this.refresh();
      }),
      vscode.commands.registerCommand(OPEN_PLACE, openPlace),
      vscode.window.onDidChangeTextEditorSelection(() => { this.refresh(); }),
      vscode.window.onDidChangeActiveTextEditor(() => { this.refresh(); }),
      vscode.languages.onDidChangeDiagnostics(() => { this.refresh(); }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (this.pinned && this.shown?.document === document) {
          this.shown.position = moved(this.shown.position, contentChanges);
        }
      }),
    ];
  }

  public dispose(): void {
    clearTimeout(this.timer);
    this.panel?.dispose();
    for (const listener of this.listeners) {
      listener.dispose();
    }
  }

  /** Asks anew, as soon as the cursor rests. */
  public refresh(): void {
    if (this.panel !== undefined) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.update(), REST);
    }
  }

  private open(): void {
    if (this.panel !== undefined) {
      this.panel.reveal(undefined, true);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      'frank.info',
      'Frank: Info',
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, enableCommandUris: [OPEN_PLACE, PIN], localResourceRoots: [] },
    );
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.pinned = false;
    });
    // A page that was hidden has been forgotten, and says that it is there again.
    panel.webview.onDidReceiveMessage(() => { this.refresh(); });
    panel.webview.html = page();
    this.panel = panel;
  }

  private async update(): Promise<void> {
    const editor = textEditor();
    if (!this.pinned && editor !== undefined) {
      this.shown = { document: editor.document, position: editor.selection.active };
    }
    const at = this.shown;
    if (at === undefined) {
      return;
    }
    this.asked += 1;
    const mine = this.asked;
    const info = await this.ask(at.document, at.position);
    if (info !== undefined && mine === this.asked) {
      const where = `${vscode.workspace.asRelativePath(at.document.uri)}:${at.position.line + 1}:${at.position.character + 1}`;
      await this.panel?.webview.postMessage(body(info, where, this.pinned));
    }
  }
}

/** The Frank text that is worked at. While the view itself has the focus, no editor is the active one. */
function textEditor(): vscode.TextEditor | undefined {
  const active = vscode.window.activeTextEditor;
  const editors = active === undefined ? vscode.window.visibleTextEditors : [active];
  return editors.find(({ document }) => document.languageId === 'frank');
}

/** Where a place is after changes above it. */
function moved(position: vscode.Position, changes: readonly vscode.TextDocumentContentChangeEvent[]): vscode.Position {
  const above = changes.filter(({ range }) => range.end.isBefore(position) && range.end.line < position.line);
  const lines = above.map(({ range, text }) => text.split('\n').length - 1 - (range.end.line - range.start.line));
  return position.translate(lines.reduce((sum, one) => sum + one, 0));
}

/** Shows a place in the editor, not in the view. */
async function openPlace({ uri, range: { start, end } }: Place): Promise<void> {
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), {
    selection,
    viewColumn: textEditor()?.viewColumn ?? vscode.ViewColumn.One,
  });
}
