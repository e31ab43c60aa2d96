// The panel “Frank: Steps”: a run state by state. The server makes its page; the editor shows where the focus is.

import * as vscode from 'vscode';
import { mayRun } from './evaluate';

/** The command, also behind lenses. */
export const STEP = 'frank.step';

/** What is run: an operator, or a term in the scope of the file. */
interface Subject {
  name?: string;
  term?: string;
}

/** Asks the server for the page. */
type Ask = (uri: string, subject: Subject) => Promise<{ html: string }>;

/** Where the focus of the state is that is shown; offsets in the text. */
interface Focus {
  uri: string;
  start: number;
  end: number;
}

export class StepsPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private readonly command: vscode.Disposable;
  private readonly mark = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.findMatchHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.findMatchForeground'),
  });

  public constructor(private readonly ask: Ask) {
    this.command = vscode.commands.registerCommand(STEP, (uri?: string, name?: string) => this.open(uri, name));
  }

  public dispose(): void {
    this.command.dispose();
    this.panel?.dispose();
    this.mark.dispose();
  }

  private async open(uri: string | undefined, name: string | undefined): Promise<void> {
    const here = uri ?? vscode.window.activeTextEditor?.document.uri.toString();
    if (here === undefined || !(await mayRun())) {
      return;
    }
    const subject = name === undefined ? await chosen() : { name };
    if (subject === undefined) {
      return;
    }
    try {
      const { html } = await this.ask(here, subject);
      this.show(html, subject);
    } catch (error) {
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    }
  }

  private show(html: string, subject: Subject): void {
    this.panel ??= this.made();
    this.panel.title = `Steps: ${subject.name ?? subject.term ?? ''}`;
    this.panel.webview.html = html;
    this.panel.reveal(undefined, false);
  }

  private made(): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(
      'frank.steps',
      'Frank: Steps',
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: false },
      { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] },
    );
    panel.webview.onDidReceiveMessage((focus: Focus) => { this.light(focus); });
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.light(undefined);
    });
    return panel;
  }

  /** Lights the focus in the editors that show its file. */
  private light(focus: Focus | undefined): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      if (document.uri.toString() !== (focus && vscode.Uri.parse(focus.uri).toString())) {
        editor.setDecorations(this.mark, []);
      } else if (focus !== undefined) {
        const range = new vscode.Range(document.positionAt(focus.start), document.positionAt(focus.end));
        editor.setDecorations(this.mark, [range]);
        editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      }
    }
  }
}

/** What a person wants to see run. */
async function chosen(): Promise<Subject | undefined> {
  const text = await vscode.window.showInputBox({
    title: 'Frank: Step',
    prompt: 'An operator without arguments, or a term',
    value: 'main',
  });
  const wanted = text?.trim();
  if (wanted === undefined || wanted === '') {
    return undefined;
  }
  return /^[\p{Alphabetic}_][\p{Alphabetic}\p{N}_']*$/u.test(wanted) ? { name: wanted } : { term: wanted };
}
