// The extension as it is packaged, without a setting that names a program: with a server of its own, it needs none in PATH.
// `dist/try` runs this with such a package.

import { FRANK, Server } from '../lib/server.mjs';
import { folderOf } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';
import { assert } from '../../../lib/assert.mjs';

export async function run(browser) {
  // In a package without a program, the one that is tested stands for it.
  const packaged = FRANK === 'packaged';
  const folder = folderOf('packaged', { 'wrong.fk': 'main : {Int}\nmain! = "one"\n' });
  const server = await Server.start('packaged', packaged ? { settings: { 'frank.server.path': '' } } : {});
  try {
    const window = await Workbench.open(browser, server, folder);
    await window.openFile('wrong.fk');
    await window.until('the error', async () => (await window.squiggles())[0] === '"one"');
    assert((await window.state()).includes('is running'), await window.state());
    await window.command('Frank: Show Output');
    const output = window.page.locator('.output-view-content, .panel .monaco-editor');
    const says = packaged ? '/server/frank' : FRANK;
    await window.until('which program it is', async () => (await output.first().textContent()).replaceAll('\u00a0', ' ').includes(says));
    await window.close();
  } finally {
    server.stop();
  }
}
