// How the server is, at the bottom of the window.

import * as vscode from 'vscode';

export type State = 'starting' | 'running' | 'working' | 'stopped' | 'missing';

const TEXTS: Record<State, [icon: string, text: string]> = {
  starting: ['sync~spin', 'is starting'],
  running: ['check', 'is running'],
  working: ['sync~spin', 'is working'],
  stopped: ['error', 'has stopped; a click restarts it'],
  missing: ['warning', 'is missing; a click tries again'],
};

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('frank.status', vscode.StatusBarAlignment.Left, 0);
  private state: State = 'starting';
  /** What is under way, by the tokens of the protocol. */
  private readonly work = new Map<string | number, string>();
  public version = '';

  public constructor() {
    this.item.name = 'Frank';
    this.show();
    this.item.show();
  }

  public dispose(): void {
    this.item.dispose();
  }

  public set(state: State): void {
    this.state = state;
    if (state !== 'running') {
      this.work.clear();
    }
    void vscode.commands.executeCommand('setContext', 'frank.running', state === 'running');
    void vscode.commands.executeCommand('setContext', 'frank.missing', state === 'missing');
    this.show();
  }

  public begin(token: string | number, what: string): void {
    this.work.set(token, what);
    this.show();
  }

  public end(token: string | number): void {
    this.work.delete(token);
    this.show();
  }

  private show(): void {
    const state = this.state === 'running' && this.work.size > 0 ? 'working' : this.state;
    const [icon, text] = TEXTS[state];
    this.item.text = `$(${icon}) frank`;
    this.item.tooltip = [`The Frank server ${this.version} ${text}`, ...this.work.values()].join('\n');
    const bad = state === 'stopped' || state === 'missing';
    this.item.command = bad ? 'frank.restartServer' : 'frank.showOutput';
    this.item.backgroundColor = bad ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  }
}
