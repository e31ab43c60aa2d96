// Programs of the book with a random change, in the server of the page: the same findings as from the command line, and of
// those that are still right the same output and value.

import { assert, equal } from '../../lib/assert.mjs';
import { pagesWithPrograms, programsOf } from '../lib/book.mjs';
import { open } from '../lib/browser.mjs';
import { inFolder } from '../lib/frank.mjs';

/** How many programs are changed, and from which number on. */
const COUNT = 300;
const SEED = 20;

/** A hole is a hint to who writes a program, unless it stands in what cannot be read, and an error to `frank check`. */
const HOLE = 'FK0109';
const SEVERITIES = [undefined, 'error', 'warning', 'information', 'hint'];

export async function run(browser, site) {
  const { page, wrong } = await open(browser);
  await page.goto(`${site.url}playground/`);
  await page.evaluate(serve);
  const all = pagesWithPrograms(site).flatMap((name) => programsOf(site, name));
  const random = numbers(SEED);
  const failures = [];
  let right = 0;
  for (let count = 0; count < COUNT; count += 1) {
    const { files } = all[random(all.length)];
    const program = [...files.slice(0, -1), { ...files.at(-1), text: change(files.at(-1).text, random) }];
    const here = await page.evaluate((files) => globalThis.judge(files), program);
    const there = await natively(program);
    const found = here.findings.map(({ severity, code, range: { start }, message }) =>
      finding(SEVERITIES[severity], code, start.line + 1, start.character + 1, message));
    right += there.ran === undefined ? 0 : 1;
    if (compared(found) !== compared(there.findings)) {
      failures.push(`findings ${JSON.stringify(found)} and not ${JSON.stringify(there.findings)} in\n${program.at(-1).text}`);
    } else if (there.ran !== undefined && here.ran !== there.ran) {
      failures.push(`it gives ${JSON.stringify(here.ran)} and not ${JSON.stringify(there.ran)}:\n${program.at(-1).text}`);
    }
  }
  assert(right > 10, `only ${right} of the programs run`);
  assert(failures.length === 0, `${failures.join('\n')}\n${failures.length} of ${COUNT} programs differ`);
  equal(wrong, []);
}

/** Numbers below a bound that look random, the same ones for a seed. */
function numbers(seed) {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** A text in which a word is gone, stands twice, or has changed its place with the next one. */
function change(text, random) {
  const words = text.split(/([A-Za-z]\w*|\d+(?:\.\d+)?|[^\s\w])/);
  const places = words.flatMap((word, place) => (place % 2 === 1 && word !== '' ? [place] : []));
  const number = random(places.length);
  const place = places[number];
  const next = places[number + 1] ?? places[0];
  switch (random(4)) {
    case 0:
      words[place] = '';
      break;
    case 1:
      words[place] += ` ${words[place]}`;
      break;
    case 2:
      [words[place], words[next]] = [words[next], words[place]];
      break;
    default:
      words[place] = words[places[random(places.length)]];
  }
  return words.join('');
}

/** Findings as they are compared. */
function compared(findings) {
  const isBroken = findings.some((finding) => finding.startsWith('error[FK0001]'));
  return findings.filter((finding) => !isBroken || !finding.startsWith(`hint[${HOLE}]`)).sort().join('\n');
}

const finding = (severity, code, line, column, message) =>
  `${code === HOLE ? 'hint' : severity}[${code}] ${line}:${column} ${message.split('\n', 1)[0]}`;

/** What the command line says of a program, and what it prints if it runs it. */
function natively(files) {
  return inFolder(files, async (frank) => {
    const { name } = files.at(-1);
    // All files, as they are open in the page: a name that is not in sight may be that of another one.
    const names = files.map((file) => file.name);
    const checked = await frank('check', '--format', 'json', ...names);
    const lines = checked.stdout.split('\n').filter((line) => line !== '');
    const own = lines.map((line) => JSON.parse(line)).filter(({ file }) => file === name);
    const findings = own.map(({ severity, code, range: { start }, message }) => finding(severity, code, start.line, start.column, message));
    const { status, stdout } = await frank('run', '--steps', '1000000', name);
    return { findings, ran: status === 0 ? stdout : undefined };
  });
}

/** In the page: starts a server, and has `judge` say what it says of a program. */
async function serve() {
  const home = 'file:///w/';
  const { href: folder } = new URL('.', document.querySelector('link[rel=preload]').href);
  const worker = new Worker(`${folder}worker.js`);
  const waiting = new Map();
  const published = new Map();
  const failed = new Promise((_, reject) => {
    worker.onmessage = ({ data }) => {
      if (data.frank === 'failed') {
        reject(new Error(data.message));
      } else if (data.method === 'textDocument/publishDiagnostics') {
        published.set(data.params.uri, data.params.diagnostics);
      } else if (data.method === undefined && data.id !== undefined) {
        waiting.get(data.id)?.(data);
        waiting.delete(data.id);
      }
    };
  });
  let number = 0;
  const tell = (method, params) => { worker.postMessage({ jsonrpc: '2.0', method, params }); };
  const ask = (method, params) => {
    number += 1;
    worker.postMessage({ jsonrpc: '2.0', id: number, method, params });
    const id = number;
    return Promise.race([failed, new Promise((resolve) => { waiting.set(id, resolve); })]);
  };
  // The rest is loaded when the first run calls it.
  const wasm = await WebAssembly.compileStreaming(fetch(`${folder}frank.wasm`));
  worker.postMessage({ frank: 'start', wasm, rest: `${folder}frank-rest.wasm` });
  await ask('initialize', { capabilities: {}, workspaceFolders: [{ uri: home, name: 'w' }] });
  tell('initialized', {});
  globalThis.judge = async (files) => {
    published.clear();
    const uris = files.map(({ name }) => home + name);
    const last = uris.at(-1);
    files.forEach(({ text }, index) => {
      tell('textDocument/didOpen', { textDocument: { uri: uris[index], languageId: 'frank', version: 1, text } });
    });
    const run = await ask('workspace/executeCommand', { command: 'frank.run', arguments: [last, 'main'] });
    uris.forEach((uri) => { tell('textDocument/didClose', { textDocument: { uri } }); });
    const { output, value } = run.result ?? {};
    // The command line has values on lines of their own.
    const printed = output === undefined || output === '' || output.endsWith('\n') ? output : `${output}\n`;
    return { findings: published.get(last) ?? [], ran: run.result && `${printed}${value}\n` };
  };
}
