// A notebook in JupyterLab, clicked through as a person does. Called by run, which says where things are.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { equal } from '../lib/assert.mjs';
import { launch } from '../editors/vscode/lib/browser.mjs';

const PATIENCE = 60_000;
const TOKEN = 'frank';
const folder = mkdtempSync(join(tmpdir(), 'frank-lab-'));
const log = join(folder, '.log');
const cells = [
  'include ad\n\n-- the cube\ncube : X -> [Smooth X]X\ncube x = times x (times x x)',
  ':plot cube -2 2',
  ':derive cube 2',
  'loop : Int -> Int\nloop n = loop (n + 1)\n\nloop 0',
];
const cell = (source) => ({ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source });
writeFileSync(join(folder, 'cube.ipynb'), JSON.stringify({
  cells: cells.map(cell),
  metadata: { kernelspec: { display_name: 'Frank', language: 'frank', name: 'frank' } },
  nbformat: 4,
  nbformat_minor: 4,
}));

/** A port that nobody has now. */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function answers(url) {
  const until = Date.now() + PATIENCE;
  while (Date.now() < until) {
    try {
      if ((await fetch(url)).ok) {
        return;
      }
    } catch {
      // It is not there yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`JupyterLab does not answer at ${url}: ${readFileSync(log, 'utf8')}`);
}

// Nobody is asked whether he wants news.
const settings = join(folder, '.settings');
const own = join(settings, '@jupyterlab', 'apputils-extension');
mkdirSync(own, { recursive: true });
writeFileSync(join(own, 'notification.jupyterlab-settings'), JSON.stringify({ fetchNews: 'false', checkForUpdates: false }));
const said = (what) => console.log(`  ok   JupyterLab: ${what}`);
const port = await freePort();
writeFileSync(log, '');
const lab = spawn('sh', ['-c', `exec "$0" "$@" >"${log}" 2>&1`, process.env.FRANK_PYTHON, '-m', 'jupyterlab', '--no-browser', '--allow-root',
  `--ServerApp.port=${port}`, `--IdentityProvider.token=${TOKEN}`, `--ServerApp.root_dir=${folder}`], { env: { ...process.env, JUPYTERLAB_SETTINGS_DIR: settings } });
const browser = await launch();
const page = await (await browser.newContext({ viewport: { width: 1160, height: 1050 } })).newPage();
page.setDefaultTimeout(PATIENCE);
try {
  await answers(`http://127.0.0.1:${port}/api?token=${TOKEN}`);
  await page.goto(`http://127.0.0.1:${port}/lab/tree/cube.ipynb?token=${TOKEN}`);
  const outputs = (at) => page.locator('.jp-Notebook .jp-CodeCell').nth(at).locator('.jp-OutputArea-output');
  const run = async (at) => {
    await page.locator('.jp-Notebook .jp-CodeCell').nth(at).locator('.jp-InputArea-editor').click();
    await page.keyboard.press('Shift+Enter');
  };
  // The name of the kernel stands in the toolbar when it is there.
  await page.locator('.jp-KernelName', { hasText: 'Frank' }).waitFor();
  await page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').waitFor();
  said('a notebook has its kernel');

  await run(0);
  await run(1);
  const picture = outputs(1).locator('img, svg').first();
  await picture.waitFor();
  const [shown, room] = [await picture.boundingBox(), await outputs(1).boundingBox()];
  equal({ large: shown.width > 300 && shown.height > 200, whole: shown.width <= room.width }, { large: true, whole: true });
  said('a picture is shown');
  await run(2);
  await outputs(2).getByText('∂ cube 2.0 = 12.0').waitFor();
  said('a derivative is shown');

  await run(3);
  await page.locator('.jp-Notebook-ExecutionIndicator[data-status="busy"]').waitFor();
  await page.locator('[data-command="notebook:interrupt-kernel"], [title^="Interrupt the kernel"], [aria-label^="Interrupt the kernel"]').first().click();
  await outputs(3).getByText('the run was cancelled', { exact: false }).or(outputs(3).getByText('interrupted', { exact: false })).first().waitFor();
  said('an endless cell is interrupted');

  // The cell behind the last one is new.
  const last = page.locator('.jp-Notebook .jp-CodeCell').nth(4);
  await last.locator('.jp-InputArea-editor').click();
  await page.keyboard.type('cub');
  await page.keyboard.press('Tab');
  await page.locator('.jp-Completer', { hasText: 'cube' }).waitFor();
  await page.keyboard.press('Enter');
  await last.locator('.cm-content', { hasText: 'cube' }).waitFor();
  said('a name is completed');
  await page.keyboard.press('Shift+Tab');
  await page.locator('.jp-Tooltip', { hasText: 'the cube' }).waitFor();
  said('and documented');
} catch (error) {
  await page.screenshot({ path: process.env.FRANK_PICTURES ? join(process.env.FRANK_PICTURES, 'failed-jupyterlab.png') : join(folder, 'failed.png') });
  console.error(`tests: a picture and a log are in ${folder}`);
  throw error;
} finally {
  // For the book.
  if (process.env.FRANK_LAB_PICTURE) {
    await page.locator('.jp-NotebookPanel').screenshot({ path: process.env.FRANK_LAB_PICTURE });
  }
  await browser.close();
  lab.kill();
}
