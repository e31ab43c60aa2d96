// The debugger: F5 in a folder without a configuration, breakpoints of lines and of commands, steps on and back, the
// handlers on the stack, the console, the lens, and an example in the Testing view.

import { Server } from '../lib/server.mjs';
import { folderOf } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';
import { assert } from '../../../lib/assert.mjs';

const PROGRAM = `\
include prelude

tick : [State Int] Int
tick! =
  let x = get! in
  put (x + 1);
  x * 2

-- Twice as much.
-- > double 2
-- = 4
double : Int -> Int
double n = n + n

main : {Int}
main! = evalState 1 tick! + double 3
`;

export async function run(browser) {
  const server = await Server.start('debugging');
  try {
    const window = await Workbench.open(browser, server, folderOf('debugging', { 'tick.fk': PROGRAM }));
    const { page } = window;
    await window.openFile('tick.fk');
    await window.until('the lens', async () => (await window.lens('⏵ debug').count()) === 1);

    // A breakpoint, and F5.
    await window.goTo(6, 3);
    await window.press('F9');
    await page.locator('.codicon-debug-breakpoint, .codicon-debug-breakpoint-unverified').first().waitFor();
    await window.press('F5');
    const frames = page.locator('.debug-call-stack .monaco-list-row');
    const shows = (what, look) => window.until(what, look);
    const stack = async () => (await frames.allTextContents()).join('\n');
    await shows('the stack', async () => /tick/.test(await stack()) && /handler of State: evalState 1 □/.test(await stack()));
    const variables = async () => (await page.locator('.debug-variables .monaco-list-row').allTextContents()).join('\n');
    await shows('the variable', async () => /x\s*[=:]\s*1/.test(await variables()));
    await window.picture('checks/debugging');

    // Over the command: its result; and back. Each pause is awaited by its reason: the stack of the one before stays
    // in the window for a while, and a key pressed until then would be lost.
    const at = async () => (await page.locator('.debug-top-stack-frame-line').count()) > 0;
    await shows('the line', at);
    const paused = (why, top) => shows(`a pause ${why}`, async () =>
      (await page.locator('.call-stack-state-message').allTextContents()).join().includes(why) && top.test(await stack()));
    await paused('at a breakpoint', /^tick\s*tick\.fk6:3/);
    await window.press('F10');
    await paused('after the rule focus', /^tick\s*tick\.fk6:3/);
    await window.press('F10');
    await paused('after the rule sequence', /^tick\s*tick\.fk7:3[^]*evalState 2 □/);
    await page.locator('.debug-toolbar .codicon-debug-step-back').click();
    await paused('after the rule focus', /^evalState/);
    await page.locator('.debug-toolbar .codicon-debug-reverse-continue').click();
    await paused('at a breakpoint', /^tick\s*tick\.fk6:3/);

    // A term in the console: the handlers around answer.
    await window.command('Debug Console: Focus on Debug Console View');
    await page.locator('.repl-input-wrapper').click();
    await page.keyboard.type('get! + 10');
    await window.press('Enter');
    await page.locator('.repl .monaco-list-row', { hasText: '11' }).first().waitFor();
    await window.picture('checks/debugging-console');
    await window.press('F5');
    await page.locator('.repl .monaco-list-row', { hasText: '8' }).first().waitFor();
    await shows('the end', async () => (await page.locator('.debug-toolbar').isVisible()) === false);

    // A breakpoint of what happens to commands.
    await window.command('View: Show Run and Debug');
    const effect = page.locator('.debug-breakpoints .monaco-list-row', { hasText: 'Command Performed' });
    await effect.locator('input[type=checkbox]').click();
    // After the session, too, the lens can be clicked.
    await window.until('the lens', async () => (await window.lens('⏵ debug').count()) === 1);
    await window.lens('⏵ debug').first().click();
    await page.getByText('`get` is performed').first().waitFor();
    await window.picture('checks/debugging-effect');
    await window.press('Shift+F5');
    await effect.locator('input[type=checkbox]').click();

    // An example.
    await window.command('Remove All Breakpoints');
    await window.command('Testing: Focus on Test Explorer View');
    const row = page.locator('.test-explorer .monaco-list-row', { hasText: 'tick.fk' });
    await row.click();
    await page.keyboard.press('ArrowRight');
    const example = page.locator('.test-explorer .monaco-list-row', { hasText: 'double 2' });
    await example.waitFor();
    await window.command('Test: Debug All Tests');
    await window.command('Testing: Focus on Test Explorer View');
    await shows('the example to be right', async () => ((await example.getAttribute('aria-label')) ?? '').includes('Passed'));
    assert((await page.locator('.debug-toolbar').isVisible()) === false, 'the session goes on');
    await window.close();
  } finally {
    server.stop();
  }
}
