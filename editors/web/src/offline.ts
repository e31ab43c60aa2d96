// The service worker: once the playground has been there, it is there without a network. All its files are of one
// version, so they are taken from what was kept, together; a newer version takes over when no page shows the older one.

declare const VERSION: string;
/** All files; those of the second list are kept once they have been needed. */
declare const FILES: string[];
declare const LATER: string[];

/** What a service worker has, as far as this one needs it. */
interface Scope {
  addEventListener(name: 'install' | 'activate', listener: (event: Waiting) => void): void;
  addEventListener(name: 'fetch', listener: (event: Waiting & Fetching) => void): void;
  registration: { scope: string };
}

interface Waiting {
  waitUntil: (done: Promise<unknown>) => void;
}

interface Fetching {
  request: Request;
  respondWith: (answer: Promise<Response>) => void;
}

const scope = self as unknown as Scope;
const { scope: root } = scope.registration;
const PREFIX = `frank ${root} `;
const NAME = PREFIX + VERSION;

async function keep(): Promise<void> {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.filter((file) => !LATER.includes(file)).map((file) => new Request(file, { cache: 'no-cache' })));
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)));
}

async function answer(request: Request, file: string): Promise<Response> {
  const cache = await caches.open(NAME);
  const known = await cache.match(new URL(file, root));
  if (known !== undefined) {
    return known;
  }
  const response = await fetch(request);
  if (response.ok) {
    // Without room for it, it is fetched again the next time.
    await cache.put(new URL(file, root), response.clone()).catch(() => undefined);
  }
  return response;
}

scope.addEventListener('install', (event) => { event.waitUntil(keep()); });
scope.addEventListener('activate', (event) => { event.waitUntil(forgetOthers()); });
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const [address = ''] = request.url.split(/[?#]/);
  const file = address === root ? 'index.html' : address.slice(root.length);
  if (request.method === 'GET' && address.startsWith(root) && FILES.includes(file)) {
    event.respondWith(answer(request, file));
  }
});
