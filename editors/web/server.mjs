// The server's files in a folder of their own, whose name says their version: a page, its worker and the parts of its module
// are of one version, whatever caches and service workers have kept.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';

/**
 * Makes the folder in `dist`, and gives what scripts are built with: its address, whether what draws is a module of its own,
 * and whether the server's module is in two pieces. `made` has what `server/web/build` makes; `programs` are lists of files,
 * `mistakes` are texts, which sessions are played with.
 */
export async function buildServer({ made, dist, common, programs, mistakes }) {
  const folder = join(dist, 'server');
  mkdirSync(folder);
  await addServer(made, '');
  const drawing = join(made, 'plot');
  const drawsApart = existsSync(join(drawing, 'frank_web_bg.js'));
  if (drawsApart) {
    await addServer(drawing, '-plot');
  }
  const split = join(made, 'frank-web-split');
  const isCut = existsSync(split);
  if (isCut) {
    await cut();
  }
  const name = `server-${versionOf(folder, readdirSync(folder).sort())}`;
  renameSync(folder, join(dist, name));
  return { SERVER: JSON.stringify(`${name}/`), DRAWS_APART: String(drawsApart), IS_CUT: String(isCut) };

  /** Adds a worker with its module. */
  async function addServer(made, suffix) {
    await build({
      ...common,
      entryPoints: { [`worker${suffix}`]: 'src/worker.ts' },
      outdir: folder,
      // Every browser can start such a worker, from any address.
      format: 'iife',
      alias: { 'frank-web': join(made, 'frank_web_bg.js') },
    });
    cpSync(join(made, 'frank_web_bg.wasm'), join(folder, `frank${suffix}.wasm`));
  }

  /** Makes two modules of the server's: what sessions call, and the rest. */
  async function cut() {
    const scratch = mkdtempSync(join(tmpdir(), 'frank-web-'));
    try {
      const [whole, marked, called, parts] = ['whole.wasm', 'marked.wasm', 'called', 'parts.mjs'].map((name) => join(scratch, name));
      const first = join(folder, 'frank.wasm');
      cpSync(first, whole);
      execFileSync(split, ['mark', whole, marked]);
      const contents = ['connection', 'first', 'settings'].map((name) => `export * from './src/${name}';`).join('\n');
      const stdin = { contents, resolveDir: common.absWorkingDir, loader: 'ts' };
      await build({ ...common, stdin, outfile: parts, format: 'esm', define: { SERVER: '""', IS_CUT: 'false' } });
      const script = readFileSync(join(folder, 'worker.js'), 'utf8');
      const numbers = await played({ parts, script, module: readFileSync(marked), programs, mistakes });
      writeFileSync(called, numbers.map((number) => `${number}\n`).join(''));
      execFileSync(split, ['cut', whole, called, first, join(folder, 'frank-rest.wasm')]);
    } finally {
      rmSync(scratch, { recursive: true });
    }
  }
}

/** A name for files of a folder by what is in them. */
export function versionOf(folder, files) {
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(file).update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** What a thread of `session.mjs` says. */
async function played(workerData) {
  const thread = new Worker(join(import.meta.dirname, 'session.mjs'), { workerData });
  try {
    return await new Promise((resolve, reject) => {
      thread.on('message', resolve);
      thread.on('error', reject);
      thread.on('exit', (code) => { reject(new Error(`session.mjs ended with ${code}, and said nothing`)); });
    });
  } finally {
    await thread.terminate();
  }
}
