// A reader edits programs of the book in their places, and puts them back.

import { join } from 'node:path';
import { assert, equal } from '../../lib/assert.mjs';
import { axe } from '../lib/axe.mjs';
import { openBook, program, programsOf } from '../lib/book.mjs';

export async function run(browser, site) {
  await aMistakeIsMended(browser, site);
  await aTermIsEvaluated(browser, site);
  await laterProgramsKnowTheEdit(browser, site);
  await aProgramWithoutEndIsStopped(browser, site);
  await whoClicksTwiceMeansItOnce(browser, site);
  await everythingIsDoneWithKeys(browser, site);
  await theThemeIsFollowed(browser, site);
  await theProgramGoesToThePlayground(browser, site);
}

const textOf = (living) => living.editor.locator('.cm-content').evaluate((element) => element.innerText.trimEnd());
const findings = (living) => living.editor.locator('.frank-findings li');

async function picture(page, name) {
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, `book-${name}.png`) });
}

async function aMistakeIsMended(browser, site) {
  const { page, wrong } = await openBook(browser);
  await page.goto(`${site.url}diagnostics/FK0101.html`);
  const before = await axe(page);
  const living = program(page, 0);
  await living.button('run').click();
  assert((await living.done()).startsWith('error[FK0101]: there is no definition `lenght` in sight\n --> main.fk:3:24\n'), 'the finding');
  await living.button('edit').click();
  const row = findings(living).first();
  await row.getByRole('button', { name: 'Write `length`' }).waitFor();
  await living.editor.locator('.cm-lintRange-error').waitFor();
  assert((await row.textContent()).includes('3:24 error[FK0101]'), await row.textContent());
  await picture(page, 'finding');
  const known = new Set(before);
  equal((await axe(page)).filter((found) => !known.has(found)), []);
  equal(await axe(page, '.frank-tools, .frank-editor, .frank-result'), []);
  await row.getByRole('button', { name: 'Write `length`' }).click();
  await row.waitFor({ state: 'detached' });
  assert((await textOf(living)).endsWith('1 + length xs'), await textOf(living));
  await living.button('run').click();
  await page.waitForFunction(() => document.querySelector('.frank-shown').textContent.startsWith('no errors'));
  await picture(page, 'mended');
  // It is written again, wrongly, with keys that mean something to the pages of the book.
  await living.editor.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('s : Int\n');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await findings(living).first().waitFor();
  equal(new URL(page.url()).pathname, '/diagnostics/FK0101.html');
  equal(await page.locator('#mdbook-search-wrapper').isVisible(), false);
  await living.button('edit').click();
  await page.locator('.frank-editor').waitFor({ state: 'detached' });
  equal(await living.result.isVisible(), false);
  const pre = page.locator('pre', { hasText: 'lenght' });
  assert(await pre.isVisible(), 'the program of the book');
  assert(await living.button('edit').evaluate((button) => button === document.activeElement), 'the focus');
  // And edited once more it begins with what the book says.
  await living.button('edit').click();
  await findings(living).first().waitFor();
  equal(await textOf(living), programsOf(site, 'diagnostics/FK0101')[0].files[0].text.trimEnd());
  equal(wrong, []);
}

async function aTermIsEvaluated(browser, site) {
  const { page, wrong } = await openBook(browser);
  await page.goto(`${site.url}tutorial/nesting.html`);
  const living = program(page, 'nested.fk');
  await living.button('run').click();
  const shown = await living.done();
  assert(shown.includes("'evaluate (d {x -> t x (t x x)} 2)'\n12\n"), shown);
  await picture(page, 'run');
  await living.field.fill('evaluate (d {x -> t x x} 4)');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.frank-shown pre').length === 2);
  assert((await living.done()).endsWith("$ frank eval nested.fk 'evaluate (d {x -> t x x} 4)'\n8\n"), await living.done());
  await living.field.fill('evaluate (d {x -> y} 4)');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.frank-shown pre').length === 3);
  assert((await living.done()).includes('error[FK0101]: there is no definition `y` in sight\n --> <term>:1:19\n'), await living.done());
  equal(await axe(page, '.frank-result'), []);
  equal(wrong, []);
}

/** A program that includes an earlier one of the page sees what a reader has made of that. */
async function laterProgramsKnowTheEdit(browser, site) {
  const { page, wrong } = await openBook(browser);
  const name = 'language/programs';
  const pages = ['tutorial/checkpoints', 'tutorial/evaluate', 'examples/programs', 'cli', name];
  const found = pages.flatMap((name) => {
    const programs = programsOf(site, name);
    return programs.flatMap(({ files }, later) => {
      const own = files.at(-1);
      const earlier = programs.findIndex((one, index) => index < later && own.text.includes(`include ${one.files.at(-1).name.replace(/\.fk$/, '')}\n`));
      return earlier < 0 ? [] : [{ name, earlier, later }];
    });
  });
  assert(found.length > 0, 'no program includes one above it');
  const [{ name: chosen, earlier, later }] = found;
  await page.goto(`${site.url}${chosen}.html`);
  const [one, other] = [program(page, earlier), program(page, later)];
  await other.button('edit').click();
  await other.editor.locator('.cm-content').waitFor();
  await one.button('edit').click();
  await one.editor.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.type('nothing : Int');
  await findings(other).first().waitFor();
  await one.button('edit').click();
  await page.waitForFunction(() => document.querySelectorAll('.frank-findings li').length === 0);
  equal(wrong, []);
}

async function aProgramWithoutEndIsStopped(browser, site) {
  const { page, wrong } = await openBook(browser);
  await page.goto(`${site.url}diagnostics/FK0101.html`);
  const living = program(page, 1);
  await living.button('edit').click();
  await living.editor.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText('main : {Int}\nmain! = loop 0\n\nloop : Int -> Int\nloop x = loop (x + 1)\n');
  await page.keyboard.press('Control+Enter');
  await living.result.and(page.locator('[data-state="running"]')).waitFor();
  await page.waitForFunction(() => document.querySelector('.frank-shown')?.textContent.includes('$ frank run main.fk'));
  // Typing goes on.
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('y : Nothing\n');
  await findings(living).first().waitFor();
  await living.button('run').click();
  assert((await living.done()).endsWith('stopped\n'), await living.done());
  // The next run has a worker of its own.
  await living.button('edit').click();
  await page.locator('.frank-editor').waitFor({ state: 'detached' });
  await living.button('run').click();
  assert((await living.done()).startsWith('no errors'), await living.done());
  equal(wrong, []);
}

/** Many people click everything twice; and who waits for a slow network clicks again. */
async function whoClicksTwiceMeansItOnce(browser, site) {
  const { page, wrong } = await openBook(browser);
  await page.goto(`${site.url}tutorial/handlers.html`);
  const living = program(page, 'state.fk');
  await living.button('run').dblclick();
  assert((await living.done()).endsWith('2\n'), await living.done());
  await living.button('run').dblclick();
  assert((await living.done()).endsWith('2\n'), await living.done());
  await page.route('**/editor.js', async (route) => {
    await new Promise((done) => { setTimeout(done, 500); });
    await route.continue();
  });
  await living.button('edit').click();
  await page.waitForTimeout(100);
  await living.button('edit').evaluate((button) => { button.click(); });
  await living.editor.locator('.cm-content').waitFor();
  await page.waitForTimeout(500);
  equal(await page.locator('.frank-editor').count(), 1);
  await living.button('edit').click();
  await page.locator('.frank-editor').waitFor({ state: 'detached' });
  await page.waitForTimeout(600);
  await living.button('edit').dblclick();
  await living.editor.locator('.cm-content').waitFor();
  await page.waitForTimeout(300);
  equal(await page.locator('.frank-editor').count(), 1);
  equal(wrong, []);
}

async function everythingIsDoneWithKeys(browser, site) {
  const { page, wrong } = await openBook(browser);
  await page.goto(`${site.url}diagnostics/FK0101.html`);
  const living = program(page, 0);
  await living.button('run').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await living.editor.locator('.cm-content:focus').waitFor();
  // Out of the editor, whose own key Tab is, to the place of the finding and its fix.
  await findings(living).first().getByRole('button', { name: 'Write `length`' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  for (let steps = 0; steps < 5 && (await focused()) !== 'Write `length`'; steps += 1) {
    await page.keyboard.press('Tab');
  }
  equal(await focused(), 'Write `length`');
  await page.keyboard.press('Enter');
  await living.editor.locator('.cm-content:focus').waitFor();
  assert((await textOf(living)).endsWith('1 + length xs'), await textOf(living));
  await page.keyboard.press('Control+Enter');
  assert((await living.done()).startsWith('no errors'), await living.done());
  equal(wrong, []);
}

async function theThemeIsFollowed(browser, site) {
  const { page, wrong } = await openBook(browser, { colorScheme: 'dark' });
  await page.goto(`${site.url}tutorial/handlers.html`);
  const living = program(page, 'state.fk');
  await living.button('edit').click();
  await living.editor.locator('.cm-content').waitFor();
  await living.button('run').click();
  await living.done();
  const light = () => living.editor.locator('.cm-editor').evaluate((element) => {
    const [red, green, blue] = getComputedStyle(element.querySelector('.cm-content')).color.match(/\d+/g).map(Number);
    return red + green + blue;
  });
  const dark = await light();
  equal(await axe(page, '.frank-tools, .frank-editor, .frank-result'), []);
  await picture(page, 'dark');
  await page.evaluate(() => { document.documentElement.classList.replace('navy', 'light'); });
  const bright = await light();
  assert(dark > bright, `letters have the brightness ${dark} where it is dark, and ${bright} where it is light`);
  equal(wrong, []);
}

async function theProgramGoesToThePlayground(browser, site) {
  const { page } = await openBook(browser);
  await page.goto(`${site.url}tutorial/nesting.html`);
  await program(page, 'nested.fk').button('playground').click();
  await page.waitForURL(/\/playground\/index\.html#p=/);
  await page.getByText('interface Fwd').first().waitFor();
  await picture(page, 'playground');
}
