// Nothing that somebody wrote is lost, and nothing is done to a text that was meant for another one.

import { readFileSync } from 'node:fs';
import { equal } from '../../lib/assert.mjs';
import { open } from '../lib/browser.mjs';
import { parts, playground } from '../lib/playground.mjs';

export async function run(browser, site) {
  await whatIsWrittenAfterSharing(browser, site);
  await otherPages(browser, site);
  await oneKeyInAnExample(browser, site);
  await aBrowserThatIsFull(browser, site);
  await aFixForAnEarlierText(browser, site);
  await aNameForAnEarlierText(browser, site);
  await aNameInSeveralFiles(browser, site);
  await halfACharacter(browser, site);
  await withoutEncryption(browser, site);
  await aDamagedProgram(browser, site);
}

/** The texts of the programs that the browser keeps, the last one first. */
const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('frank.playground.programs') ?? '[]').map(({ files }) => files.at(-1).text));

const typed = async (page, text) => {
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(text);
};

async function whatIsWrittenAfterSharing(browser, site) {
  const { page, wrong, write, checked, text } = await playground(browser, site);
  await checked();
  await write('-- first');
  await page.locator('#share').click();
  await page.waitForFunction(() => location.hash !== '');
  await page.locator('.cm-content').first().click();
  await typed(page, ' and more');
  await page.waitForFunction(() => location.hash === '');
  await page.reload();
  await checked();
  equal(await text(), '-- first and more');
  equal(wrong, []);
}

async function otherPages(browser, site) {
  const one = await playground(browser, site);
  await one.checked();
  await one.write('-- from the first page');
  await one.page.waitForFunction(() => localStorage.getItem('frank.playground.programs')?.includes('first page'));
  const page = await one.context.newPage();
  const other = { page, ...parts(page) };
  await page.goto(`${site.url}playground/`);
  await other.checked();
  await other.content.click();
  await typed(page, ', and the second');
  await page.close({ runBeforeUnload: true });
  await one.page.waitForFunction(() => localStorage.getItem('frank.playground.programs').includes('and the second'));
  // Who has changed nothing since keeps nothing.
  await one.page.reload();
  await one.checked();
  equal(await one.text(), '-- from the first page, and the second');
  // Who goes on with what another page has changed meanwhile has a program of his own from then on.
  const third = await one.context.newPage();
  await third.goto(`${site.url}playground/`);
  await parts(third).checked();
  await one.content.click();
  await typed(one.page, ', one');
  await one.page.waitForFunction(() => localStorage.getItem('frank.playground.programs').includes(', one'));
  await third.locator('.cm-content').first().click();
  await typed(third, ', three');
  await third.waitForFunction(() => localStorage.getItem('frank.playground.programs').includes(', three'));
  const begin = '-- from the first page, and the second';
  equal((await kept(third)).slice(0, 2), [`${begin}, three`, `${begin}, one`]);
  equal(one.wrong, []);
}

async function oneKeyInAnExample(browser, site) {
  const { page, wrong, write, checked, text, content } = await playground(browser, site);
  await checked();
  await write('-- an hour of work');
  const hello = page.locator('#examples option', { hasText: 'hello:' }).first();
  await page.locator('#examples').selectOption({ label: await hello.textContent() });
  await content.click();
  await page.keyboard.type('x');
  await page.waitForFunction(() => JSON.parse(localStorage.getItem('frank.playground.programs')).length === 2);
  await page.reload();
  await checked();
  const own = page.locator('#own option', { hasText: 'an hour of work' });
  await page.locator('#examples').selectOption({ label: await own.textContent() });
  equal(await text(), '-- an hour of work');
  equal(wrong, []);
}

/** What there is no room for any more can still be saved on disk. */
async function aBrowserThatIsFull(browser, site) {
  const { page, wrong, write, checked, notice } = await playground(browser, site);
  await checked();
  await write('-- an hour of work');
  await page.waitForFunction(() => localStorage.getItem('frank.playground.programs')?.includes('an hour of work'));
  await page.evaluate(() => {
    // Room for one short program and no second one.
    const name = 'frank.playground.programs';
    const kept = localStorage.getItem(name);
    localStorage.removeItem(name);
    let filling = '';
    for (let size = 2 ** 22; size >= 1; size /= 2) {
      for (;;) {
        try {
          localStorage.setItem('other', filling + 'x'.repeat(size));
        } catch {
          break;
        }
        filling += 'x'.repeat(size);
      }
    }
    localStorage.setItem('other', filling.slice(kept.length + 80));
    localStorage.setItem(name, kept);
  });
  const hello = page.locator('#examples option', { hasText: 'hello:' }).first();
  await page.locator('#examples').selectOption({ label: await hello.textContent() });
  await write('-- a new one');
  await page.waitForFunction(() => localStorage.getItem('frank.playground.programs').includes('a new one'));
  equal(await kept(page), ['-- a new one']);
  equal(await notice.textContent(), 'This browser has no room for your oldest program beside this one, and has forgotten it.');
  const saving = page.waitForEvent('download');
  await page.locator('#notice-act').click();
  const saved = await saving;
  equal([saved.suggestedFilename(), readFileSync(await saved.path(), 'utf8')], ['program.fk', '-- an hour of work']);
  equal(wrong, []);
}

/** Clicks a fix a moment after the text above it was changed. */
async function aFixForAnEarlierText(browser, site) {
  const { page, wrong, write, checked, problems, text } = await playground(browser, site);
  await checked();
  const program = 'include prelude\n\nf : List Int -> Int\nf xs = lenght xs\n';
  await write(program);
  await problems.locator('.fk-fix').first().waitFor();
  await page.keyboard.press('Control+Home');
  await page.evaluate(async () => {
    const fix = document.querySelector('#problems .fk-fix');
    const content = document.querySelector('.editor:not([hidden]) .cm-content');
    content.focus();
    // What was drawn anew meanwhile has lost the cursor.
    getSelection().setPosition(content.querySelector('.cm-line'), 0);
    document.execCommand('insertText', false, '-- a\n');
    await Promise.resolve();
    fix.click();
  });
  equal(await text(), `-- a\n${program}`);
  await page.waitForFunction(() => document.querySelector('#problems .place')?.textContent === '5:8');
  await problems.locator('.fk-fix').first().click();
  equal(await text(), `-- a\n${program.replace('lenght', 'length')}`);
  equal(wrong, []);
}

/** Renames a moment before the text above the name is changed. */
async function aNameForAnEarlierText(browser, site) {
  const { page, wrong, write, checked, text } = await playground(browser, site);
  await checked();
  const program = 'one : {Int}\none! = 1\n\nmain : {Int}\nmain! = one!\n';
  await write(program);
  await checked();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('F2');
  const panel = page.locator('.fk-rename');
  await panel.locator('input').fill('two');
  await page.evaluate(() => {
    document.querySelector('.fk-rename').requestSubmit();
    const content = document.querySelector('.editor:not([hidden]) .cm-content');
    content.focus();
    // What was drawn anew meanwhile has lost the cursor.
    getSelection().setPosition(content.querySelector('.cm-line'), 0);
    document.execCommand('insertText', false, '-- a\n');
  });
  await panel.locator('[role=alert]', { hasText: 'The text has changed meanwhile' }).waitFor();
  equal(await text(), `-- a\n${program}`);
  equal(wrong, []);
}

/** A name is another one in all files that have it, or in none. */
async function aNameInSeveralFiles(browser, site) {
  const { page, wrong } = await open(browser);
  const library = 'include prelude\n\ntwice : Int -> Int\ntwice x = x + x\n';
  const program = 'include own\n\nmain : {Int}\nmain! = twice 21\n';
  await page.goto(`${site.url}playground/#p=${await pack([['own.fk', library], ['main.fk', program]])}`);
  const { checked, content, text, result } = parts(page);
  await checked();
  await content.locator('.fk-function', { hasText: 'twice' }).click();
  await page.keyboard.press('F2');
  await page.locator('.fk-rename input').fill('double');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.editor:not([hidden]) .cm-content').textContent.includes('double 21'));
  await page.getByRole('tab', { name: 'own.fk' }).click();
  equal(await text(), library.replaceAll('twice', 'double'));
  await page.getByRole('tab', { name: 'main.fk' }).click();
  await page.waitForFunction(() => document.getElementById('deeds').textContent.includes('Run main'));
  await page.locator('#run').click();
  equal((await result()).split('\n')[0], 'main = 42');
  equal(wrong, []);
}

/** Many a web server has no certificate; browsers have fewer things for its pages. */
async function withoutEncryption(browser, site) {
  const { page, wrong, write, checked, text } = await playground(browser, { url: site.plain });
  await checked();
  equal(await page.evaluate(() => isSecureContext), false);
  await write('-- an hour of work');
  await page.reload();
  await checked();
  equal(await text(), '-- an hour of work');
  await page.locator('#share').click();
  await page.locator('#notice span', { hasText: 'The program is in the address' }).waitFor();
  equal(wrong, []);
}

/** One program that cannot be read does not hide the others. */
async function aDamagedProgram(browser, site) {
  const { page, wrong, checked, text } = await playground(browser, site);
  await checked();
  await page.evaluate(() => {
    const whole = { id: 'whole', files: [{ name: 'program.fk', text: '-- whole' }], time: 1 };
    localStorage.setItem('frank.playground.programs', JSON.stringify([{ id: 'damaged', files: [null], time: 2 }, 7, null, whole]));
  });
  await page.reload();
  await checked();
  equal(await text(), '-- whole');
  equal(wrong, []);
}

/** A text of the language's own editor can have half of a character in it, which no other program reads. */
async function halfACharacter(browser, site) {
  const { page, wrong } = await open(browser);
  const fragment = await pack([['program.fk', 'include prelude\n\nmain : {String}\nmain! = "\ud800" + 1\n']]);
  await page.goto(`${site.url}playground/#p=${fragment}`);
  const { checked, write, outcome } = parts(page);
  equal(await checked(), '1 error');
  await write('main : {Int}\nmain! = 41\n');
  await page.locator('#state', { hasText: 'the program is right' }).waitFor();
  await page.locator('#run').click();
  await outcome.getByText('41').waitFor();
  equal(wrong, []);
}

async function pack(files) {
  const stream = new Blob([JSON.stringify(files)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url');
}
