// Runs scenarios, all or those that are named, two at a time, since most of their time is waiting. One that fails is shown
// with its reason and tried once more in the end, by itself: what fails twice has failed, and a single failure stays to be read.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from './lib/browser.mjs';

const folder = join(import.meta.dirname, 'scenarios');
const all = readdirSync(folder).map((file) => file.replace(/\.mjs$/, '')).sort();
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  throw new Error(`there is no scenario ${unknown.join(', ')}; there are ${all.join(', ')}`);
}

/** Runs a scenario, and leaves pictures of its windows where it fails. */
async function attempt(browser, name) {
  const began = Date.now();
  const { run } = await import(join(folder, `${name}.mjs`));
  console.log(`VS Code: ${name}`);
  try {
    await run(browser);
  } catch (error) {
    const pages = browser.contexts().flatMap((context) => context.pages());
    for (const [index, page] of pages.entries()) {
      await page.screenshot({ path: join(process.env.FRANK_PICTURES, `failed-${name}-${index}.png`) });
    }
    throw error;
  } finally {
    await Promise.all(browser.contexts().map((context) => context.close()));
  }
  console.log(`VS Code: ${name}: passed in ${((Date.now() - began) / 1000).toFixed(0)} s`);
}

const names = chosen.length > 0 ? chosen : all;
// What takes longest begins first.
const waiting = [...names.filter((name) => name === 'typing'), ...names.filter((name) => name !== 'typing')];

/** Runs one scenario after the other in a browser of its own, until none waits; gives those that failed. */
async function work() {
  const failed = [];
  const browser = await launch();
  try {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      try {
        await attempt(browser, name);
      } catch (error) {
        console.error(error);
        console.log(`VS Code: ${name}: failed; once more in the end`);
        failed.push(name);
      }
    }
  } finally {
    await browser.close();
  }
  return failed;
}

// The second try has the machine for itself.
waiting.push(...(await Promise.all([work(), work()])).flat());
const failed = await work();
if (failed.length > 0) {
  console.error(`VS Code: failed twice: ${failed.join(', ')}`);
  process.exitCode = 1;
}
