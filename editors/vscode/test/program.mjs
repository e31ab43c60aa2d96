// Is a program started by its whole path, and never one that lies in the folder that is open?

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const scratch = mkdtempSync(join(tmpdir(), 'frank-program-'));
try {
  const outfile = join(scratch, 'program.mjs');
  const source = join(import.meta.dirname, '../src/program.ts');
  buildSync({ entryPoints: [source], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  const { resolve } = await import(pathToFileURL(outfile).href);

  /** What a program is found as, where there are some files. */
  const found = (platform, program, PATH, files) =>
    resolve(program, { platform, env: PATH === undefined ? {} : PATH, isFile: (file) => files.includes(file) });

  // Windows looks in the current folder first; a relative path is looked up there, too.
  const trap = ['frank.exe', '.\\frank.exe', 'bin\\frank.exe', '\\frank.exe', 'C:frank.exe', 'frank'];
  const tools = 'C:\\Tools\\frank.exe';
  const windows = (program, path, files = [...trap, tools]) => found('win32', program, path, files);
  assert.equal(windows('frank.exe', { Path: 'C:\\Tools' }), tools);
  assert.equal(windows('frank', { PATH: 'C:\\Windows;"C:\\Tools"' }), tools);
  assert.equal(windows('frank.exe', { Path: '.;;bin;\\;C:;C:\\Tools' }), tools);
  assert.equal(windows(tools, {}), tools);
  assert.equal(windows('C:\\Tools\\frank', {}), tools);
  assert.equal(windows('\\\\server\\share\\frank.exe', {}, ['\\\\server\\share\\frank.exe']), '\\\\server\\share\\frank.exe');
  for (const path of [undefined, {}, { Path: '' }, { Path: '.' }, { Path: '.;bin;;\\;C:' }]) {
    assert.equal(windows('frank.exe', path), undefined);
    assert.equal(windows('frank', path), undefined);
  }
  for (const program of ['.\\frank.exe', './frank.exe', 'bin\\frank.exe', '\\frank.exe', 'C:frank.exe']) {
    assert.equal(windows(program, { Path: 'C:\\Tools' }), undefined);
  }

  // An empty folder in `PATH` is the current one.
  const linux = (program, PATH, files = ['frank', './frank', 'bin/frank', '/usr/bin/frank']) =>
    found('linux', program, { PATH }, files);
  assert.equal(linux('frank', '/bin:/usr/bin'), '/usr/bin/frank');
  assert.equal(linux('frank', ':.:bin:/usr/bin'), '/usr/bin/frank');
  assert.equal(linux('frank', ':.:bin'), undefined);
  assert.equal(linux('/usr/bin/frank', ''), '/usr/bin/frank');
  assert.equal(linux('./frank', '/usr/bin'), undefined);
  assert.equal(linux('/nowhere/frank', '/usr/bin'), undefined);
  console.log('programs are started by their whole paths');
} finally {
  rmSync(scratch, { recursive: true });
}
