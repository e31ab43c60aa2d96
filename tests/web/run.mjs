// Runs scenarios, all or those that are named, one after the other. One that fails leaves pictures of its pages. The
// benchmarks run only if they are named.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from './lib/browser.mjs';
import { serve } from './lib/site.mjs';

const found = (folder) => readdirSync(join(import.meta.dirname, folder)).sort().map((file) => [file.replace(/\.mjs$/, ''), `./${folder}/${file}`]);
const scenarios = found('scenarios');
const known = new Map([...scenarios, ...found('benches')]);
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !known.has(name));
if (unknown.length > 0) {
  throw new Error(`there is no scenario ${unknown.join(', ')}; there are ${[...known.keys()].join(', ')}`);
}

const site = await serve(process.env.FRANK_BOOK);
const browser = await launch();
let failed = 0;
try {
  for (const name of chosen.length > 0 ? chosen : scenarios.map(([name]) => name)) {
    const began = Date.now();
    const { run } = await import(known.get(name));
    try {
      await run(browser, site);
      console.log(`web: ${name}: passed in ${((Date.now() - began) / 1000).toFixed(0)} s`);
    } catch (error) {
      failed += 1;
      console.error(error);
      console.log(`web: ${name}: failed`);
      const pages = browser.contexts().flatMap((context) => context.pages());
      for (const [index, page] of pages.entries()) {
        await page.screenshot({ path: join(process.env.FRANK_PICTURES, `failed-${name}-${index}.png`) });
      }
    } finally {
      await Promise.all(browser.contexts().map((context) => context.close()));
    }
  }
} finally {
  await browser.close();
  site.close();
}
process.exitCode = failed > 0 ? 1 : 0;
