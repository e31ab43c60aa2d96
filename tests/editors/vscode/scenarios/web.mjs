// VS Code for the Web: the extension in the browser's own extension host, with a workspace that is on no disk. Nothing but
// files is served, so whatever is checked and run here is checked and run in the browser.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, equal } from '../../../lib/assert.mjs';
import { wanted } from '../lib/wanted.mjs';
import { FOLDER, WebServer } from '../lib/web.mjs';
import { STATE } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';

const OTHER = `\
include state

another : {Int}
another! = state 5 (tick! + tick!)
`;

const LOOP = `\
-- > 40 + 2
-- = 41
loop : Int -> Int
loop n = loop (n + 1)

endless : {Int}
endless! = loop 0

hole : Int -> Int
hole n = _hole
`;

const FAILS = `\
fails : {Int}
fails! = 1 / (2 - 2)
`;

const WAVE = `\
include ad-compare

wave : X -> X -> [Smooth X]X
wave x a = times a (sinS x)
`;

const NOTEBOOK = `\
# Squares

\`\`\`frank
include prelude

square : Int -> Int
square n = n * n
\`\`\`

\`\`\`frank
square 12
\`\`\`
`;

const FILES = {
  'frank.toml': '',
  'first.fk': readFileSync(join(wanted('FRANK_PROJECT'), 'editors/vscode/samples/first-steps.fk'), 'utf8'),
  'state.fk': STATE,
  'other.fk': OTHER,
  'loop.fk': LOOP,
  'fails.fk': FAILS,
  'wave.fk': WAVE,
  'squares.fk.md': NOTEBOOK,
};

const offers = (window, title) => window.until(title, async () => (await window.lenses()).some((lens) => lens.includes(title)));
const page = (window) => window.page.frameLocator('iframe.webview').frameLocator('iframe');

/** Clicks what may just be drawn anew, until what it leads to is seen. */
async function click(window, lens, seen) {
  await window.until('what comes of a click', async () => {
    await lens.click({ timeout: 10_000 });
    await seen();
    return true;
  });
}

/** Clicks a lens that opens a panel, until something is in it. */
async function panel(window, lens, seen) {
  await window.until('a panel', async () => {
    if ((await window.page.locator('iframe.webview').count()) === 0) {
      await lens.click({ timeout: 10_000 });
    }
    return seen();
  });
}

const closeAll = (window) => window.command('View: Close All Editors');

/** Closes a file, and leaves it as it was. */
async function forget(window, file) {
  await window.page.locator('.tab', { hasText: file }).click();
  await window.command('View: Revert and Close Editor');
}

/** A mistake, its fix, values and derivatives. */
async function evaluating(window) {
  await window.openInExplorer('first.fk');
  await window.until('the mistake', async () => (await window.squiggles()).join() === 'x');
  assert((await window.state()).includes('is running'), await window.state());
  await window.picture('checks/web-mistake');
  await window.goTo(8, 28);
  await window.quickFix('Write `lift x`');
  await window.until('the fix', async () => (await window.text()).includes('p (lift x) y'));
  await window.until('no mistake', async () => (await window.squiggles()).length === 0);
  await click(window, window.lens('▶ run'), () => window.lens('▶ main = 1').waitFor({ timeout: 10_000 }));
  await window.ask(window.lens('∂ derivative').first());
  await window.answer('5');
  await offers(window, '∂ product 5 = 5 · ∂ = 1');
  // What is debugged needs a machine, and is not on offer.
  assert((await window.lenses()).every((title) => !title.includes('debug')), await window.lenses());
  await window.picture('checks/web-evaluated');
  // Results go out of date when what they come from changes.
  await window.goTo(11, 32);
  await window.press('Shift+ArrowRight');
  await window.page.keyboard.type('2');
  await window.until('a stale value', async () => (await window.lenses()).some((title) => /main = 1.*stale|stale.*main/.test(title)));

  // The library is nowhere on a disk, and can be read.
  await window.goTo(8, 13);
  await window.press('F12');
  await window.page.locator('.tab.active', { hasText: 'ad-paper.fk' }).waitFor();
  await window.until('its text', async () => (await window.text()).includes('Smooth'));
  await window.picture('checks/web-library');
  await forget(window, 'first.fk');
  await closeAll(window);
}

/** Files that nobody has open, while somebody else writes them. */
async function including(window, server) {
  await window.openInExplorer('other.fk');
  await click(window, window.lens('▶ run'), () => window.lens('▶ another = 11').waitFor({ timeout: 10_000 }));
  const write = async (files) => {
    server.changed = files;
    await window.command('Test: Write the Other File');
  };
  await write({ 'state.fk': STATE.replaceAll('tick', 'tock') });
  await window.until('what is missing', async () => (await window.squiggles()).join() === 'tick');
  await write({ 'state.fk': null });
  await window.until('the file that is missing', async () => (await window.squiggles()).includes('state'));
  // Problems are those of closed files, too.
  await write({ 'state.fk': STATE, 'broken.fk': 'main : {Int}\nmain! = "one"\n' });
  await window.until('all is well again', async () => (await window.squiggles()).length === 0);
  await window.command('View: Focus Problems');
  const broken = window.page.locator('.markers-panel .monaco-list-row', { hasText: 'broken.fk' });
  await broken.first().waitFor();
  await window.picture('checks/web-problems');
  await write({ 'broken.fk': null });
  await window.until('no problem', async () => (await broken.count()) === 0);
  await window.command('View: Toggle Panel Visibility');
  await closeAll(window);
}

/** A run does not hold up who types, and can be ended. */
async function ending(window) {
  await window.openInExplorer('loop.fk');
  await click(window, window.lens('▶ run'), () => window.lens('■ cancel').waitFor({ timeout: 10_000 }));
  await window.goTo(8, 1);
  await window.page.keyboard.type('f : Int -> Int\nf n = "no"\n\n');
  await window.until('a finding meanwhile', async () => (await window.squiggles()).includes('"no"'));
  await window.picture('checks/web-cancel');
  await click(window, window.lens('■ cancel'), () => window.lens('▶ run').waitFor({ timeout: 10_000 }));

  // What has ended a server is no end: texts are as they were, and other things run.
  await window.goTo(9, 7);
  await window.press('Shift+End');
  await window.page.keyboard.type('n + 1');
  await window.until('no finding', async () => (await window.squiggles()).length === 0);
  await click(window, window.lens('▶ check'), () => window.lens('42, should be 41').waitFor({ timeout: 10_000 }));
}

/** A run that fails leaves a mark where it failed, until the program is another one. */
async function failing(window) {
  await window.openInExplorer('fails.fk');
  await click(window, window.lens('▶ run'), () => window.editor().locator('.squiggly-info').first().waitFor({ timeout: 10_000 }));
  await window.picture('checks/web-failed');
  await window.goTo(2, 18);
  await window.page.keyboard.type('1');
  await window.until('no mark', async () => (await window.squiggles('info')).length === 0);
  await forget(window, 'fails.fk');
}

/** Tests, holes, and what is found by its type. */
async function finding(window) {
  await window.command('Testing: Focus on Test Explorer View');
  const row = (text) => window.page.locator('.test-explorer .monaco-list-row', { hasText: text });
  await row('loop.fk').locator('.monaco-tl-twistie').click();
  await row('40 + 2').waitFor();
  await window.command('Test: Run All Tests');
  await window.until('a failure', async () => ((await row('40 + 2').getAttribute('aria-label')) ?? '').includes('Failed'));
  await window.press('Escape');
  await window.command('View: Show Explorer');
  await window.page.locator('.tab', { hasText: 'loop.fk' }).click();
  await window.command('Frank: Next Hole');
  await window.until('the hole', async () => (await window.page.locator('.statusbar-item', { hasText: /^Ln / }).textContent()).includes('Col 15'));
  await window.command('Frank: Find by Type…');
  const rows = window.page.locator('.quick-input-widget .monaco-list-row');
  await window.page.locator('.quick-input-widget input').first().fill('List X -> {X -> Y} -> List Y');
  await window.until('what has the type', async () => (await rows.first().textContent()).includes('map : {X -> Y}'));
  await window.press('Escape');
  await forget(window, 'loop.fk');
}

/** Panels: a picture, its graph, and a run state by state. */
async function panels(window) {
  await window.openInExplorer('wave.fk');
  await panel(window, window.lens('∂wave/∂x = a·cos(x)'), async () =>
    (await page(window).locator('#picture').getAttribute('src', { timeout: 5000 }))?.startsWith('data:image/svg+xml'));
  await window.picture('checks/web-plot');
  await page(window).locator('#view').selectOption('graph');
  const node = page(window).locator('#graph g.n').filter({ has: page(window).locator('title', { hasText: 'sin of x' }) });
  await node.first().click();
  await window.until('the node’s place', async () =>
    (await window.page.locator('.statusbar-item', { hasText: /^Ln / }).textContent()).includes('Ln 4'));
  await closeAll(window);

  await window.openInExplorer('other.fk');
  await panel(window, window.lens('⏵ step'), async () => (await page(window).locator('#term').textContent({ timeout: 5000 })) === 'another!');
  await page(window).locator('#term').click();
  await window.press('ArrowRight');
  await window.until('the next state', async () => (await page(window).locator('#term').textContent()) === 'state 5 (tick! + tick!)');
  // The editor shows where the focus is.
  await window.until('the place', () => window.page.evaluate(() =>
    [...document.querySelectorAll('.view-overlays [class*="ced-"]')].length > 0));
  await window.picture('checks/web-steps');
  await closeAll(window);
}

async function notebook(window) {
  await window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'squares.fk.md' }).first().dblclick();
  const cells = window.page.locator('.notebook-editor .cell-list-container .monaco-list-row.code-cell-row');
  await window.until('the cells', async () => (await cells.count()) === 2);
  await window.command('Notebook: Run All');
  await page(window).locator('.output', { hasText: '144' }).waitFor();
  assert((await window.page.locator('.cell-status-item', { hasText: 'stale' }).count()) === 0, 'a cell that has just run is stale');
  await window.picture('checks/web-notebook');
  await closeAll(window);
}

/** A server that traps comes again, and knows the texts. */
async function trapping(window) {
  await window.openInExplorer('first.fk');
  await window.until('the mistake', async () => (await window.squiggles()).join() === 'x');
  // What is not saved is a matter of the documents, and not of the files.
  await window.goTo(8, 1);
  await window.page.keyboard.type('product y = y');
  await window.press('Enter');
  // The editor's own workers may end meanwhile.
  const ended = (error) => {
    if (!String(error).includes('has been closed')) {
      throw error;
    }
    return false;
  };
  const failed = await Promise.all(window.page.workers().map((worker) => worker.evaluate(() => {
    const isServer = self.name.endsWith('frank');
    if (isServer) {
      setTimeout(() => { throw new WebAssembly.RuntimeError('unreachable'); });
    }
    return isServer;
  }).catch(ended)));
  assert(failed.includes(true), `there is no server among ${failed.length} workers`);
  await window.goTo(9, 28);
  await window.quickFix('Write `lift x`');
  await window.until('no mistake', async () => (await window.squiggles()).length === 0);
  assert((await window.state()).includes('is running'), await window.state());
  await forget(window, 'first.fk');
}

/** What needs a machine says so. */
async function elsewhere(window) {
  await window.openInExplorer('other.fk');
  await offers(window, '▶');
  await window.press('F1');
  await window.page.locator('.quick-input-widget input').first().fill('>Frank: ');
  const offered = window.page.locator('.quick-input-widget .monaco-list-row');
  await window.until('the commands', async () => (await offered.filter({ hasText: 'Frank: Restart Server' }).count()) > 0);
  for (const title of ['Frank: Run in Terminal', 'Frank: Debug', 'Frank: Open an Interactive Loop']) {
    equal(await offered.filter({ hasText: title }).count(), 0);
  }
  await window.press('Escape');
  await window.press('F5');
  await window.notification('does not run in a browser').waitFor();
  await window.picture('checks/web-debug');
}

export async function run(browser) {
  const server = await WebServer.start('web', FILES);
  const wrong = [];
  try {
    const prepare = (page) => page.on('pageerror', (error) => wrong.push(String(error)));
    const window = await Workbench.open(browser, server, FOLDER, { prepare });
    await evaluating(window);
    await including(window, server);
    await ending(window);
    await failing(window);
    await finding(window);
    await panels(window);
    await notebook(window);
    await trapping(window);
    await elsewhere(window);
    equal(wrong, []);
    await window.close();
  } finally {
    server.stop();
  }
  await untrusted(browser);
}

/** Where a workspace is not trusted programs are checked, and not run. */
async function untrusted(browser) {
  const server = await WebServer.start('web-untrusted', FILES, { trusting: false });
  try {
    const window = await Workbench.open(browser, server, FOLDER);
    await window.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await window.openInExplorer('first.fk');
    await window.until('the mistake', async () => (await window.squiggles()).join() === 'x');
    await window.goTo(8, 28);
    await window.quickFix('Write `lift x`');
    await window.until('no mistake', async () => (await window.squiggles()).length === 0);
    await offers(window, 'reference');
    assert((await window.lenses()).every((title) => !/run|derivative|step|plot/.test(title)), await window.lenses());
    await window.picture('checks/web-restricted');

    await window.command('Workspaces: Manage Workspace Trust');
    await window.page.locator('.workspace-trust-editor').getByText('Trust', { exact: true }).first().click();
    await window.page.locator('.tab', { hasText: 'first.fk' }).click();
    await offers(window, '▶ run');
    await window.close();
  } finally {
    server.stop();
  }
}
