// VS Code for the Web: its files from code-server, the packaged extension, and a workspace in the browser's memory. Nothing
// but files is served, so there is no extension host but the browser's.

import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { CODE_SERVER, SCRATCH, SETTINGS, VSIX } from './server.mjs';

const run = promisify(execFile);

const TYPES = {
  '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json', '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf', '.wasm': 'application/wasm',
};

const VSCODE = join(CODE_SERVER, 'lib/vscode');
const WORKBENCH = 'out/vs/code/browser/workbench/workbench.js';
const PAGES = 'out/vs/workbench/contrib/webview/browser/pre/';

/** The workspace, which is not on any disk. */
export const FOLDER = 'vscode-vfs://memory/work';

/** The extension that has it. */
export const OWN = join(import.meta.dirname, '../web/files');

/** Files as that extension reads them. */
export function inFolder(files) {
  return JSON.stringify(Object.fromEntries(Object.entries(files).map(([file, text]) => [`/work/${file}`, text])));
}

/** Unpacks the packaged extension, as a registry does; gives its folder. */
async function unpacked(home) {
  const folder = join(home, 'extensions');
  const folders = ['--user-data-dir', join(home, 'data'), '--extensions-dir', folder];
  await run('node', [join(CODE_SERVER, 'out/node/entry.js'), ...folders, '--install-extension', VSIX]);
  const [name] = readdirSync(folder).filter((name) => name.startsWith('frank-tools.frank-'));
  return join(folder, name);
}

/** The workbench without what code-server has put into it: a server that it always connects to, and keeps settings on. */
function workbench() {
  const replaced = [
    [/,remoteAuthority:location\.host\}/g, '}'],
    [/(\(this\.userDataPath\)\.with\(\{scheme:\w+\.)vscodeRemote(\}\),"User"\))/g, '$1vscodeUserData$2'],
  ];
  return replaced.reduce((text, [pattern, by]) => {
    if (text.match(pattern)?.length !== 1) {
      throw new Error(`code-server has another workbench, without ${pattern}: see lib/web.mjs`);
    }
    return text.replace(pattern, by);
  }, readFileSync(join(VSCODE, WORKBENCH), 'utf8'));
}

const quoted = (value) => JSON.stringify(value).replace(/&/g, '&amp;').replace(/"/g, '&quot;');

export class WebServer {
  /**
   * Serves the workbench with a workspace of files, by their names. `settings` are the user's own; `trusting` is
   * whether every workspace is trusted unasked.
   */
  static async start(name, files, { settings = {}, trusting = true } = {}) {
    const server = new WebServer();
    const home = join(SCRATCH, name);
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    const extension = await unpacked(home);
    /** What has been asked for and was not there. */
    server.missing = [];
    /** What the workspace's files are when the test's command writes them. */
    server.changed = {};
    const answers = {
      '/': () => server.page({ ...SETTINGS, ...settings }, trusting),
      [`/vscode/${WORKBENCH}`]: workbench,
      // Neither extension is translated.
      '/files/package.nls.json': () => '{}',
      '/frank/package.nls.json': () => '{}',
      '/workspace.json': () => inFolder(files),
      '/changed.json': () => inFolder(server.changed),
    };
    const folders = [['/vscode/', VSCODE], ['/frank/', extension], ['/files/', OWN]];
    const content = (path) => {
      if (answers[path] !== undefined) {
        return answers[path]();
      }
      const [start, folder] = folders.find(([start]) => path.startsWith(start)) ?? [];
      return readFileSync(join(folder, normalize(`/${path.slice(start.length)}`)));
    };
    server.http = createServer(({ url }, response) => {
      const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
      try {
        const body = content(path);
        response.setHeader('Content-Type', path === '/' ? 'text/html' : (TYPES[extname(path)] ?? 'application/octet-stream'));
        response.end(body);
      } catch {
        server.missing.push(path);
        response.writeHead(404).end();
      }
    });
    await new Promise((resolve) => server.http.listen(0, '127.0.0.1', resolve));
    server.port = server.http.address().port;
    return server;
  }

  page(settings, trusting) {
    const at = (path) => ({ scheme: 'http', authority: `127.0.0.1:${this.port}`, path });
    const configuration = {
      additionalBuiltinExtensions: [at('/files'), at('/frank')],
      configurationDefaults: settings,
      enableWorkspaceTrust: !trusting,
      webviewEndpoint: `http://127.0.0.1:${this.port}/vscode/${PAGES}`,
      // What code-server's workbench asks for.
      userDataPath: '/user',
      isEnabledFileDownloads: true,
      isEnabledFileUploads: true,
      isEnabledCoderGettingStarted: false,
      productConfiguration: { enableTelemetry: false },
    };
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta id="vscode-workbench-web-configuration" data-settings="${quoted(configuration)}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/vscode/out/vs/code/browser/workbench/workbench.css">
</head>
<body aria-label=""></body>
<script>globalThis._VSCODE_FILE_ROOT = new URL('/vscode/out/', location).toString();</script>
<script type="module" src="/vscode/out/nls.messages.js"></script>
<script type="module" src="/vscode/${WORKBENCH}"></script>
</html>`;
  }

  stop() {
    this.http.close();
    this.http.closeAllConnections();
  }
}
