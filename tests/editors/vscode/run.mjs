// Runs scenarios, all or those that are named.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from './lib/workbench.mjs';

const folder = join(import.meta.dirname, 'scenarios');
const all = readdirSync(folder).map((file) => file.replace(/\.mjs$/, '')).sort();
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  throw new Error(`there is no scenario ${unknown.join(', ')}; there are ${all.join(', ')}`);
}

const browser = await launch();
try {
  for (const name of chosen.length > 0 ? chosen : all) {
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
    }
    console.log(`VS Code: ${name}: passed in ${((Date.now() - began) / 1000).toFixed(0)} s`);
  }
} finally {
  await browser.close();
}
