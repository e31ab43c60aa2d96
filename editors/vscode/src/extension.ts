// The extension on a machine: the server is the program `frank`, which debugs, too, and does the work of tasks and terminals.
// For workspaces that are elsewhere it is the server of browsers.

import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { Addresses } from './addresses';
import { Extension, type Made, type Platform, done } from './common';
import { Debugger } from './debug';
import { mayRun } from './evaluate';
import { roots } from './files';
import { grants } from './grants';
import { NoProgram, explain, find, location } from './server';
import { Tasks } from './tasks';
import { load } from './threads';
import { type Make, oneAtATime } from './workers';

let extension: Extension | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const debug = new Debugger(() => location(context));
  const tasks = new Tasks(() => location(context));
  let threads: Promise<Make> | undefined;
  const start = oneAtATime(() => new Addresses(roots()));
  const platform: Platform = {
    makeClient: async (options): Promise<Made> => {
      if (isVirtual()) {
        threads ??= load(vscode.Uri.joinPath(context.extensionUri, 'dist', 'web').fsPath);
        const make = await threads;
        const client = new LanguageClient('frank', 'Frank', () => start(make), options);
        return { client, name: 'frank in a thread, for files that are not on this machine' };
      }
      const program = await find(context);
      const configuration = vscode.workspace.getConfiguration('frank');
      const args = ['lsp', ...grants(), ...configuration.get<string[]>('server.arguments', [])];
      // The server says so if it needs a newer extension than this one.
      const initializationOptions = { extension: (context.extension.packageJSON as { version: string }).version };
      const client = new LanguageClient('frank', 'Frank', { command: program.path, args }, { ...options, initializationOptions });
      return { client, name: `frank ${program.version}: ${program.path}`, version: program.version };
    },
    explain: (error) => (error instanceof NoProgram ? explain(error) : undefined),
    isVirtual,
    debug,
  };
  context.subscriptions.push(
    debug,
    vscode.commands.registerCommand('frank.runInTerminal', async () => ((await mayRun()) ? tasks.runInTerminal() : undefined)),
    vscode.commands.registerCommand('frank.openRepl', async () => ((await mayRun()) ? tasks.openLoop() : undefined)),
    vscode.tasks.registerTaskProvider('frank', tasks),
    vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      if (execution.task.definition.type === 'frank' && exitCode !== undefined) {
        done('checked');
      }
    }),
  );
  extension = new Extension(context, platform);
  await extension.restart();
}

/** Whether no folder of the workspace is on this machine. */
function isVirtual(): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length > 0 && folders.every(({ uri }) => uri.scheme !== 'file');
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
  extension = undefined;
}
