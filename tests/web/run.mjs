// Runs scenarios, all or those that are named. The benchmarks run only if they are named, one after the other.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runScenarios } from '../lib/scenarios.mjs';
import { launch } from './lib/browser.mjs';
import { serve } from './lib/site.mjs';

const found = (folder) => readdirSync(join(import.meta.dirname, folder)).sort().map((file) => [file.replace(/\.mjs$/, ''), `./${folder}/${file}`]);
const scenarios = found('scenarios');
const benches = found('benches');
const known = new Map([...scenarios, ...benches]);
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !known.has(name));
if (unknown.length > 0) {
  throw new Error(`there is no scenario ${unknown.join(', ')}; there are ${[...known.keys()].join(', ')}`);
}
const names = chosen.length > 0 ? chosen : scenarios.map(([name]) => name);
const isBench = benches.some(([name]) => names.includes(name));

await runScenarios({
  title: 'web',
  // What takes longest begins first.
  waiting: names.sort((a, b) => Number(b === 'bookPrograms') - Number(a === 'bookPrograms')),
  load: (name) => import(known.get(name)),
  open: async () => {
    const site = await serve(process.env.FRANK_BOOK);
    const browser = await launch();
    const close = async () => {
      await browser.close();
      site.close();
    };
    return { browser, more: [site], close };
  },
  workers: isBench ? 1 : 2,
});
