// A session as a page has it until it shows its first findings, without a page: what it calls is what a page has to wait for.
// A thread of `build.mjs`, which ends it. It says which functions of a marked module were called.

import { runInThisContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';

const { parts, script, module, programs, mistakes } = workerData;
const { AT_ONCE, Connection, FIRST, shownIn } = await import(parts);
const URI = 'file:///playground/program.fk';
const { worker, exports } = start();
const connection = new Connection({ start: () => worker, complete: async () => undefined }, shownIn(true));
for (const files of [FIRST, ...programs]) {
  await look(files);
}
let found = 0;
for (const [number, text] of mistakes.entries()) {
  found += await find(text);
  // It takes its time, and comes to the same functions again and again.
  if (number % 5 === 0) {
    await edit(text, mistakes[number + 1] ?? '', number % 200 === 0);
  }
  connection.close(URI);
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
  connection.open(URI, () => text);
  const { items } = await ask(URI, text);
  return items.length;
}

/** Writes a program anew, and puts another one into its place, with pauses if that `pauses`. */
async function edit(text, other, pauses) {
  const [start, end] = [{ line: 0, character: 0 }, { line: text.split('\n').length, character: 0 }];
  for (const change of [{ range: { start, end }, text: '' }, { range: { start, end: start }, text }, { range: { start, end }, text: other }]) {
    connection.change(URI, [change]);
    await ask(URI, text);
    if (pauses) {
      // What is typed is told when nobody types any more.
      await new Promise((done) => { setTimeout(done, 1_000); });
      await ask(URI, text);
    }
  }
}

/** Opens a program, asks what an editor asks then, and again after an edit. */
async function look(files) {
  const texts = files.map(({ name, text }) => ({ uri: `file:///playground/${name}`, text }));
  texts.forEach(({ uri, text }) => { connection.open(uri, () => text); });
  const { uri, text } = texts.at(-1);
  const start = { line: 0, character: 0 };
  for (const typed of ['', '\n', 'x']) {
    if (typed !== '') {
      connection.change(uri, [{ range: { start, end: start }, text: typed }]);
    }
    await Promise.all(texts.map(({ uri }) => ask(uri, text)));
  }
  texts.forEach(({ uri }) => { connection.close(uri); });
}

/** Asks what an editor asks of a text; gives the findings. Who asks for no range does without it. */
async function ask(uri, text) {
  const range = { start: { line: 0, character: 0 }, end: { line: text.split('\n').length, character: 0 } };
  const [found] = await Promise.all(AT_ONCE.map((method) => connection.request(method, { textDocument: { uri }, range })));
  return found;
}
