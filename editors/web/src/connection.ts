// A session with the language server in a worker. The server is told of texts and asked about them; when it fails, a new
// one is started with the texts as they are now. Texts that make it fail again are not tried a third time before somebody
// has changed them, so that nothing goes round in circles.

import type * as lsp from 'vscode-languageserver-protocol';
import { compile } from './compile';
import type { Rest, Start, Told } from './worker';

/** What a page has begun with: nothing, if that came too late. */
export interface Begun {
  /** The folder of the server's files. */
  base?: string;
  worker?: Worker | undefined;
  module?: Promise<WebAssembly.Module>;
}

declare global {
  /** `begin.ts` sets it, or who needs it and does not wait for that. */
  var frankBegun: Begun | undefined;
}

/** The folder of the server's files, which `server.mjs` makes. */
declare const SERVER: string;

/** Whether the server's module is in two pieces, which `server.mjs` knows. */
declare const IS_CUT: boolean;

/** The server's files. What it is compiled to is compiled once for all workers. */
export class ServerFiles {
  private readonly script: URL;
  private begun: Worker | undefined;
  private readonly first: Compiled;
  /** What is not needed for the first findings, if that is a module of its own. */
  private readonly rest: Compiled | undefined;

  /**
   * `site` is the address of the playground's folder. In the server's are `worker.js`, `frank.wasm` and `frank-rest.wasm`; with a
   * kind `worker-KIND.js` and `frank-KIND.wasm`. With `begun` the first worker is the one that there is.
   */
  public constructor(site: string | URL, kind?: 'plot', begun?: Begun) {
    const base = new URL(SERVER, site);
    const suffix = kind === undefined ? '' : `-${kind}`;
    this.script = new URL(`worker${suffix}.js`, base);
    // Scripts that caches have kept may be of another version.
    const isOurs = begun?.base === base.href;
    this.first = new Compiled(new URL(`frank${suffix}.wasm`, base), isOurs ? begun.module : undefined);
    if (isOurs) {
      this.begun = begun.worker;
    } else {
      begun?.worker?.terminate();
    }
    this.rest = IS_CUT && kind === undefined ? new Compiled(new URL('frank-rest.wasm', base)) : undefined;
  }

  /**
   * A new worker, which loads its script while the module is compiled. One that has to be `whole` has all of it at once, as any
   * has once all of it is compiled.
   */
  public start(whole: boolean): Worker {
    const worker = this.begun ?? new Worker(this.script);
    this.begun = undefined;
    const complete = whole || this.rest?.isThere === true ? this.complete(worker) : undefined;
    Promise.all([this.first.module(), complete]).then(
      ([wasm]) => { worker.postMessage({ frank: 'start', wasm, rest: this.rest?.address.href } satisfies Start); },
      (error: unknown) => { worker.dispatchEvent(new ErrorEvent('error', { message: String(error) })); },
    );
    return worker;
  }

  /** Gives a worker what it did not need for its first findings. */
  public async complete(worker: Worker): Promise<void> {
    if (this.rest !== undefined) {
      worker.postMessage({ frank: 'rest', wasm: await this.rest.module() } satisfies Rest);
    }
  }
}

/** A module that is compiled when it is needed first. */
class Compiled {
  public isThere = false;

  public constructor(
    public readonly address: URL,
    private compiled?: Promise<WebAssembly.Module>,
  ) {}

  public async module(): Promise<WebAssembly.Module> {
    this.compiled ??= compile(this.address);
    try {
      const module = await this.compiled;
      this.isThere = true;
      return module;
    } catch (error) {
      // The network may be back the next time.
      this.compiled = undefined;
      throw error;
    }
  }
}

/** How a session is. A failed one starts anew; a stopped one does when a text is changed, or when it is asked to. */
export type State =
  | { is: 'starting' }
  | { is: 'ready' }
  | { is: 'failed'; message: string }
  /** One that never began could not be loaded, or a part of it could not: no text has to do with that. */
  | { is: 'stopped'; message: string; hadBegun: boolean };

/** An error that the server has answered with. */
export class ServerError extends Error {
  public constructor(
    message: string,
    public readonly code: number,
    public readonly data: unknown,
  ) {
    super(message);
  }
}

/** The server has failed, or was ended, before it could answer. */
export class Lost extends Error {
  public constructor(
    message: string,
    /** Whether it had begun to answer. What cannot be loaded never does. */
    public readonly hadBegun = true,
  ) {
    super(message);
  }
}

/** What the server says unasked, or asks; what a listener gives back answers it. */
export type Listener = (params: never) => unknown;

interface Message {
  jsonrpc: '2.0';
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

interface Pending {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** A text that the server knows. */
interface Document {
  version: number;
  text: () => string;
}

/** After an edit so many milliseconds pass before a stopped session is started again. */
const PATIENCE = 800;

/** So many milliseconds after its first answer a server gets what that did not need, and after so many it is tried again. */
const BREATH = 200;
const AGAIN = 5_000;

/** What is asked of a text as soon as it is shown, and can be answered before the rest of the server is there: the build plays it. */
export const AT_ONCE = ['diagnostic', 'semanticTokens/range', 'codeLens', 'inlayHint'].map((name) => `textDocument/${name}`);

/** What the protocol calls a request that was given up. */
const CANCELLED = -32800;

export class Connection {
  private worker: Worker | undefined;
  private current: State = { is: 'starting' };
  private bytes = 0;
  private lastId = 0;
  private readonly pending = new Map<number, Pending>();
  /** What is to be sent once the session has begun. */
  private waiting: Message[] = [];
  private readonly documents = new Map<string, Document>();
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly observers = new Set<(state: State) => void>();
  private readonly watchers = new Set<(uri: string) => void>();
  /** How often the texts as they are now have made the server fail. */
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The worker has been given all of the server, or is to be given it. */
  private isCompleted = false;
  private completed = (): void => undefined;
  /** A server has once been given what its first answer did not need: to ask for that before would keep it from answering. */
  public readonly whole = new Promise<void>((resolve) => { this.completed = resolve; });
  /** What the server can do, once it has said so. */
  public capabilities: lsp.ServerCapabilities | undefined;

  /**
   * Starts a server. `settings` are those of the section `frank` of an editor. One that is begun `whole` does not begin
   * with what the first findings need.
   */
  public constructor(
    private readonly files: Pick<ServerFiles, 'start' | 'complete'>,
    private settings: Record<string, unknown> = {},
    private readonly isWhole = false,
  ) {
    this.on('client/registerCapability', () => null);
    this.start();
  }

  /** How many bytes of memory the server has taken; it gives none back before it ends. */
  public get memory(): number {
    return this.bytes;
  }

  public get state(): State {
    return this.current;
  }

  /** Has `observer` called now and whenever the state is another one; gives what ends that. */
  public onState(observer: (state: State) => void): () => void {
    this.observers.add(observer);
    observer(this.current);
    return () => { this.observers.delete(observer); };
  }

  /** Listens to a method that the server calls; gives what ends that. */
  public on(method: string, listener: Listener): () => void {
    const listeners = this.listeners.get(method) ?? new Set();
    this.listeners.set(method, listeners);
    listeners.add(listener);
    return () => { listeners.delete(listener); };
  }

  /** Opens a text, now and after each start. */
  public open(uri: string, text: () => string): void {
    const document = { version: 1, text };
    this.documents.set(uri, document);
    this.touched();
    if (this.current.is === 'ready') {
      this.post(opening(uri, document));
    }
  }

  /** Tells of changes to a text, which `open` has been given. */
  public change(uri: string, contentChanges: lsp.TextDocumentContentChangeEvent[]): void {
    const document = this.documents.get(uri);
    if (document === undefined) {
      return;
    }
    document.version += 1;
    this.touched();
    if (this.current.is === 'ready') {
      this.notify('textDocument/didChange', { textDocument: { uri, version: document.version }, contentChanges });
    }
    for (const watcher of [...this.watchers]) {
      watcher(uri);
    }
  }

  /** How a text that is open counts its changes. */
  public versionOf(uri: string): number | undefined {
    return this.documents.get(uri)?.version;
  }

  /** Has `watcher` called after each change of a text, with its address; gives what ends that. */
  public onChange(watcher: (uri: string) => void): () => void {
    this.watchers.add(watcher);
    return () => { this.watchers.delete(watcher); };
  }

  public close(uri: string): void {
    if (this.documents.delete(uri) && this.current.is === 'ready') {
      this.notify('textDocument/didClose', { textDocument: { uri } });
    }
  }

  /** Other settings. */
  public configure(settings: Record<string, unknown>): void {
    this.settings = settings;
    if (this.current.is === 'ready') {
      this.notify('workspace/didChangeConfiguration', { settings: { frank: settings } });
    }
  }

  /**
   * Asks the server. Before the session has begun the question waits.
   * Fails with `ServerError` for an error that the server answers, with `Lost` if it never will.
   */
  public async request<R>(method: string, params: unknown, signal?: AbortSignal): Promise<R> {
    if (this.current.is === 'stopped') {
      throw new Lost(this.current.message);
    }
    const id = ++this.lastId;
    const answer = new Promise<unknown>((resolve, reject) => { this.pending.set(id, { resolve, reject }); });
    const message: Message = { jsonrpc: '2.0', id, method, params };
    if (this.current.is === 'ready') {
      this.post(message);
    } else {
      this.waiting.push(message);
    }
    signal?.addEventListener('abort', () => { this.giveUp(id); }, { once: true });
    return (await answer) as R;
  }

  public notify(method: string, params: unknown): void {
    this.post({ jsonrpc: '2.0', method, params });
  }

  /** Starts a server with the texts as they are now, whatever has happened. */
  public restart(): void {
    this.end(new Lost('the server was started anew'));
    this.failures = 0;
    this.start();
  }

  /** Ends the server; what was asked has no answer. */
  public dispose(): void {
    this.end(new Lost('the server was ended'));
    this.current = { is: 'stopped', message: 'the server was ended', hadBegun: true };
    this.documents.clear();
    this.observers.clear();
    this.watchers.clear();
  }

  private start(): void {
    const worker = this.files.start(this.isWhole);
    this.worker = worker;
    this.isCompleted = this.isWhole;
    if (this.isWhole) {
      this.completed();
    }
    this.bytes = 0;
    worker.onmessage = ({ data }: MessageEvent<Message | Told>) => {
      if (worker !== this.worker) {
        return;
      }
      if (!('frank' in data)) {
        this.receive(data);
      } else if (data.frank === 'failed') {
        this.failed(data.message, data.isMissing);
      } else if (data.frank === 'memory') {
        this.bytes = data.bytes;
      }
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.worker) {
        // A script that is not there has an event without words.
        const { message } = event as Partial<ErrorEvent>;
        this.failed(message === undefined || message === '' ? 'its script cannot be loaded' : message);
      }
    };
    this.tell({ is: 'starting' });
    void this.greet(worker);
  }

  private async greet(worker: Worker): Promise<void> {
    const id = ++this.lastId;
    const params = {
      processId: null,
      rootUri: null,
      workspaceFolders: null,
      capabilities: CAPABILITIES,
      initializationOptions: this.settings,
    };
    const answer = new Promise<unknown>((resolve, reject) => { this.pending.set(id, { resolve, reject }); });
    this.post({ jsonrpc: '2.0', id, method: 'initialize', params });
    try {
      const { capabilities } = (await answer) as lsp.InitializeResult;
      this.capabilities = capabilities;
    } catch (error) {
      // A server that has failed is another one's matter.
      if (worker === this.worker) {
        this.failed(error instanceof Error ? error.message : String(error));
      }
      return;
    }
    this.notify('initialized', {});
    for (const [uri, document] of this.documents) {
      this.post(opening(uri, document));
    }
    const { waiting } = this;
    this.waiting = [];
    this.tell({ is: 'ready' });
    waiting.forEach((message) => { this.post(message); });
  }

  private post(message: Message): void {
    this.worker?.postMessage(message);
  }

  private receive(message: Message): void {
    const { id, method } = message;
    if (method !== undefined) {
      void this.called(method, message);
      return;
    }
    const pending = typeof id === 'number' ? this.pending.get(id) : undefined;
    if (pending === undefined) {
      return;
    }
    this.pending.delete(id as number);
    if (this.current.is === 'ready' && !this.isCompleted) {
      this.complete();
    }
    if (message.error === undefined) {
      pending.resolve(message.result);
    } else {
      pending.reject(new ServerError(message.error.message, message.error.code, message.error.data));
    }
  }

  /** The server calls one of our methods. */
  private async called(method: string, { id, params }: Message): Promise<void> {
    const listeners = [...(this.listeners.get(method) ?? [])];
    try {
      const results = await Promise.all(listeners.map((listener) => listener(params as never)));
      if (id === undefined) {
        return;
      }
      if (listeners.length > 0) {
        this.post({ jsonrpc: '2.0', id, result: results.find((result) => result !== undefined) ?? null });
      } else {
        this.post({ jsonrpc: '2.0', id, error: { code: -32601, message: `there is no method ${method}` } });
      }
    } catch (error) {
      if (id === undefined) {
        throw error;
      }
      this.post({ jsonrpc: '2.0', id, error: { code: -32603, message: String(error) } });
    }
  }

  /** Gives the worker the rest, in a while: what is shown first comes first. */
  private complete(after = BREATH): void {
    this.isCompleted = true;
    const { worker } = this;
    setTimeout(() => {
      if (worker !== undefined && worker === this.worker) {
        // What is called before it can be loaded is told if it cannot be loaded then, either.
        this.files.complete(worker).then(this.completed, () => { this.complete(AGAIN); });
      }
    }, after);
  }

  private giveUp(id: number): void {
    const pending = this.pending.get(id);
    if (pending === undefined) {
      return;
    }
    this.pending.delete(id);
    const unsent = this.waiting.length;
    this.waiting = this.waiting.filter((message) => message.id !== id);
    if (this.waiting.length === unsent) {
      this.notify('$/cancelRequest', { id });
    }
    pending.reject(new ServerError('cancelled', CANCELLED, undefined));
  }

  private failed(message: string, isMissing = false): void {
    const hadBegun = this.current.is === 'ready' && !isMissing;
    this.end(new Lost(`the language server has failed: ${message}`, hadBegun));
    this.failures += 1;
    if (this.failures > 1) {
      this.tell({ is: 'stopped', message, hadBegun });
      return;
    }
    this.tell({ is: 'failed', message });
    this.start();
  }

  /** Somebody has changed a text. */
  private touched(): void {
    this.failures = 0;
    if (this.current.is === 'stopped') {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => { this.start(); }, PATIENCE);
    }
  }

  private end(error: Lost): void {
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = undefined;
    const pending = [...this.pending.values()];
    this.pending.clear();
    this.waiting = [];
    for (const { reject } of pending) {
      reject(error);
    }
  }

  private tell(state: State): void {
    this.current = state;
    for (const observer of [...this.observers]) {
      observer(state);
    }
  }
}

function opening(uri: string, { version, text }: Document): Message {
  const textDocument = { uri, languageId: 'frank', version, text: text() };
  return { jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument } };
}

/** What our editor can show. */
const CAPABILITIES: lsp.ClientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  workspace: {
    applyEdit: true,
    workspaceEdit: { documentChanges: true },
    didChangeWatchedFiles: { dynamicRegistration: true },
    codeLens: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
    semanticTokens: { refreshSupport: true },
    diagnostics: { refreshSupport: true },
  },
  window: { showDocument: { support: true } },
  textDocument: {
    diagnostic: {},
    publishDiagnostics: { relatedInformation: true, codeDescriptionSupport: true, tagSupport: { valueSet: [1] } },
    hover: { contentFormat: ['markdown'] },
    completion: {
      completionItem: {
        snippetSupport: true,
        documentationFormat: ['markdown'],
        labelDetailsSupport: true,
        resolveSupport: { properties: ['documentation', 'detail', 'additionalTextEdits'] },
      },
    },
    signatureHelp: {
      signatureInformation: { documentationFormat: ['markdown'], parameterInformation: { labelOffsetSupport: true } },
    },
    definition: {},
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor', 'source'] } },
      dataSupport: true,
      isPreferredSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
    codeLens: {},
    inlayHint: {},
    formatting: {},
    onTypeFormatting: {},
    rename: { prepareSupport: true },
    semanticTokens: {
      requests: { full: true },
      tokenTypes: [],
      tokenModifiers: [],
      formats: ['relative'],
    },
  },
  experimental: { frankStep: true, frankPlot: true, frankPictures: true },
};
