// Runs are in a worker of their own, which has the same texts, and can be ended.

import assert from 'node:assert/strict';
import { load } from './load.mjs';

const { Workers } = await load('workers');

/** A worker as the test sees it: what it was sent, and whether it is there. */
class FakeWorker {
  sent = [];
  isThere = true;

  postMessage(message) {
    this.sent.push(message);
    if (message.method === 'initialize') {
      this.says({ id: message.id, result: { capabilities: {} } });
    }
  }

  terminate() {
    this.isThere = false;
  }

  says(message) {
    this.receive(message.frank === undefined ? { jsonrpc: '2.0', ...message } : message);
  }

  methods() {
    return this.sent.map(({ method }) => method);
  }

  last() {
    return this.sent.at(-1);
  }
}

function session() {
  const made = [];
  const received = [];
  let closed = 0;
  const workers = new Workers((receive) => {
    const worker = new FakeWorker();
    worker.receive = receive;
    made.push(worker);
    return worker;
  }, { toServer: (message) => message, toClient: (message) => message });
  workers.reader.onClose(() => { closed += 1; });
  workers.reader.onError(() => {});
  workers.reader.listen((message) => received.push(message));
  let id = 0;
  const send = (message) => { void workers.writer.write({ jsonrpc: '2.0', ...message }); };
  const ask = (method, params) => {
    id += 1;
    send({ id, method, params });
    return id;
  };
  ask('initialize', { capabilities: { a: 1 } });
  send({ method: 'initialized', params: {} });
  return {
    made, received, send, ask, workers,
    closed: () => closed,
    open: (uri, text) => send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'frank', version: 1, text } } }),
    run: (uri) => ask('workspace/executeCommand', { command: 'frank.run', arguments: [uri, 'main'] }),
    answered: (id) => received.find((message) => message.id === id && message.method === undefined),
  };
}

// What is typed and asked goes to one worker, and only a run makes another one, with all texts as they are.
{
  const { made, received, send, ask, open, run, answered } = session();
  made[0].says({ id: 7, method: 'workspace/configuration', params: {} });
  send({ id: 7, result: [{ limits: { steps: 5 } }] });
  open('file:///a.fk', 'one\ntwo\n');
  open('file:///b.fk', '');
  send({ method: 'textDocument/didClose', params: { textDocument: { uri: 'file:///b.fk' } } });
  const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };
  send({ method: 'textDocument/didChange', params: { textDocument: { uri: 'file:///a.fk', version: 2 }, contentChanges: [{ range, text: 'drei' }] } });
  send({ method: 'frank/files', params: { files: [{ uri: 'file:///c.fk', text: 'c' }, { uri: 'file:///d.fk', text: 'd' }] } });
  send({ method: 'frank/files', params: { files: [{ uri: 'file:///d.fk', text: null }] } });
  ask('textDocument/codeLens', {});
  assert.equal(made.length, 1);

  const first = run('file:///a.fk');
  assert.equal(made.length, 2);
  const [typing, runner] = made;
  assert.deepEqual(runner.methods(), ['initialize', 'initialized', 'frank/files', 'textDocument/didOpen', 'workspace/executeCommand']);
  assert.deepEqual(runner.sent[0].params, { capabilities: { a: 1 }, initializationOptions: { limits: { steps: 5 } } });
  assert.deepEqual(runner.sent[2].params, { files: [{ uri: 'file:///c.fk', text: 'c' }] });
  const { text, version } = runner.sent[3].params.textDocument;
  assert.deepEqual([text, version], ['one\ndrei\n', 2]);
  // It asks for settings, too; the rest has been asked already, and what it says of itself nobody hears.
  runner.says({ id: 7, method: 'workspace/configuration', params: {} });
  const asked = received.at(-1);
  assert.notEqual(asked.id, 7);
  send({ id: asked.id, result: [{}] });
  assert.deepEqual([runner.last().id, runner.last().result], [7, [{}]]);
  runner.says({ id: 8, method: 'client/registerCapability', params: {} });
  assert.deepEqual([runner.last().id, runner.last().result], [8, null]);
  const before = received.length;
  runner.says({ method: 'textDocument/publishDiagnostics', params: {} });
  assert.equal(received.length, before);

  // While it runs, the other one answers.
  const meanwhile = ask('textDocument/codeLens', {});
  assert.equal(typing.last().id, meanwhile);
  runner.says({ id: first, result: { value: '1' } });
  assert.equal(answered(first).result.value, '1');
  assert(received.some(({ method }) => method === 'workspace/codeLens/refresh'));
  // Then it says what is shown of results, and hears of edits; all else is as before.
  const lenses = ask('textDocument/codeLens', {});
  assert.equal(runner.last().id, lenses);
  const completion = ask('textDocument/completion', {});
  assert.equal(typing.last().id, completion);
  send({ method: 'textDocument/didChange', params: { textDocument: { uri: 'file:///a.fk', version: 3 }, contentChanges: [{ text: 'x' }] } });
  assert.deepEqual(made.map((worker) => worker.last().method), ['textDocument/didChange', 'textDocument/didChange']);

  // Findings of one are no news against those of the other.
  const pulled = ask('textDocument/diagnostic', { textDocument: {}, previousResultId: '1' });
  assert.deepEqual([runner.last().id, runner.last().params], [pulled, { textDocument: {} }]);
  runner.says({ id: pulled, result: { kind: 'full', items: [], resultId: '1' } });
  const { resultId } = answered(pulled).result;
  assert.notEqual(resultId, '1');
  ask('textDocument/diagnostic', { previousResultId: resultId });
  assert.deepEqual(runner.last().params, { previousResultId: '1' });
  const second = run('file:///a.fk');
  ask('textDocument/diagnostic', { previousResultId: resultId });
  assert.deepEqual(typing.last().params, {});

  // Given up, it is ended, and what else it was to do another one does.
  const third = run('file:///b.fk');
  send({ method: '$/cancelRequest', params: { id: second } });
  assert.equal(answered(second).error.code, -32800);
  assert(!runner.isThere && made.length === 3);
  assert.equal(made[2].last().id, third);

  // So is one that fails, of which the one who asked hears.
  made[2].says({ frank: 'failed', message: 'RuntimeError: unreachable' });
  assert(answered(third).error.message.includes('unreachable'), answered(third).error.message);
  assert(typing.isThere && made.length === 3);
  ask('textDocument/codeLens', {});
  assert.equal(typing.last().method, 'textDocument/codeLens');
  // What comes from the ended one afterwards counts no more.
  const now = received.length;
  runner.says({ id: second, result: {} });
  assert.equal(received.length, now);
}

// A server that fails while somebody types is the client's to start anew.
{
  const { made, run, closed } = session();
  run('untitled:a');
  made[0].says({ frank: 'failed', message: 'RangeError' });
  assert.equal(closed(), 1);
  assert(made.every((worker) => !worker.isThere));
}

// At the end nothing is left.
{
  const { made, run, send } = session();
  run('untitled:a');
  send({ method: 'exit' });
  assert(made.every((worker) => !worker.isThere));
  assert.equal(made[0].last().method, 'exit');
}
console.log('workers: as they should be');
