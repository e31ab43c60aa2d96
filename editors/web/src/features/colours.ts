// Colours: the server's own words, and until these are there what can be told from the letters alone.

import { HighlightStyle, LanguageSupport, StreamLanguage, type StringStream, syntaxHighlighting } from '@codemirror/language';
import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type * as lsp from 'vscode-languageserver-protocol';
import { givenDecorations } from './given';
import { ask, inView, keepShown, servedBy } from './session';

interface Within {
  /** How many comments in brackets are open. */
  depth: number;
}

const KEYWORDS = new Set(['data', 'interface', 'include', 'let', 'in', 'tests']);

function token(stream: StringStream, within: Within): string | null {
  if (within.depth > 0 || stream.match('{--')) {
    within.depth = Math.max(within.depth, 1);
    while (!stream.eol() && within.depth > 0) {
      if (stream.match('--}')) {
        within.depth -= 1;
      } else if (stream.match('{--')) {
        within.depth += 1;
      } else {
        stream.next();
      }
    }
    return 'comment';
  }
  if (stream.match('--')) {
    stream.skipToEnd();
    return 'comment';
  }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\[^']+)'/)) {
    return 'string';
  }
  if (stream.match(/^[A-Z][\w']*/)) {
    return 'typeName';
  }
  if (stream.match(/^[\p{Alphabetic}_][\p{Alphabetic}\p{N}_']*/u)) {
    return KEYWORDS.has(stream.current()) ? 'keyword' : null;
  }
  if (stream.match(/^(?:0x[\da-fA-F]+|0o[0-7]+|\d+(?:\.\d+)?(?:e-?\d+)?)/)) {
    return 'number';
  }
  if (stream.match(/^(?:->|[=|:;!<>]=?)/)) {
    return 'keyword';
  }
  stream.next();
  return null;
}

const language = StreamLanguage.define<Within>({
  name: 'frank',
  startState: () => ({ depth: 0 }),
  copyState: ({ depth }) => ({ depth }),
  token,
  languageData: {
    commentTokens: { line: '--', block: { open: '{--', close: '--}' } },
    closeBrackets: { brackets: ['(', '[', '{', '"'] },
  },
});

const letters = HighlightStyle.define([
  { tag: tags.comment, class: 'fk-comment' },
  { tag: tags.string, class: 'fk-string' },
  { tag: tags.keyword, class: 'fk-keyword' },
  { tag: tags.number, class: 'fk-number' },
  { tag: tags.typeName, class: 'fk-type' },
]);

/** What can be told without a server; also for texts that are only shown. */
export const plainColours: Extension = [new LanguageSupport(language), syntaxHighlighting(letters)];

const { field: words, give: coloured } = givenDecorations();

const marks = new Map<string, Decoration>();

function mark(className: string): Decoration {
  let known = marks.get(className);
  if (known === undefined) {
    known = Decoration.mark({ class: className });
    marks.set(className, known);
  }
  return known;
}

async function pull(view: EditorView): Promise<void> {
  const { connection, uri } = servedBy(view);
  const legend = connection.capabilities?.semanticTokensProvider?.legend;
  const params = { textDocument: { uri }, range: inView(view) };
  const tokens = await ask<lsp.SemanticTokens | null>(view, 'textDocument/semanticTokens/range', params);
  if (tokens === undefined || tokens === null || legend === undefined) {
    return;
  }
  const { doc } = view.state;
  const builder = new RangeSetBuilder<Decoration>();
  const { data } = tokens;
  let line = 1;
  let column = 0;
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [down = 0, right = 0, length = 0, type = 0, modifiers = 0] = data.slice(at, at + 5);
    line += down;
    column = down === 0 ? column + right : right;
    if (line > doc.lines) {
      break;
    }
    const from = doc.line(line).from + column;
    const to = Math.min(from + length, doc.length);
    const names = [legend.tokenTypes[type], ...legend.tokenModifiers.filter((_, bit) => (modifiers & (1 << bit)) !== 0)];
    if (from < to) {
      builder.add(from, to, mark(names.map((name) => `fk-${name ?? ''}`).join(' ')));
    }
  }
  view.dispatch({ effects: coloured.of(builder.finish()) });
}

/** All colours. */
export const colours: Extension = [
  plainColours,
  words,
  keepShown({ pull, refresh: 'workspace/semanticTokens/refresh', patience: 0, follows: true }),
];
