// What a reader sees of a program in the book when something is not as it should be: no network, a server that fails,
// a small screen.

import { join } from 'node:path';
import { assert, equal } from '../../lib/assert.mjs';
import { openBook, program } from '../lib/book.mjs';

export async function run(browser, site) {
  await withoutANetworkItSaysSo(browser, site);
  await aServerThatFailsIsMadeAnew(browser, site);
  await itFitsAPhone(browser, site);
}

async function withoutANetworkItSaysSo(browser, site) {
  const { context, page } = await openBook(browser);
  await page.goto(`${site.url}tutorial/handlers.html`);
  const living = program(page, 'state.fk');
  await context.setOffline(true);
  await living.button('run').click();
  await living.tools.getByRole('alert').waitFor();
  await context.setOffline(false);
  // What a script needs is there, the server is not.
  await page.reload();
  await page.route('**/frank.wasm', (route) => route.abort());
  await living.button('run').click();
  const shown = await living.done();
  assert(shown.startsWith('error: '), shown);
  // The next time it is.
  await page.unroute('**/frank.wasm');
  await living.button('run').click();
  await page.waitForFunction(() => document.querySelector('.frank-shown').textContent.endsWith('2\n'));
}

async function aServerThatFailsIsMadeAnew(browser, site) {
  const { page } = await openBook(browser);
  await page.goto(`${site.url}tutorial/handlers.html`);
  await page.route('**/worker.js', (route) => route.fulfill({
    contentType: 'text/javascript',
    body: "self.onmessage = () => self.postMessage({ frank: 'failed', message: 'unreachable' });",
  }));
  const living = program(page, 'state.fk');
  await living.button('run').click();
  const shown = await living.done();
  assert(/^error: .*unreachable/.test(shown), shown);
  await page.unroute('**/worker.js');
  await living.button('run').click();
  await page.waitForFunction(() => document.querySelector('.frank-shown').textContent.endsWith('2\n'));
}

async function itFitsAPhone(browser, site) {
  const { page, wrong } = await openBook(browser, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await page.goto(`${site.url}tutorial/nesting.html`);
  const living = program(page, 'nested.fk');
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  const before = await width();
  await living.button('edit').tap();
  await living.editor.locator('.cm-content').waitFor();
  await living.button('run').tap();
  await living.done();
  equal(await width(), before);
  for (const deed of ['run', 'edit', 'playground']) {
    const { height } = await living.button(deed).boundingBox();
    assert(height >= 24, `a button is ${height} pixels high`);
  }
  await page.screenshot({ path: join(process.env.FRANK_PICTURES, 'book-phone.png') });
  equal(wrong, []);
}
