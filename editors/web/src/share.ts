// A program as an address: its files, compressed, in the fragment, which no server ever sees. What comes out of an address
// is text and nothing else, and not more of it than a person writes.

/** A file of a program. */
export interface File {
  name: string;
  text: string;
}

/** The address is of no program; the message says why. */
export class NoProgram extends Error {}

/** How many characters a fragment may have, bytes a program, files a program. */
const MOST = { fragment: 256 << 10, bytes: 1 << 20, files: 16 };

const BEGINS = '#p=';

/** Whether a fragment says that it is a program. */
export function isProgram(fragment: string): boolean {
  return fragment.startsWith(BEGINS);
}

/** The address of the playground with a program, relative to the playground's folder; the last file is the one to edit. */
export async function addressOf(files: File[]): Promise<string> {
  return `index.html${await fragmentOf(files)}`;
}

/** The fragment of a program. Fails with `NoProgram` for one that `programOf` would refuse. */
export async function fragmentOf(files: File[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(files.map(({ name, text }) => [name, text])));
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const letters = Array.from(new Uint8Array(await new Response(packed).arrayBuffer()), (byte) => String.fromCharCode(byte));
  const fragment = BEGINS + btoa(letters.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  if (fragment.length > MOST.fragment || bytes.length > MOST.bytes) {
    throw new NoProgram('This program is too long for an address.');
  }
  return fragment;
}

/** The program of a fragment. Fails with `NoProgram`. */
export async function programOf(fragment: string): Promise<File[]> {
  if (fragment.length > MOST.fragment) {
    throw new NoProgram('The program in this address is too long.');
  }
  const bytes = await unpacked(fragment.slice(BEGINS.length));
  let read: unknown;
  try {
    read = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw broken();
  }
  if (!Array.isArray(read) || read.length === 0 || read.length > MOST.files) {
    throw broken();
  }
  const files = read.map(fileOf);
  if (new Set(files.map(({ name }) => name)).size < files.length) {
    throw broken();
  }
  return files;
}

function broken(): NoProgram {
  return new NoProgram('The program in this address is damaged: perhaps a part of the address is missing.');
}

function fileOf(value: unknown): File {
  const [name, text] = Array.isArray(value) ? (value as unknown[]) : [];
  if (typeof name !== 'string' || typeof text !== 'string' || !/^[\w-][\w.-]{0,60}\.fk$/.test(name)) {
    throw broken();
  }
  return { name, text };
}

async function unpacked(letters: string): Promise<Uint8Array> {
  let packed: Uint8Array<ArrayBuffer>;
  try {
    packed = Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  } catch {
    throw broken();
  }
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const part = await reader.read().catch(() => { throw broken(); });
    if (part.done) {
      break;
    }
    length += part.value.length;
    if (length > MOST.bytes) {
      void reader.cancel();
      throw new NoProgram('The program in this address is too long.');
    }
    parts.push(part.value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
