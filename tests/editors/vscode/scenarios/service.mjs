// The server as a user sees it: present, killed, missing, too old, and found again.

import { chmodSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { FRANK, SCRATCH, Server } from '../lib/server.mjs';
import { folderOf } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';
import { assert, equal } from '../../../lib/assert.mjs';

const WRONG = 'main : {Int}\nmain! = "one"\n';

/** A program that answers as `frank` did, long ago, or as something else does. */
function impostor(name, says, withServer) {
  const file = join(SCRATCH, name);
  writeFileSync(file, `#!/bin/sh\ncase "$1" in --version) echo "${says}" ;; *) exit ${withServer ? 0 : 2} ;; esac\n`);
  chmodSync(file, 0o755);
  return file;
}

/** The processes `frank lsp` whose parents belong to a server of ours. */
function serversOf(server) {
  const rows = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n')
    .map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row)).map(([, pid, parent, args]) => ({ pid: Number(pid), parent: Number(parent), args }));
  const below = new Set([server.child.pid]);
  for (let size = 0; size !== below.size;) {
    size = below.size;
    for (const { pid, parent } of rows) {
      if (below.has(parent)) {
        below.add(pid);
      }
    }
  }
  return rows.filter(({ pid, args }) => below.has(pid) && /frank\S* lsp\b/.test(args)).map(({ pid }) => pid);
}

export async function run(browser) {
  const folder = folderOf('service', { 'wrong.fk': WRONG });
  const server = await Server.start('service');
  try {
    const window = await Workbench.open(browser, server, folder);
    await window.openFile('wrong.fk');
    await window.until('the error', async () => (await window.squiggles())[0] === '"one"');
    assert((await window.state()).includes('is running'), await window.state());

    // Killed, it is back by itself.
    const [pid] = serversOf(server);
    process.kill(pid, 'SIGKILL');
    await window.until('another server', () => serversOf(server).some((other) => other !== pid));
    await window.until('the state', async () => (await window.state()).includes('is running'));
    await window.goTo(2, 9);
    await window.press('Shift+End');
    await window.page.keyboard.type('1');
    await window.until('no error', async () => (await window.squiggles()).length === 0);
    await window.press('Backspace');
    await window.page.keyboard.type('"two"');
    await window.until('the error again', async () => (await window.squiggles()).length === 1);

    // Killed again and again, it stays away, says so, and a click brings it back.
    await window.until('the end of it', async () => {
      const state = await window.state();
      if (state.includes('is running')) {
        serversOf(server).forEach((one) => process.kill(one, 'SIGKILL'));
      }
      return state.includes('has stopped');
    });
    await window.picture('checks/stopped');
    await window.status().click();
    await window.until('the state', async () => (await window.state()).includes('is running'));
    await window.until('the error again', async () => (await window.squiggles()).length === 1);

    // The output says which program it is.
    await window.command('Frank: Show Output');
    const output = window.page.locator('.output-view-content, .panel .monaco-editor');
    await window.until('the output', async () => (await output.first().textContent()).replaceAll('\u00a0', ' ').includes(FRANK));
    await window.picture('checks/output');
    await window.command('View: Toggle Panel Visibility');

    // There is none: the message says what was looked for.
    server.set({ 'frank.server.path': '/nowhere/frank' });
    const missing = window.notification('/nowhere/frank');
    await missing.waitFor();
    assert((await missing.textContent()).includes('was not found'), await missing.textContent());
    assert((await window.state()).includes('is missing'), await window.state());
    const messages = window.page.locator('.notifications-toasts .notification-list-item');
    // That, that it has crashed, and nothing about connections and requests.
    equal(await messages.filter({ hasText: /Sending|Request|connection/ }).allTextContents(), []);
    await window.picture('checks/missing');
    equal(await missing.locator('.monaco-button').allTextContents(), ['Choose the Program…', 'How to Get It', 'Try Again']);
    await missing.getByText('How to Get It').click();
    await window.page.locator('.gettingStartedContainer').getByText('Frank in five minutes').first().waitFor();

    // It is another program, too old, or one without a server.
    for (const [name, says, withServer, complaint] of [
      ['other', 'GNU hello 2.10', true, 'is not Frank'],
      ['older', 'frank 0.0.9', true, 'too old'],
      ['without', 'frank 0.1.0', false, 'too old'],
    ]) {
      const program = impostor(name, says, withServer);
      server.set({ 'frank.server.path': program });
      const message = window.notification(program);
      await message.waitFor();
      assert((await message.textContent()).includes(complaint), await message.textContent());
      assert((await window.state()).includes('is missing'), await window.state());
      if (name === 'older') {
        await window.picture('checks/too-old');
      }
    }

    // The button of a message leads to the right one.
    await window.notification('without').getByText('Choose the Program…').click();
    const box = window.page.locator('.quick-input-widget input').first();
    await box.waitFor();
    await window.picture('checks/choose');
    await box.fill(FRANK);
    // While the box still lists the folder of what was typed, a click leads there and chooses nothing.
    await window.until('the choice', async () => {
      if (await box.isVisible()) {
        await window.page.locator('.quick-input-widget').getByText('Use', { exact: true }).click({ timeout: 3000 });
        await box.waitFor({ state: 'hidden', timeout: 3000 });
      }
      return true;
    });
    await window.until('the state', async () => (await window.state()).includes('is running'));

    // One that dies while it starts.
    server.set({ 'frank.server.path': impostor('dying', 'frank 0.1.0', true) });
    await window.until('that it stopped', async () => (await window.state()).includes('has stopped'));
    await window.close();
  } finally {
    server.stop();
  }
}
