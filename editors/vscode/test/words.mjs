// Is every name of the library one word to VS Code, at each letter that is typed?

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const extension = join(import.meta.dirname, '..');
const { wordPattern } = JSON.parse(readFileSync(join(extension, 'language-configuration.json'), 'utf8'));
const library = join(extension, '../../server/library');
const programs = readdirSync(library).filter((name) => name.endsWith('.fk'));
const code = programs.map((name) => readFileSync(join(library, name), 'utf8').replace(/--.*/g, '')).join('\n');
const names = new Set(code.match(/(?<![\w'])[A-Za-z_][\w']*/g));
assert(names.size > 500, `only ${names.size} names`);

/** The words that VS Code sees in a line. */
const words = (line) => line.match(new RegExp(wordPattern.pattern, `${wordPattern.flags}g`)) ?? [];

for (const name of [...names, 'größe', 'сумма', 'α', '数', "x'1"]) {
  for (let end = 1; end <= name.length; end += 1) {
    const typed = name.slice(0, end);
    assert.deepEqual(words(`f (${typed}`), ['f', typed]);
  }
}
console.log(`words: ${names.size} names`);
