// The pages of the book as pages: their policy, without scripts, on paper, from a disk, and what they load.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { assert, equal } from '../../lib/assert.mjs';
import { openBook, pagesWithPrograms, program } from '../lib/book.mjs';

export async function run(browser, site) {
  await everyPageHasAPolicy(browser, site);
  await whatMdbookHasGoesOn(browser, site);
  await nothingIsLoadedBeforeItIsUsed(browser, site);
  await aPolicyStopsWhatIsNotInThePage(browser, site);
  await aPageIsReadWithoutScripts(browser, site);
  await aPageIsPrintedAsItWasWritten(browser, site);
  await aPageIsReadFromADisk(browser, site);
}

/** All pages of the book but the one with all chapters in one, and the playground. */
function allPages(site) {
  const files = readdirSync(site.folder, { recursive: true });
  return files.filter((name) => /^(?!playground|print\.).*\.html$/.test(name)).sort();
}

async function everyPageHasAPolicy(browser, site) {
  const { page, wrong } = await openBook(browser);
  for (const name of allPages(site)) {
    const text = readFileSync(join(site.folder, name), 'utf8');
    const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(text);
    assert(policy.startsWith("default-src 'none'; script-src 'self' ") && !policy.includes("'unsafe-inline'"), policy);
    // Nothing that has scripts stands before the policy.
    equal(text.slice(0, text.indexOf('http-equiv="Content-Security-Policy"')).includes('<script'), false);
    // Neither is a page of its own: one stands for others, the other in their frame.
    if (['404.html', 'toc.html'].includes(name)) {
      continue;
    }
    await page.goto(site.url + name);
    // Frames are loaded when they come into view.
    for (const frame of await page.locator('iframe.trace').all()) {
      await frame.scrollIntoViewIfNeeded();
      await frame.contentFrame().locator('#next, button').first().waitFor();
    }
  }
  equal(wrong, []);
  const printed = await openBook(browser);
  await printed.page.goto(`${site.url}print.html`);
  equal(printed.wrong, []);
}

/** The policy takes nothing away: search, themes, the list of chapters. */
async function whatMdbookHasGoesOn(browser, site) {
  const { page, wrong } = await openBook(browser);
  await page.goto(`${site.url}language/terms.html`);
  await page.keyboard.press('/');
  await page.locator('#mdbook-searchbar').waitFor();
  // The search listens to keys.
  await page.locator('#mdbook-searchbar').pressSequentially('checkpoint');
  await page.locator('#mdbook-searchresults a').first().waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#mdbook-theme-toggle').click();
  await page.locator('#mdbook-theme-coal').click();
  await page.locator('html.coal').waitFor();
  await page.locator('#mdbook-sidebar a', { hasText: 'Patterns' }).first().click();
  await page.waitForURL(/language\/patterns\.html$/);
  equal(wrong, []);
}

async function nothingIsLoadedBeforeItIsUsed(browser, site) {
  const { page, requests } = await openBook(browser);
  const living = /\/playground\/|\.programs\.json$/;
  const asked = () => requests.filter((url) => living.test(url)).map((url) => url.slice(url.lastIndexOf('/') + 1));
  await page.goto(`${site.url}tutorial/handlers.html`, { waitUntil: 'networkidle' });
  equal(asked(), []);
  const state = program(page, 'state.fk');
  await state.button('run').click();
  assert((await state.done()).includes('get get put get end\n2\n'), 'the run');
  assert(asked().includes('frank.wasm') && asked().includes('handlers.programs.json'), asked());
  assert(!asked().includes('editor.css'), asked());
  const before = asked().filter((name) => name === 'frank.wasm').length;
  await state.button('edit').click();
  await state.editor.locator('.cm-content').waitFor();
  assert(asked().includes('editor.css'), asked());
  const choice = program(page, 'choice.fk');
  await choice.button('run').click();
  await choice.done();
  // The module was compiled once for all workers.
  equal([before, asked().filter((name) => name === 'frank.wasm').length], [1, 1]);
}

async function aPolicyStopsWhatIsNotInThePage(browser, site) {
  const { page, wrong } = await openBook(browser);
  await page.goto(`${site.url}tutorial/handlers.html`);
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.intruder = true';
    document.body.append(script);
    document.body.insertAdjacentHTML('beforeend', '<img src="https://example.org/x.png"><p style="color: red">x</p>');
  });
  equal(await page.evaluate(() => globalThis.intruder ?? null), null);
  const stopped = wrong.filter((text) => text.includes('Content Security Policy'));
  const what = ['inline script', 'inline style', "image 'https://example.org/x.png'"];
  equal(what.filter((one) => !stopped.some((text) => text.includes(one))), []);
}

async function aPageIsReadWithoutScripts(browser, site) {
  const { page } = await openBook(browser, { javaScriptEnabled: false });
  await page.goto(`${site.url}tutorial/handlers.html`);
  assert(await page.getByText('state s (k s)').first().isVisible(), 'the program');
  await page.frameLocator('iframe.sidebar-iframe-outer').getByRole('link', { name: 'Differentiation by handlers' }).waitFor();
  equal(await page.locator('.frank-tools, .frank-editor, .frank-result').count(), 0);
}

async function aPageIsPrintedAsItWasWritten(browser, site) {
  const { page } = await openBook(browser);
  await page.goto(`${site.url}tutorial/handlers.html`);
  const state = program(page, 'state.fk');
  await state.button('run').click();
  await state.done();
  await state.button('edit').click();
  await state.editor.locator('.cm-content').waitFor();
  await page.emulateMedia({ media: 'print' });
  assert(await page.locator('pre', { hasText: 'state s (k s)' }).first().isVisible(), 'the program on paper');
  for (const part of ['.frank-tools', '.frank-editor', '.frank-result']) {
    equal(await page.locator(part).first().isVisible(), false);
  }
}

/** Whoever opens a page without a web server reads it; it has no buttons that could do nothing. */
async function aPageIsReadFromADisk(browser, site) {
  const { page, wrong } = await openBook(browser);
  const [name] = pagesWithPrograms(site).filter((name) => name.startsWith('tutorial/handlers'));
  const file = join(site.folder, `${name}.html`);
  assert(existsSync(file), file);
  await page.goto(pathToFileURL(file).href);
  assert(await page.locator('pre', { hasText: 'state s (k s)' }).first().isVisible(), 'the program');
  // Colours come from scripts beside the page, the list of chapters, too.
  await page.locator('.hljs-title').first().waitFor();
  await page.locator('#mdbook-sidebar a').first().waitFor();
  equal(await page.locator('.frank-tools').count(), 0);
  equal(wrong, []);
}
