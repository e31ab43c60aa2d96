// Makes `dist/web`, the extension for browsers: its script, and, if it is built, the server with the script of its worker.
//
//     node web.mjs [FOLDER]
//
// FOLDER has what `server/web/build` makes, `frank_web_bg.js` and `frank_web_bg.wasm`; without it `web` in cargo's target folder. If it
// has a folder `plot` with a server that draws, that is taken: an editor loads its extension once.

import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const here = import.meta.dirname;
const made = resolve(process.argv[2] ?? join(process.env.CARGO_TARGET_DIR ?? join(here, '../../target'), 'web'));
const drawing = join(made, 'plot');
const server = existsSync(drawing) ? drawing : made;
const web = join(here, 'dist/web');
rmSync(web, { recursive: true, force: true });
const common = { absWorkingDir: here, bundle: true, minify: true, target: 'es2022', platform: 'browser', logLevel: 'warning', outdir: web };
await build({ ...common, entryPoints: { extension: 'src/browser.ts' }, format: 'cjs', external: ['vscode'] });
if (existsSync(join(server, 'frank_web_bg.wasm'))) {
  await build({
    ...common,
    entryPoints: ['../web/src/worker.ts'],
    // A worker that an extension starts is no module.
    format: 'iife',
    alias: { 'frank-web': join(server, 'frank_web_bg.js') },
  });
  copyFileSync(join(server, 'frank_web_bg.wasm'), join(web, 'frank.wasm'));
}
