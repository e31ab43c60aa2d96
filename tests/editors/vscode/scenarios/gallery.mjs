// What a person sees while writing: hover, completion, rename, formatting, outline, handlers, problems.

import { Server } from '../lib/server.mjs';
import { STATE, folderOf, missingLift } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';
import { assert, equal } from '../../../lib/assert.mjs';

export async function run(browser) {
  const folder = folderOf('gallery', { 'state.fk': STATE, 'nested.fk': missingLift() });
  const server = await Server.start('gallery', { settings: { 'editor.fontSize': 16 } });
  try {
    const window = await Workbench.open(browser, server, folder, { size: { width: 1000, height: 600 } });
    await window.openFile('state.fk');
    await window.until('lenses', async () => (await window.lenses()).some((lens) => lens.includes('▶ run')));
    await window.command('View: Close Primary Side Bar');

    // Hover at a command: its type, its instance, who handles it.
    await window.goTo(10, 17);
    await window.command('Show or Focus Hover');
    const hover = window.page.locator('.monaco-hover', { hasText: 'get' }).first();
    await hover.waitFor();
    await window.until('the instance', async () => (await hover.textContent()).includes('State'));
    await window.picture('vscode-hover', { still: true });
    await window.press('Escape');

    // To the clauses that handle it.
    await window.command('Go to Implementations');
    await window.until('the handler', async () =>
      (await window.page.locator('.statusbar-item', { hasText: /^Ln / }).textContent()).includes('Ln 5,'));

    // The lens of the interface leads to them, too.
    await window.until('its lens', async () => (await window.lenses()).some((lens) => lens.includes('handled by state')));
    await window.lens('handled by state').first().click();
    const places = window.page.locator('.peekview-widget');
    await places.getByText('Locations (2)').waitFor();
    await places.locator('.codicon-close').first().click();
    await places.waitFor({ state: 'detached' });

    // Completion, with types.
    await window.goTo(13, 1);
    await window.press('End');
    await window.press('Enter');
    await window.press('Enter');
    await window.page.keyboard.type('more : [State Int]Int\nmore! = tic');
    const suggestions = window.page.locator('.suggest-widget .monaco-list-row', { hasText: 'tick' });
    await window.until('the suggestion', async () => {
      if (!(await suggestions.first().isVisible())) {
        await window.press('Control+Space');
        await window.page.waitForTimeout(1000);
      }
      return suggestions.first().isVisible();
    });
    await window.picture('vscode-completion', { still: true });
    await window.press('Enter');
    await window.until('the word', async () => (await window.text()).includes('more! = tick'));
    await window.command('File: Revert File');
    await window.until('it is as before', async () => !(await window.text()).includes('more'));

    // Rename.
    await window.goTo(9, 1);
    await window.press('F2');
    const box = window.page.locator('.rename-box input');
    await box.waitFor();
    await box.fill('step');
    await window.picture('checks/rename', { still: true });
    await window.press('Enter');
    await window.until('the new name everywhere', async () => {
      const text = await window.text();
      return text.includes('step : [State Int]') && text.includes('= step! in step!; n + step!') && !text.includes('tick');
    });

    // Formatting.
    await window.goTo(16, 1);
    await window.press('Shift+End');
    await window.page.keyboard.type('main!   =state 1 (count!)');
    await window.until('it is untidy', async () => (await window.text()).includes('main!   =state'));
    await window.command('Format Document');
    await window.until('it is tidy', async () => (await window.text()).includes('main! = state 1'));
    assert((await window.squiggles()).length === 0, await window.squiggles());

    // Outline and problems.
    await window.command('Explorer: Focus on Outline View');
    const outline = window.page.locator('.outline-tree .monaco-list-row');
    await window.until('the outline', async () => (await outline.count()) >= 5);
    equal((await outline.allTextContents()).slice(0, 4), ['State', 'getS', 'putS -> Unit', 'stateS -> <State S> X -> X']);
    await window.command('View: Toggle Problems');
    const problems = window.page.locator('.markers-panel .monaco-list-row', { hasText: 'belongs to the outer derivative' });
    await problems.first().waitFor();
    await window.picture('vscode-overview');
    equal(await problems.count(), 1);
    await window.close();
  } finally {
    server.stop();
  }
}
