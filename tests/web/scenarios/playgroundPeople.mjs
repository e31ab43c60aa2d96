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
  await keysAreEnough(browser, site);
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
