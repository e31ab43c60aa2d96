// Makes `dist`: the playground, the programs of the book, and the language server in its worker. Every file in it is
// served as it is, from under any address.
//
//     node build.mjs [FOLDER [DIST]]
//
// FOLDER has what `server/web/build` makes, `frank_web_bg.js` and `frank_web_bg.wasm`; without it `target/web`. If there is a
// folder `plot` in it, what draws is a module of its own, with the same names in there. If there is `frank-web-split`, the
// server's module is cut in two: what is called until a page has shown its first findings, and the rest.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';

const here = import.meta.dirname;
const project = resolve(here, '../..');
const server = resolve(process.argv[2] ?? join(project, 'target/web'));
const dist = resolve(process.argv[3] ?? join(here, 'dist'));
const read = (path) => readFileSync(path, 'utf8');

if (!existsSync(join(server, 'frank_web_bg.js'))) {
  throw new Error(`there is no frank_web_bg.js in ${server}: server/web/build makes it`);
}

/** The first part of a text that a pattern finds; without one the build ends. */
function found(text, pattern, what) {
  const match = pattern.exec(text);
  if (match === null) {
    throw new Error(`there is no ${what}`);
  }
  return match;
}

/**
 * CodeMirror's styles are put into the page by `style-mod`, as an element that a strict policy forbids. In a shadow root it
 * uses a style sheet that is made by the script, which needs no permission: that does for a page, too.
 */
const styles = {
  name: 'styles without elements',
  setup({ onLoad }) {
    onLoad({ filter: /style-mod\.js$/ }, ({ path }) => {
      const condition = '!root.head && root.adoptedStyleSheets';
      const text = read(path);
      if (!text.includes(condition)) {
        throw new Error('style-mod is another one: see build.mjs');
      }
      return { contents: text.replace(condition, 'root.adoptedStyleSheets'), loader: 'js' };
    });
  },
};

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  target: ['es2022'],
  legalComments: 'none',
  logLevel: 'warning',
};

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

const drawing = join(server, 'plot');
const drawsApart = existsSync(join(drawing, 'frank_web_bg.js'));
const split = join(server, 'frank-web-split');
const isCut = existsSync(split);
const pages = { ...common, outdir: dist, format: 'esm', plugins: [styles], define: { DRAWS_APART: String(drawsApart), IS_CUT: String(isCut) } };
// The page of the book loads the editor when somebody edits, so modules are cut where they are imported late. The playground
// needs all of its own at once, and each file that is asked for takes its time.
const books = ['src/book.ts', 'src/editor.ts', 'src/share.ts'].filter((file) => existsSync(join(here, file)));
await build({ ...pages, entryPoints: books, splitting: true, chunkNames: 'part-[hash]' });
await build({ ...pages, entryPoints: ['src/playground.ts'] });
await addServer(server, '');
if (drawsApart) {
  await addServer(drawing, '-plot');
}
const shown = examples();
if (isCut) {
  await cut(shown.flatMap(({ programs }) => programs.map(({ files }) => files)));
}

/** Adds a worker with its module. */
async function addServer(folder, suffix) {
  await build({
    ...common,
    entryPoints: { [`worker${suffix}`]: 'src/worker.ts' },
    outdir: dist,
    // Every browser can start such a worker, from any address.
    format: 'iife',
    alias: { 'frank-web': join(folder, 'frank_web_bg.js') },
  });
  cpSync(join(folder, 'frank_web_bg.wasm'), join(dist, `frank${suffix}.wasm`));
}

/** Makes two modules of the server's: what sessions with these programs call, and the rest. */
async function cut(programs) {
  const folder = mkdtempSync(join(tmpdir(), 'frank-web-'));
  try {
    const [whole, marked, called, parts] = ['whole.wasm', 'marked.wasm', 'called', 'parts.mjs'].map((name) => join(folder, name));
    cpSync(join(dist, 'frank.wasm'), whole);
    execFileSync(split, ['mark', whole, marked]);
    const contents = ['connection', 'first', 'settings'].map((name) => `export * from './src/${name}';`).join('\n');
    const stdin = { contents, resolveDir: here, loader: 'ts' };
    await build({ ...common, stdin, outfile: parts, format: 'esm', define: { IS_CUT: 'false' } });
    const numbers = await played({ parts, script: read(join(dist, 'worker.js')), module: readFileSync(marked), programs });
    writeFileSync(called, numbers.map((number) => `${number}\n`).join(''));
    execFileSync(split, ['cut', whole, called, join(dist, 'frank.wasm'), join(dist, 'frank-rest.wasm')]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a thread of `session.mjs` says. */
async function played(workerData) {
  const thread = new Worker(join(here, 'session.mjs'), { workerData });
  try {
    return await new Promise((resolve, reject) => {
      thread.on('message', resolve);
      thread.on('error', reject);
    });
  } finally {
    await thread.terminate();
  }
}

await build({ ...common, entryPoints: ['src/playground.css', 'src/editor.css', 'src/begin.ts', 'src/stepsFrame.ts', 'src/trouble.ts'], outdir: dist });

// A run state by state: the page that the server makes for editors, in files, since no page of ours has scripts in it.
const page = read(join(project, 'server/semantics/src/page.html'));
const [, style] = found(page, /<style>([\s\S]*?)<\/style>/, 'style in page.html');
const [, steps] = found(page, /<script>([\s\S]*?)<\/script>/, 'script in page.html');
const [, body] = found(page, /(<header>[\s\S]*<\/footer>)/, 'body in page.html');
writeFileSync(join(dist, 'steps.css'), style + read(join(here, 'src/stepsFrame.css')));
writeFileSync(join(dist, 'steps.js'), steps);
writeFileSync(join(dist, 'steps.html'), read(join(here, 'src/steps.html')).replace('BODY', () => body));

// The library, to look at.
mkdirSync(join(dist, 'library'));
const library = join(project, 'server/library');
for (const file of readdirSync(library).filter((name) => name.endsWith('.fk'))) {
  cpSync(join(library, file), join(dist, 'library', file));
}

writeFileSync(join(dist, 'examples.json'), JSON.stringify(shown));

/** The examples of the documents in the order of their tables, each with the files that it includes. */
function examples() {
  const groups = [
    ['Examples', 'docs/examples'],
    ['GradBench', 'docs/examples/gradbench'],
  ];
  return groups.map(([group, folder]) => {
    const rows = read(join(project, folder, 'README.md')).matchAll(/^\| \[([\w-]+\.fk)\]\(\1\) \| (.*?) \|/gm);
    const programs = [...rows].map(([, name, says]) => ({ says: plain(says), files: withIncluded(join(project, folder), name) }));
    if (programs.length === 0) {
      throw new Error(`there is no table of programs in ${folder}/README.md`);
    }
    return { group, programs };
  });
}

/** Markdown without its signs. */
function plain(text) {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
}

/** A file behind those of its folder that it includes. */
function withIncluded(folder, name, seen = new Set()) {
  seen.add(name);
  const text = read(join(folder, name));
  const included = [...text.matchAll(/^include "?([\w-]+)(?:\.fk)?"?\s*$/gm)].map(([, other]) => `${other}.fk`);
  const own = included.filter((other) => !seen.has(other) && existsSync(join(folder, other)));
  return [...own.flatMap((other) => withIncluded(folder, other, seen)), { name, text }];
}

cpSync(join(here, 'playground.html'), join(dist, 'index.html'));

// The service worker keeps exactly these files, and others once one of them is another one.
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(dist.length + 1))
  .sort();
const hash = createHash('sha256');
for (const file of files) {
  hash.update(file).update(readFileSync(join(dist, file)));
}
await build({
  ...common,
  entryPoints: ['src/offline.ts'],
  outdir: dist,
  define: { VERSION: JSON.stringify(hash.digest('hex').slice(0, 16)), FILES: JSON.stringify(files), LATER: JSON.stringify(files.filter((file) => /^(worker|frank)-plot\./.test(file))) },
});
