// What the tests in the extension host share. They are run one after the other and share a window.

const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const PATIENCE = 60_000;

const folder = () => vscode.workspace.workspaceFolders[0].uri.fsPath;
const uri = (name) => vscode.Uri.file(path.join(folder(), name));

function assert(right, what) {
  if (!right) {
    throw new Error(typeof what === 'string' ? what : JSON.stringify(what));
  }
}

function equal(found, expected) {
  assert(JSON.stringify(found) === JSON.stringify(expected), { found, expected });
}

/** Asks until the answer is true, and gives it. */
async function until(what, ask) {
  const end = Date.now() + PATIENCE;
  let last;
  for (;;) {
    last = await ask();
    if (last) {
      return last;
    }
    assert(Date.now() < end, `waited for: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Runs a command of VS Code, and again if VS Code gave it up since something else came in between. */
async function command(name, ...args) {
  const ended = await until(name, async () => {
    try {
      return { result: await vscode.commands.executeCommand(name, ...args) };
    } catch (error) {
      assert(error.name === 'Canceled', error.stack ?? String(error));
      return undefined;
    }
  });
  return ended.result;
}

/** Opens a file of the workspace as it is on disk. */
async function open(name) {
  const document = await vscode.workspace.openTextDocument(uri(name));
  await vscode.window.showTextDocument(document);
  return document;
}

/** The position in the middle of `¦` of a text that occurs once in a document. */
function at(document, marked) {
  const offset = document.getText().indexOf(marked.replace('¦', ''));
  assert(offset >= 0, `not in the document: ${marked}`);
  return document.positionAt(offset + Math.max(0, marked.indexOf('¦')));
}

async function replace(document, from, to) {
  const start = document.getText().indexOf(from);
  assert(start >= 0, `not in the document: ${from}`);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(start + from.length)), to);
  assert(await vscode.workspace.applyEdit(edit), 'the edit was refused');
}

/** The server's findings in a file, not those of tasks. */
const findings = (uri) => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'frank');
const errors = (uri) => findings(uri).filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);

/** The processes of the server of this window: the children of this one that are `frank lsp`. */
function servers() {
  const children = fs.readdirSync(`/proc/${process.pid}/task`).flatMap((task) => {
    try {
      return fs.readFileSync(`/proc/${process.pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean);
    } catch {
      return [];
    }
  });
  return [...new Set(children)].map(Number).filter((pid) => {
    try {
      const words = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return words.includes('lsp') && !/zombie/.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  });
}

/** Runs tests by their names, each to its end; throws if one failed. */
async function runAll(tests) {
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
      console.log(`ok   ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL ${name}: ${error.stack}`);
    }
  }
  assert(failed === 0, `${failed} tests failed`);
}

const ask = (what, ...args) => command(`vscode.execute${what}`, ...args);

module.exports = { ask, assert, at, command, equal, errors, findings, folder, open, replace, runAll, servers, until, uri, vscode };
