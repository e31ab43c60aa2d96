/** The module at an address. */
export async function compile(wasm: URL): Promise<WebAssembly.Module> {
  const response = await fetch(wasm);
  if (!response.ok) {
    throw new Error(`${wasm.pathname} cannot be loaded (${response.status})`);
  }
  // Not every web server knows what a module is.
  const isNamed = response.headers.get('content-type')?.startsWith('application/wasm') === true;
  return isNamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
