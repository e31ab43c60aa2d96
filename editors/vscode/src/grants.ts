// Which files programs may touch that are run from the editor.

import * as vscode from 'vscode';

/**
 * The options of `frank lsp` and `frank run` that grant what the user's settings name. The settings have the scope
 * `machine`, so that no workspace has a say; one that is not trusted gets nothing.
 */
export function grants(): string[] {
  if (!vscode.workspace.isTrusted) {
    return [];
  }
  const configuration = vscode.workspace.getConfiguration('frank.run');
  return (['read', 'write'] as const).flatMap((access) =>
    configuration.get<string[]>(access, []).flatMap((path) => [`--${access}`, path]),
  );
}
