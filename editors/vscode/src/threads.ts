// The server in threads, for workspaces whose files are not on this machine, where the program `frank` could not read them.
// It is the same as in a browser.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Make } from './workers';

/** What a script for workers of browsers takes for granted. */
const AS_IN_BROWSERS = `
const { parentPort } = require('node:worker_threads');
globalThis.self = globalThis;
self.postMessage = (message) => { parentPort.postMessage(message); };
parentPort.on('message', (data) => { self.onmessage({ data }); });
`;

/** Loads the server, once for all threads; gives what makes one. */
export async function load(folder: string): Promise<Make> {
  const [script, wasm] = [path.join(folder, 'worker.js'), path.join(folder, 'frank.wasm')];
  if (!existsSync(wasm)) {
    throw new Error('This package of the extension has no server for files that are not on this machine.');
  }
  const code = `${AS_IN_BROWSERS}${await readFile(script, 'utf8')}`;
  const bytes = new Uint8Array(await readFile(wasm)).buffer;
  return (receive, fail) => {
    const worker = new Worker(code, { eval: true });
    worker.on('message', receive);
    worker.on('error', ({ message }) => { fail(message); });
    worker.postMessage({ frank: 'start', wasm: bytes });
    return worker;
  };
}
