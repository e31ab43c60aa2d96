// A lens ends what it started; the library's files are read-only; programs run in a terminal.

import { Server } from '../lib/server.mjs';
import { folderOf, missingLift } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';

const LOOP = `\
loop : Int -> Int
loop n = loop (n + 1)

main : {Int}
main! = loop 0
`;

export async function run(browser) {
  const server = await Server.start('running', { settings: {
    'frank.limits.timeout': '10m', 'editor.gotoLocation.multipleDefinitions': 'goto',
    // Then the terminal's text is text.
    'terminal.integrated.gpuAcceleration': 'off',
  } });
  try {
    const files = { 'frank.toml': '', 'loop.fk': LOOP, 'missing-lift.fk': missingLift() };
    const window = await Workbench.open(browser, server, folderOf('running', files));
    await window.openFile('loop.fk');
    await window.until('a lens', async () => (await window.lenses()).some((title) => title.includes('▶ run')));
    await window.until('it runs', async () => {
      if ((await window.lens('■ cancel').count()) === 0) {
        await window.lens('▶ run').click({ timeout: 5000 });
      }
      await window.lens('■ cancel').waitFor({ timeout: 5000 });
      return true;
    });
    await window.picture('checks/cancel');
    await window.until('it is cancelled', async () => {
      if ((await window.lens('■ cancel').count()) > 0) {
        await window.lens('■ cancel').click({ timeout: 5000 });
      }
      await window.lens('▶ run').waitFor({ timeout: 5000 });
      return true;
    });

    // In the terminal, where it goes on until it is ended there.
    await window.page.locator('.tab', { hasText: 'loop.fk' }).click();
    await window.command('Frank: Run in Terminal');
    await window.page.locator('.terminal-wrapper.active').waitFor();
    await window.command('Terminal: Kill All Terminals');

    // The loop has the file's definitions.
    await window.page.locator('.tab', { hasText: 'loop.fk' }).click();
    await window.command('Frank: Open an Interactive Loop with This File');
    const terminal = window.page.locator('.terminal-wrapper.active .xterm-rows');
    const shown = async () => (await terminal.innerText()).replaceAll('\u00a0', ' ');
    await window.until('the loop', async () => /loaded .*loop\.fk/.test(await shown()) && (await shown()).includes('frank>'));
    await window.page.keyboard.type(':type loop', { delay: 20 });
    await window.press('Enter');
    await window.until('its answer', async () => (await shown()).includes('loop : {Int -> [E|]Int}'));
    await window.picture('checks/repl');
    await window.page.keyboard.type(':quit', { delay: 20 });
    await window.press('Enter');
    await window.until('the end of the loop', async () => (await window.page.locator('.terminal-wrapper.active').count()) === 0);

    // A definition in the library: nothing can be typed there.
    await window.openFile('missing-lift.fk');
    await window.goTo(7, 11);
    await window.press('F12');
    await window.page.locator('.tab.active', { hasText: 'ad-paper.fk' }).waitFor();
    // The word stands in the first line, and VS Code may show the definition's place later than its file.
    await window.until('the word of it', async () => {
      await window.press('Control+Home');
      return window.page.evaluate(() =>
        [...document.querySelectorAll('.view-lines .view-line span')].some((span) =>
          getComputedStyle(span, '::after').content.includes('library that is built into frank')));
    });
    await window.until('a refusal', async () => {
      await window.press('x');
      return /read-only/i.test(await window.page.locator('.monaco-editor-overlaymessage').first().textContent({ timeout: 3000 }));
    });
    await window.picture('checks/library');
    await window.close();
  } finally {
    server.stop();
  }
}
