// The debugger: `frank dap`, with configurations for who has written none.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { DEBUG } from './commands';
import { mayRun } from './evaluate';
import type { Debug, Subject } from './tests';

/** The kind of configurations. */
const KIND = 'frank';

export class Debugger implements Debug, vscode.DebugConfigurationProvider, vscode.DebugAdapterDescriptorFactory, vscode.Disposable {
  private readonly parts: vscode.Disposable[];

  public constructor(private readonly program: () => string) {
    const initial: vscode.DebugConfigurationProvider = { provideDebugConfigurations: () => [ofFile()] };
    this.parts = [
      vscode.debug.registerDebugConfigurationProvider(KIND, this),
      vscode.debug.registerDebugConfigurationProvider(KIND, initial, vscode.DebugConfigurationProviderTriggerKind.Initial),
      vscode.debug.registerDebugAdapterDescriptorFactory(KIND, this),
      vscode.commands.registerCommand(DEBUG, async (uri?: string, name?: string) => {
        const file = uri === undefined ? vscode.window.activeTextEditor?.document.uri : vscode.Uri.parse(uri);
        if (file !== undefined) {
          await this.start(file, name === undefined ? {} : { entry: name });
        }
      }),
    ];
  }

  public dispose(): void {
    for (const part of this.parts) {
      part.dispose();
    }
  }

  /** Starts a session; whether it has begun. */
  public async start(file: vscode.Uri, subject: Subject, options?: vscode.DebugSessionOptions): Promise<boolean> {
    if (!(await mayRun())) {
      return false;
    }
    if (file.scheme !== 'file') {
      const why = file.scheme === 'untitled' ? 'Save the program first: the debugger' : 'This file is not on this machine, and the debugger';
      void vscode.window.showErrorMessage(`${why} reads files.`);
      return false;
    }
    const configuration = {
      ...ofFile(),
      ...subject,
      name: subject.entry ?? subject.term ?? path.basename(file.fsPath),
      program: file.fsPath,
    };
    return vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(file), configuration, options);
  }

  /** F5 without a configuration debugs the file that is worked at. */
  public async resolveDebugConfiguration(
    _folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    if (!(await mayRun())) {
      return undefined;
    }
    // Without a configuration the editor gives an empty one, whatever its type says.
    const { type, request, name } = configuration as Partial<vscode.DebugConfiguration>;
    if (type === undefined && request === undefined && name === undefined) {
      return vscode.window.activeTextEditor?.document.languageId === 'frank' ? ofFile() : undefined;
    }
    return configuration['program'] === undefined ? { ...configuration, program: '${file}' } : configuration;
  }

  /** Directories of includes are those of the editor's settings. */
  public resolveDebugConfigurationWithSubstitutedVariables(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): vscode.DebugConfiguration {
    const settings = vscode.workspace.getConfiguration('frank', folder?.uri);
    const base = folder?.uri.fsPath ?? '';
    const include = settings.get<string[]>('include', []).map((directory) => path.resolve(base, directory));
    return { include, ...configuration };
  }

  public createDebugAdapterDescriptor(): vscode.DebugAdapterDescriptor {
    return new vscode.DebugAdapterExecutable(this.program(), ['dap']);
  }
}

/** Debugs the file that is worked at. */
function ofFile(): vscode.DebugConfiguration {
  return { type: KIND, request: 'launch', name: 'Debug the Frank File', program: '${file}' };
}
