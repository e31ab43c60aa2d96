// Runs happen in a worker of their own, with a session of its own, so that typing never waits for a program. That worker
// is ended by *Stop*, after a run that took much memory, and after a while in which nothing has run: only so is memory
// given back.

import { Connection, Lost, type ServerFiles } from './connection';

/** So many milliseconds without a run, and the worker is ended. */
const IDLE = 60_000;

/** With more memory than so many bytes it is ended at once. */
const LARGE = 64 << 20;

/** A text with its address, as it is when something is run. */
export interface Text {
  uri: string;
  text: string;
}

/** What was running was stopped. */
export class Stopped extends Error {
  public constructor() {
    super('stopped');
  }
}

export class Runner {
  private connection: Connection | undefined;
  private texts = new Map<string, string>();
  private running = 0;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private stops = 0;

  public constructor(
    private readonly files: ServerFiles,
    private readonly settings: Record<string, unknown> = {},
  ) {}

  /** Has a command of the server executed, such as `frank.run` with a file and an operator, in texts as they are. */
  public execute<R>(texts: Text[], command: string, args: unknown[]): Promise<R> {
    return this.request(texts, 'workspace/executeCommand', { command, arguments: args });
  }

  /** Makes a request of the server, in texts as they are. Fails as `Connection.request`, and with `Stopped`. */
  public async request<R>(texts: Text[], method: string, params: unknown): Promise<R> {
    clearTimeout(this.idle);
    this.running += 1;
    const { stops } = this;
    this.connection ??= new Connection(this.files, this.settings, true);
    const { connection } = this;
    this.show(connection, texts);
    try {
      return await connection.request<R>(method, params);
    } catch (error) {
      if (stops !== this.stops) {
        throw new Stopped();
      }
      if (error instanceof Lost) {
        // What has made it fail is not to happen again unasked.
        this.end();
      }
      throw error;
    } finally {
      this.running -= 1;
      if (this.running > 0) {
        // The last one ends it.
      } else if (connection.memory > LARGE) {
        this.end();
      } else {
        this.idle = setTimeout(() => { this.end(); }, IDLE);
      }
    }
  }

  /** Ends whatever runs, at once. */
  public stop(): void {
    this.stops += 1;
    this.end();
  }

  private end(): void {
    clearTimeout(this.idle);
    this.connection?.dispose();
    this.connection = undefined;
    this.texts.clear();
  }

  /** Tells the session of the texts. */
  private show(connection: Connection, texts: Text[]): void {
    const now = new Map(texts.map(({ uri, text }) => [uri, text]));
    const before = this.texts;
    this.texts = now;
    for (const uri of before.keys()) {
      if (!now.has(uri)) {
        connection.close(uri);
      }
    }
    for (const [uri, text] of now) {
      const known = before.get(uri);
      if (known === undefined) {
        connection.open(uri, () => this.texts.get(uri) ?? '');
      } else if (known !== text) {
        connection.change(uri, [{ text }]);
      }
    }
  }
}
