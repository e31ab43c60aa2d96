// Files that the server cannot read: those of virtual workspaces, and in a browser all. It is told what is in them, so that
// includes are found and files that nobody has open are checked. Documents that are open the client tells of itself.

import * as vscode from 'vscode';
import type { Root } from './addresses';

/** A file as `frank/files` tells it; without a text it is gone. */
export interface FileText {
  uri: string;
  text: string | null;
}

/** Programs, and notebooks, whose cells are parts of one program. */
export const PROGRAMS = '**/*.{fk,fk.md}';
/** What the server reads. */
const READ = '**/{*.fk,*.fk.md,frank.toml}';
const IS_READ = /(^|\/)([^/]*\.fk(\.md)?|frank\.toml)$/;
const IS_PROGRAM = /\.fk(\.md)?$/;
/** So many files are looked at at most. */
const MOST_FILES = 5000;
/** So many files are read at a time. */
const AT_A_TIME = 32;
/** A search that has no answer after so many milliseconds may never have one: not every file system can be searched. */
const PATIENCE = 500;

export class VirtualFiles implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  /** What is being looked at or told, one after the other. */
  private turn: Promise<void> = Promise.resolve();
  private readonly listeners: vscode.Disposable[];

  public constructor(
    private readonly isVirtual: () => boolean,
    private readonly tell: (files: FileText[]) => Promise<void>,
  ) {
    const watcher = vscode.workspace.createFileSystemWatcher(READ);
    const changed = (uri: vscode.Uri): void => {
      if (isVirtual() && vscode.workspace.getWorkspaceFolder(uri) !== undefined) {
        this.later(() => this.update([uri]));
      }
    };
    // A folder that goes takes its files along, of which no watcher tells.
    const moved = (): void => { this.look(); };
    this.listeners = [
      watcher,
      watcher.onDidCreate(changed),
      watcher.onDidChange(changed),
      watcher.onDidDelete(changed),
      vscode.workspace.onDidDeleteFiles(moved),
      vscode.workspace.onDidRenameFiles(moved),
    ];
  }

  public dispose(): void {
    for (const listener of this.listeners) {
      listener.dispose();
    }
  }

  /** Looks for what there is now, and tells what has changed. */
  public look(): void {
    const folders = this.isVirtual() ? (vscode.workspace.workspaceFolders ?? []) : [];
    if (folders.length === 0 && this.texts.size === 0) {
      return;
    }
    this.later(async () => {
      const found = (await Promise.all(folders.map(({ uri }) => filesIn(uri)))).flat().slice(0, MOST_FILES);
      const all = new Map([...this.texts.keys()].map((uri) => [uri, vscode.Uri.parse(uri)]));
      for (const uri of found) {
        all.set(uri.toString(), uri);
      }
      await this.update([...all.values()]);
    });
  }

  /** Tells a server that knows nothing yet. */
  public sendAll(): Promise<void> {
    this.later(async () => {
      if (this.texts.size > 0) {
        await this.tell([...this.texts].map(([uri, text]) => ({ uri, text })));
      }
    });
    return this.turn;
  }

  /** The programs and notebooks of the workspace. */
  public async find(): Promise<vscode.Uri[]> {
    if (!this.isVirtual()) {
      return vscode.workspace.findFiles(PROGRAMS, undefined, MOST_FILES);
    }
    await this.turn;
    return [...this.texts.keys()].filter((uri) => IS_PROGRAM.test(uri)).map((uri) => vscode.Uri.parse(uri));
  }

  private later(what: () => Promise<void>): void {
    // What fails is told by nothing else, and what comes after it goes on.
    this.turn = this.turn.then(what).catch((error: unknown) => { console.error(error); });
  }

  /** Reads files, and tells of those that are other ones by now. */
  private async update(uris: vscode.Uri[]): Promise<void> {
    const changed: FileText[] = [];
    for (let at = 0; at < uris.length; at += AT_A_TIME) {
      const some = uris.slice(at, at + AT_A_TIME);
      const texts = await Promise.all(some.map(textOf));
      for (const [index, file] of some.entries()) {
        const uri = file.toString();
        const text = texts[index];
        if (text !== undefined && text !== this.texts.get(uri)) {
          this.texts.set(uri, text);
          changed.push({ uri, text });
        } else if (text === undefined && this.texts.delete(uri)) {
          changed.push({ uri, text: null });
        }
      }
    }
    if (changed.length > 0) {
      await this.tell(changed);
    }
  }
}

/** Where the folders of the workspace are. */
export function roots(): Root[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  return folders.map((uri) => ({ scheme: uri.scheme, authority: uri.authority, address: uri.with({ path: '/' }).toString() }));
}

/** What is in a file of the workspace, if it is there. */
async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  if (vscode.workspace.getWorkspaceFolder(uri) === undefined) {
    return undefined;
  }
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    // It is gone, or nobody may read it.
    return undefined;
  }
}

/** The files of a folder that the server reads. */
async function filesIn(folder: vscode.Uri): Promise<vscode.Uri[]> {
  const source = new vscode.CancellationTokenSource();
  const search = vscode.workspace.findFiles(new vscode.RelativePattern(folder, READ), undefined, MOST_FILES, source.token);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const walk = new Promise<vscode.Uri[]>((resolve) => {
    timer = setTimeout(() => { void walked(folder).then(resolve); }, PATIENCE);
  });
  try {
    return await Promise.race([search, walk]);
  } finally {
    clearTimeout(timer);
    source.cancel();
    source.dispose();
  }
}

/** The same by looking into one folder after the other. */
async function walked(root: vscode.Uri): Promise<vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined && found.length < MOST_FILES; folder = folders.pop()) {
    const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => []);
    for (const [name, kind] of entries) {
      const uri = vscode.Uri.joinPath(folder, name);
      // A link may lead back.
      if (kind === vscode.FileType.Directory && !name.startsWith('.') && name !== 'node_modules') {
        folders.push(uri);
      } else if ((kind & vscode.FileType.File) !== 0 && IS_READ.test(name)) {
        found.push(uri);
      }
    }
  }
  return found;
}
