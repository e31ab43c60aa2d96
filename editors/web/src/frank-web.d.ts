// What `server/web/build` makes; `build.mjs` says where that is.
declare module 'frank-web' {
  /** The language server, one message at a time. Whatever it throws ends it. */
  export class Server {
    /** `send` gets each message to the client while one of the methods runs. */
    public constructor(send: (message: string) => void);
    public receive(message: string): void;
    /** In how many milliseconds `wake` is due, if it is. */
    public wait(): number | undefined;
    public wake(): void;
  }
  /** Has the class use what a module exports. */
  export function __wbg_set_wasm(exports: WebAssembly.Exports): void;
}
