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

interface Gen = yield : Int -> Unit

sum : <Gen> Unit -> Int
sum unit           = 0
sum <yield n -> k> = n + sum (k unit)

all : {[State Int, Gen] Unit}
all! =
  let n = get! in
  if (n == 0) {unit} {put (n - 1); yield n; all!}

large : {Int}
large! = sum (evalState 60 all!)
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

    // The continuation from a command up to its handler, in the term and among the handlers.
    await window.until('the page of `large`', async () => {
      await window.lens('⏵ step').last().click({ timeout: 5000 });
      return (await page.locator('#term').textContent({ timeout: 5000 })) === 'large!';
    });
    await page.locator('#term').click();
    const text = async (selector) => (await page.locator(selector).allTextContents()).join('');
    await window.until('a command that passes a handler', async () => {
      await window.press('c');
      return (await text('#handlers .performed')) === 'yield 60';
    });
    await window.until('the continuation', async () =>
      (await text('#term .captured')).replace(/\s+/g, ' ') === '(evalState 59 (yield 60; all!))');
    await window.until('the way', async () =>
      /^State/.test(await text('#handlers .captured')) && /^Gen/.test(await text('#handlers .takes')));
    await window.picture('checks/steps-captured');

    // What is large is folded; a click opens a part, a key all.
    const folds = page.locator('#term .fold');
    await window.until('a folded term', async () => {
      await window.press('c');
      return (await folds.count()) > 0 && (await text('#handlers .performed')) === 'yield 8';
    });
    await window.picture('checks/steps-folded');
    const length = async () => (await page.locator('#term').textContent()).length;
    const few = await length();
    await folds.first().click();
    await window.until('an open part', async () => (await length()) > few);
    await window.picture('checks/steps-opened');
    await page.locator('#term').click({ position: { x: 2, y: 2 } });
    await window.press('f');
    await window.until('the whole term', async () => (await folds.count()) === 0 && (await length()) > few);
    await window.press('f');
    await window.until('the folded term again', async () => (await folds.count()) > 0 && (await length()) === few);

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
