// A module of the extension's sources, for tests.

import { join } from 'node:path';
import { build } from 'esbuild';

export async function load(name) {
  const built = await build({
    entryPoints: [join(import.meta.dirname, `../src/${name}.ts`)],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const source = Buffer.from(built.outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${source}`);
}
