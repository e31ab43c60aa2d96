// A workspace that is on no disk, where there is one: the extension of the desktop has the server of browsers in threads.

import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../../../lib/assert.mjs';
import { SCRATCH, Server } from '../lib/server.mjs';
import { FOLDER, OWN, inFolder } from '../lib/web.mjs';
import { STATE, missingLift } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';

const FILES = {
  'frank.toml': '',
  'missing-lift.fk': missingLift(),
  'state.fk': STATE,
  'other.fk': 'include state\n\nanother : {Int}\nanother! = state 5 (tick! + tick!)\n',
};

export async function run(browser) {
  const beside = join(SCRATCH, 'virtual-files');
  mkdirSync(beside, { recursive: true });
  cpSync(OWN, join(beside, 'files'), { recursive: true });
  writeFileSync(join(beside, 'workspace.json'), inFolder(FILES));
  const server = await Server.start('virtual');
  try {
    const payload = [['extensionDevelopmentPath', `vscode-remote://127.0.0.1:${server.port}${join(beside, 'files')}`]];
    const window = await Workbench.open(browser, server, FOLDER, { payload });
    await window.openInExplorer('missing-lift.fk');
    await window.until('the mistake', async () => (await window.squiggles()).join() === 'x');
    await window.goTo(7, 28);
    await window.quickFix('Write `lift x`');
    await window.until('no mistake', async () => (await window.squiggles()).length === 0);
    await window.openInExplorer('other.fk');
    await window.until('a lens', async () => (await window.lenses()).some((title) => title.includes('▶ run')));
    assert((await window.squiggles()).length === 0, await window.squiggles());
    assert((await window.lenses()).every((title) => !title.includes('debug')), await window.lenses());
    await window.until('the value', async () => {
      if ((await window.lens('▶ run').count()) > 0) {
        await window.lens('▶ run').click({ timeout: 5000 });
      }
      return (await window.lenses()).some((title) => title.includes('▶ another = 11'));
    });
    await window.picture('checks/virtual');
    await window.close();
  } finally {
    server.stop();
  }
}
