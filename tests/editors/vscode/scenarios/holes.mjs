// Holes: hints, the view that lists them, ways from one to the next, and terms that fill one.

import { Server } from '../lib/server.mjs';
import { folderOf } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';
import { assert, equal } from '../../../lib/assert.mjs';

const HALF = `include prelude

-- > half 4
-- = 2
half : Int -> Int
half n = _half

main : {Int}
main! = case 'ä' { _ -> _ }
`;

export async function run(browser) {
  const server = await Server.start('holes');
  try {
    const files = { 'frank.toml': '', 'half.fk': HALF, 'other/twice.fk': 'twice : Int -> Int\ntwice n = n + _\n' };
    const window = await Workbench.open(browser, server, folderOf('holes', files));
    await window.openFile('half.fk');

    // All holes of the workspace; a click leads there. The view is there as soon as the server is.
    await window.page.locator('.pane-header', { hasText: 'Frank Holes' }).waitFor();
    await window.command('Explorer: Focus on Frank Holes View');
    const rows = window.page.locator('.pane', { hasText: 'Frank Holes' }).locator('.monaco-list-row');
    const listed = async () => (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    await window.until('all holes', async () => (await listed()).length === 5);
    const [, first, second, , other] = await listed();
    // What stands behind the type has no blank of its own.
    assert(/^_half : Int ?in half, line 6/.test(first), first);
    assert(/^_ : Int ?in main, line 9/.test(second), second);
    assert(/^_ : Int ?in twice, line 2/.test(other), other);
    await window.picture('checks/holes');
    await rows.nth(1).click();
    const at = (place) => window.until(place, async () =>
      (await window.page.locator('.statusbar-item', { hasText: /^Ln / }).textContent()).includes(place));
    await at('Ln 6, Col 15');
    equal(await window.squiggles(), []);

    // From one to the next, and round the end.
    await window.goTo(1, 1);
    await window.command('Frank: Next Hole');
    await at('Ln 6');
    await window.command('Frank: Next Hole');
    await at('Ln 9');
    await window.command('Frank: Next Hole');
    await at('Ln 6');
    await window.command('Frank: Previous Hole');
    await at('Ln 9');

    // What is known of one, in the view beside the text.
    await window.command('Frank: Show Info Beside the Text');
    const view = window.page.frameLocator('iframe.webview').frameLocator('iframe').locator('main');
    const shows = (text) => window.until(text, async () => (await view.textContent()).includes(text));
    await shows('half.fk:9');
    equal(await view.locator('h2', { hasText: 'Hole' }).count(), 0);
    await window.goTo(6, 12);
    await shows('n : Int: fits as n');
    await window.picture('checks/holes-info');

    // Terms, those first with which the examples hold.
    await window.goTo(6, 12);
    await window.command('Frank: Fill Hole…');
    const terms = window.page.locator('.quick-input-widget .monaco-list-row', { hasText: 'the examples hold' });
    await terms.first().waitFor();
    await window.picture('checks/holes-fill');
    await terms.first().click();
    await window.until('it is written', async () => !(await window.text()).includes('_half'));
    // Its hole is gone from the list.
    await window.until('one less', async () => (await listed()).length === 4);

    // The action at the other one.
    await window.goTo(9, 25);
    await window.quickFix('Fill `_`…');
    await window.page.locator('.quick-input-widget .monaco-list-row').first().click();
    await window.until('it is written, too', async () => !(await window.text()).includes('-> _ }'));

    // This file has no more; the next one is in another.
    await window.command('Frank: Next Hole');
    await window.page.locator('.tab.active', { hasText: 'twice.fk' }).waitFor();
    await at('Ln 2');
    await window.close();
  } finally {
    server.stop();
  }
}
