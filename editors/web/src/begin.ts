// What takes longest begins before the page is there: the server's worker, and its module. Until a worker has begun, the
// page has to have time for it, and it has none once the editor is made.

import { compile } from './compile';
import type { Begun } from './connection';

/** The folder of the server's files. */
declare const SERVER: string;

const script = document.currentScript as HTMLScriptElement;
const base = new URL(SERVER, script.src);

// This script may come late.
if (globalThis.frankBegun === undefined) {
  const worker = new Worker(new URL('worker.js', base));
  const module = compile(new URL('frank.wasm', base));
  const begun: Begun = { base: base.href, worker, module };
  // Who takes it is told; who finds no worker starts one, and is told then.
  module.catch(() => undefined);
  worker.onerror = (event) => {
    event.preventDefault();
    begun.worker = undefined;
  };
  globalThis.frankBegun = begun;
}
