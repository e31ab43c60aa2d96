// A file system that lives in the browser's memory, as extensions for virtual workspaces have one. What is in it at first
// lies beside the extension. It has no search of its own: file systems of other extensions have none, either.

const vscode = require('vscode');

// That of repositories. What is in other virtual workspaces is trusted unasked.
const SCHEME = 'vscode-vfs';

class Files {
  constructor(files) {
    this.changes = new vscode.EventEmitter();
    this.onDidChangeFile = this.changes.event;
    this.files = new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]));
    this.time = Date.now();
  }

  watch() {
    return { dispose: () => {} };
  }

  stat({ path }) {
    const content = this.files.get(path);
    if (content === undefined && ![...this.files.keys()].some((file) => file.startsWith(path.replace(/\/?$/, '/')))) {
      throw vscode.FileSystemError.FileNotFound(path);
    }
    const type = content === undefined ? vscode.FileType.Directory : vscode.FileType.File;
    return { type, ctime: this.time, mtime: this.time, size: content?.length ?? 0 };
  }

  readDirectory({ path }) {
    const folder = path.replace(/\/?$/, '/');
    const entries = new Map();
    for (const file of this.files.keys()) {
      if (file.startsWith(folder)) {
        const [name, ...rest] = file.slice(folder.length).split('/');
        entries.set(name, rest.length > 0 ? vscode.FileType.Directory : vscode.FileType.File);
      }
    }
    return [...entries];
  }

  readFile({ path }) {
    const content = this.files.get(path);
    if (content === undefined) {
      throw vscode.FileSystemError.FileNotFound(path);
    }
    return content;
  }

  writeFile(uri, content) {
    const type = this.files.has(uri.path) ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created;
    this.files.set(uri.path, content);
    this.time += 1;
    this.changes.fire([{ type, uri }]);
  }

  delete(uri) {
    for (const file of [...this.files.keys()]) {
      if (file === uri.path || file.startsWith(`${uri.path}/`)) {
        this.files.delete(file);
      }
    }
    this.changes.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  rename() {
    throw vscode.FileSystemError.NoPermissions();
  }

  createDirectory() {}
}

exports.activate = async (context) => {
  const beside = vscode.Uri.joinPath(context.extensionUri, '..');
  const fetched = async (name) => JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(beside, name))));
  const files = new Files(await fetched('workspace.json'));
  context.subscriptions.push(
    vscode.workspace.registerFileSystemProvider(SCHEME, files),
    // What somebody else writes while nobody has it open.
    vscode.commands.registerCommand('frank-test.write', async () => {
      for (const [path, text] of Object.entries(await fetched('changed.json'))) {
        const uri = vscode.Uri.from({ scheme: SCHEME, authority: 'memory', path });
        if (text === null) {
          files.delete(uri);
        } else {
          files.writeFile(uri, new TextEncoder().encode(text));
        }
      }
    }),
  );
};
