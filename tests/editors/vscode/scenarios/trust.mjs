// A workspace that is not trusted is checked, cannot choose the server, and nothing of it is run.

import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCRATCH, Server } from '../lib/server.mjs';
import { folderOf, missingLift } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';
import { assert } from '../../../lib/assert.mjs';

export async function run(browser) {
  const trace = join(SCRATCH, 'it-ran');
  const trap = join(SCRATCH, 'trap');
  writeFileSync(trap, `#!/bin/sh\ntouch ${trace}\n`);
  chmodSync(trap, 0o755);
  const folder = folderOf('trust', {
    // What is used has a lens in any workspace.
    'missing-lift.fk': `${missingLift()}\ntwo : Int -> Int\ntwo n = two (n + 1)\n\none : {Int}\none! = two 0\n`,
    '.vscode/settings.json': JSON.stringify({ 'frank.server.path': trap }),
  });
  const server = await Server.start('trust', { trusting: false });
  try {
    const window = await Workbench.open(browser, server, folder);
    const dialog = window.page.locator('.monaco-dialog-box', { hasText: 'Do you trust the authors' });
    await dialog.waitFor();
    await dialog.getByText('No, I don’t trust', { exact: false }).or(dialog.getByText("No, I don't trust", { exact: false })).first().click();
    await dialog.waitFor({ state: 'detached' });

    // Checking: yes, and the fix.
    await window.openFile('missing-lift.fk');
    await window.until('the error', async () => (await window.squiggles())[0] === 'x');
    assert(!existsSync(trace), 'the workspace chose the server');
    // Evaluating: no.
    await window.until('lenses', async () => (await window.lenses()).some((title) => title.includes('reference')));
    assert((await window.lenses()).every((title) => !/run|derivative/.test(title)), await window.lenses());
    await window.press('F1');
    await window.page.locator('.quick-input-widget input').first().fill('>Frank: ');
    const offered = window.page.locator('.quick-input-widget .monaco-list-row');
    await window.until('the commands', async () => (await offered.filter({ hasText: 'Frank: Restart Server' }).count()) > 0);
    assert((await offered.filter({ hasText: 'Frank: Run' }).count()) === 0, 'a command that runs is offered');
    await window.press('Escape');
    await window.picture('checks/restricted');
    assert(!existsSync(trace), 'the workspace chose the server');

    // Trusted, it may run.
    rmSync(join(folder, '.vscode'), { recursive: true });
    await window.command('Workspaces: Manage Workspace Trust');
    await window.page.locator('.workspace-trust-editor').getByText('Trust', { exact: true }).first().click();
    await window.openFile('missing-lift.fk');
    await window.until('evaluating', async () => (await window.lenses()).some((title) => title.includes('▶ run')));
    await window.close();
  } finally {
    server.stop();
  }
}
