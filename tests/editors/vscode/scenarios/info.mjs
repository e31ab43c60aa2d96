// The view beside the text: what is known at the cursor, which it follows until it is pinned.

import { Server } from '../lib/server.mjs';
import { paper } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';
import { assert } from '../../../lib/assert.mjs';

export async function run(browser) {
  const server = await Server.start('info');
  try {
    const window = await Workbench.open(browser, server, paper());
    await window.openFile('missing-lift.fk');
    await window.until('the error', async () => (await window.squiggles())[0] === 'x');
    const view = window.page.frameLocator('iframe.webview').frameLocator('iframe').locator('main');
    const shows = (text) => window.until(text, async () => (await view.textContent()).includes(text));
    await window.command('Frank: Show Info Beside the Text');
    await window.goTo(7, 42);
    await shows('x : Dual Int');
    await shows('handled by d');
    await shows('lift x');
    await window.picture('checks/info');

    // Pinned, it stays; let go, it follows.
    await view.locator('a.pin').click();
    await shows('(pinned)');
    await window.page.locator('.tab', { hasText: 'missing-lift.fk' }).click();
    await window.goTo(6, 1);
    assert((await view.textContent()).includes('x : Dual Int'), 'what is pinned is gone');
    await view.locator('a.pin').click();
    await shows('main : {Int}');

    // A link leads to the handler, which is the library's, beside the view.
    await window.page.locator('.tab', { hasText: 'missing-lift.fk' }).click();
    await window.goTo(7, 42);
    await shows('handled by diff in d');
    await view.locator('a', { hasText: 'handled by diff in d' }).first().click();
    await window.page.locator('.tab.active', { hasText: 'ad-paper.fk' }).waitFor();
    await shows('ad-paper.fk:');
    await window.close();
  } finally {
    server.stop();
  }
}
