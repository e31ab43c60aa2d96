// The worker in which the language server runs. Its first message says where the module is; from then on both sides
// send messages of JSON-RPC, as objects. A server that has trapped is in no state to go on with: the worker says so, and
// who has made it makes a new one.

import { Missing, missing } from './compile';
import { instantiate, type Ready, Server } from './module';

/** The first message. */
export interface Start {
  frank: 'start';
  /** The module, or its bytes. */
  wasm: WebAssembly.Module | ArrayBuffer;
  /** The address of the rest of a module in two pieces, for when it is called before it has come. */
  rest: string | undefined;
}

/** The rest has come. */
export interface Rest {
  frank: 'rest';
  wasm: WebAssembly.Module;
}

/** What the worker says of itself. A failure may be that a part of the server `isMissing`, which no text has to do with. */
export type Told = { frank: 'ready' } | { frank: 'failed'; message: string; isMissing: boolean } | { frank: 'memory'; bytes: number };

let server: Server | undefined;
let ready: Ready | undefined;
/** The rest of the module, if it has come before the module was ready. */
let rest: WebAssembly.Module | undefined;
/** How large the module's memory, which grows and never shrinks, was when that was last said. */
let told = 0;
/** Nothing is done any more. */
let isDead = false;
/** What came before the server was there. */
let early: unknown[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
/** Timers wait for some milliseconds at least, messages to oneself do not. */
const soon = new MessageChannel();

/** Does something with the server, and has it woken when it wants to be. */
function act(what: (server: Server) => void): void {
  if (server === undefined || isDead) {
    return;
  }
  try {
    what(server);
    const wait = server.wait();
    clearTimeout(timer);
    if (wait === undefined) {
      return;
    }
    if (wait <= 0) {
      soon.port2.postMessage(undefined);
    } else {
      timer = setTimeout(wake, wait);
    }
  } catch (error) {
    fail(error);
  }
}

function wake(): void {
  act((server) => { server.wake(); });
}

function fail(error: unknown): void {
  isDead = true;
  clearTimeout(timer);
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  tell({ frank: 'failed', message, isMissing: error instanceof Missing });
}

function tell(told: Told): void {
  self.postMessage(told);
}

function tellMemory(): void {
  const bytes = ready?.memory.buffer.byteLength ?? 0;
  if (bytes !== told) {
    told = bytes;
    tell({ frank: 'memory', bytes });
  }
}

/** Half of a character is in no text that JSON can have: another sign of the same length stands for it. */
function wellFormed(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function receive(message: unknown): void {
  act((server) => { server.receive(JSON.stringify(message, wellFormed)); });
}

/** So many milliseconds are waited for a part. */
const PATIENCE = 30_000;

/** The module at an address, which is waited for: who calls what is there cannot go on without it. */
function moduleAt(address: URL): WebAssembly.Module {
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  request.timeout = PATIENCE;
  request.responseType = 'arraybuffer';
  try {
    request.send();
  } catch {
    // Without a network, or if it is too slow, there is no status.
  }
  if (request.status !== 200) {
    throw missing(address, request.status);
  }
  try {
    return new WebAssembly.Module(request.response as ArrayBuffer);
  } catch (error) {
    throw new Missing(`what is at ${address.pathname} is no part of the server: ${String(error)}`);
  }
}

async function start({ wasm, rest: address = '' }: Start): Promise<void> {
  try {
    const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
    ready = await instantiate(module, () => rest ?? moduleAt(new URL(address)));
    server = new Server((message) => {
      // Who hears an answer knows what it took.
      tellMemory();
      self.postMessage(JSON.parse(message));
    });
  } catch (error) {
    fail(error);
    return;
  }
  tell({ frank: 'ready' });
  const messages = early;
  early = [];
  messages.forEach(receive);
}

function completed(wasm: WebAssembly.Module): void {
  rest = wasm;
  act(() => { ready?.complete(wasm); });
}

function isOurs(data: unknown): data is Start | Rest {
  return typeof data === 'object' && data !== null && 'frank' in data;
}

soon.port1.onmessage = wake;
self.onmessage = ({ data }: MessageEvent<unknown>) => {
  if (isOurs(data)) {
    if (data.frank === 'start') {
      void start(data);
    } else {
      completed(data.wasm);
    }
  } else if (server === undefined) {
    early.push(data);
  } else {
    receive(data);
  }
};
