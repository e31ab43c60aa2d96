// How soon the playground answers: from the click on its address, and from a key in a file of 1,000 lines; how much is
// loaded for that; and how many times longer a run takes there than the machine of target/release/frank, without machine
// code. The numbers are printed: run it on a machine that has nothing else to do.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { equal } from '../../lib/assert.mjs';
import { playground } from '../lib/playground.mjs';

export async function run(browser, site) {
  const { page, wrong, checked, write } = await playground(browser, site);
  await checked();
  await page.evaluate(() => navigator.serviceWorker.ready);
  const loads = [];
  for (let time = 0; time < 5; time += 1) {
    await page.goto('about:blank');
    await page.goto(`${site.url}playground/`);
    await checked();
    loads.push(await page.evaluate(() => performance.getEntriesByName('first findings')[0].startTime));
  }
  await write(thousandLines());
  await checked();
  const keys = await keyToFindings(page, 20);
  const { sum, parts, later } = loaded(join(site.folder, 'playground'));
  const [load, key] = [median(loads), median(keys)];
  console.log(`web: first findings after ${load.toFixed(0)} ms; key to findings ${key.toFixed(1)} ms; ${sum.toFixed(0)} kB brotli: ${parts}; later ${later.toFixed(0)} kB`);
  equal(wrong, []);
  await runs(browser, site);
}

/** Programs whose runs are compared, with their values. */
const PROGRAMS = {
  loop: ['count : Int -> Int -> Int\ncount 0 n = n\ncount k n = count (k - 1) (n + k)\n\nmain : {Int}\nmain! = count 1000000 0\n', '500000500000'],
  state: ['down : [State Int] Int\ndown! = step get!\n\nstep : Int -> [State Int] Int\nstep 0 = 7\nstep n = put (n - 1); down!\n\ncell : Int -> <State Int> X -> X\ncell s x = x\ncell s <get -> k> = cell s (k s)\ncell _ <put s -> k> = cell s (k unit)\n\nmain : {Int}\nmain! = cell 3000000 down!\n', '7'],
  lists: ['upTo : Int -> List Int -> List Int\nupTo 0 ns = ns\nupTo n ns = upTo (n - 1) (n :: ns)\n\nmain : {Int}\nmain! = length (map {n -> n * n} (upTo 200000 []))\n', '200000'],
};

async function runs(browser, site) {
  const { write, checked, lens, page, wrong } = await playground(browser, site);
  await checked();
  const folder = mkdtempSync(join(tmpdir(), 'frank-speed-'));
  try {
    for (const [name, [text, value]] of Object.entries(PROGRAMS)) {
      const program = `include prelude\n\n${text}`;
      writeFileSync(join(folder, 'program.fk'), program);
      await write(program);
      const [here, native] = [[], []];
      for (let time = 0; time < 8; time += 1) {
        await lens('run').last().click();
        // While it runs nothing of the last run is shown.
        await page.waitForFunction((value) => document.querySelector('#outcome .value')?.textContent === `main = ${value}`, value);
        here.push(Number(/(\d+) ms/.exec(await page.locator('#outcome').innerText())[1]));
        await page.evaluate(() => { document.getElementById('outcome').replaceChildren(); });
        native.push(timed(join(folder, 'program.fk'), value));
      }
      const [least, most] = [Math.min(...native), Math.min(...here)];
      console.log(`web: ${name}: ${most} ms, ${(most / least).toFixed(1)} times the ${least} ms of the machine natively`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  equal(wrong, []);
}

/** How many milliseconds the machine takes for a program natively. */
function timed(file, value) {
  const frank = process.env.FRANK_RELEASE ?? join(import.meta.dirname, '../../../target/release/frank');
  const said = execFileSync('/bin/sh', ['-c', '"$0" run --no-native --stats "$1" 2>&1', frank, file], { encoding: 'utf8' });
  equal(said.includes(`${value}\n`), true);
  return Number(/([\d.]+) ms\s*$/.exec(said)[1]);
}

const median = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];

/** The second line has the only mistake that there can be: whether its name is the one that the third line uses. */
function thousandLines() {
  const operators = Array.from({ length: 250 }, (_, n) => `-- Number ${n}.\nstep${n} : Int -> Int\nstep${n} x = step${Math.max(0, n - 1)} (x + ${n})\n`);
  return `include prelude\nfirst : {Int}\nfirst! = 1\nmain : {Int}\nmain! = first! + step9 1\n\n${operators.join('\n')}`;
}

/** Makes and mends the mistake with keys; milliseconds from each to the findings that it changes. */
async function keyToFindings(page, times) {
  await page.evaluate(() => {
    window.took = [];
    let began;
    let wasWrong = false;
    const list = document.getElementById('problems');
    addEventListener('keydown', () => { began = performance.now(); }, true);
    new MutationObserver(() => {
      const isWrong = list.querySelector('.error') !== null;
      if (isWrong !== wasWrong) {
        wasWrong = isWrong;
        window.took.push(performance.now() - began);
      }
    }).observe(list, { childList: true });
  });
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  for (const _ of 'first') {
    await page.keyboard.press('ArrowRight');
  }
  for (let time = 1; time <= times; time += 1) {
    await page.keyboard.press(time % 2 === 1 ? 'x' : 'Backspace');
    await page.waitForFunction((count) => window.took.length === count, time);
  }
  return page.evaluate(() => window.took);
}

/** What a page loads until it shows its first findings, and the rest of the server, in kilobytes as brotli packs them. */
function loaded(folder) {
  const packed = (name) => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
    return brotliCompressSync(readFileSync(join(folder, name)), { params }).length / 1000;
  };
  const files = readdirSync(folder, { recursive: true });
  const needed = files.filter((name) =>
    /^(index\.html|(begin|trouble|playground)\.js|server-\w+.(worker\.js|frank\.wasm)|(playground|editor)\.css|examples\.json)$/.test(name));
  const sizes = needed.map((name) => [name, packed(name)]);
  const parts = sizes.sort(([, one], [, other]) => other - one).map(([name, size]) => `${name} ${size.toFixed(1)}`).slice(0, 6).join(', ');
  return { sum: sizes.reduce((sum, [, size]) => sum + size, 0), parts, later: packed(files.find((name) => name.endsWith('frank-rest.wasm'))) };
}
