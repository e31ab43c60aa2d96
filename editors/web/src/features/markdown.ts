// The Markdown of hovers and the like, as elements. Nothing of it is ever read as HTML: what is no Markdown that the
// server writes stays text.

/** A table, a list, a paragraph, … for a text. */
export function markdown(text: string): HTMLElement {
  const root = element('div', 'fk-markdown');
  const lines = text.split('\n');
  let paragraph: string[] = [];
  const end = (): void => {
    if (paragraph.length > 0) {
      inline(root.appendChild(element('p')), paragraph.join('\n'));
      paragraph = [];
    }
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const fence = /^\s*(`{3,}|~{3,})\s*(\S*)/.exec(line);
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    const item = /^(\s*)(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line);
    if (fence?.[1] !== undefined) {
      end();
      const close = fence[1];
      const code: string[] = [];
      for (at += 1; at < lines.length && !(lines[at] ?? '').trim().startsWith(close); at += 1) {
        code.push(lines[at] ?? '');
      }
      const block = root.appendChild(element('pre')).appendChild(element('code'));
      block.textContent = code.join('\n');
    } else if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) {
      end();
      root.append(element('hr'));
    } else if (heading !== null) {
      end();
      inline(root.appendChild(element('p', 'fk-heading')), heading[2] ?? '');
    } else if (item !== null && paragraph.length === 0) {
      const before = root.lastElementChild;
      const list = before?.tagName === 'UL' ? before : root.appendChild(element('ul'));
      inline(list.appendChild(element('li')), item[2] ?? '');
    } else if (line.trim() === '') {
      end();
    } else if (line.startsWith('|') && /^\|[\s:|-]+\|\s*$/.test(lines[at + 1] ?? '')) {
      end();
      const table = root.appendChild(element('table'));
      row(table, line, 'th');
      for (at += 2; (lines[at] ?? '').startsWith('|'); at += 1) {
        row(table, lines[at] ?? '', 'td');
      }
      at -= 1;
    } else {
      paragraph.push(line);
    }
  }
  end();
  return root;
}

function row(table: HTMLElement, line: string, kind: 'td' | 'th'): void {
  const tr = table.appendChild(element('tr'));
  for (const cell of line.trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/)) {
    inline(tr.appendChild(element(kind)), cell.trim().replaceAll('\\|', '|'));
  }
}

/**
 * Code, pictures, links, strong and stressed text, and what is escaped; the first that begins counts. A text of an address may
 * be written so that one who reads it has much to do: no part is looked for again from the middle of where it is none.
 */
const PARTS =
  /(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)|!\[([^[\]]*)\]\(([^()\s]*)\)|\[((?:[^[\]\\]|\\.)*)\]\(([^()\s]*)\)|\*\*([\s\S]+?)\*\*|(?<![\w*])[*_]([^*_\s][^*_]*)[*_](?!\w)|\\([!-/:-@[-`{-~])|&(amp|lt|gt|quot|nbsp|#\d{1,6});/g;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

/** The character of a number, `#91` for one. */
function numbered(entity: string | undefined): string | undefined {
  const code = Number(/^#(\d+)$/.exec(entity ?? '')?.[1]);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : undefined;
}

function inline(parent: HTMLElement, text: string): void {
  let seen = 0;
  for (const match of text.matchAll(PARTS)) {
    parent.append(text.slice(seen, match.index));
    seen = match.index + match[0].length;
    const [whole, , code, alt, source, label, target, strong, stressed, escaped, entity] = match;
    if (code !== undefined) {
      parent.appendChild(element('code')).textContent = code.trim();
    } else if (source !== undefined) {
      picture(parent, source, alt ?? '');
    } else if (target !== undefined) {
      link(parent, target, label ?? '');
    } else if (strong !== undefined) {
      inline(parent.appendChild(element('strong')), strong);
    } else if (stressed !== undefined) {
      inline(parent.appendChild(element('em')), stressed);
    } else if (escaped !== undefined) {
      parent.append(escaped);
    } else {
      parent.append(ENTITIES[entity ?? ''] ?? numbered(entity) ?? whole);
    }
  }
  parent.append(text.slice(seen));
}

/** A picture that is there in the text itself. */
function picture(parent: HTMLElement, source: string, alt: string): void {
  if (!source.startsWith('data:image/svg+xml')) {
    parent.append(alt);
    return;
  }
  const image = document.createElement('img');
  image.alt = alt;
  image.src = source;
  parent.append(image);
}

function link(parent: HTMLElement, target: string, label: string): void {
  if (!/^https?:\/\//.test(target)) {
    inline(parent, label);
    return;
  }
  const anchor = document.createElement('a');
  anchor.href = target;
  anchor.target = '_blank';
  anchor.rel = 'noopener noreferrer';
  inline(anchor, label);
  parent.append(anchor);
}

function element(name: string, className = ''): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

/** What the protocol calls Markdown or text. */
export function told(contents: string | { kind: string; value: string }): HTMLElement {
  if (typeof contents !== 'string' && contents.kind === 'markdown') {
    return markdown(contents.value);
  }
  const plain = element('div', 'fk-markdown');
  plain.appendChild(element('p')).textContent = typeof contents === 'string' ? contents : contents.value;
  return plain;
}
