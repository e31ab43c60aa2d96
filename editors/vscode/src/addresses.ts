// The addresses of files in virtual workspaces. The server knows files by their paths on a disk; what is elsewhere gets a
// path there, and its own address back in what the server says.

/** Where files are: what is in front of the paths of addresses. */
export interface Root {
  scheme: string;
  authority: string;
  /** The address of the root, as the client writes it. */
  address: string;
}

/** The scheme of the cells of notebooks, which are at the path of their notebook. */
const CELLS = 'vscode-notebook-cell';
const DISK = 'file:///';

interface Pair {
  client: string;
  server: string;
}

export class Addresses {
  private readonly pairs: Pair[];

  /** Where the folders of the workspace are. */
  public constructor(roots: Root[]) {
    // A file of a disk may be opened beside any workspace.
    const disk: Root = { scheme: 'file', authority: '', address: DISK };
    const all = new Map([...roots, disk].map((root) => [root.address, root]));
    // A workspace on a disk stays as it is; otherwise what is first keeps its path.
    const isOnDisk = roots.some(({ address }) => address === DISK);
    const others = [...all.values()].filter(({ address }) => address !== DISK);
    const sorted = isOnDisk ? [disk, ...others] : [...others, disk];
    const pairs = sorted.flatMap(({ scheme, authority, address }, index): Pair[] => {
      const place = index === 0 ? '' : `${encodeURIComponent(`${scheme} ${authority}`)}/`;
      const slashes = authority === '' ? '' : address.slice(address.indexOf('//'), -1);
      return [
        { client: address, server: `${DISK}${place}` },
        { client: `${CELLS}:${slashes}/`, server: `${CELLS}:/${place}` },
      ];
    });
    // Cells do not say whose they are where that is all that differs.
    const first = new Map([...pairs].reverse().map((pair) => [pair.client, pair]));
    this.pairs = [...first.values()].filter(({ client, server }) => client !== server);
  }

  /** A message of the client as the server gets it. */
  public toServer<T>(message: T): T {
    const address = translator(this.pairs.map(({ client, server }) => [client, server]));
    return this.pairs.length === 0 ? message : (mapped(message, address, '') as T);
  }

  /** A message of the server as the client gets it. */
  public toClient<T>(message: T): T {
    const back = this.pairs.map(({ client, server }): [string, string] => [server, client]);
    const address = translator(back);
    // Links in Markdown, and places in pages, begin in the middle of a text.
    const inside = (text: string, before: string): string =>
      text.replaceAll(new RegExp(`${before}(${DISK}[^"')\\s]*)`, 'g'), (all, found: string) => all.replace(found, () => address(found)));
    const text = (text: string, key: string, isMarkdown: boolean): string =>
      key === 'html' ? inside(text, '') : key === 'value' && isMarkdown ? inside(text, '\\]\\(') : address(text);
    return this.pairs.length === 0 ? message : (mapped(message, text, '') as T);
  }
}

/** Puts one beginning in the place of another, the longest that there is. */
function translator(pairs: [from: string, to: string][]): (text: string) => string {
  const sorted = [...pairs].sort(([one], [other]) => other.length - one.length);
  return (text) => {
    const pair = sorted.find(([from]) => text.startsWith(from));
    return pair === undefined ? text : `${pair[1]}${text.slice(pair[0].length)}`;
  };
}

/** A value with other texts in it; those of documents stay as they are. */
function mapped(value: unknown, text: (text: string, key: string, isMarkdown: boolean) => string, key: string, isMarkdown = false): unknown {
  if (typeof value === 'string') {
    return key === 'text' || key === 'newText' ? value : text(value, key, isMarkdown);
  }
  if (Array.isArray(value)) {
    // Colours of a whole file are a long list of numbers.
    return typeof value[0] === 'number' ? value : value.map((one) => mapped(one, text, key));
  }
  if (typeof value === 'object' && value !== null) {
    const isMarkdown = 'kind' in value && value.kind === 'markdown';
    // Edits are listed by the addresses of their files.
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [text(key, '', false), mapped(one, text, key, isMarkdown)]));
  }
  return value;
}
