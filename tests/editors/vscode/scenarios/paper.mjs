// The paper's nested derivative, from its mistake to its values; and the same with every name changed,
// so that nothing can go by names.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server } from '../lib/server.mjs';
import { folderOf, paperProgram, renamed } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';
import { assert, equal } from '../../../lib/assert.mjs';

/** Where a text stands in a file of the folder: line and column from 1. */
function place(window, file, text) {
  const before = readFileSync(join(window.folder, file), 'utf8').split(text)[0].split('\n');
  return [before.length, before.at(-1).length + 1];
}

/** `r` is what every operator's name begins with. */
async function story(window, file, r) {
  const shows = (what, text) => window.until(what, async () => (await window.text()).includes(text));
  const offers = (what, title) => window.until(what, async () => (await window.lenses()).some((lens) => lens.includes(title)));
  await window.openFile(file);

  // The mistake: one error in all, under that x. What cannot run has no lens to run it.
  const [line, column] = place(window, file, `${r}p x y}`);
  await window.goTo(line, column + `${r}p `.length);
  await window.until('the error', async () => (await window.squiggles()).join() === 'x');
  await offers('the derivative of what is right', '∂ derivative');
  assert((await window.lenses()).every((title) => !title.includes('▶ run')), await window.lenses());

  // The fix.
  await window.quickFix(`Write \`${r}lift x\``);
  await shows('the fix', `${r}p (${r}lift x) y`);
  await window.until('no error', async () => (await window.squiggles()).length === 0);

  // The value of the whole.
  await window.lens('▶ run').click();
  await offers('the value', '▶ main = 1');
  assert(!(await window.text()).includes('main : {Int} main = 1'), 'a result stands twice');

  // The application of a derivative operator that stands in it.
  await window.lens('∂ evaluate').first().click();
  await window.until('its value', async () => (await window.lenses()).some((lens) => /^∂ (?!evaluate|derivative).*= 1/.test(lens)));

  // A function at the point of its comment, then elsewhere; the point is remembered.
  const cube = (at, value, slope) => `${r}cube ${at} = ${value} · ∂ = ${slope} (${r}d, ${r}grad, ${r}gradc agree)`;
  await window.ask(await window.lowestLens('∂ derivative'));
  equal(await window.answer(''), '');
  await offers('the derivative', `∂ ${cube(2, -7, 12)}`);
  await window.ask(window.lens(`${r}cube 2 =`));
  await window.answer('3');
  await offers('the derivative elsewhere', `∂ ${cube(3, 12, 27)}`);
  await window.picture(`checks/derivative-${r || 'paper'}`);
  const choose = async () => {
    await window.command('Frank: Evaluate Derivative at a Point…');
    // Where there are several, the list asks which.
    if (r) {
      await window.page.locator('.quick-input-widget .monaco-list-row', { hasText: `${r}cube` }).waitFor();
      await window.page.locator('.quick-input-widget input').first().fill(`${r}cube`);
      await window.press('Enter');
      await window.page.locator('.quick-input-widget').getByText(`The derivative of ${r}cube`).waitFor();
    }
  };
  await choose();
  equal(await window.answer('-1'), '3');
  await offers('the derivative at a third point', `∂ ${cube(-1, -16, 3)}`);

  // Letters are no numbers.
  await window.ask(window.lens(`${r}cube -1 =`));
  await window.page.locator('.quick-input-widget input').first().fill('two');
  await window.page.locator('.quick-input-widget').getByText('Numbers, with blanks or commas between them').waitFor();
  await window.press('Escape');

  // What it was computed from changes: the result stays, and says that it is of before.
  const [changed, start] = place(window, file, `${r}c 4) (${r}c 4)`);
  await window.goTo(changed, start + `${r}c 4`.length);
  await window.page.keyboard.type('0');
  await offers('that it is stale', `${cube(-1, -16, 3)} (stale)`);
  await choose();
  await window.answer('-1');
  await offers('the new value', `∂ ${cube(-1, -160, 3)}`);
}

export async function run(browser) {
  const server = await Server.start('paper');
  try {
    for (const [file, text, r] of [['paper.fk', paperProgram(), ''], ['renamed.fk', renamed(), 'r_']]) {
      const window = await Workbench.open(browser, server, folderOf(`paper-${file}`, { [file]: text }));
      await story(window, file, r);
      console.log(`  ok   ${file}`);
      await window.close();
    }
  } finally {
    server.stop();
  }
}
