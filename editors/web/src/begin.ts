// What takes longest begins before the page is there: the server's worker, and its module. Until a worker has begun, the
// page has to have time for it, and it has none once the editor is made.

import { compile } from './compile';
import type { Begun } from './connection';

const script = document.currentScript as HTMLScriptElement;
const worker = new Worker(new URL('worker.js', script.src));
const begun: Begun = { worker, module: compile(new URL('frank.wasm', script.src)) };
// Who takes it is told; who finds no worker starts one, and is told then.
begun.module.catch(() => undefined);
worker.onerror = (event) => {
  event.preventDefault();
  globalThis.frankBegun = undefined;
};
globalThis.frankBegun = begun;
