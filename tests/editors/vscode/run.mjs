// Runs scenarios of VS Code, all or those that are named.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runScenarios } from '../../lib/scenarios.mjs';
import { launch } from './lib/browser.mjs';

const LONGEST = ['typing', 'steps', 'web'];

const folder = join(import.meta.dirname, 'scenarios');
const all = readdirSync(folder).map((file) => file.replace(/\.mjs$/, '')).sort();
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  throw new Error(`there is no scenario ${unknown.join(', ')}; there are ${all.join(', ')}`);
}
const names = chosen.length > 0 ? chosen : all;

await runScenarios({
  title: 'VS Code',
  // What takes longest begins first.
  waiting: [...names].sort((one, other) => LONGEST.includes(other) - LONGEST.includes(one)),
  load: (name) => import(join(folder, `${name}.mjs`)),
  open: async () => {
    const browser = await launch();
    return { browser, close: () => browser.close() };
  },
});
