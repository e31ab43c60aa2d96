// One's own programs, which stay in the browser: the last ones, each under a number of its own. Nothing that somebody wrote is
// overwritten by another program: neither by one that was only looked at, nor by what another page of the browser has.

import type { File } from './share';
import { recall, remember } from './store';

/** A program of one's own. */
export interface Own {
  id: string;
  files: File[];
  /** When it was last changed. */
  time: number;
}

/** So many are kept at most; the oldest ones go. */
const MOST = 20;

const NAME = 'programs';

/** What is kept, the last one first. */
export function ownPrograms(): Own[] {
  try {
    const kept: unknown = JSON.parse(recall(NAME) ?? '[]');
    return Array.isArray(kept) ? (kept as unknown[]).filter(isOwn) : [];
  } catch {
    return [];
  }
}

function isOwn(value: unknown): value is Own {
  const { id, files, time } = (value ?? {}) as Partial<Own>;
  return typeof id === 'string' && typeof time === 'number' && Array.isArray(files) && files.length > 0 && files.every(isFile);
}

function isFile(value: unknown): value is File {
  const { name, text } = (value ?? {}) as Partial<File>;
  return typeof name === 'string' && typeof text === 'string';
}

/** A number that no other program has. `randomUUID` is not there on a page that came without encryption. */
function anotherId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

/**
 * Keeps a program, of which `before` is what this page knew last; nothing for a new one. If another page has gone on with it
 * meanwhile, both are kept. Gives the program as it is kept, and those that went because the browser has no room for all; or
 * nothing if it has no room even for the one alone.
 */
export function keep(files: File[], before: Own | undefined): { own: Own; gone: Own[] } | undefined {
  const all = ownPrograms();
  const there = all.find(({ id }) => id === before?.id);
  const isMine = before !== undefined && (there === undefined || same(there.files, before.files));
  const own = { id: isMine ? before.id : anotherId(), files, time: Date.now() };
  const others = all.filter(({ id }) => id !== own.id);
  const wanted = [own, ...others].slice(0, MOST);
  for (let count = wanted.length; count > 0; count -= 1) {
    if (remember(NAME, JSON.stringify(wanted.slice(0, count)))) {
      return { own, gone: wanted.slice(count) };
    }
  }
  return undefined;
}

export function same(one: File[], other: File[]): boolean {
  const text = (files: File[]): string => JSON.stringify(files.map(({ name, text: own }) => [name, own]));
  return text(one) === text(other);
}
