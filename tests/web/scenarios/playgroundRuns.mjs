// What comes of a program: values, failures, derivatives, pictures, steps; and what takes too long is stopped.

import { join } from 'node:path';
import { assert, equal } from '../../lib/assert.mjs';
import { residentMemory } from '../lib/browser.mjs';
import { playground } from '../lib/playground.mjs';

export async function run(browser, site) {
  await anEndlessLoopIsStopped(browser, site);
  await aFailureLeadsToItsPlace(browser, site);
  await derivativesAreDrawn(browser, site);
  await aDerivativeIsAskedForAnywhere(browser, site);
  await aLongValueIsShownFromItsBeginning(browser, site);
  await aSliderIsFollowed(browser, site);
  await aGraphLeadsToTheProgram(browser, site);
  await memoryIsGivenBack(browser, site);
  await aRunIsShownStateByState(browser, site);
  await examplesInCommentsAreChecked(browser, site);
}

async function anEndlessLoopIsStopped(browser, site) {
  const { page, wrong, write, checked, lens, outcome, problems } = await playground(browser, site);
  await checked();
  await write('include prelude\n\nloop : Int -> Int\nloop n = loop (n + 1)\n\nmain : {Int}\nmain! = loop 0\n');
  await lens('run').click();
  await page.locator('#stop:not(:disabled)').waitFor();
  // Meanwhile one goes on to write.
  await page.locator('.editor .cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('\nwrong : Int\nwrong! = nowhere\n');
  await problems.first().waitFor();
  equal(await page.locator('#stop').isEnabled(), true);
  await page.locator('#stop').click();
  await outcome.locator('.failure', { hasText: 'Stopped after' }).waitFor();
  await page.keyboard.press('Control+z');
  await page.locator('.editor .cm-content').click();
  await page.keyboard.press('Control+z');
  await write('main : {Int}\nmain! = 41 + 1\n');
  await checked();
  await lens('run').click();
  await outcome.locator('.value', { hasText: 'main = 42' }).waitFor();
  equal(wrong, []);
}

async function aFailureLeadsToItsPlace(browser, site) {
  const { page, wrong, write, checked, lens, result, outcome } = await playground(browser, site);
  await checked();
  await write('include prelude\n\nmain : [Console] Int\nmain! = printLine "before"; one 0\n\none : Int -> Int\none 1 = 2\n');
  await lens('run').first().click();
  const shown = await result();
  assert(shown.startsWith('before\n') && shown.includes('program.fk:6') && /\d+ steps/.test(shown), shown);
  await outcome.getByRole('button', { name: 'program.fk:6' }).first().click();
  await page.locator('.cm-activeLine', { hasText: 'one : Int' }).waitFor();
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, 'playground-failure.png') });
  equal(wrong, []);
}

async function derivativesAreDrawn(browser, site) {
  const { page, wrong, write, checked, lens, result } = await playground(browser, site);
  await checked();
  await write('include ad\n\nf : X -> [Smooth X] X\nf x = times x (sinS x)\n');
  await lens('derivative').click();
  assert(/∂ by \w+ = /.test(await result()), await result());
  await lens('∂f/∂x').click();
  await page.locator('#plot img:not([hidden])').waitFor();
  await page.waitForFunction(() => document.querySelector('#plot img').naturalWidth > 100);
  await page.getByLabel('to', { exact: true }).fill('9');
  await page.getByLabel('to', { exact: true }).press('Enter');
  await page.waitForFunction(() => document.querySelector('#plot img').alt.includes('to 9'));
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, 'playground-plot.png') });
  equal(wrong, []);
}

const PRODUCT = 'include ad\n\nf : X -> X -> [Smooth X] X\nf x y = times x (sinS y)\n';

async function aDerivativeIsAskedForAnywhere(browser, site) {
  const { page, wrong, write, checked, lens, result, outcome } = await playground(browser, site);
  await checked();
  await write(PRODUCT);
  await lens('derivative').click();
  await result();
  const at = outcome.getByLabel('at', { exact: true });
  await at.fill('2 0');
  await at.press('Enter');
  // sin 0 and 2·cos 0.
  await outcome.locator('.value', { hasText: /∂ by grad = 0\.0 2\.0/ }).waitFor();
  await outcome.getByLabel('∂²').check();
  await outcome.getByLabel('check by finite differences').check();
  await outcome.getByRole('button', { name: 'Evaluate' }).click();
  await outcome.locator('.value', { hasText: '∂² by ' }).first().waitFor();
  equal(await at.inputValue(), '2 0');
  // What is wrong with a point can be mended where it was written.
  await at.fill('2');
  await at.press('Enter');
  await outcome.locator('.failure').waitFor();
  await at.fill('3 0');
  await at.press('Enter');
  await outcome.locator('.value', { hasText: /= 0\.0 3\.0/ }).first().waitFor();
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, 'playground-derivative.png') });
  equal(wrong, []);
}

async function aLongValueIsShownFromItsBeginning(browser, site) {
  const { page, wrong, write, checked, lens, result, outcome } = await playground(browser, site);
  await checked();
  await write('include prelude\n\nupTo : Int -> List Int -> List Int\nupTo 0 ns = ns\nupTo n ns = upTo (n - 1) (n :: ns)\n\nmain : {List Int}\nmain! = upTo 50000 []\n');
  await lens('run').last().click();
  const shown = await result();
  assert(shown.length < 101_000 && /Show all 3\d\d,\d{3} characters/.test(shown), `${shown.length} characters: ${shown.slice(-200)}`);
  await outcome.getByRole('button', { name: 'Show all' }).click();
  await page.waitForFunction(() => document.querySelector('#outcome .value').textContent.endsWith('50000]'));
  equal(wrong, []);
}

/** A slider moves faster than pictures are drawn; the last one is not behind all others. */
async function aSliderIsFollowed(browser, site) {
  const { page, wrong, write, checked, lens } = await playground(browser, site);
  await checked();
  await write(PRODUCT);
  await lens('∂f/∂x').click();
  await page.locator('#plot img:not([hidden])').waitFor();
  await page.locator('#plot input[type=range]').last().waitFor();
  const waited = await page.evaluate(async () => {
    const slider = [...document.querySelectorAll('#plot input[type=range]')].at(-1);
    const soon = () => new Promise((done) => { setTimeout(done, 10); });
    for (let place = 0; place < 100; place += 1) {
      slider.value = String(Number(slider.min) + (Number(slider.max) - Number(slider.min)) * place / 100);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      await soon();
    }
    const began = performance.now();
    while (!document.getElementById('stop').disabled) {
      await soon();
    }
    return performance.now() - began;
  });
  assert(waited < 500, `the picture is ${waited} ms behind`);
  equal(wrong, []);
}

async function aGraphLeadsToTheProgram(browser, site) {
  const { page, wrong, write, checked, lens } = await playground(browser, site);
  await checked();
  await write(PRODUCT);
  await lens('∂f/∂x').click();
  await page.locator('#plot img:not([hidden])').waitFor();
  await page.getByLabel('show').selectOption('graph');
  const node = page.locator('#plot .graph [data-place]', { hasText: 'sin' }).first();
  await node.waitFor();
  equal(await page.locator('#plot img').isVisible(), false);
  equal(await page.locator('#plot .graph g.n rect').first().evaluate((rect) => getComputedStyle(rect).fill !== 'rgb(0, 0, 0)'), true);
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, 'playground-graph.png') });
  await node.click();
  equal(await page.evaluate(() => getSelection().toString()), 'sinS y');
  await page.getByLabel('show').selectOption('plot');
  await page.locator('#plot img:not([hidden])').waitFor();
  equal(wrong, []);
}

async function memoryIsGivenBack(browser, site) {
  const { page, wrong, write, checked, lens, result } = await playground(browser, site);
  await checked();
  await write('include prelude\n\nupTo : Int -> List Int -> List Int\nupTo 0 ns = ns\nupTo n ns = upTo (n - 1) (n :: ns)\n\nmain : {Int}\nmain! = length (upTo 3000000 [])\n');
  await lens('run').last().waitFor();
  const before = await residentMemory(browser);
  await lens('run').last().click();
  let most = 0;
  const watched = (async () => {
    while (await page.locator('#outcome .value, #outcome .failure').count() === 0) {
      most = Math.max(most, await residentMemory(browser));
    }
  })();
  assert((await result()).includes('main = 3000000'), await result());
  await watched;
  assert(most - before > 80e6, `the run took ${(most - before) / 1e6} MB only`);
  const deadline = Date.now() + 20_000;
  let after;
  do {
    await page.waitForTimeout(200);
    after = await residentMemory(browser);
  } while (after - before > (most - before) / 4 && Date.now() < deadline);
  const megabytes = [before, most, after].map((bytes) => (bytes / 1e6).toFixed(0));
  console.log(`web: memory before, during and after a run: ${megabytes.join(', ')} MB`);
  assert(after - before <= (most - before) / 4, `memory is kept: ${megabytes.join(', ')} MB`);
  // The next one has a worker of its own.
  await write('main : {Int}\nmain! = 41 + 1\n');
  await lens('run').click();
  await page.locator('#outcome .value', { hasText: '42' }).waitFor();
  equal(wrong, []);
}

async function aRunIsShownStateByState(browser, site) {
  const { page, wrong, write, checked, lens } = await playground(browser, site);
  await checked();
  await write('include prelude\n\nask : [Abort] Int\nask! = abort!\n\nmain : {Maybe Int}\nmain! = outcome ask!\n\noutcome : <Abort> X -> Maybe X\noutcome x = just x\noutcome <abort -> _> = nothing\n');
  await lens('step').click();
  const frame = page.frameLocator('#steps iframe');
  await frame.locator('#number', { hasText: '1 of' }).waitFor();
  equal(await frame.locator('#term').textContent(), 'main!');
  await frame.locator('#next').click();
  await frame.locator('#next').click();
  await frame.locator('#number', { hasText: '3 of' }).waitFor();
  assert((await page.evaluate(() => getSelection().toString())) !== '', 'the place of the state is not selected');
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, 'playground-steps.png') });
  await page.locator('#theme').click();
  await frame.locator('body.vscode-dark').waitFor();
  equal(await frame.locator('#number').textContent().then((number) => number.split(' ')[0]), '3');
  equal(wrong, []);
}

async function examplesInCommentsAreChecked(browser, site) {
  const { wrong, write, checked, lens, result } = await playground(browser, site);
  await checked();
  await write('include prelude\n\n-- > twice 2\n-- = 4\ntwice : Int -> Int\ntwice x = x + x\n');
  await lens('check').click();
  assert((await result()).startsWith('✓ 4'), await result());
  equal(wrong, []);
}
