// Holes: the list of all in the workspace, ways from one to the next, and terms that fill one. What is known of them,
// and what fits, the server says.

import * as vscode from 'vscode';
import { mayRun } from './evaluate';
import { OPEN_PLACE, type Place } from './infoPage';

/** The command that fills a hole, also behind code actions. */
export const FILL = 'frank.fill';

/** A hole, as `frank/holes` and `frank/nextHole` say it. */
interface Hole extends Place {
  name: string;
  type: string | null;
  inside: string;
}

/** The answer to `frank/fill`. */
interface Fill {
  range: Place['range'];
  terms: { text: string; size: number; examplesHold: boolean | null }[];
  note: string;
}

/** Asks the server; `undefined` if there is no answer. */
type Ask = <R>(method: string, params: unknown, token?: vscode.CancellationToken) => Promise<R | undefined>;

/** Findings rest for so long before the list is made anew, in milliseconds. */
const REST = 300;

/** A row of the list: a file with its holes, or one of them. */
type Row = { file: string; holes: Hole[] } | Hole;

export class Holes implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  public readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<Row>;
  private readonly listeners: vscode.Disposable[];
  private timer: ReturnType<typeof setTimeout> | undefined;

  public constructor(private readonly ask: Ask) {
    this.view = vscode.window.createTreeView<Row>('frank.holes', { treeDataProvider: this });
    this.listeners = [
      vscode.commands.registerCommand('frank.nextHole', () => this.go(true)),
      vscode.commands.registerCommand('frank.previousHole', () => this.go(false)),
      vscode.commands.registerCommand(FILL, (uri?: string, position?: Place['range']['start']) => this.fill(uri, position)),
      // Every hole is a finding.
      vscode.languages.onDidChangeDiagnostics(() => { this.refresh(); }),
      this.view.onDidChangeVisibility(() => { this.refresh(); }),
    ];
  }

  public dispose(): void {
    clearTimeout(this.timer);
    this.view.dispose();
    this.changed.dispose();
    for (const listener of this.listeners) {
      listener.dispose();
    }
  }

  public async getChildren(row?: Row): Promise<Row[]> {
    if (row !== undefined) {
      return 'file' in row ? row.holes : [];
    }
    const all = (await this.ask<Hole[]>('frank/holes', {})) ?? [];
    const files = new Map<string, Hole[]>();
    for (const hole of all) {
      files.set(hole.uri, [...(files.get(hole.uri) ?? []), hole]);
    }
    this.view.message = all.length === 0 ? 'There are no holes.' : '';
    return [...files].map(([file, holes]) => ({ file, holes }));
  }

  public getTreeItem(row: Row): vscode.TreeItem {
    if ('file' in row) {
      const file = new vscode.TreeItem(vscode.Uri.parse(row.file), vscode.TreeItemCollapsibleState.Expanded);
      // As the explorer shows it, and the folder behind it.
      file.iconPath = vscode.ThemeIcon.File;
      file.description = true;
      return file;
    }
    const item = new vscode.TreeItem(`${row.name} : ${row.type ?? 'any type'}`);
    item.description = `in ${row.inside}, line ${row.range.start.line + 1}`;
    item.command = { title: 'Go to the Hole', command: OPEN_PLACE, arguments: [row] };
    return item;
  }

  private refresh(): void {
    clearTimeout(this.timer);
    if (this.view.visible) {
      this.timer = setTimeout(() => { this.changed.fire(undefined); }, REST);
    }
  }

  /** Goes to the hole behind the cursor, or before it; from a file without holes to the next that has some. */
  private async go(forwards: boolean): Promise<void> {
    const editor = frankEditor();
    if (editor === undefined) {
      return;
    }
    const { document, selection } = editor;
    const hole = await this.ask<Hole | null>('frank/nextHole', { ...place(document, selection.active), forwards });
    if (hole === null) {
      void vscode.window.setStatusBarMessage('There are no holes.', 4000);
    } else if (hole !== undefined) {
      await vscode.commands.executeCommand(OPEN_PLACE, hole);
    }
  }

  /** Has somebody choose among the terms for a hole, by default the one at the cursor, and writes it. */
  private async fill(uri: string | undefined, position: Place['range']['start'] | undefined): Promise<void> {
    const editor = frankEditor();
    const here = editor && place(editor.document, editor.selection.active);
    const about = uri === undefined || position === undefined ? here : { textDocument: { uri }, position };
    // Examples in comments are run.
    if (about === undefined || !(await mayRun())) {
      return;
    }
    const found = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: 'Looking for terms', cancellable: true },
      (_, token) => this.ask<Fill | null>('frank/fill', about, token),
    );
    if (found === null) {
      void vscode.window.showInformationMessage('There is no hole at the cursor.');
    } else if (found?.terms.length === 0) {
      void vscode.window.showInformationMessage(`No term was found: ${found.note}.`);
    } else if (found !== undefined) {
      await choose(vscode.Uri.parse(about.textDocument.uri), found);
    }
  }
}

/** Lists terms, and writes the one that is chosen in the place of the hole. */
async function choose(uri: vscode.Uri, { range, terms, note }: Fill): Promise<void> {
  const items = terms.map(({ text, examplesHold }) => ({
    label: text,
    description: examplesHold === null ? '' : examplesHold ? 'the examples hold' : 'an example fails',
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: 'Fill Hole', placeHolder: note });
  if (chosen === undefined) {
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const replaced = selected(range);
  // Somebody may have written there in the meantime.
  if (!/^_[\p{L}\p{N}_']*$/u.test(document.getText(replaced))) {
    void vscode.window.showWarningMessage('The hole is gone.');
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, replaced, chosen.label);
  await vscode.workspace.applyEdit(edit);
}

function frankEditor(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.languageId === 'frank' ? editor : undefined;
}

function place(
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
): { textDocument: { uri: string }; position: Place['range']['start'] } {
  return { textDocument: { uri: document.uri.toString() }, position: { line, character } };
}

function selected({ start, end }: Place['range']): vscode.Selection {
  return new vscode.Selection(start.line, start.character, end.line, end.character);
}
