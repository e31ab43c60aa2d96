// code-server with the extension in it: one process, in a directory of its own.

import { spawn, execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { wanted } from './wanted.mjs';

const run = promisify(execFile);

/** Where the script that installs things has put them, and what is being tested. */
export const CODE_SERVER = wanted('FRANK_CODE_SERVER');
export const VSIX = wanted('FRANK_VSIX');
export const FRANK = wanted('FRANK_SERVER');
export const SCRATCH = wanted('FRANK_SCRATCH');

/** What keeps pictures and tests the same from day to day. */
export const SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.layoutControl.enabled': false,
  'window.commandCenter': false,
  'window.menuBarVisibility': 'compact',
  'editor.minimap.enabled': false,
  'editor.fontFamily': 'DejaVu Sans Mono',
  'editor.fontSize': 15,
  'editor.accessibilitySupport': 'off',
  'editor.lightbulb.enabled': 'on',
  'breadcrumbs.enabled': false,
  'explorer.autoReveal': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'files.autoSave': 'off',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'security.workspace.trust.banner': 'always',
};

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

export class Server {
  /**
   * Starts a server. `name` is for its directory; `settings` are the user's own; `packaged` is
   * whether the packaged extension is installed, as a user would; `trusting` is whether every
   * workspace is trusted unasked; `path` stands before `PATH`.
   */
  static async start(name, { settings = {}, packaged = true, trusting = true } = {}) {
    const home = join(SCRATCH, name);
    const server = new Server();
    server.home = home;
    rmSync(home, { recursive: true, force: true });
    for (const folder of ['data/User', 'data/Machine', 'extensions', 'xdg']) {
      mkdirSync(join(home, folder), { recursive: true });
    }
    server.settings = { ...SETTINGS, 'frank.server.path': FRANK, ...settings };
    server.set({});
    const env = {
      ...process.env,
      CODE_SERVER_CONFIG: join(home, 'config.yaml'),
      XDG_CONFIG_HOME: join(home, 'xdg/config'),
      XDG_DATA_HOME: join(home, 'xdg/data'),
      XDG_CACHE_HOME: join(home, 'xdg/cache'),
      XDG_STATE_HOME: join(home, 'xdg/state'),
    };
    writeFileSync(env.CODE_SERVER_CONFIG, 'auth: none\n');
    const entry = join(CODE_SERVER, 'out/node/entry.js');
    const folders = ['--user-data-dir', join(home, 'data'), '--extensions-dir', join(home, 'extensions')];
    if (packaged) {
      const { stdout } = await run('node', [entry, ...folders, '--install-extension', VSIX], { env });
      if (!stdout.includes('successfully installed')) {
        throw new Error(`the extension was not installed: ${stdout}`);
      }
    }
    server.port = await freePort();
    server.child = spawn(
      'node',
      [
        entry, ...folders,
        '--auth', 'none', '--bind-addr', `127.0.0.1:${server.port}`, '--session-socket', join(home, 'socket'),
        '--disable-telemetry', '--disable-update-check', '--disable-getting-started-override',
        '--disable-proxy', '--ignore-last-opened',
        ...(trusting ? ['--disable-workspace-trust'] : []),
      ],
      { env, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const log = createWriteStream(join(home, 'log.txt'));
    server.child.stdout.pipe(log);
    server.child.stderr.pipe(log);
    for (let waited = 0; ; waited += 100) {
      try {
        await fetch(`http://127.0.0.1:${server.port}/healthz`);
        return server;
      } catch (error) {
        if (waited > 60_000 || server.child.exitCode !== null) {
          server.stop();
          throw new Error(`code-server does not answer; see ${home}/log.txt`, { cause: error });
        }
        await new Promise((done) => setTimeout(done, 100));
      }
    }
  }

  /** Changes the user's settings, as they do in the file; `undefined` takes one away. */
  set(changes) {
    this.settings = { ...this.settings, ...changes };
    // Settings of a machine, such as the path of a program, are those of the machine that serves.
    for (const folder of ['User', 'Machine']) {
      writeFileSync(join(this.home, 'data', folder, 'settings.json'), JSON.stringify(this.settings, null, 2));
    }
  }

  stop() {
    this.child?.kill();
  }
}
