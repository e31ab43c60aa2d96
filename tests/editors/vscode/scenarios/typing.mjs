// Three whole programs, typed letter by letter: what is expected pops up, nothing that is right is red, and what
// stands there in the end is what was typed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server } from '../lib/server.mjs';
import { wanted } from '../lib/wanted.mjs';
import { folderOf } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';
import { equal } from '../../../lib/assert.mjs';

const TYPED = join(wanted('FRANK_PROJECT'), 'tests/editors/lib/typed');

/** What pops up once so much of a line is typed: its first words, in any row that can be seen. */
const EXPECTED = {
  state: [
    ['stack xs <p', ['push', 'pop']],
    ['attempt <f', ['fault']],
    ['  if (d == 0) {fau', ['fault']],
    ['main! = case (sta', ['stack']],
    ['  (fine n) -> printI', ['printInt']],
  ],
  gradient: [
    ['slope x = d {y -> p (li', ['lift']],
    ['value n = eval', ['evaluate']],
    ['backward x = evaluate (gr', ['grad']],
  ],
  generators: [
    ['range a b = if (a > b) {unit} {yi', ['yield']],
    ['each f <y', ['yield']],
    ['  let squares = toL', ['toList']],
  ],
};

/** Whether a line ends what it is a part of. */
function ends(lines, index) {
  const next = lines[index + 1] ?? '';
  return !/^[ }]/.test(next) && !/^\s*(--.*)?$/.test(lines[index]);
}

async function typeProgram(window, name) {
  const lines = readFileSync(join(TYPED, `${name}.fk`), 'utf8').trimEnd().split('\n');
  const expected = new Map(EXPECTED[name]);
  const rows = window.page.locator('.suggest-widget.visible .monaco-list-row');
  const offered = async () => (await rows.allTextContents()).map((text) => text.replace(/\u00a0/g, ' '));
  const column = async () => {
    const place = await window.page.locator('.statusbar-item', { hasText: /^Ln / }).textContent();
    return Number(/Col (\d+)/.exec(place)[1]) - 1;
  };
  for (const [index, line] of lines.entries()) {
    // A bracket that the editor has closed by itself, on the next line already.
    const isThere = /^\s*[})\]]+$/.test(line) && (await window.lines())[index]?.trimEnd() === line;
    if (isThere) {
      await window.press('ArrowDown');
      await window.press('End');
    } else if (index > 0) {
      await window.press('Enter');
      await window.until(`line ${index + 1} of ${name}`, async () =>
        (await window.page.locator('.statusbar-item', { hasText: /^Ln / }).textContent()).includes(`Ln ${index + 1},`));
    }
    // What the editor writes of a line by itself is left there if the line begins like that, else deleted.
    const ready = await column();
    const begun = isThere ? line : line.startsWith(' '.repeat(ready)) || line.startsWith('-- ') && ready === 3 ? line.slice(0, ready) : '';
    if (!isThere && ready > begun.length) {
      await window.press('Shift+Home');
      await window.press('Delete');
    }
    let typed = begun;
    for (const letter of line.slice(begun.length)) {
      await window.page.keyboard.type(letter, { delay: 60 });
      typed += letter;
      const wantedRows = expected.get(typed) ?? [];
      for (const row of wantedRows) {
        await window.until(`${row} behind “${typed}”`, async () => (await offered()).some((text) => text.startsWith(row)));
      }
      if (wantedRows.length > 0) {
        // The docs show each.
        const step = EXPECTED[name].findIndex(([before]) => before === typed) + 1;
        await window.picture(`typing-${name}-${step}`, { still: true });
      }
    }
    if (ends(lines, index)) {
      await window.press('Escape');
      // Long enough for what waits until somebody pauses.
      await window.page.waitForTimeout(900);
      equal([line, await window.squiggles()], [line, []]);
    }
  }
  await window.command('File: Save');
  equal((await window.lines()).map((line) => line.trimEnd()), lines);
  await window.picture(`typing-${name}`);
}

export async function run(browser) {
  const names = Object.keys(EXPECTED);
  const files = Object.fromEntries(names.map((name) => [`${name}.fk`, '']));
  const server = await Server.start('typing', { settings: {
    'editor.codeLens': false, 'editor.inlayHints.enabled': 'off', 'editor.minimap.enabled': false,
  } });
  try {
    const folder = folderOf('typing', { 'frank.toml': '', ...files });
    const window = await Workbench.open(browser, server, folder, { size: { width: 900, height: 760 } });
    for (const name of names) {
      await window.pick(`${name}.fk`, () => window.press('Control+P'));
      await window.page.locator('.tab.active', { hasText: `${name}.fk` }).waitFor();
      await window.until('the server', async () => !(await window.state()).includes('starting'));
      await window.editor().click();
      await typeProgram(window, name);
      await window.command('View: Close All Editors');
    }
    await window.close();
  } finally {
    server.stop();
  }
}
