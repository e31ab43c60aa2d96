// The steps of docs/tutorial-60-seconds.md, one after the other, with their pictures.

import { mkdirSync } from 'node:fs';
import { Server } from '../lib/server.mjs';
import { folderOf } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';
import { assert } from '../../../lib/assert.mjs';

export async function run(browser) {
  const folder = folderOf('first steps', {});
  mkdirSync(folder, { recursive: true });
  const server = await Server.start('tutorial', { settings: { 'editor.fontSize': 16 } });
  try {
    const window = await Workbench.open(browser, server, folder, { size: { width: 1000, height: 520 } });
    const offers = (what, title) => window.until(what, async () => (await window.lenses()).some((lens) => lens.includes(title)));

    // 1. The extension is there.
    await window.command('View: Show Extensions');
    const entry = window.page.locator('.extension-list-item', { hasText: 'Frank' }).first();
    await entry.waitFor();
    await entry.click();
    await window.page.locator('.extension-editor', { hasText: 'The effect language Frank' }).waitFor();
    await window.picture('tutorial-installed');
    await window.command('View: Close All Editors');
    await window.command('View: Close Primary Side Bar');

    // 2. The walkthrough, and its sample: one x is underlined.
    await window.command('Open Walkthrough');
    await window.answer('Frank in five minutes');
    const walkthrough = window.page.locator('.gettingStartedContainer');
    await walkthrough.getByText('Open a program with a mistake').first().click();
    // The first step is done when the server runs.
    await walkthrough.locator('.getting-started-step.expanded', { hasText: 'Open the Sample' }).waitFor();
    await window.picture('checks/walkthrough');
    await walkthrough.getByText('Open the Sample').click();
    await window.page.locator('.tab.active', { hasText: 'Untitled-1' }).waitFor();
    await window.until('the mistake', async () => (await window.squiggles()).join() === 'x');
    // The hint moves what is behind it.
    await window.until('the hint', async () => (await window.text()).includes('Dual X'));
    const [x] = await window.editor().locator('.squiggly-error').all();
    await x.hover({ force: true });
    await window.page.locator('.monaco-hover', { hasText: '`lift x` brings it into this one' }).or(
      window.page.locator('.monaco-hover', { hasText: 'brings it into this one' })).first().waitFor();
    await window.picture('tutorial-mistake', { still: true });
    await window.press('Escape');

    // 3. The fix.
    await window.goTo(8, 28);
    await window.quickFix('Write `lift x`', () => window.picture('tutorial-fix', { still: true }));
    await window.until('the fix', async () => (await window.text()).includes('p (lift x) y'));
    await window.until('no mistake', async () => (await window.squiggles()).length === 0);
    // What had a mistake had no derivative to offer.
    await offers('the derivative', '∂ derivative');

    // 4. The value.
    await offers('running', '▶ run');
    await window.lens('▶ run').click();
    await offers('the value', '▶ main = 1');
    await window.picture('tutorial-run');

    // 5. The derivative, where the comment says, and elsewhere.
    await window.ask(window.lens('∂ derivative').first());
    await window.page.locator('.quick-input-widget').getByText('The derivative of product').waitFor();
    await window.page.locator('.quick-input-widget input').first().fill('5');
    await window.picture('tutorial-point');
    await window.press('Enter');
    await offers('the derivative at 5', '∂ product 5 = 5 · ∂ = 1 (d, grad, gradc agree)');
    await window.picture('tutorial-derivative');
    await window.ask(window.lens('product 5 ='));
    await window.answer('');
    await offers('the derivative at the point of the comment', '∂ product 1 = 1 · ∂ = 1 (d, grad, gradc agree)');
    assert((await window.squiggles()).length === 0, await window.squiggles());
    await window.close();
  } finally {
    server.stop();
  }
}
