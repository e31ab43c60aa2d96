// A person writes a program that is wrong, sees where, has it mended, runs it, shares it, and comes back.

import { join } from 'node:path';
import { assert, equal } from '../../lib/assert.mjs';
import { playground } from '../lib/playground.mjs';

export async function run(browser, site) {
  await theTypesFindAMistake(browser, site);
  await aProgramIsItsAddress(browser, site);
  await whatIsWrittenStays(browser, site);
  await theEditorHelps(browser, site);
  await aWholeWordIsNotCompleted(browser, site);
}

const WRONG = `include ad-paper

main : {Int}
main! = evaluate (d {x -> t x (d {y -> p x y} (c 1))} (c 1))
`;

const RIGHT = WRONG.replace('p x y', 'p (lift x) y');

async function theTypesFindAMistake(browser, site) {
  const { page, wrong, write, checked, problems, result, text } = await playground(browser, site);
  await checked();
  await write(WRONG);
  await problems.first().waitFor();
  equal(await page.locator('#state').textContent(), '1 error');
  equal(await problems.count(), 1);
  await page.locator('.cm-lintRange-error').waitFor();
  const fix = problems.getByRole('button', { name: /lift x/ });
  await fix.waitFor();
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, 'playground-finding.png') });
  // The place of the finding is a button that leads to it.
  await problems.getByRole('button', { name: 'Go to the error in line 4' }).click();
  equal(await page.evaluate(() => getSelection().toString()), 'x');
  await fix.click();
  await problems.first().waitFor({ state: 'detached' });
  equal(await text(), RIGHT);
  await page.waitForFunction(() => document.getElementById('deeds').textContent.includes('Run main'));
  await page.locator('#run').click();
  assert((await result()).startsWith('main = 1\n'), await result());
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, 'playground-run.png') });
  equal(wrong, []);
}

async function aProgramIsItsAddress(browser, site) {
  const { context, page, wrong, write, checked, notice, text } = await playground(browser, site);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await checked();
  await write(RIGHT);
  await page.locator('#share').click();
  await page.waitForFunction(() => document.querySelector('#notice span').textContent.includes('copied'));
  assert((await notice.textContent()).includes('copied'), await notice.textContent());
  const address = await page.evaluate(() => navigator.clipboard.readText());
  assert(address.startsWith(`${site.url}playground/index.html#p=`), address);
  assert(address.length < 300, address);
  equal(wrong, []);
  const other = await playground(browser, site, { fragment: address.slice(`${site.url}playground/`.length) });
  await other.checked();
  equal(await other.text(), RIGHT);
  // It runs when somebody wants it to.
  equal(await other.outcome.textContent(), 'What a run prints and gives stands here.');
  // A text that has been changed is not that of the address.
  await other.content.click();
  await other.page.keyboard.press('Control+End');
  await other.page.keyboard.type('-- more');
  await other.page.waitForFunction(() => location.hash === '');
  await other.page.reload();
  await other.checked();
  equal(await other.text(), `${RIGHT}-- more`);
  // A program from elsewhere does not cost one's own.
  await other.page.goto(address);
  await other.page.waitForFunction(() => !document.querySelector('.cm-content').textContent.includes('-- more'));
  await other.page.getByRole('button', { name: 'Back to your own' }).click();
  await other.checked();
  equal(await other.text(), `${RIGHT}-- more`);
  equal(other.wrong, []);
  equal(await text(), RIGHT);
}

async function whatIsWrittenStays(browser, site) {
  const { page, wrong, write, checked, text } = await playground(browser, site);
  await checked();
  await write('-- not yet saved');
  // At once, before anything could be kept by a timer.
  await page.reload();
  await checked();
  equal(await text(), '-- not yet saved');
  await page.locator('#theme').click();
  const dark = await page.evaluate(() => document.documentElement.classList.contains('dark'));
  await page.reload();
  await checked();
  equal(await page.evaluate(() => document.documentElement.classList.contains('dark')), dark);
  await page.locator('#examples').selectOption({ label: await labelOf(page, 'missing-lift') });
  await page.locator('#problems li').first().waitFor();
  await page.locator('#examples').selectOption({ label: await page.locator('#own option').first().textContent() });
  equal(await text(), '-- not yet saved');
  equal(wrong, []);
}

function labelOf(page, name) {
  return page.locator('#examples option', { hasText: `${name}:` }).first().textContent();
}

/** Behind a whole word the key begins a line, although the word is offered. */
async function aWholeWordIsNotCompleted(browser, site) {
  const { page, wrong, write, checked, text } = await playground(browser, site);
  await checked();
  await write('twice : Int -> Int\ntwice x = x + x\n\nmain : {Int}\nmain! =');
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' twice');
  await page.locator('.cm-tooltip-autocomplete li[aria-selected]', { hasText: 'twice' }).waitFor();
  await page.waitForTimeout(200);
  await page.keyboard.press('Enter');
  assert(/main! = twice\n *$/.test(await text()), await text());
  equal(wrong, []);
}

async function theEditorHelps(browser, site) {
  const { page, wrong, write, checked, text, content } = await playground(browser, site);
  await checked();
  await write('include prelude\n\ntwice : Int -> Int\ntwice x = x + x\n\nmain : {Int}\nmain! = twice 2\n');
  await checked();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nother : {Int}\nother! = twi');
  await page.locator('.cm-tooltip-autocomplete li[aria-selected]', { hasText: 'twice' }).waitFor();
  await page.waitForTimeout(200);
  await page.keyboard.press('Enter');
  await page.keyboard.type(' ');
  await page.locator('.fk-signature', { hasText: 'Int' }).waitFor();
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, 'playground-signature.png') });
  await page.keyboard.type('3\n');
  assert((await text()).includes('other! = twice 3\n'), await text());
  // What a name means is told under the pointer, and with keys.
  await content.locator('.cm-line').nth(6).locator('.fk-function', { hasText: 'twice' }).hover();
  await page.locator('.cm-tooltip-hover', { hasText: 'Int -> Int' }).waitFor();
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, 'playground-hover.png') });
  await page.mouse.move(5, 5);
  await content.locator('.cm-line').nth(6).locator('.fk-function', { hasText: 'twice' }).click();
  await page.keyboard.press('Alt+i');
  await page.locator('.fk-hover:not(.fk-signature)', { hasText: 'Int -> Int' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('F2');
  await page.getByLabel('A new name for twice').fill('double');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.querySelector('.cm-content').textContent.includes('twice'));
  assert((await text()).includes('other! = double 3'), await text());
  await page.keyboard.press('F12');
  await page.waitForFunction(() => getSelection().toString() === 'double');
  // What is laid out badly is mended.
  await write('include prelude\n\nmain : {Int}\nmain!    =   1   +   2\n');
  await checked();
  await page.keyboard.press('Shift+Alt+f');
  await page.waitForFunction(() => document.querySelector('.cm-content').textContent.includes('main! = 1 + 2'));
  // A file of the library is shown.
  await write('include prelude\n\nmain : List Int\nmain! = map {x -> x} [1]\n');
  await checked();
  await content.locator('.fk-function', { hasText: 'map' }).click();
  await page.keyboard.press('F12');
  await page.locator('#library-title', { hasText: 'prelude.fk' }).waitFor();
  await page.locator('#library-text .cm-activeLine', { hasText: 'map' }).waitFor();
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, 'playground-library.png') });
  await page.keyboard.press('Escape');
  await page.locator('#library-text .cm-editor').waitFor({ state: 'detached' });
  equal(wrong, []);
}
