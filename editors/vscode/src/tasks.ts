// Tasks and terminals: `frank check`, `frank test`, `frank run` and `frank repl`.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { grants } from './grants';

interface Definition extends vscode.TaskDefinition {
  command: string;
  arguments?: string[];
}

type Scope = vscode.WorkspaceFolder | vscode.TaskScope;

export class Tasks implements vscode.TaskProvider {
  public constructor(private readonly program: () => string) {}

  public provideTasks(): vscode.Task[] {
    const all = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').flatMap((folder) =>
      ['check', 'test'].map((command) => this.task({ type: 'frank', command }, folder)),
    );
    const file = currentFile();
    const own = ['check', 'test', 'run'].map((command) =>
      file === undefined ? [] : [this.ofFile(command, file)],
    );
    return [...all, ...own.flat()];
  }

  public resolveTask(task: vscode.Task): vscode.Task | undefined {
    const definition = task.definition;
    return isDefinition(definition) ? this.task(definition, task.scope ?? vscode.TaskScope.Workspace) : undefined;
  }

  /** Runs the current file in a terminal, where it can read what is typed. */
  public async runInTerminal(): Promise<void> {
    const file = await saved();
    if (file !== undefined) {
      await vscode.tasks.executeTask(this.ofFile('run', file));
    }
  }

  /** Opens the interactive loop in a terminal, with what the current file defines. */
  public async openLoop(): Promise<void> {
    const file = await saved();
    const terminal = vscode.window.createTerminal({
      name: 'frank repl',
      shellPath: this.program(),
      shellArgs: ['repl', ...(file === undefined ? [] : [file.fsPath])],
      iconPath: new vscode.ThemeIcon('terminal'),
    });
    terminal.show();
  }

  /** A task about one file. */
  private ofFile(command: string, file: vscode.Uri): vscode.Task {
    const folder = vscode.workspace.getWorkspaceFolder(file);
    const name = folder === undefined ? file.fsPath : path.relative(folder.uri.fsPath, file.fsPath);
    return this.task({ type: 'frank', command, arguments: [name] }, folder ?? vscode.TaskScope.Workspace);
  }

  private task(definition: Definition, scope: Scope): vscode.Task {
    const args = definition.arguments ?? [];
    const granted = definition.command === 'run' ? grants() : [];
    const execution = new vscode.ProcessExecution(this.program(), [
      '--color',
      'always',
      definition.command,
      ...granted,
      ...args,
    ]);
    const name = [definition.command, ...args].join(' ');
    // No problem matcher: the server shows the same findings already, those of closed files, too.
    const task = new vscode.Task(definition, scope, name, 'frank', execution, []);
    if (definition.command !== 'run') {
      task.group = definition.command === 'test' ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
    }
    return task;
  }
}

/** The Frank file that is worked at, if it is one on disk. */
function currentFile(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'frank' && document.uri.scheme === 'file' ? document.uri : undefined;
}

/** The same, with what has been typed; a program reads files, not editors. */
async function saved(): Promise<vscode.Uri | undefined> {
  const file = currentFile();
  const document = vscode.window.activeTextEditor?.document;
  return file === undefined || (document?.isDirty === true && !(await document.save())) ? undefined : file;
}

function isDefinition(definition: vscode.TaskDefinition): definition is Definition {
  return typeof definition['command'] === 'string';
}
