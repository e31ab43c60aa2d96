// The server's module of WebAssembly. It is in one piece, or in two (`server.mjs` cuts it): what a page needs for its first
// findings, and the rest, which is there when it is called.

import * as glue from 'frank-web';
import { Missing } from './compile';

export { Server } from 'frank-web';

/** What the server's module exports, as far as its script does not know it. */
interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  __wbindgen_start: () => void;
}

/** A module that is ready. */
export interface Ready {
  memory: WebAssembly.Memory;
  /** Adds the rest, unless it is there. */
  complete: (rest: WebAssembly.Module) => void;
}

/** Makes a module ready. `rest` gives the rest of one in two pieces as soon as that is called, and not later. */
export async function instantiate(module: WebAssembly.Module, rest: () => WebAssembly.Module): Promise<Ready> {
  let isWhole = false;
  const version = versionIn(module, 'rest');
  const complete = (rest: WebAssembly.Module): void => {
    if (isWhole) {
      return;
    }
    if (versionIn(rest, 'first') !== version) {
      throw new Missing('its parts are of two versions: load the page again');
    }
    // It puts its functions into the first one's table.
    new WebAssembly.Instance(rest, { [`first ${version}`]: exports });
    isWhole = true;
  };
  const load = (): void => {
    if (!isWhole) {
      complete(rest());
    }
  };
  const instance = await WebAssembly.instantiate(module, { './frank_web_bg.js': { ...glue }, [`rest ${version}`]: { load } });
  const exports = instance.exports as Exports;
  glue.__wbg_set_wasm(exports);
  exports.__wbindgen_start();
  return { memory: exports.memory, complete };
}

/** Which version of another part a module imports from. */
function versionIn(module: WebAssembly.Module, part: string): string {
  const names = WebAssembly.Module.imports(module).map(({ module }) => module.split(' '));
  return names.find(([name]) => name === part)?.[1] ?? '';
}
