// For people with a phone, with keys only, with a screen reader, in the dark.

import { join } from 'node:path';
import { assert, equal } from '../../lib/assert.mjs';
import { axe } from '../lib/axe.mjs';
import { playground } from '../lib/playground.mjs';

export async function run(browser, site) {
  for (const colorScheme of ['light', 'dark']) {
    await nothingIsInTheWay(browser, site, colorScheme);
  }
  await aPhoneIsEnough(browser, site);
  await enlargedThereIsRoom(browser, site);
  await keysAreEnough(browser, site);
  await theFocusIsKept(browser, site);
  await ownColoursAreEnough(browser, site);
  await theSystemIsFollowed(browser, site);
  await allIsPrinted(browser, site);
}

const WRONG = 'include prelude\n\nmain : {Int}\nmain! = lenght [1, 2]\n\nunused : Int -> Int\nunused x = 1\n';

async function nothingIsInTheWay(browser, site, colorScheme) {
  const { page, wrong, checked, write, problems, lens, outcome } = await playground(browser, site, { colorScheme });
  await checked();
  await lens('run').click();
  await outcome.locator('.value').waitFor();
  equal(await axe(page), []);
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, `playground-${colorScheme}.png`) });
  await write(WRONG);
  await problems.getByRole('button', { name: /length/ }).first().waitFor();
  equal(await axe(page), []);
  await page.locator('.cm-lintRange-error').first().hover();
  await page.locator('.cm-tooltip .fk-fix').first().waitFor();
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, `playground-tooltip-${colorScheme}.png`) });
  equal(await axe(page), []);
  // What does not fit is scrolled, with keys, too.
  await write(`-- ${'long '.repeat(100)}\n${'\n'.repeat(100)}main : {Int}\nmain! = 1\n`);
  await checked();
  equal(await axe(page), []);
  equal(wrong, []);
}

async function aPhoneIsEnough(browser, site) {
  const options = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
  const { page, wrong, checked, write, problems, outcome } = await playground(browser, site, options);
  await checked();
  const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  equal(await isWide(), false);
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, 'playground-phone.png') });
  await write(WRONG);
  await problems.getByRole('button', { name: /length/ }).first().tap();
  await page.waitForFunction(() => document.querySelector('.cm-content').textContent.includes('length [1, 2]'));
  await page.waitForFunction(() => document.getElementById('deeds').textContent.includes('Run main'));
  await page.locator('#run').tap();
  await outcome.locator('.value', { hasText: 'main = 2' }).waitFor();
  const seen = await outcome.locator('.value').evaluate((value) => value.getBoundingClientRect().bottom <= innerHeight);
  assert(seen, 'the result is not in view');
  equal(await isWide(), false);
  equal(await axe(page), []);
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, 'playground-phone-run.png') });
  equal(wrong, []);
}

/** Whoever enlarges the page to 400 % has as much of it as this. */
async function enlargedThereIsRoom(browser, site) {
  const { page, wrong, checked } = await playground(browser, site, { viewport: { width: 320, height: 256 } });
  await checked();
  await page.locator('#result').scrollIntoViewIfNeeded();
  const bottom = await page.locator('body > header').evaluate((header) => header.getBoundingClientRect().bottom);
  assert(bottom < 64, `${bottom} of 256 pixels are not moved with the page`);
  equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  equal(wrong, []);
}

async function keysAreEnough(browser, site) {
  const { page, wrong, checked, write, outcome, text } = await playground(browser, site);
  await checked();
  await write(WRONG);
  await page.locator('#problems li').first().waitFor();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('F8');
  equal(await page.evaluate(() => getSelection().toString()), 'lenght');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+.');
  const item = page.getByRole('menuitem', { name: /length/ }).first();
  await item.waitFor();
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, 'playground-actions.png') });
  equal(await axe(page), []);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.cm-content').textContent.includes('length [1, 2]'));
  await checked();
  await page.locator('.fk-lenses').first().waitFor();
  await page.keyboard.press('Control+Enter');
  await outcome.locator('.value', { hasText: 'main = 2' }).waitFor();
  // What has not changed is not said at each key.
  await page.evaluate(() => {
    window.said = 0;
    new MutationObserver(() => { window.said += 1; }).observe(document.getElementById('state'), { childList: true, characterData: true, subtree: true });
  });
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('-- and so on');
  await page.waitForTimeout(500);
  equal(await page.evaluate(() => window.said), 0);
  await page.keyboard.press('Enter');
  // A Tab is part of the text, after Escape it leads on.
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Tab');
  assert((await text()).endsWith('\n  '), await text());
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  assert(await page.evaluate(() => document.activeElement.closest('.cm-editor') === null), 'the editor keeps the focus');
  // Arrows lead through the results.
  await page.locator('#tab-result').focus();
  await page.keyboard.press('ArrowRight');
  equal(await page.evaluate(() => document.activeElement.id), 'tab-plot');
  equal(await page.locator('#plot').isVisible(), true);
  equal(wrong, []);
}

/** A button that cannot be pressed while something runs does not lose the keyboard. */
async function theFocusIsKept(browser, site) {
  const { page, wrong, checked, write, outcome } = await playground(browser, site);
  const focused = () => page.evaluate(() => document.activeElement.id);
  await checked();
  await write('main : {Int}\nmain! = loop 1000000\n\nloop : Int -> Int\nloop 0 = 7\nloop n = loop (n - 1)\n');
  await page.waitForFunction(() => document.getElementById('deeds').textContent.includes('Run main'));
  await page.locator('#run').focus();
  for (let time = 0; time < 2; time += 1) {
    await page.evaluate(() => { document.getElementById('outcome').replaceChildren(); });
    await page.keyboard.press('Enter');
    await outcome.locator('.value', { hasText: 'main = 7' }).waitFor();
    equal(await focused(), 'run');
  }
  await write('main : {Int}\nmain! = loop 0\n\nloop : Int -> Int\nloop n = loop (n + 1)\n');
  await checked();
  await page.locator('#run').focus();
  await page.keyboard.press('Enter');
  await page.locator('#stop:not(:disabled)').waitFor();
  equal(await focused(), 'stop');
  await page.keyboard.press('Enter');
  await outcome.locator('.failure', { hasText: 'Stopped' }).waitFor();
  equal(await focused(), 'run');
  equal(wrong, []);
}

/** With forced colours a ground says nothing: what is selected is seen all the same. */
async function ownColoursAreEnough(browser, site) {
  const { page, wrong, checked, write, problems } = await playground(browser, site, { forcedColors: 'active' });
  await checked();
  await write(WRONG);
  await problems.first().waitFor();
  await page.keyboard.press('Control+Home');
  const place = await page.locator('.cm-line', { hasText: 'unused :' }).boundingBox();
  const clip = { x: place.x, y: place.y, width: 60, height: place.height };
  const before = await page.screenshot({ clip });
  await page.keyboard.press('Control+a');
  await page.waitForTimeout(300);
  const [chosen, other] = await Promise.all(['result', 'plot'].map((id) => page.locator(`#tab-${id}`).evaluate((tab) => getComputedStyle(tab).borderBottomColor)));
  assert(chosen !== other, 'all tabs look as if they were chosen');
  assert(!before.equals(await page.screenshot({ clip })), 'a selected text looks like another one');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('F8');
  await page.keyboard.press('Control+.');
  const item = page.getByRole('menuitem').first();
  await item.waitFor();
  equal(await item.evaluate((element) => getComputedStyle(element).outlineStyle), 'solid');
  equal(wrong, []);
}

/** Who has chosen no colours has those of the system, which changes them in the evening. */
async function theSystemIsFollowed(browser, site) {
  const { page, wrong, checked } = await playground(browser, site, { colorScheme: 'light' });
  await checked();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html.dark').waitFor();
  await page.locator('#theme').click();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForTimeout(200);
  equal(await page.locator('html.dark').count(), 0);
  equal(wrong, []);
}

/** Paper has no scroll bars. */
async function allIsPrinted(browser, site) {
  const { page, wrong, checked, write } = await playground(browser, site);
  await checked();
  const lines = Array.from({ length: 200 }, (_, n) => `f${n} : {Int}\nf${n}! = ${n}\n`).join('');
  await write(lines);
  await checked();
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => { dispatchEvent(new Event('beforeprint')); });
  await page.locator('.cm-line', { hasText: 'f199! = 199' }).waitFor();
  const { height } = await page.locator('.cm-content').boundingBox();
  equal(await page.evaluate((height) => document.documentElement.scrollHeight >= height, height), true);
  equal(await page.locator('#run').isVisible(), false);
  equal(wrong, []);
}
