// What pops up while a person types, letter by letter, and what Enter does.

import { Server } from '../lib/server.mjs';
import { folderOf } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';
import { assert, equal } from '../../../lib/assert.mjs';

const PROGRAM = `include prelude

interface Gen X = yield : X -> Unit

numbers : Int -> [Gen Int]Unit
numbers n = yield n

-- total stolen t}
main : {[Console]Unit}
main! =`;

const EXACT = '-- what is included\n';

export async function run(browser) {
  const folder = folderOf('completion', {
    'typed.fk': PROGRAM,
    'includes.fk': EXACT,
    'ad-paper.fk': 'one : {Int}\none! = 1\n',
    'ad-paper-checkpoint.fk': 'two : {Int}\ntwo! = 2\n',
  });
  const server = await Server.start('completion', { settings: { 'editor.fontSize': 16 } });
  try {
    const window = await Workbench.open(browser, server, folder, { size: { width: 1000, height: 600 } });
    const rows = window.page.locator('.suggest-widget.visible .monaco-list-row');
    const offered = async () => (await rows.allTextContents()).map((text) => text.replace(/\u00a0/g, ' '));
    const type = (text) => window.page.keyboard.type(text, { delay: 60 });

    await window.openFile('typed.fk');
    await window.until('lenses', async () => (await window.lenses()).length > 0);
    await window.goTo(10, 1);
    await window.press('End');

    // A name of the program pops up at its first letter, and stays while it is typed.
    await type(' n');
    await window.until('names with n', async () => (await offered()).some((row) => row.startsWith('numbers')));
    for (const letter of 'umb') {
      await type(letter);
      await window.until(`numbers after ${letter}`, async () => (await offered())[0]?.startsWith('numbers'));
    }
    for (let letter = 0; letter < 4; letter += 1) {
      await window.press('Backspace');
    }
    await window.press('Escape');

    // What can be performed here comes first; every row has its type; pieces of comments are no names.
    await type('p');
    await window.until('print', async () => (await offered())[0]?.startsWith('print'));
    const typed = await offered();
    assert(typed.filter((row) => /print/.test(row)).every((row) => row.includes('[Console]Unit')), typed);
    await window.picture('checks/completion-types', { still: true });
    await window.press('Backspace');
    await window.press('Escape');
    await type('st');
    await window.until('names with st', async () => (await offered()).length > 0);
    const names = await offered();
    assert(!names.some((row) => /^(tal|t\}|stolen)/.test(row)), names);
    await window.press('Backspace');
    await window.press('Backspace');
    await window.press('Escape');

    // Enter behind a whole path ends the line, whatever else begins like it.
    await window.openFile('includes.fk');
    await window.goTo(2, 1);
    for (const path of ['prelude', 'ad-paper']) {
      await type(`include ${path}`);
      await window.until(`${path} first`, async () => (await offered())[0]?.startsWith(path));
      await window.press('Enter');
      await window.until('the next line', async () => (await window.lines()).at(-1) === '');
    }
    equal((await window.lines()).slice(1), ['include prelude', 'include ad-paper', '']);
    await window.close();
  } finally {
    server.stop();
  }
}
