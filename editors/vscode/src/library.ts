// Files of the built-in library, which the server writes to a cache where there is a disk: they are read-only, and say so.

import * as vscode from 'vscode';

/** What the server calls them where it can write nothing. */
export const LIBRARY_SCHEME = 'frank-library';
/** Where the server writes them. */
const LIBRARY = /[/\\]frank[/\\]library-[0-9a-f]{16}[/\\][^/\\]+\.fk$/;

export class LibraryMark implements vscode.Disposable {
  private readonly mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    after: {
      contentText: 'read-only: a file of the library that is built into frank',
      margin: '0 0 0 3em',
      color: new vscode.ThemeColor('descriptionForeground'),
      fontStyle: 'italic',
    },
  });
  private readonly listener = vscode.window.onDidChangeVisibleTextEditors((editors) => { this.show(editors); });

  public constructor() {
    this.show(vscode.window.visibleTextEditors);
  }

  public dispose(): void {
    this.listener.dispose();
    this.mark.dispose();
  }

  private show(editors: readonly vscode.TextEditor[]): void {
    for (const editor of editors.filter(({ document: { uri } }) => uri.scheme === LIBRARY_SCHEME || LIBRARY.test(uri.fsPath))) {
      editor.setDecorations(this.mark, [new vscode.Range(0, 0, 0, 0)]);
    }
  }
}
