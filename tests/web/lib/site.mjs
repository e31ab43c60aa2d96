// A web server that knows nothing but files, as the cheapest one on the net.

import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/** A name that the browsers of the tests look for on this machine. */
export const PLAIN = 'plain.test';

/** Serves a folder; `url` is its address, with a slash at its end. */
export async function serve(folder) {
  const asked = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://here').pathname);
    asked.push(path);
    const file = join(folder, normalize(path), path.endsWith('/') ? 'index.html' : '');
    const known = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    response.writeHead(known ? 200 : 404, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    if (known) {
      createReadStream(file).pipe(response);
    } else {
      response.end();
    }
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  return {
    folder,
    /** The paths that were asked for. */
    asked,
    /** The same folder at a name that is not this machine's: pages from there count as come without encryption. */
    plain: `http://${PLAIN}:${server.address().port}/`,
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
