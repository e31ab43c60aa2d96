// Does the TextMate grammar colour programs as the tree-sitter queries do?
//
// Both are asked about every character of every sample program, and answer in a few broad classes:
// TextMate, which knows no layout and no names, is not held to more. Needs a C compiler and
// Neovim 0.10 or newer, whose tree-sitter is used: `nvim`, or the program in the variable NVIM.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const textmate = require('vscode-textmate');
const oniguruma = require('vscode-oniguruma');

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../../..');
const library = join(mkdtempSync(join(tmpdir(), 'frank-')), 'frank.so');
const sources = ['parser.c', 'scanner.c'].map((name) => join(root, 'syntax/src', name));
execFileSync('cc', ['-shared', '-fPIC', '-I', join(root, 'syntax/src'), '-o', library, ...sources]);
const query = join(root, 'syntax/queries/highlights.scm');
const folders = ['docs/examples', 'server/library'].map((folder) => join(root, folder));
const programs = folders.flatMap((folder) =>
  readdirSync(folder).filter((name) => name.endsWith('.fk')).map((name) => join(folder, name)),
);

/** What a capture of the queries is called here; the first that fits counts. */
const CAPTURES = [
  [/^comment/, 'comment'],
  [/^keyword/, 'keyword'],
  [/^number/, 'number'],
  [/^(string|character)/, 'text'],
  [/^type/, 'type'],
  [/^constructor/, 'constructor'],
  // What a head is takes more than a line to know.
  [/^function\.(call|builtin)/, 'name'],
  [/^function/, 'function'],
  [/^module/, 'module'],
  [/^variable/, 'name'],
  [/^operator/, 'operator'],
];

/** The same for the scopes of the TextMate grammar, the innermost first. */
const SCOPES = [
  [/^(comment|punctuation\.definition\.comment)/, 'comment'],
  [/^keyword\.(control|other)/, 'keyword'],
  [/^constant\.numeric/, 'number'],
  [/^(string|constant\.character)/, 'text'],
  [/^(entity\.name\.type|support\.type)/, 'type'],
  [/^variable\.other\.enummember/, 'constructor'],
  [/^entity\.name\.function/, 'function'],
  [/^entity\.name\.namespace/, 'module'],
  [/^variable/, 'name'],
  [/^keyword\.operator/, 'operator'],
];

const classOf = (table, name) => table.find(([pattern]) => pattern.test(name))?.[1];

const wasm = readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => {
    const file = join(here, '../syntaxes/frank.tmLanguage.json');
    return textmate.parseRawGrammar(readFileSync(file, 'utf8'), file);
  },
});
const grammar = await registry.loadGrammar('source.frank');

function byTextMate(lines) {
  let stack = textmate.INITIAL;
  return lines.map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    const classes = Array(line.length).fill(undefined);
    for (const { startIndex, endIndex, scopes } of tokens) {
      const name = [...scopes].reverse().map((scope) => classOf(SCOPES, scope)).find(Boolean);
      classes.fill(name, startIndex, endIndex);
    }
    return classes;
  });
}

const asked = [join(here, 'captures.lua'), library, query, ...programs];
const captures = JSON.parse(
  execFileSync(process.env.NVIM ?? 'nvim', ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', '-l', ...asked], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  }),
);

function byTreeSitter(captures, lines) {
  const classes = lines.map((line) => Array(line.length).fill(undefined));
  // Columns are counted in bytes.
  const column = (row, bytes) => Buffer.from(lines[row] ?? '').subarray(0, bytes).toString().length;
  for (const [name, startRow, startByte, endRow, endByte] of captures) {
    const kind = classOf(CAPTURES, name);
    for (let row = startRow; kind !== undefined && row <= Math.min(endRow, lines.length - 1); row += 1) {
      const from = row === startRow ? column(row, startByte) : 0;
      const to = row === endRow ? column(row, endByte) : lines[row].length;
      classes[row].fill(kind, from, to);
    }
  }
  return classes;
}

let seen = 0;
const differences = [];
for (const [index, file] of programs.entries()) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const mine = byTextMate(lines);
  const theirs = byTreeSitter(captures[index], lines);
  lines.forEach((line, row) => {
    for (let at = 0; at < line.length; at += 1) {
      if (/\s/.test(line[at])) {
        continue;
      }
      seen += 1;
      if (mine[row][at] !== theirs[row][at]) {
        const place = `${file.slice(root.length + 1)}:${row + 1}:${at + 1}`;
        differences.push(`${place}: ${line}\n  TextMate: ${mine[row][at]}, tree-sitter: ${theirs[row][at]}`);
      }
    }
  });
}
if (seen === 0) {
  throw new Error('there were no programs');
}
console.log(`${programs.length} programs, ${seen} characters, ${differences.length} coloured differently`);
console.log(differences.slice(0, 40).join('\n'));
process.exitCode = differences.length > 0 ? 1 : 0;
