// Notebooks are written as they were read, and read as they were written.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { load } from './load.mjs';

const { read, write } = await load('notebookText');

const book = join(import.meta.dirname, '../../../docs/tutorial');
const chapters = readdirSync(book).map((name) => readFileSync(join(book, name), 'utf8'));
const parts = ['```frank\n', '```\n', '~~~ frank,file=a.fk\n', '~~~\n', '````\n', '\n', ' \n', 'a : Int\n', '# A\n', '```sh\n', '- b\n', '```frank,wrong\n', '`x` ```', 'end'];
let seed = 7;
const random = (most) => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed % most;
};
const made = Array.from({ length: 3000 }, () => Array.from({ length: random(12) }, () => parts[random(parts.length)]).join(''));

for (const text of [...chapters, ...made]) {
  for (const file of [text, text.replace(/\n/g, '\r\n'), `\uFEFF${text}`]) {
    const notebook = read(file);
    assert.equal(write(notebook), file);
    // Blocks are not torn apart: the cells are what is read of them once more.
    assert.deepEqual(read(write(notebook)).cells, notebook.cells);
  }
}
assert.ok(chapters.some((text) => read(text).cells.filter(({ code }) => code).length > 2));

const codes = (text) => read(text).cells.filter(({ code }) => code).map(({ text }) => text);
assert.deepEqual(codes('# A\n```frank\na\n\nb\n```\n```sh\nls\n```\n~~~frank\nc'), ['a\n\nb', 'c']);
assert.deepEqual(codes('````md\n```frank\na\n```\n````\n'), []);
assert.deepEqual(codes('```frank\n```\n'), ['']);

// What was typed is there when it is read again.
const added = (cells) => read(write({ cells, newline: '\n', mark: false })).cells.map(({ code, text }) => ({ code, text }));
const wanted = [
  { code: false, text: '# New' },
  { code: true, text: 'f : Int\nf! = 1' },
  { code: true, text: '' },
  { code: true, text: '```\nodd\n```' },
  { code: false, text: 'end' },
];
assert.deepEqual(added(wanted), wanted);
const changed = read('# A\n\n```frank\n```\nend');
changed.cells[1].text = 'a\n```\nb';
assert.deepEqual(codes(write(changed)), ['a\n```\nb']);
changed.cells[1].text = 'a';
assert.equal(write(changed), '# A\n\n```frank\na\n```\nend');
