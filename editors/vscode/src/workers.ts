// The server in workers, behind one connection. One worker answers whoever types. Programs run in another one, which has the
// same texts: typing never waits for a run, and a run is ended by ending its worker. While that worker is there, it also
// says what is shown of results. It is ended some time after the last run, since a worker never gives memory back.

import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  LSPErrorCodes,
  Message,
  type MessageWriter,
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
} from 'vscode-languageserver-protocol';
import { TextDocument, type TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import type { Addresses } from './addresses';
import { CHECK, DERIVATIVE, RUN, WRITE_VALUE } from './commands';

/** A worker that has been told where the module is. */
export interface Port {
  postMessage: (message: unknown) => void;
  terminate: () => unknown;
}

/** Makes one. `receive` gets what it says, `fail` why it cannot go on. */
export type Make = (receive: (data: unknown) => void, fail: (message: string) => void) => Port;

/** Requests that run programs, and commands that do. */
const RUNS = new Set(['frank/fill', 'frank/graph', 'frank/plot', 'frank/runCell', 'frank/step']);
const RUN_COMMANDS = new Set([RUN, DERIVATIVE, CHECK, WRITE_VALUE]);
/** Requests whose answers have something of the last results. */
const SHOWS = new Set([
  'codeLens/resolve',
  'frank/cells',
  'frank/info',
  'inlayHint/resolve',
  'textDocument/codeAction',
  'textDocument/codeLens',
  'textDocument/diagnostic',
  'textDocument/hover',
  'textDocument/inlayHint',
]);
/** What has been shown, and is other now if there are results, or none any more. */
const REFRESH = ['workspace/codeLens/refresh', 'workspace/inlayHint/refresh', 'workspace/diagnostic/refresh'];
/** What the worker for runs asks that the other one has asked already. */
const ASKED_ALREADY = new Set([
  'client/registerCapability',
  'client/unregisterCapability',
  'window/workDoneProgress/create',
  'workspace/semanticTokens/refresh',
]);
/** So many milliseconds after the last run the worker for runs is ended. */
const IDLE = 600_000;
/** Before ids of requests and results of the worker for runs. */
const OF_RUNNER = 'run ';

type Id = string | number;

/** A worker with a server. */
class Session {
  /** What it has not answered yet. */
  public readonly pending = new Map<Id, RequestMessage>();
  /** What is to be sent once it has begun; `undefined` from then on. */
  private waiting: Message[] | undefined;
  private isOver = false;

  private readonly port: Port;

  public constructor(make: Make, receive: (message: Message) => void, fail: (message: string) => void) {
    const failed = (message: string): void => {
      if (!this.isOver) {
        fail(message);
      }
    };
    this.port = make((data) => {
      const told = data as { frank?: string; message?: string };
      if (told.frank === 'failed') {
        failed(told.message ?? '');
      } else if (told.frank === undefined && !this.isOver) {
        receive(data as Message);
      }
    }, failed);
  }

  public send(message: Message): void {
    if (Message.isRequest(message) && message.id !== null) {
      this.pending.set(message.id, message);
    }
    if (this.waiting === undefined) {
      this.port.postMessage(message);
    } else {
      this.waiting.push(message);
    }
  }

  /** Sends the first message; others wait for its answer. */
  public begin(greeting: RequestMessage): void {
    this.waiting = [];
    this.port.postMessage(greeting);
  }

  public go(): void {
    const { waiting = [] } = this;
    this.waiting = undefined;
    for (const message of waiting) {
      this.port.postMessage(message);
    }
  }

  public end(): void {
    this.isOver = true;
    this.port.terminate();
  }
}

export class Workers {
  public readonly reader: Reader;
  public readonly writer: MessageWriter;
  private readonly typing: Session;
  private runner: Session | undefined;
  private idle: ReturnType<typeof setTimeout> | undefined;
  /** Whether the worker for runs has results. */
  private hasRun = false;
  /** What a session begins with. */
  private beginning: object = {};
  private settings: unknown;
  private readonly documents = new Map<string, TextDocument>();
  private readonly files = new Map<string, string>();
  /** Changes of the workspace's folders since the session began. */
  private readonly moves: NotificationMessage[] = [];
  /** The server's questions about settings. */
  private readonly configurations = new Set<Id>();
  private lastId = 0;
  /** The ids that the worker for runs has given its requests, by those that the client has seen. */
  private readonly asked = new Map<Id, Id>();

  /** `addresses` are those of the workspace. */
  public constructor(
    private readonly make: Make,
    addresses: Addresses,
  ) {
    this.reader = new Reader((message) => addresses.toClient(message), () => { this.end(); });
    this.writer = new Writer((message) => { this.sent(addresses.toServer(message)); }, () => { this.end(); });
    this.typing = new Session(
      make,
      (message) => { this.received(message); },
      (message) => { this.lost(message); },
    );
  }

  /** Ends the server, whatever it does. */
  public end(): void {
    clearTimeout(this.idle);
    this.typing.end();
    this.runner?.end();
    this.runner = undefined;
  }

  /** The server has failed: the client starts another one. */
  private lost(message: string): void {
    this.end();
    this.reader.over(new Error(message));
  }

  /** A message of the client. */
  private sent(message: Message): void {
    if (Message.isRequest(message)) {
      this.question(message);
    } else if (Message.isNotification(message)) {
      this.notification(message);
    } else {
      this.answer(message as ResponseMessage);
    }
  }

  private question(message: RequestMessage): void {
    if (message.method === 'initialize') {
      this.beginning = (message.params ?? {});
    }
    if (isRun(message)) {
      clearTimeout(this.idle);
      this.runner ??= this.begin();
      this.runner.send(message);
    } else if (this.runner !== undefined && this.hasRun && SHOWS.has(message.method) && !isBusy(this.runner)) {
      this.runner.send(withPrevious(message, true));
    } else {
      this.typing.send(withPrevious(message, false));
    }
  }

  private notification(message: NotificationMessage): void {
    const { method } = message;
    if (method === '$/cancelRequest') {
      this.cancel(message);
      return;
    }
    this.remember(message);
    this.typing.send(message);
    if (method === 'exit') {
      this.end();
    } else if (method !== 'initialized') {
      this.runner?.send(message);
    }
  }

  /** Keeps what another worker has to know. */
  private remember(message: NotificationMessage): void {
    switch (message.method) {
      case 'textDocument/didOpen': {
        const { uri, languageId, version, text } = (message.params as Opened).textDocument;
        this.documents.set(uri, TextDocument.create(uri, languageId, version, text));
        break;
      }
      case 'textDocument/didChange': {
        const { textDocument, contentChanges } = message.params as Changed;
        const document = this.documents.get(textDocument.uri);
        if (document !== undefined) {
          TextDocument.update(document, contentChanges, textDocument.version);
        }
        break;
      }
      case 'textDocument/didClose':
        this.documents.delete((message.params as Closed).textDocument.uri);
        break;
      case 'frank/files':
        for (const { uri, text } of (message.params as Files).files) {
          if (text === null) {
            this.files.delete(uri);
          } else {
            this.files.set(uri, text);
          }
        }
        break;
      case 'workspace/didChangeWorkspaceFolders':
        this.moves.push(message);
        break;
    }
  }

  /** The client gives up a request. A worker that runs a program hears nothing, and is ended. */
  private cancel(message: NotificationMessage): void {
    const { id } = message.params as { id: Id };
    const request = this.runner?.pending.get(id);
    if (request === undefined) {
      this.typing.send(message);
    } else if (isRun(request)) {
      this.runner?.pending.delete(id);
      this.reader.deliver(failure(id, LSPErrorCodes.RequestCancelled, 'The run was ended.'));
      const others = this.endRunner();
      others.forEach((one) => { this.question(one); });
    } else {
      this.runner?.send(message);
    }
  }

  /** An answer of the client. */
  private answer(message: ResponseMessage): void {
    const { id } = message;
    if (id !== null && this.configurations.delete(id) && Array.isArray(message.result)) {
      this.settings = message.result[0];
    }
    if (typeof id === 'string' && id.startsWith(OF_RUNNER)) {
      const asked = this.asked.get(id);
      this.asked.delete(id);
      if (asked !== undefined) {
        this.runner?.send({ ...message, id: asked } as ResponseMessage);
      }
    } else {
      this.typing.send(message);
    }
  }

  /** A message of the server that answers while somebody types. */
  private received(message: Message): void {
    if (Message.isRequest(message)) {
      if (message.method === 'workspace/configuration' && message.id !== null) {
        this.configurations.add(message.id);
      }
    } else if (Message.isResponse(message) && message.id !== null) {
      this.typing.pending.delete(message.id);
    }
    this.reader.deliver(message);
  }

  /** Starts the worker for runs with all texts as they are now. */
  private begin(): Session {
    const greeting = `${OF_RUNNER}${++this.lastId}`;
    const session: Session = new Session(
      this.make,
      (message) => {
        if (Message.isResponse(message) && message.id === greeting) {
          session.go();
        } else {
          this.receivedFromRunner(session, message);
        }
      },
      (message) => { this.lostRunner(message); },
    );
    const told = (method: string, params: object): NotificationMessage => ({ jsonrpc: '2.0', method, params });
    const params = { ...this.beginning, ...(this.settings === undefined ? {} : { initializationOptions: this.settings }) };
    session.begin({ jsonrpc: '2.0', id: greeting, method: 'initialize', params });
    session.send(told('initialized', {}));
    this.moves.forEach((move) => { session.send(move); });
    const files = [...this.files].map(([uri, text]) => ({ uri, text }));
    if (files.length > 0) {
      session.send(told('frank/files', { files }));
    }
    for (const document of this.documents.values()) {
      const { uri, languageId, version } = document;
      session.send(told('textDocument/didOpen', { textDocument: { uri, languageId, version, text: document.getText() } }));
    }
    return session;
  }

  private receivedFromRunner(runner: Session, message: Message): void {
    if (Message.isRequest(message)) {
      if (ASKED_ALREADY.has(message.method)) {
        runner.send({ jsonrpc: '2.0', id: message.id, result: null } as ResponseMessage);
      } else if (message.id !== null) {
        const id = `${OF_RUNNER}${++this.lastId}`;
        this.asked.set(id, message.id);
        this.reader.deliver({ ...message, id } as RequestMessage);
      }
    } else if (Message.isResponse(message) && message.id !== null) {
      const request = runner.pending.get(message.id);
      runner.pending.delete(message.id);
      this.reader.deliver(marked(message));
      if (request !== undefined && isRun(request) && !isBusy(runner)) {
        this.hasRun = true;
        this.idle = setTimeout(() => {
          this.endRunner().forEach((one) => { this.question(one); });
        }, IDLE);
        this.refresh();
      }
    }
    // What it says unasked the other worker says, too.
  }

  /** A run was too much for its worker. */
  private lostRunner(reason: string): void {
    for (const request of this.endRunner()) {
      if (isRun(request) && request.id !== null) {
        this.reader.deliver(failure(request.id, LSPErrorCodes.RequestFailed, `The run has ended the server: ${reason}`));
      } else {
        this.question(request);
      }
    }
  }

  /** Ends the worker for runs; gives what it has not answered. */
  private endRunner(): RequestMessage[] {
    const { runner } = this;
    this.runner = undefined;
    this.hasRun = false;
    clearTimeout(this.idle);
    this.asked.clear();
    runner?.end();
    this.refresh();
    return [...(runner?.pending.values() ?? [])];
  }

  /** Has the client ask again for what shows results. */
  private refresh(): void {
    for (const method of REFRESH) {
      this.reader.deliver({ jsonrpc: '2.0', id: `${OF_RUNNER}${++this.lastId}`, method } as RequestMessage);
    }
  }
}

interface Opened {
  textDocument: { uri: string; languageId: string; version: number; text: string };
}

interface Changed {
  textDocument: { uri: string; version: number };
  contentChanges: TextDocumentContentChangeEvent[];
}

interface Closed {
  textDocument: { uri: string };
}

interface Files {
  files: { uri: string; text: string | null }[];
}

function isRun({ method, params }: RequestMessage): boolean {
  const { command } = (params ?? {}) as { command?: string };
  return RUNS.has(method) || (method === 'workspace/executeCommand' && command !== undefined && RUN_COMMANDS.has(command));
}

function isBusy(session: Session): boolean {
  return [...session.pending.values()].some(isRun);
}

/** Findings are asked for with the name of those that are known, which tells only that server something that gave it. */
function withPrevious(message: RequestMessage, isRunner: boolean): RequestMessage {
  const { previousResultId, ...others } = (message.params ?? {}) as { previousResultId?: string };
  if (message.method !== 'textDocument/diagnostic' || previousResultId === undefined) {
    return message;
  }
  const isOfRunner = previousResultId.startsWith(OF_RUNNER);
  const own = isOfRunner ? previousResultId.slice(OF_RUNNER.length) : previousResultId;
  const params = isOfRunner === isRunner ? { ...others, previousResultId: own } : others;
  return { ...message, params };
}

/** An answer of the worker for runs, whose results can be told from those of the other one. */
function marked(message: ResponseMessage): ResponseMessage {
  const result = message.result as { resultId?: string } | null | undefined;
  return typeof result === 'object' && typeof result?.resultId === 'string'
    ? { ...message, result: { ...result, resultId: `${OF_RUNNER}${result.resultId}` } }
    : message;
}

function failure(id: Id, code: number, message: string): ResponseMessage {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** Makes servers one after the other. One that could not be stopped is ended when there is the next. */
export function oneAtATime(addresses: () => Addresses): (make: Make) => Promise<Workers> {
  let latest: Workers | undefined;
  return (make) => {
    latest?.end();
    latest = new Workers(make, addresses());
    return Promise.resolve(latest);
  };
}

class Reader extends AbstractMessageReader {
  private callback: DataCallback | undefined;
  private early: Message[] = [];

  public constructor(
    private readonly translated: (message: Message) => Message,
    private readonly end: () => void,
  ) {
    super();
  }

  public listen(callback: DataCallback): Disposable {
    this.callback = callback;
    const { early } = this;
    this.early = [];
    early.forEach(callback);
    return { dispose: () => { this.callback = undefined; } };
  }

  public deliver(message: Message): void {
    const translated = this.translated(message);
    if (this.callback === undefined) {
      this.early.push(translated);
    } else {
      this.callback(translated);
    }
  }

  /** There will be no more messages. */
  public over(reason: Error): void {
    this.fireError(reason);
    this.fireClose();
  }

  public override dispose(): void {
    super.dispose();
    this.end();
  }
}

class Writer extends AbstractMessageWriter implements MessageWriter {
  public constructor(
    private readonly sent: (message: Message) => void,
    public readonly end: () => void,
  ) {
    super();
  }

  public write(message: Message): Promise<void> {
    this.sent(message);
    return Promise.resolve();
  }
}
