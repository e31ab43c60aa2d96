// A run state by state: the lens opens a panel, keys and the slider go through it, and the editor shows the focus.

import { Server } from '../lib/server.mjs';
import { folderOf } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';

const PROGRAM = `\
include prelude

tick : [State Int] Int
tick! = put (get! + 1); get!

main : {Int}
main! = evalState 1 tick!
`;

export async function run(browser) {
  const server = await Server.start('steps');
  try {
    const window = await Workbench.open(browser, server, folderOf('steps', { 'frank.toml': '', 'tick.fk': PROGRAM }));
    await window.openFile('tick.fk');
    const page = window.page.frameLocator('iframe.webview').frameLocator('iframe');
    await window.until('a page', async () => {
      if ((await window.page.locator('iframe.webview').count()) === 0) {
        await window.lens('⏵ step').first().click({ timeout: 5000 });
      }
      return (await page.locator('#term').textContent({ timeout: 5000 })) === 'main!';
    });
    const shows = (text, rule) => window.until(text, async () =>
      (await page.locator('#term').textContent()) === text && (await page.locator('#rule').textContent()) === rule);

    // Keys go forwards and back, and to the next command.
    await page.locator('#term').click();
    await window.press('ArrowRight');
    await shows('evalState 1 tick!', 'call');
    await window.press('ArrowLeft');
    await shows('main!', 'start');
    await window.press('c');
    await shows('evalState 1 (put (get! + 1); get!)', 'perform');
    await window.until('the frozen command', async () => (await page.locator('#term .frozen').textContent()) === 'get!');
    await window.press('ArrowRight');
    await window.press('ArrowRight');
    await window.press('ArrowRight');
    await window.until('the continuation', async () =>
      (await page.locator('#term .frozen').allTextContents()).join('') === '(put (get! + 1); get!)');
    await window.picture('checks/steps');
    await window.press('End');
    await shows('2', 'call');

    // The editor shows where the focus is.
    await window.press('Home');
    await window.press('ArrowRight');
    await window.until('the place', () => window.page.evaluate(() =>
      [...document.querySelectorAll('.view-overlays [class*="ced-"]')].length > 0));
    await window.close();
  } finally {
    server.stop();
  }
}
