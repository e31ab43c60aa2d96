// The command line, which what is said in pages is compared with.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Calls `what` with the program `frank` in a folder that has some files and no others. `frank(WORD, …)` gives its exit code
 * and what it prints; other scenarios go on meanwhile.
 */
export async function inFolder(files, what) {
  const folder = mkdtempSync(join(tmpdir(), 'frank-compared-'));
  try {
    files.forEach(({ name, text }) => { writeFileSync(join(folder, name), text); });
    return await what((...words) => new Promise((done) => {
      const frank = execFile(process.env.FRANK_SERVER, words, { cwd: folder }, (_, stdout, stderr) => {
        done({ status: frank.exitCode, stdout, stderr });
      });
      frank.stdin.end();
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
