// The folders that the tests open.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SCRATCH } from './server.mjs';
import { wanted } from './wanted.mjs';

const PROJECT = wanted('FRANK_PROJECT');
const read = (file) => readFileSync(join(PROJECT, file), 'utf8');

/** Makes a folder of files; gives its path. */
export function folderOf(name, files) {
  const folder = join(SCRATCH, 'workspaces', name);
  rmSync(folder, { recursive: true, force: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

export const missingLift = () => read('docs/examples/missing-lift.fk');

/** That program, and what the paper evaluates first as a function of one number. */
export const paperProgram = () => `${missingLift()}
-- | at 2
cube : X -> [Smooth X] X
cube x = p (c 1) (p (t (t x x) x) (n (t (c 4) (c 4))))
`;

/**
 * The same program without the library: the paper's definitions stand in the file, and every name of
 * an operator, a constructor, a command and a type is another one, so that nothing can go by names.
 */
export function renamed() {
  const text = `${read('server/library/ad-paper.fk')}\n${paperProgram().replace(/^include .*$/m, '')}`;
  // Without comments, where names stand in prose.
  const code = text.split('\n').filter((line) => !line.startsWith('--') || line.startsWith('-- |')).join('\n');
  const declared = new Set();
  for (const [, name] of code.matchAll(/^([a-z]\w*)\s*:/gm)) {
    declared.add(name);
  }
  for (const [, name] of code.matchAll(/^(?:data|interface)\s+(\w+)/gm)) {
    declared.add(name);
  }
  for (const [, name] of code.matchAll(/^data [^=]*=\s*(\w+)/gm)) {
    declared.add(name);
  }
  for (const [, name] of code.matchAll(/\|\s*(\w+)(?=$| :)/gm)) {
    declared.add(name);
  }
  for (const [, name] of code.matchAll(/^\s*(?:\||interface[^=]*=)?\s*(\w+)\s*:(?!:)/gm)) {
    declared.add(name);
  }
  declared.delete('main');
  return code.replace(/-- .*|[A-Za-z_]\w*/g, (word) => (declared.has(word) ? `r_${word}` : word));
}

export const STATE = `\
interface State S = get : S | put : S -> Unit

state : S -> <State S>X -> X
state _ x = x
state s <get -> k> = state s (k s)
state _ <put s -> k> = state s (k unit)

-- Counts up.
tick : [State Int]Int
tick! = let n = get! in put (n + 1); n

count : [State Int]Int
count! = let n = tick! in tick!; n + tick!

main : [Console]Int
main! = state 1 (count!)
`;

export function features() {
  folderOf('elsewhere', { 'one.fk': '_g : Int -> Int -> Int\n-- A comment.\n_g x y = x\n\nmain : {Int}\nmain! = "one"\n' });
  return folderOf('features', {
    'frank.toml': '',
    'missing-lift.fk': missingLift(),
    'renamed.fk': renamed(),
    'state.fk': STATE,
    'other.fk': 'include state\n\nanother : {Int}\nanother! = state 5 (tick! + tick!)\n',
    'untidy.fk': 'f   :   Int->Int\nf x=x+1\n',
    'unused.fk': 'f : Int -> Int -> Int\nf x y = x\n',
    'wrong/broken.fk': 'main : {Int}\nmain! = "one"\n',
  });
}

export const paper = () => folderOf('paper', { 'missing-lift.fk': missingLift() });
