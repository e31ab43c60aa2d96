// Tests inside VS Code's extension host, where they have the API that extensions have.

import { join } from 'node:path';
import { Workbench } from './workbench.mjs';
import { wanted } from './wanted.mjs';

const PROJECT = wanted('FRANK_PROJECT');
const LONGEST = 300_000;

/** Runs a test file in the extension host of a window; throws if a test of it failed. */
export async function runInHost(browser, server, folder, file) {
  const remote = (path) => `vscode-remote://127.0.0.1:${server.port}${path}`;
  const payload = [
    ['extensionDevelopmentPath', remote(join(PROJECT, 'editors/vscode'))],
    ['extensionTestsPath', remote(join(PROJECT, 'tests/editors/vscode/host', file))],
  ];
  let finish;
  const finished = new Promise((resolve) => { finish = resolve; });
  const lines = [];
  const workbench = await Workbench.open(browser, server, folder, {
    payload,
    prepare: async (page) => {
      await page.exposeFunction('codeAutomationLog', (_severity, args) => {
        for (const text of args.map(String)) {
          // The workbench logs much of its own.
          if (/^(ok|FAIL) /.test(text)) {
            lines.push(text);
            console.log(`  ${text}`);
          }
        }
      });
      await page.exposeFunction('codeAutomationExit', (code) => finish(code));
    },
  });
  const timer = setTimeout(() => finish('no answer'), LONGEST);
  const code = await finished;
  clearTimeout(timer);
  if (code !== 0 || lines.length === 0) {
    throw new Error(`${file}: ${lines.length} tests, exit code ${code}`);
  }
  await workbench.close();
}
