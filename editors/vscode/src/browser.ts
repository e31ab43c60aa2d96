// The extension in a browser: the server is WebAssembly in workers, and is told of all files. There are no programs to be
// started, so what needs one says where it can be had.

import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/browser';
import { Addresses } from './addresses';
import { DEBUG } from './commands';
import { Extension, type Made } from './common';
import { roots } from './files';
import { STEP } from './steps';
import { type Make, oneAtATime } from './workers';

let extension: Extension | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const folder = vscode.Uri.joinPath(context.extensionUri, 'dist', 'web');
  let server: Promise<Make> | undefined;
  const start = oneAtATime(() => new Addresses(roots()));
  context.subscriptions.push(...instead());
  void vscode.commands.executeCommand('setContext', 'frank.web', true);
  extension = new Extension(context, {
    makeClient: async (options): Promise<Made> => {
      server ??= load(folder);
      try {
        const make = await server;
        const client = new LanguageClient('frank', 'Frank', () => start(make), options);
        return { client, name: 'frank in a worker of this browser' };
      } catch (error) {
        // The network may be back the next time.
        server = undefined;
        throw error;
      }
    },
    explain: () => undefined,
    isVirtual: () => true,
    debug: undefined,
  });
  await extension.restart();
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
  extension = undefined;
}

/** Loads the server, once for all workers; gives what makes one. */
async function load(folder: vscode.Uri): Promise<Make> {
  const read = (name: string): Thenable<Uint8Array> => vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, name));
  const [script, bytes] = await Promise.all([read('worker.js'), read('frank.wasm')]);
  // Copies, whose memory is nobody else's.
  const wasm = await WebAssembly.compile(new Uint8Array(bytes));
  // An extension may come from where no worker may be loaded from.
  const address = URL.createObjectURL(new Blob([new Uint8Array(script)], { type: 'text/javascript' }));
  return (receive, fail) => {
    const worker = new Worker(address, { name: 'frank' });
    worker.onmessage = ({ data }: MessageEvent<unknown>) => { receive(data); };
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message);
    };
    worker.postMessage({ frank: 'start', wasm });
    return worker;
  };
}

/** Says of what needs the program `frank` what can be done instead. */
function instead(): vscode.Disposable[] {
  const terminal = async (): Promise<void> => {
    await vscode.window.showInformationMessage(
      'A browser has no terminal in which a program could read what is typed. VS Code with the program frank has. ' +
        'Here the lens “▶ run” shows what a program prints.',
    );
  };
  const debug = async (): Promise<undefined> => {
    const step = 'Show It State by State';
    const message = 'The debugger is part of the program frank, which does not run in a browser: VS Code on a machine has it.';
    if ((await vscode.window.showInformationMessage(message, step)) === step) {
      await vscode.commands.executeCommand(STEP);
    }
  };
  return [
    vscode.commands.registerCommand('frank.runInTerminal', terminal),
    vscode.commands.registerCommand('frank.openRepl', terminal),
    vscode.commands.registerCommand(DEBUG, debug),
    vscode.debug.registerDebugConfigurationProvider('frank', { resolveDebugConfiguration: debug }),
  ];
}
