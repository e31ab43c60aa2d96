// A notebook's text: Markdown, cut into cells and put together again. What a cell does not show, fences and blank
// lines, it keeps, so that a file that nobody changed is written as it was read.

/** A part of a notebook: a program's code, or Markdown. */
export interface Cell {
  code: boolean;
  text: string;
  /** What stands around the text in the file; a cell that somebody has added has none. */
  around?: Around;
}

export interface Around {
  before: string;
  after: string;
}

export interface Notebook {
  cells: Cell[];
  /** How lines end in the file. */
  newline: '\n' | '\r\n';
  /** Whether the file begins with a byte order mark. */
  mark: boolean;
}

const LANGUAGE = 'frank';
/** Words behind the language that say that a block is only shown. */
const SHOWN_ONLY = new Set(['ignore', 'wrong', 'fragment']);

interface Fence {
  sign: string;
  length: number;
  info: string;
}

/** The fence that a line opens or closes a block with. */
function fence(line: string): Fence | undefined {
  const found = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
  if (found?.[1] === undefined || found[2] === undefined) {
    return undefined;
  }
  const sign = found[1].charAt(0);
  // Backticks behind a fence of backticks make it code within a line.
  return sign === '`' && found[2].includes('`') ? undefined : { sign, length: found[1].length, info: found[2].trim() };
}

function isCell({ info }: Fence): boolean {
  const [first, ...others] = info.split(/[\s,]+/);
  return first === LANGUAGE && !others.some((word) => SHOWN_ONLY.has(word));
}

/** Blank lines around a text, and the text without them. */
function trimmed(lines: string[]): { before: string; text: string; after: string } {
  const isBlank = (line: string): boolean => line.trim() === '';
  let start = 0;
  while (start < lines.length && isBlank(lines[start] ?? '')) {
    start += 1;
  }
  let end = lines.length;
  while (end > start && isBlank(lines[end - 1] ?? '')) {
    end -= 1;
  }
  const last = lines[end - 1] ?? '';
  const text = lines.slice(start, end).join('');
  const open = last.endsWith('\n');
  return {
    before: lines.slice(0, start).join(''),
    text: open ? text.slice(0, -1) : text,
    after: (open ? '\n' : '') + lines.slice(end).join(''),
  };
}

/** Cuts a file into cells. */
export function read(file: string): Notebook {
  const mark = file.startsWith('\uFEFF');
  const whole = mark ? file.slice(1) : file;
  const newline = /^[^\n]*\r\n/.test(whole) ? '\r\n' : '\n';
  const lines = whole.replace(/\r\n/g, '\n').split(/(?<=\n)/);
  const cells: Cell[] = [];
  let prose: string[] = [];
  const endProse = (): void => {
    const { before, text, after } = trimmed(prose);
    prose = [];
    if (text !== '') {
      cells.push({ code: false, text, around: { before, after } });
    } else if (before !== '') {
      // Blank lines alone belong to what is above them; at the top to a cell of their own.
      const above = cells.at(-1)?.around;
      if (above === undefined) {
        cells.push({ code: false, text: '', around: { before, after: '' } });
      } else {
        above.after += before;
      }
    }
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const opened = fence(line.replace(/\n$/, ''));
    if (opened === undefined) {
      prose.push(line);
      continue;
    }
    let end = at + 1;
    const closes = (line: string): boolean => {
      const found = fence(line.replace(/\n$/, ''));
      return found?.sign === opened.sign && found.length >= opened.length && found.info === '';
    };
    while (end < lines.length && !closes(lines[end] ?? '')) {
      end += 1;
    }
    if (!isCell(opened)) {
      prose.push(...lines.slice(at, end + 1));
    } else {
      endProse();
      const code = lines.slice(at + 1, end).join('');
      const open = code.endsWith('\n');
      const text = open ? code.slice(0, -1) : code;
      cells.push({ code: true, text, around: { before: line, after: (open ? '\n' : '') + (lines[end] ?? '') } });
    }
    at = end;
  }
  endProse();
  return { cells, newline, mark };
}

/** Puts cells together. */
export function write({ cells, newline, mark }: Notebook): string {
  let file = '';
  for (const { code, text, around } of cells) {
    if (around === undefined && file !== '') {
      // A blank line keeps what is new apart from what is above.
      file += file.endsWith('\n\n') ? '' : file.endsWith('\n') ? '\n' : '\n\n';
    } else if (file !== '' && !file.endsWith('\n')) {
      file += '\n';
    }
    file += code ? fenced(text, around) : `${around?.before ?? ''}${text}${around?.after ?? '\n'}`;
  }
  return (mark ? '\uFEFF' : '') + (newline === '\n' ? file : file.replace(/\n/g, newline));
}

/** Code between fences: its own, unless a line of the code would close them. */
function fenced(text: string, around: Around | undefined): string {
  const fences = [...text.matchAll(/^ {0,3}(`{3,})/gm)].map(([, ticks]) => ticks?.length ?? 0);
  const longest = Math.max(2, ...fences);
  const own = around === undefined ? undefined : fence(around.before.replace(/\n$/, ''));
  const breaks = (line: string): boolean => {
    const found = fence(line);
    return found?.sign === own?.sign && found?.info === '' && found.length >= (own?.length ?? 0);
  };
  if (around !== undefined && !text.split('\n').some(breaks)) {
    // Where nothing stood, nothing has ended a line yet.
    const after = text !== '' && around.after !== '' && !around.after.startsWith('\n') ? `\n${around.after}` : around.after;
    return around.before.endsWith('\n') ? around.before + text + after : `${around.before}\n${text}${after}`;
  }
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${LANGUAGE}\n${text === '' ? '' : `${text}\n`}${ticks}\n`;
}
