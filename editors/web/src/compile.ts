/** A part of the server cannot be had: no text has to do with that. */
export class Missing extends Error {}

/** What is at an address cannot be loaded. A folder of the server is gone when there is a newer one. */
export function missing({ pathname }: URL, status: number): Missing {
  const advice = status === 404 ? '; this page may be of an older version: load it again' : '';
  return new Missing(`${pathname} cannot be loaded (${status})${advice}`);
}

/** The module at an address. */
export async function compile(wasm: URL): Promise<WebAssembly.Module> {
  const response = await fetch(wasm);
  if (!response.ok) {
    throw missing(wasm, response.status);
  }
  // Not every web server knows what a module is.
  const isNamed = response.headers.get('content-type')?.startsWith('application/wasm') === true;
  return isNamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
