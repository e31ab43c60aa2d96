// Finds the program `frank`, and says clearly when there is none that will do.

import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { resolve } from './program';

/** The oldest program whose server speaks as this extension expects: the manifest says it. */
function oldest(context: vscode.ExtensionContext): string {
  return (context.extension.packageJSON as { frank: { server: string } }).frank.server;
}

const PROGRAM = process.platform === 'win32' ? 'frank.exe' : 'frank';

const run = promisify(execFile);

export interface Program {
  path: string;
  version: string;
}

/** Why there is no server, in a sentence for the user. */
export class NoProgram extends Error {}

/**
 * Where the program is, as an absolute path: as the setting says, else the one packaged with us, else in `PATH`. If it is
 * nowhere, a path where there is nothing, so that no other program is started in its place.
 */
export function location(context: vscode.ExtensionContext): string {
  return whole(look(context).program) ?? path.join(context.extensionPath, 'server', PROGRAM);
}

/** The absolute path of a program. */
function whole(program: string): string | undefined {
  const isFile = (file: string): boolean => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  return resolve(program, { platform: process.platform, env: process.env, isFile });
}

/** The same, and who says so. */
function look(context: vscode.ExtensionContext): { program: string; from: string } {
  const setting = vscode.workspace.getConfiguration('frank').get<string>('server.path', '').trim();
  if (setting !== '') {
    return { program: setting.replace(/^~(?=$|[/\\])/, os.homedir()), from: 'from the setting frank.server.path' };
  }
  const packaged = path.join(context.extensionPath, 'server', PROGRAM);
  return fs.existsSync(packaged)
    ? { program: packaged, from: 'part of the extension' }
    : { program: PROGRAM, from: 'looked up in PATH' };
}

/** The program, after making sure that it runs, is new enough, and has a language server. */
export async function find(context: vscode.ExtensionContext): Promise<Program> {
  const { program: wanted, from } = look(context);
  const where = `The program “${wanted}” (${from})`;
  const program = whole(wanted);
  if (program === undefined) {
    const relative = /[/\\]/.test(wanted) && !path.isAbsolute(wanted);
    throw new NoProgram(`${where} was not found${relative ? ': write its whole path' : ''}.`);
  }
  let version: string;
  try {
    const { stdout } = await run(program, ['--version'], { timeout: 10_000 });
    const found = /^frank (\d+\.\d+\.\d+\S*)/.exec(stdout);
    if (found?.[1] === undefined) {
      throw new NoProgram(`${where} is not Frank: asked for its version, it says “${stdout.trim().slice(0, 80)}”.`);
    }
    version = found[1];
  } catch (error) {
    if (error instanceof NoProgram) {
      throw error;
    }
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new NoProgram(missing ? `${where} was not found.` : `${where} does not run: ${String(error)}`);
  }
  const old = `${where} has version ${version}, which is too old: this extension needs ${oldest(context)} or newer`;
  if (isOlder(version, oldest(context))) {
    throw new NoProgram(`${old}.`);
  }
  // A build from before the server had this version's number, too.
  try {
    await run(program, ['lsp', '--help'], { timeout: 10_000 });
  } catch {
    throw new NoProgram(`${old}, with the command “frank lsp”.`);
  }
  return { path: program, version };
}

function isOlder(version: string, wanted: string): boolean {
  const numbers = (text: string): number[] => text.split('.').map((part) => parseInt(part, 10));
  const parts = numbers(version);
  for (const [index, least] of numbers(wanted).entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) {
      return part < least;
    }
  }
  return false;
}

/** Says what is wrong, with buttons that help. Whether to try again. */
export async function explain(problem: NoProgram): Promise<boolean> {
  const choose = 'Choose the Program…';
  const help = 'How to Get It';
  const again = 'Try Again';
  switch (await vscode.window.showErrorMessage(problem.message, choose, help, again)) {
    case choose: {
      const [file] = (await vscode.window.showOpenDialog({ title: 'The program frank', openLabel: 'Use' })) ?? [];
      if (file === undefined) {
        return false;
      }
      // The change of the setting starts the server.
      const configuration = vscode.workspace.getConfiguration('frank');
      await configuration.update('server.path', file.fsPath, vscode.ConfigurationTarget.Global);
      return false;
    }
    case help:
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'frank-tools.frank#start', false);
      return false;
    case again:
      return true;
    default:
      return false;
  }
}
