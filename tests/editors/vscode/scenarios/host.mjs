// The features that a file has, asked for through the API of extensions.

import { runInHost } from '../lib/host.mjs';
import { Server } from '../lib/server.mjs';
import { features } from '../lib/workspaces.mjs';

export async function run(browser) {
  const server = await Server.start('host', { packaged: false });
  try {
    await runInHost(browser, server, features(), 'features.cjs');
  } finally {
    server.stop();
  }
}
