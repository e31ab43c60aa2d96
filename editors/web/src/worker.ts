// The worker in which the language server runs. Its first message says where the module is; from then on both sides
// send messages of JSON-RPC, as objects. A server that has trapped is in no state to go on with: the worker says so, and
// who has made it makes a new one.

import init, { Server } from 'frank-web';

/** The first message. */
export interface Start {
  frank: 'start';
  /** The module, its bytes, or its address. */
  wasm: WebAssembly.Module | ArrayBuffer | string;
}

/** What the worker says of itself. */
export type Told = { frank: 'ready' } | { frank: 'failed'; message: string } | { frank: 'memory'; bytes: number };

let server: Server | undefined;
/** The module's memory, which grows and never shrinks, and how large it was when that was last said. */
let memory: WebAssembly.Memory | undefined;
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
  tell({ frank: 'failed', message });
}

function tell(told: Told): void {
  self.postMessage(told);
}

function tellMemory(): void {
  const bytes = memory?.buffer.byteLength ?? 0;
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

async function start(wasm: Start['wasm']): Promise<void> {
  try {
    ({ memory } = await init({ module_or_path: wasm }));
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

function isStart(data: unknown): data is Start {
  return typeof data === 'object' && data !== null && 'frank' in data && data.frank === 'start';
}

soon.port1.onmessage = wake;
self.onmessage = ({ data }: MessageEvent<unknown>) => {
  if (isStart(data)) {
    void start(data.wasm);
  } else if (server === undefined) {
    early.push(data);
  } else {
    receive(data);
  }
};
