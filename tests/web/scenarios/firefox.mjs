// What matters most in the playground and in the book, in Firefox.

import { join } from 'node:path';
import { assert, equal } from '../../lib/assert.mjs';
import { launch, open } from '../lib/firefox.mjs';
import { isChecked, textOf } from '../lib/playground.mjs';

export async function run(_, site) {
  const firefox = await launch();
  try {
    await aProgramIsMendedAndShared(firefox, site);
    await aProgramOfTheBookIsEdited(firefox, site);
    await whatThePolicyForbidsIsSeen(firefox, site);
  } catch (error) {
    for (const [index, page] of (await firefox.pages()).entries()) {
      await picture(page, `failed-firefox-${index}`);
    }
    throw error;
  } finally {
    await firefox.close();
  }
}

const CONTENT = '.editor .cm-content';
const WRONG = 'include prelude\n\nmain : {Int}\nmain! = lenght [1, 2]\n';
const RIGHT = WRONG.replace('lenght', 'length');

async function picture(page, name) {
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, `${name}.png`) });
}

/** Waits until an element has a text somewhere in it. */
const says = (page, selector, text) => page.waitForFunction(
  (selector, text) => document.querySelector(selector)?.textContent.includes(text), {}, selector, text);

async function press(page, modifier, key) {
  await page.keyboard.down(modifier);
  await page.keyboard.press(key);
  await page.keyboard.up(modifier);
}

/** Puts another text into the place of the one that is there, key by key. */
async function write(page, selector, text) {
  await page.locator(selector).click();
  await press(page, 'Control', 'a');
  await page.keyboard.type(text);
}

async function aProgramIsMendedAndShared(firefox, site) {
  const { page, wrong } = await open(firefox);
  await page.goto(`${site.url}playground/`);
  await page.waitForFunction(isChecked);
  await write(page, CONTENT, WRONG);
  await says(page, '#problems li', 'lenght');
  await page.locator('.cm-lintRange-error').wait();
  equal(await page.$eval('#state', (state) => state.textContent), '1 error');
  await page.locator('#problems .fk-fix').wait();
  await picture(page, 'firefox-finding');
  await page.locator('#problems .fk-fix::-p-text(length)').click();
  await says(page, '#state', 'Nothing to say');
  equal(await page.$eval(CONTENT, textOf), RIGHT);
  await says(page, '#deeds', 'Run main');
  await page.locator('#run').click();
  await says(page, '#outcome .value', 'main = 2');
  await picture(page, 'firefox-run');
  await page.locator('#share').click();
  await says(page, '#notice span', 'is copied');
  const shared = page.url();
  // What is in the clipboard is what is pasted.
  await page.locator(CONTENT).click();
  await press(page, 'Control', 'a');
  await press(page, 'Control', 'v');
  await says(page, CONTENT, '#p=');
  const address = await page.$eval(CONTENT, textOf);
  equal(address, shared.replace('/#p=', '/index.html#p='));
  equal(wrong, []);
  const other = await open(firefox);
  await other.page.goto(address);
  await other.page.waitForFunction(isChecked);
  equal(await other.page.$eval(CONTENT, textOf), RIGHT);
  await leave(other.page);
  await other.page.waitForFunction(isChecked);
  equal(await other.page.$eval(CONTENT, textOf), RIGHT);
  // With a change it is one's own, which stays, too.
  await other.page.locator(CONTENT).click();
  await press(other.page, 'Control', 'End');
  await other.page.keyboard.type('-- more');
  await leave(other.page);
  await other.page.waitForFunction(isChecked);
  equal(await other.page.$eval(CONTENT, textOf), `${RIGHT}-- more`);
  equal(other.wrong, []);
}

/** Loads a page again once it has all it asks for: Firefox calls it an error of the service worker if that is cut short. */
async function leave(page) {
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/frank-rest.wasm')));
  await page.reload();
}

async function aProgramOfTheBookIsEdited(firefox, site) {
  const { page, wrong } = await open(firefox);
  await page.goto(`${site.url}diagnostics/FK0101.html`);
  await page.locator('.frank-tools [data-deed="run"]').click();
  await says(page, '.frank-result[data-state="done"] .frank-shown', 'error[FK0101]: there is no definition `lenght` in sight');
  await page.locator('.frank-tools [data-deed="edit"]').click();
  await page.locator('.frank-editor .cm-lintRange-error').wait();
  await page.locator('.frank-findings li ::-p-text(Write `length`)').wait();
  await picture(page, 'firefox-book');
  await page.locator('.frank-findings li ::-p-text(Write `length`)').click();
  await page.waitForFunction(() => document.querySelector('.frank-findings li') === null);
  await page.locator('.frank-tools [data-deed="run"]').click();
  await says(page, '.frank-shown', 'no errors');
  // It is written anew, and has a value.
  await write(page, '.frank-editor .cm-content', 'main : {Int}\nmain! = 41 + 1\n');
  await page.locator('.frank-tools [data-deed="run"]').click();
  await says(page, '.frank-shown', '\n42\n');
  await picture(page, 'firefox-book-run');
  equal(wrong, []);
}

/** Without this, `wrong` could be empty because nobody tells. */
async function whatThePolicyForbidsIsSeen(firefox, site) {
  for (const address of ['playground/', 'tutorial/handlers.html']) {
    const { page, wrong } = await open(firefox);
    await page.goto(site.url + address);
    await page.evaluate(() => { document.body.insertAdjacentHTML('beforeend', '<p style="color: red">x</p>'); });
    equal(await page.evaluate(() => getComputedStyle(document.body.lastElementChild).color === 'rgb(255, 0, 0)'), false);
    // It is told on a way of its own, which may take longer.
    for (let waited = 0; wrong.length === 0 && waited < 200; waited += 1) {
      await new Promise((done) => { setTimeout(done, 50); });
    }
    const told = wrong.splice(0);
    assert(told.length === 1 && told[0].includes('blocked an inline style'), told);
  }
}
