// Every program of the book, run on its page: the same findings, outputs and values as from the command line.

import { assert, equal } from '../../lib/assert.mjs';
import { pagesWithPrograms, program, programsOf } from '../lib/book.mjs';
import { open } from '../lib/browser.mjs';
import { inFolder } from '../lib/frank.mjs';

/** A hole is a hint to who writes a program, and an error to `frank check`. */
const HOLE = 'FK0109';

export async function run(browser, site) {
  const { page, wrong } = await open(browser);
  let count = 0;
  const failures = [];
  for (const name of pagesWithPrograms(site)) {
    await page.goto(`${site.url}${name}.html`);
    const programs = programsOf(site, name);
    equal(await page.locator('.frank-tools').count(), programs.length);
    for (const [index, one] of programs.entries()) {
      const living = program(page, index);
      await living.button('run').click();
      const shown = await living.done();
      count += 1;
      const why = await inFolder(one.files, (frank) => difference(one, shown, frank));
      if (why !== undefined) {
        failures.push(`docs/${name}.md:${one.line}: ${why}\n${shown}`);
      }
    }
  }
  assert(count > 200, `the programs are gone: ${count}`);
  assert(failures.length === 0, `${failures.join('\n')}\n${failures.length} of ${count} programs differ`);
  equal(wrong, []);
}

/** What a page shows otherwise than the command line, if anything. */
async function difference({ files, terms }, shown, frank) {
  const { name } = files.at(-1);
  const { stdout } = await frank('check', '--format', 'json', name);
  const findings = stdout.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
  const own = findings.filter(({ file }) => file === name);
  const expected = own.map(({ severity, code, message, range: { start } }) => {
    const word = code === HOLE ? 'hint' : severity;
    return `${word}[${code}]: ${message.split('\n', 1)[0]}\n --> ${name}:${start.line}:${start.column}`;
  });
  const found = [...shown.matchAll(/^(?:error|warning|hint|information)\[\w+\]: .*\n --> (?!<term>).*$/gm)].map(([text]) => text);
  if (found.sort().join('\n') !== expected.sort().join('\n')) {
    return `the findings are ${JSON.stringify(expected)}`;
  }
  if (own.some(({ severity, code }) => severity === 'error' && code !== HOLE)) {
    return shown.includes('$ frank ') ? 'it was run despite its errors' : undefined;
  }
  const runs = shown.split(/^\$ frank /m).slice(1);
  if (runs.length < terms.length) {
    return `${terms.length} terms are to be evaluated`;
  }
  for (const text of runs) {
    const why = await differenceOfRun(name, text, frank);
    if (why !== undefined) {
      return why;
    }
  }
  return undefined;
}

/** The same of a run, `text` being its command and what was shown of it. */
async function differenceOfRun(name, text, frank) {
  const [command] = text.split('\n', 1);
  // A page has no files, arguments and clocks, and neither has `frank eval`. What asks for them is compared with that.
  const entry = text.includes(' is not granted here: ') ? /^run (?:--entry (\S+) )?/.exec(command) : null;
  const asked = entry === null ? undefined : `${entry[1] ?? 'main'}!`;
  const term = asked ?? new RegExp(`^eval ${name} '(.*)'$`).exec(command)?.[1];
  const native = await frank(...(term === undefined ? command.split(' ') : ['eval', name, term]));
  // The command line draws a picture with letters; here a line says that it is not shown.
  const all = text.slice(command.length + 1);
  const shown = all.replace(/^The picture ".*" is not shown: .*\n/gm, '');
  const isShown = shown === all ? shown === native.stdout : isWithin(shown, native.stdout);
  if (native.status === 0) {
    return isShown ? undefined : `\`frank ${command}\` prints ${JSON.stringify(native.stdout)}`;
  }
  // What it has printed until then, and why it has no value. A `main` with arguments is refused in other words.
  const [reason] = shown.slice(native.stdout.length).split('\n', 1);
  const message = reason.replace(/ \([\w.-]+:\d+\)$/, '');
  const isRefused = native.stderr.startsWith('frank: `main` cannot be run: it takes arguments');
  const isSame = shown.startsWith(native.stdout) && native.stderr.includes(message);
  return isSame || (isRefused && /^error\[FK0204\]/.test(reason)) ? undefined : `\`frank ${command}\` fails: ${native.stderr}`;
}

/** Whether the lines of a text are lines of another one, in their order, to its end. */
function isWithin(text, whole) {
  const lines = whole.split('\n');
  let at = 0;
  const found = text.split('\n').every((line) => {
    at = lines.indexOf(line, at) + 1;
    return at > 0;
  });
  return found && at === lines.length;
}
