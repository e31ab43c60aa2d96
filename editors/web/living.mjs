// Makes the book that mdbook has made a living one: pages with programs say where their files are, so that
// `docs/theme/frank.js` adds buttons, and every page has a Content-Security-Policy. mdbook's pages have scripts in them;
// the policy names those that are there now by their hashes, and permits no others.
//
//     node living.mjs BOOK

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const [, , book] = process.argv;

function hash(text) {
  // A browser counts every line break as one character.
  return `'sha256-${createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('base64')}'`;
}

/** The value of an attribute that is written so. */
function unescaped(text) {
  const characters = { amp: '&', quot: '"', lt: '<', gt: '>', nbsp: '\u00a0' };
  return text.replace(/&(?:#(\d+)|(amp|quot|lt|gt|nbsp));/g, (_, number, name) =>
    number === undefined ? characters[name] : String.fromCodePoint(Number(number)));
}

/** Notes the scripts and styles that a page has in it, those of the pages in its frames among them. */
function collect(html, found) {
  const own = html.replace(/srcdoc="([^"]*)"/g, (_, inner) => {
    collect(unescaped(inner), found);
    return '';
  });
  for (const [, attributes, text] of own.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)) {
    // Data is never run.
    if (!/\bsrc=|type="application\/json"/.test(attributes)) {
      found.scripts.add(hash(text));
    }
  }
  for (const [, text] of own.matchAll(/<style\b[^>]*>([^]*?)<\/style>/g)) {
    found.styles.add(hash(text));
  }
  for (const [, text] of own.matchAll(/<[a-z][^<>]*\sstyle="([^"]*)"/g)) {
    found.attributes.add(hash(unescaped(text)));
  }
}

// mdbook's scripts make elements with styles, too.
const scripts = readdirSync(book).filter((name) => name.endsWith('.js') && !name.startsWith('searchindex'));
const made = scripts.flatMap((name) =>
  [...readFileSync(join(book, name), 'utf8').matchAll(/setAttribute\('style', '([^']*)'\)/g)].map(([, style]) => hash(style)));

function policy(html) {
  const found = { scripts: new Set(), styles: new Set(), attributes: new Set(made) };
  collect(html, found);
  const hashed = found.attributes.size > 0 ? ["'unsafe-hashes'", ...found.attributes] : [];
  return [
    "default-src 'none'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...found.scripts].join(' '),
    ["style-src 'self'", ...found.styles, ...hashed].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    // Without scripts the list of chapters is a page in a frame.
    "frame-src 'self'",
    // The page about missing pages names its base.
    "base-uri 'self'",
    "form-action 'none'",
  ].join('; ');
}

// The playground's page has its policy already.
const pages = readdirSync(book, { recursive: true })
  .filter((name) => name.endsWith('.html') && !name.startsWith('playground'));
for (const name of pages) {
  const path = join(book, name);
  const html = readFileSync(path, 'utf8');
  const programs = path.replace(/\.html$/, '.programs.json');
  const added = [`<meta http-equiv="Content-Security-Policy" content="${policy(html)}">`];
  if (existsSync(programs)) {
    added.push(`<meta name="frank-programs" content="${basename(programs)}">`);
  }
  const charset = '<meta charset="UTF-8">';
  if (html.split(charset).length !== 2 || html.includes('http-equiv="Content-Security-Policy"')) {
    throw new Error(`${path} is not a page as mdbook has made it`);
  }
  writeFileSync(path, html.replace(charset, [charset, ...added].join('\n        ')));
}
