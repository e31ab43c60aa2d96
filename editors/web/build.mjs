// Makes `dist`: the playground, the programs of the book, and the language server in its worker. Every file in it is
// served as it is, from under any address.
//
//     node build.mjs [FOLDER [DIST]]
//
// FOLDER has what `server/web/build` makes, `frank_web_bg.js` and `frank_web_bg.wasm`; without it `target/web`. If there is a
// folder `plot` in it, what draws is a module of its own, with the same names in there. If there is `frank-web-split`, the
// server's module is cut in two: what is called until a page has shown its first findings, and the rest.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { buildServer, versionOf } from './server.mjs';

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

const shown = examples();
const define = await buildServer({
  made: server,
  dist,
  common,
  programs: shown.flatMap(({ programs }) => programs.map(({ files }) => files)),
  mistakes: mistakes(),
});
const pages = { ...common, outdir: dist, format: 'esm', plugins: [styles], define };
// The page of the book loads the editor when somebody edits, so modules are cut where they are imported late. The playground
// needs all of its own at once, and each file that is asked for takes its time.
const books = ['src/book.ts', 'src/editor.ts', 'src/share.ts'].filter((file) => existsSync(join(here, file)));
await build({ ...pages, entryPoints: books, splitting: true, chunkNames: 'part-[hash]' });
await build({ ...pages, entryPoints: ['src/playground.ts'] });
await build({ ...common, entryPoints: ['src/playground.css', 'src/editor.css', 'src/begin.ts', 'src/stepsFrame.ts', 'src/trouble.ts'], outdir: dist, define });

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

/** Texts that are wrong: those of the explanations of findings, and those by which the findings' words are tested. */
function mistakes() {
  const texts = (folder, kind) => readdirSync(join(project, folder)).sort().flatMap((name) =>
    [...read(join(project, folder, name)).matchAll(new RegExp(`^\`\`\`${kind}\\n([^]*?)^\`\`\``, 'gm'))].map(([, text]) => text));
  return [...texts('server/analysis/src/diagnostics/explanations', 'frank,wrong'), ...texts('tests/conformance/gallery', 'frank,broken')];
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

writeFileSync(join(dist, 'index.html'), read(join(here, 'playground.html')).replaceAll('SERVER/', JSON.parse(define.SERVER)));

// The service worker keeps exactly these files, and others once one of them is another one.
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(dist.length + 1))
  .sort();
await build({
  ...common,
  entryPoints: ['src/offline.ts'],
  outdir: dist,
  define: { VERSION: JSON.stringify(versionOf(dist, files)), FILES: JSON.stringify(files), LATER: JSON.stringify(files.filter((file) => /(worker|frank)-plot\.[a-z]+$/.test(file))) },
});
