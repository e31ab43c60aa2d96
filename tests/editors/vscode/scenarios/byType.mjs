// Search by type: a list that follows what is typed, best answers first, and leads to what is chosen.

import { Server } from '../lib/server.mjs';
import { paper } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';

export async function run(browser) {
  const server = await Server.start('byType');
  try {
    const window = await Workbench.open(browser, server, paper());
    await window.openFile('missing-lift.fk');
    await window.until('the error', async () => (await window.squiggles())[0] === 'x');
    const widget = window.page.locator('.quick-input-widget');
    const rows = widget.locator('.monaco-list-row');
    const first = (text) => window.until(text, async () => (await rows.first().textContent()).includes(text));
    await window.command('Frank: Find by Type…');
    const box = widget.locator('input').first();

    // Half a type is a mistake, which is said in the list.
    await box.fill('Maybe X -> {X');
    await first('this `{` is never closed');
    await box.fill('Maybe X -> {X} -> X');
    await first('fromMaybe : X -> Maybe X -> X');
    await first('include prelude; isomorphic: thunk');
    await rows.nth(1).getByText('catch : <Abort> X -> {X} -> X').waitFor();
    await window.picture('checks/by-type');
    await box.fill('Nat -> Bool');
    await first('Nothing has this type');

    await box.fill('List X -> {X -> Y} -> List Y');
    await first('map : {X -> Y} -> List X -> List Y');
    await window.press('Enter');
    await window.page.locator('.tab.active', { hasText: 'prelude.fk' }).waitFor();
    await window.until('its signature', async () => (await window.text()).includes('map : {X -> Y} -> List X -> List Y'));
    await window.close();
  } finally {
    server.stop();
  }
}
