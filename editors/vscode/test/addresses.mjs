// Files of virtual workspaces have paths for the server, and their own addresses in what it says.

import assert from 'node:assert/strict';
import { load } from './load.mjs';

const { Addresses } = await load('addresses');
const memory = { scheme: 'memfs', authority: '', address: 'memfs:/' };
const remote = { scheme: 'vscode-vfs', authority: 'github+x', address: 'vscode-vfs://github%2Bx/' };
const disk = { scheme: 'file', authority: '', address: 'file:///' };

/** What there and back again is the same is `there` in between. */
function goes(addresses, here, there) {
  assert.deepEqual(addresses.toServer({ uri: here }), { uri: there });
  assert.deepEqual(addresses.toClient({ uri: there }), { uri: here });
}

const one = new Addresses([remote, remote]);
goes(one, 'vscode-vfs://github%2Bx/o/r/a.fk', 'file:///o/r/a.fk');
goes(one, 'vscode-notebook-cell://github%2Bx/o/r/a.fk.md#W0s', 'vscode-notebook-cell:/o/r/a.fk.md#W0s');
goes(one, 'file:///o/r/a.fk', 'file:///file%20/o/r/a.fk');
goes(one, 'untitled:Untitled-1', 'untitled:Untitled-1');
goes(one, 'frank-library:/ad.fk', 'frank-library:/ad.fk');

// A workspace on a disk, and one in the memory beside it.
const both = new Addresses([memory, disk]);
goes(both, 'file:///a.fk', 'file:///a.fk');
goes(both, 'memfs:/a.fk', 'file:///memfs%20/a.fk');
goes(both, 'vscode-notebook-cell:/a.fk.md#W0s', 'vscode-notebook-cell:/a.fk.md#W0s');

const uri = 'memfs:/a.fk';
const path = 'file:///a.fk';
const alone = new Addresses([memory]);
const command = (address) => ({ method: 'workspace/executeCommand', params: { command: 'frank.run', arguments: [address, 'main', [1, 2]] } });
assert.deepEqual(alone.toServer(command(uri)), command(path));
// Edits by their files; texts stay as they are.
const edit = (address) => ({ result: { changes: { [address]: [{ newText: `-- ${path}` }, { newText: path }] }, data: [0, 1], none: null } });
assert.deepEqual(alone.toClient(edit(path)), edit(uri));
const opened = (address) => ({ params: { textDocument: { uri: address, text: 'memfs:/ is no program' } } });
assert.deepEqual(alone.toServer(opened(uri)), opened(path));
// Links in Markdown, and places in a page.
const hover = (address) => ({ result: { contents: { kind: 'markdown', value: `[get](${address}#L3) and [put](${address}#L4), not file:///b.fk` } } });
assert.deepEqual(alone.toClient(hover(path)), hover(uri));
const page = (address) => ({ result: { html: `<script>const places = [{"uri":"${address}","start":1},{"uri":"${address}"}];</script>` } });
assert.deepEqual(alone.toClient(page(path)), page(uri));
console.log('addresses: as they should be');
