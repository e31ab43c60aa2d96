// A session as a page has it until it shows its first findings, without a page: what it calls is what a page has to wait for.
// A thread of `build.mjs`, which ends it. It says which functions of a marked module were called.

import { runInThisContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';

const { parts, script, module, programs, mistakes } = workerData;
const { Connection, FIRST, shownIn } = await import(parts);
const { worker, exports } = start();
const connection = new Connection({ start: () => worker, complete: async () => undefined }, shownIn(true));
for (const files of [FIRST, ...programs]) {
  await look(files);
}
let found = 0;
for (const text of mistakes) {
  found += await find(text);
}
// Some are mistakes of runs.
if (found < mistakes.length) {
  throw new Error(`${found} findings in ${mistakes.length} programs that are wrong`);
}
const marks = Object.entries(exports()).filter(([name, { value }]) => name.startsWith('called ') && value === 1);
parentPort.postMessage(marks.map(([name]) => Number(name.split(' ')[1])));

/** A worker of the page's that has this thread, and what its module exports. */
function start() {
  let exports;
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...all) => {
    const instance = await instantiate(...all);
    ({ exports } = instance);
    return instance;
  };
  const worker = {
    postMessage: (data) => { setImmediate(() => { globalThis.onmessage({ data }); }); },
    terminate: () => undefined,
  };
  // What the script takes for granted.
  globalThis.self = globalThis;
  globalThis.postMessage = (data) => { setImmediate(() => { worker.onmessage({ data }); }); };
  runInThisContext(script);
  worker.postMessage({ frank: 'start', wasm: module });
  return { worker, exports: () => exports };
}

/** Opens a program with mistakes; gives how many findings there are. What mends them is asked for when the rest is there. */
async function find(text) {
  const uri = 'file:///playground/program.fk';
  const textDocument = { uri };
  connection.open(uri, () => text);
  const { items } = await connection.request('textDocument/diagnostic', { textDocument });
  connection.close(uri);
  return items.length;
}

/** Opens a program, asks what an editor asks then, and again after an edit. */
async function look(files) {
  const texts = files.map(({ name, text }) => ({ uri: `file:///playground/${name}`, text }));
  texts.forEach(({ uri, text }) => { connection.open(uri, () => text); });
  const { uri, text } = texts.at(-1);
  const textDocument = { uri };
  const start = { line: 0, character: 0 };
  const range = { start, end: { line: text.split('\n').length, character: 0 } };
  const ask = (method, params) => connection.request(`textDocument/${method}`, { textDocument, ...params });
  for (const typed of ['', '\n', 'x']) {
    if (typed !== '') {
      connection.change(uri, [{ range: { start, end: start }, text: typed }]);
    }
    await Promise.all(texts.map(({ uri }) => connection.request('textDocument/diagnostic', { textDocument: { uri } })));
    await Promise.all([ask('semanticTokens/range', { range }), ask('codeLens', {}), ask('inlayHint', { range })]);
  }
  texts.forEach(({ uri }) => { connection.close(uri); });
}
