// `frank check` and `frank test` as tasks.

import * as vscode from 'vscode';

interface Definition extends vscode.TaskDefinition {
  command: string;
  arguments?: string[];
}

export class Tasks implements vscode.TaskProvider {
  public constructor(private readonly program: () => string) {}

  public provideTasks(): vscode.Task[] {
    return (vscode.workspace.workspaceFolders ?? []).flatMap((folder) =>
      ['check', 'test'].map((command) => this.task({ type: 'frank', command }, folder)),
    );
  }

  public resolveTask(task: vscode.Task): vscode.Task | undefined {
    const definition = task.definition;
    return isDefinition(definition) ? this.task(definition, task.scope ?? vscode.TaskScope.Workspace) : undefined;
  }

  private task(definition: Definition, scope: vscode.WorkspaceFolder | vscode.TaskScope): vscode.Task {
    const args = ['--color', 'never', definition.command, ...(definition.arguments ?? [])];
    const execution = new vscode.ProcessExecution(this.program(), args);
    // No problem matcher: the server shows the same findings already, those of closed files, too.
    const task = new vscode.Task(definition, scope, definition.command, 'frank', execution, []);
    task.group = definition.command === 'test' ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
    return task;
  }
}

function isDefinition(definition: vscode.TaskDefinition): definition is Definition {
  return typeof definition['command'] === 'string';
}
