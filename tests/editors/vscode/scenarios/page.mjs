// A server that listens, and a page of the browser that talks to it: nothing of what it says is done.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { FRANK, SCRATCH } from '../lib/server.mjs';
import { assert, equal } from '../../../lib/assert.mjs';

const framed = (message) => {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message });
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

const initialize = (token) => ({
  id: 1, method: 'initialize',
  params: { processId: null, rootUri: null, capabilities: {}, initializationOptions: { token } },
});

/** A whole session that runs a program. */
const session = (token) => [
  initialize(token),
  { method: 'initialized', params: {} },
  { method: 'textDocument/didOpen', params: { textDocument: {
    uri: 'untitled:a', languageId: 'frank', version: 1, text: 'main : {Int}\nmain! = 42\n',
  } } },
  { id: 2, method: 'workspace/executeCommand', params: { command: 'frank.run', arguments: ['untitled:a', 'main'] } },
];

/** What a page can send: in the page, with everything that it needs in its arguments. */
async function attack([port, bodies]) {
  const to = `http://127.0.0.1:${port}/`;
  const ways = bodies.flatMap((body) => [
    () => fetch(to, { method: 'POST', mode: 'no-cors', body }),
    () => fetch(to, { method: 'POST', mode: 'no-cors', body: new Blob([body]) }),
    () => fetch(to, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }),
    () => fetch(to, { method: 'POST', mode: 'no-cors', body, keepalive: true }),
    () => new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.onload = resolve;
      request.onerror = () => reject(new Error('refused'));
      request.open('POST', to);
      request.send(body);
    }),
  ]);
  ways.push(() => fetch(to, { mode: 'no-cors' }), () => new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('refused'));
  }));
  const outcomes = [];
  for (const way of ways) {
    outcomes.push(await way().then(() => 'answered', () => 'refused'));
  }
  return outcomes;
}

export async function run(browser) {
  // A session begins with the library, written where editors can open it.
  const cacheHome = mkdtempSync(join(SCRATCH, 'page-'));
  const server = spawn(FRANK, ['lsp', '--tcp', '127.0.0.1:0'], {
    stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, XDG_CACHE_HOME: cacheHome },
  });
  const pages = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<p>A page</p>'));
  try {
    const said = createInterface({ input: server.stderr })[Symbol.asyncIterator]();
    const line = async (start) => {
      const { value } = await said.next();
      assert(value?.startsWith(start), value);
      return value.slice(start.length);
    };
    const port = Number((await line('listening on 127.0.0.1:')));
    const token = await line('token ');
    await new Promise((resolve) => pages.listen(0, '127.0.0.1', resolve));

    // Even one that knows the token.
    const bodies = [token, 'a guess'].flatMap((shown) => [
      JSON.stringify({ jsonrpc: '2.0', ...initialize(shown) }),
      session(shown).map(framed).join(''),
      `\r\n\r\n${session(shown).map(framed).join('')}`,
    ]);
    bodies.push(framed({ method: 'exit' }), JSON.stringify({ jsonrpc: '2.0', method: 'exit' }));
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${pages.address().port}/`);
    const outcomes = await page.evaluate(attack, [port, bodies]);
    equal([...new Set(outcomes)], ['refused']);
    await page.close();
    assert(!existsSync(join(cacheHome, 'frank')), 'a page has begun a session');
    equal(server.exitCode, null);

    // It waits for those who speak the protocol and know the token.
    const socket = connect(port, '127.0.0.1');
    socket.write(session(token).map(framed).join(''));
    let answers = '';
    for await (const chunk of socket) {
      answers += chunk;
      if (answers.includes('"value":"42"')) {
        break;
      }
    }
    assert(answers.includes('"value":"42"'), answers);
    assert(existsSync(join(cacheHome, 'frank')), 'the session has no library');
  } finally {
    server.kill();
    pages.close();
  }
}
