// A notebook: cells are one program, are run, go stale, can be interrupted, and the file keeps its Markdown.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server } from '../lib/server.mjs';
import { folderOf } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';
import { assert } from '../../../lib/assert.mjs';

const NOTEBOOK = `\
# Squares

A *square* is a product.

\`\`\`frank
include prelude

square : Int -> Int
square n = n * n
\`\`\`


It is used:

~~~ frank
square 12
~~~

\`\`\`frank
1 + 1
\`\`\`

\`\`\`frank
loop : Int -> Int
loop n = loop (n + 1)

loop 0
\`\`\`
`;

/** Answers the question about trust. */
async function distrust(window) {
  const dialog = window.page.locator('.monaco-dialog-box', { hasText: 'Do you trust the authors' });
  await dialog.waitFor();
  await dialog.getByText(/No, I don.t trust/).first().click();
  await dialog.waitFor({ state: 'detached' });
}

const codeCells = (window) => window.page.locator('.notebook-editor .cell-list-container .monaco-list-row.code-cell-row');
const outputs = (window) => window.page.frameLocator('iframe.webview').frameLocator('iframe').locator('.output');

async function shows(window, wanted) {
  await window.until(`the outputs ${wanted}`, async () => {
    const all = (await outputs(window).allTextContents()).map((text) => text.trim());
    return wanted.every((one) => all.some((text) => text.includes(one)));
  });
}

async function openNotebook(window, name) {
  await window.pick(name, () => window.press('Control+P'));
  await window.until('the cells', async () => (await codeCells(window).count()) > 0);
}

/** Types into a cell, in the place of a word in it. */
async function replace(window, cell, word, text) {
  await cell.locator('.view-line span', { hasText: word }).last().dblclick();
  await window.page.keyboard.type(text);
}

export async function run(browser) {
  const folder = folderOf('notebooks', { 'frank.toml': '', 'squares.fk.md': NOTEBOOK, 'chapter.md': NOTEBOOK });
  const server = await Server.start('notebooks');
  try {
    const window = await Workbench.open(browser, server, folder, { size: { width: 1120, height: 1000 } });
    await openNotebook(window, 'squares.fk.md');
    assert((await codeCells(window).count()) === 4, await codeCells(window).count());

    // One program: a cell knows what another one defines, and has findings.
    const [definition, use, other, endless] = await Promise.all([0, 1, 2, 3].map((index) => codeCells(window).nth(index)));
    await use.locator('.view-line span', { hasText: 'square' }).last().hover();
    await window.page.locator('.monaco-hover', { hasText: 'Int -> Int' }).first().waitFor();
    await window.press('Escape');

    // Running: in order, values below the cells; the last one takes too long and is interrupted.
    await window.command('Notebook: Run All');
    await shows(window, ['144', '2']);
    await endless.locator('.cell-statusbar-container .codicon-sync, .cell-statusbar-container .codicon-notebook-state-executing').first().waitFor();
    await window.command('Notebook: Stop Execution');
    await shows(window, ['interrupted']);
    await window.picture('checks/notebook');

    // What is changed makes those cells stale that depend on it, and no others.
    const stale = (cell) => cell.locator('.cell-status-item', { hasText: 'stale' });
    await replace(window, definition, 'n', 'n * n');
    await stale(use).waitFor();
    assert((await stale(other).count()) === 0, 'a cell is stale that depends on nothing');
    await window.picture('checks/notebook-stale');
    await stale(use).locator('a, .cell-status-item-has-command').or(stale(use)).first().click();
    await shows(window, ['1728']);
    await stale(use).waitFor({ state: 'detached' });

    // The file is as it was but for what was typed.
    await window.press('Control+S');
    const wanted = NOTEBOOK.replace('n * n', 'n * n * n');
    await window.until('the file', () => readFileSync(join(folder, 'squares.fk.md'), 'utf8') === wanted);

    // Any Markdown can be opened as one.
    await window.openFile('chapter.md');
    await window.command('View: Reopen Editor With...');
    await window.page.locator('.quick-input-widget .monaco-list-row', { hasText: 'Frank Notebook' }).first().click();
    await window.until('the cells of the chapter', async () => (await codeCells(window).count()) === 4);
    await window.close();
  } finally {
    server.stop();
  }
  await untrusted(browser);
}

/** Where a workspace is not trusted nothing runs. */
async function untrusted(browser) {
  const folder = folderOf('notebooks-untrusted', { 'frank.toml': '', 'squares.fk.md': NOTEBOOK });
  const server = await Server.start('notebooks-untrusted', { trusting: false });
  try {
    const window = await Workbench.open(browser, server, folder);
    await distrust(window);
    await openNotebook(window, 'squares.fk.md');
    await window.page.locator('.notebook-toolbar-container', { hasText: 'Run All' }).getByText('Run All').first().click();
    const refused = window.notification('not trusted').or(window.page.locator('.monaco-dialog-box', { hasText: /trust/i }));
    await refused.first().waitFor();
    assert((await window.page.locator('.cell-statusbar-container', { hasText: /\d+ms|\d+\.\d+s/ }).count()) === 0, 'something ran');
    await window.close();
  } finally {
    server.stop();
  }
}
