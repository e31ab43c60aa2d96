// Writes frank.tmLanguage.json. A TextMate grammar has no way to say "a name" once, so this does.
//
// TextMate sees a line at a time and knows no layout but "a name in the first column begins an
// item", which is what most programs are written like. The server's semantic tokens, which know
// what every name means, come on top.

import { writeFileSync } from 'node:fs';

const NAME = "[\\p{Alphabetic}_][\\p{Alphabetic}\\p{N}_']*";
const START = '(?<![\\p{Alphabetic}\\p{N}_\'])';
const END = "(?![\\p{Alphabetic}\\p{N}_'])";
const word = (names) => `${START}(?:${names})${END}`;
const name = `${START}${NAME}`;
// The next item; a name there ends an item even if its brackets are open.
const NEXT = '^(?=[\\p{Alphabetic}_])';
const include = (...names) => names.map((name) => ({ include: `#${name}` }));
const capture = (...scopes) =>
  Object.fromEntries(scopes.flatMap((name, index) => (name ? [[index + 1, { name }]] : [])));

const SHAPE = `\\(\\s*${NAME}[^()]*->[^()]*\\)`;
const ADAPTOR = `${NAME}\\s*(?:${SHAPE})?`;
const TEXT = '"(?:[^"\\\\]|\\\\.)*"';
// An apostrophe at the end of a name is none of a character.
const CHARACTER = `${START}'(?:[^'\\\\]|\\\\.[^']*)'|(?<=[\\p{Alphabetic}\\p{N}_'])'`;
// What may stand before the arrow of a clause in braces: no braces, no operators of terms.
// Nothing fits two of these, so that a long line is not tried in many ways.
const CLAUSE_HEAD = `(?=\\s*(?:<[^<>]*>|<[^<>]*->[^<>]*>|${TEXT}|${CHARACTER}|[^-<>{}|;=+*/"']|-(?!>))*->)`;

const grammar = {
  name: 'Frank',
  scopeName: 'source.frank',
  fileTypes: ['fk'],
  patterns: include('comment', 'include', 'data', 'interface', 'signature', 'clause'),
  repository: {
    comment: {
      patterns: [
        { include: '#blockComment' },
        {
          name: 'comment.line.double-dash.frank',
          match: '(--).*$',
          captures: capture('punctuation.definition.comment.frank'),
        },
      ],
    },
    blockComment: {
      name: 'comment.block.frank',
      begin: '\\{--',
      end: '--\\}',
      captures: { 0: { name: 'punctuation.definition.comment.frank' } },
      patterns: include('blockComment'),
    },

    include: {
      match: `^(include)\\s+([^\\s(){}\\[\\]]+)`,
      captures: capture('keyword.control.import.frank', 'entity.name.namespace.frank'),
    },
    parameters: {
      patterns: [...include('comment'), { name: 'variable.parameter.frank', match: name }],
    },
    data: {
      begin: `^(data)\\s+(${NAME})`,
      beginCaptures: capture('keyword.other.data.frank', 'entity.name.type.frank'),
      end: NEXT,
      patterns: [
        { include: '#comment' },
        { begin: '\\G', end: `(?==)|${NEXT}`, patterns: include('parameters') },
        {
          begin: '(=)|\\|',
          beginCaptures: {
            0: { name: 'punctuation.separator.frank' },
            1: { name: 'keyword.operator.definition.frank' },
          },
          end: `${NEXT}|(${NAME})|(?=[|\\[])`,
          endCaptures: capture('variable.other.enummember.frank'),
          patterns: include('comment'),
        },
        ...include('type'),
      ],
    },
    interface: {
      begin: `^(interface)\\s+(${NAME})`,
      beginCaptures: capture('keyword.other.interface.frank', 'entity.name.type.interface.frank'),
      end: NEXT,
      patterns: [
        { include: '#comment' },
        { begin: '\\G', end: `(?==)|${NEXT}`, patterns: include('parameters') },
        {
          begin: '(=)|\\|',
          beginCaptures: {
            0: { name: 'punctuation.separator.frank' },
            1: { name: 'keyword.operator.definition.frank' },
          },
          end: `${NEXT}|(:)|(?=[|\\[])`,
          endCaptures: capture('punctuation.separator.frank'),
          patterns: [
            { include: '#comment' },
            {
              begin: `(${NAME})`,
              beginCaptures: capture('entity.name.function.member.frank'),
              end: `(?=[:|])|${NEXT}`,
              patterns: include('parameters'),
            },
          ],
        },
        ...include('type'),
      ],
    },
    signature: {
      begin: `^(${NAME})\\s*(:)(?!:)`,
      beginCaptures: capture('entity.name.function.frank', 'punctuation.separator.frank'),
      end: NEXT,
      patterns: include('comment', 'type'),
    },
    clause: {
      begin: `^(${NAME})`,
      beginCaptures: capture('entity.name.function.frank'),
      end: NEXT,
      patterns: [
        { include: '#comment' },
        {
          begin: '\\G(?!$)',
          end: `(=)|${NEXT}`,
          endCaptures: capture('keyword.operator.definition.frank'),
          patterns: [
            ...include('comment', 'pattern'),
            { name: 'keyword.operator.force.frank', match: '!' },
          ],
        },
        { include: '#term' },
      ],
    },

    type: {
      patterns: [
        ...include('comment'),
        { name: 'keyword.operator.arrow.frank', match: '->' },
        { name: 'support.type.builtin.frank', match: word('String|Int|Char') },
        {
          begin: '[<\\[]',
          end: `[>\\]]|${NEXT}`,
          patterns: [
            ...include('comment'),
            {
              match: `(${name})\\s*(?=\\|)`,
              captures: capture('variable.other.effect.frank'),
            },
            { name: 'constant.numeric.frank', match: '\\b[0-9]+\\b' },
            {
              begin: `(?:\\G|(?<=[,|<\\[]))\\s*(${NAME})`,
              beginCaptures: capture('entity.name.type.interface.frank'),
              end: `(?=[,|>\\]])|${NEXT}`,
              patterns: include('comment', 'shape', 'type'),
            },
            ...include('type'),
          ],
        },
        {
          begin: '\\{',
          end: `\\}|${NEXT}`,
          patterns: include('type'),
        },
        {
          begin: '\\(',
          end: `\\)|${NEXT}`,
          patterns: include('type'),
        },
        { name: 'entity.name.type.frank', match: name },
      ],
    },

    shape: {
      begin: `(?<=[\\p{Alphabetic}\\p{N}_'])\\s*\\((?=\\s*${NAME}[^()]*->)`,
      end: `\\)|${NEXT}`,
      patterns: [
        ...include('comment'),
        { name: 'keyword.operator.arrow.frank', match: '->' },
        { name: 'variable.parameter.frank', match: name },
      ],
    },

    pattern: {
      patterns: [
        ...include('comment', 'literal'),
        {
          match: `<\\s*(${NAME})\\s*>`,
          captures: capture('variable.parameter.frank'),
        },
        {
          begin: `<\\s*(${NAME})(?:\\s*(\\.)\\s*([0-9]+))?`,
          beginCaptures: capture(
            'entity.name.function.member.frank',
            'punctuation.accessor.frank',
            'constant.numeric.frank',
          ),
          end: `(?:(->)\\s*(${NAME})?\\s*>)|${NEXT}`,
          endCaptures: capture('keyword.operator.arrow.frank', 'variable.parameter.frank'),
          patterns: include('pattern'),
        },
        {
          begin: `\\(\\s*(${NAME})(?!\\s*::|[\\p{Alphabetic}\\p{N}_'])`,
          beginCaptures: capture('variable.other.enummember.frank'),
          end: `\\)|${NEXT}`,
          patterns: include('pattern'),
        },
        { name: 'keyword.operator.frank', match: '::' },
        { name: 'constant.numeric.frank', match: '-(?=\\s*[0-9])' },
        { name: 'variable.parameter.frank', match: name },
      ],
    },

    term: {
      patterns: [
        ...include('comment', 'literal'),
        { name: 'keyword.control.frank', match: word('let|in') },
        // A clause's patterns: behind a brace or a bar, or where a line begins.
        {
          begin: `(?:\\{(?!--)|\\||^\\s+)${CLAUSE_HEAD}`,
          end: `(->)|${NEXT}`,
          endCaptures: capture('keyword.operator.arrow.frank'),
          patterns: [
            ...include('comment', 'pattern'),
            { name: 'keyword.operator.force.frank', match: '!' },
          ],
        },
        {
          begin: `<(?=\\s*(?:${ADAPTOR}\\s*(?:,\\s*${ADAPTOR}\\s*)*)?>)`,
          end: `>|${NEXT}`,
          patterns: [
            ...include('comment', 'shape'),
            { name: 'entity.name.type.interface.frank', match: name },
          ],
        },
        { name: 'keyword.operator.frank', match: '<=|>=|==|!=|::|[-+*/<>]' },
        { name: 'keyword.operator.force.frank', match: '!' },
        { name: 'keyword.operator.definition.frank', match: '=' },
        { name: 'punctuation.separator.frank', match: ';' },
        { name: 'variable.other.frank', match: name },
      ],
    },
    literal: {
      patterns: [
        {
          name: 'string.quoted.double.frank',
          begin: '"',
          // Only a gap, two backslashes around blanks and line breaks, goes over the end of a line.
          end: '"|(?<!\\\\)$',
          patterns: [{ name: 'constant.character.escape.frank', match: '\\\\(?:[A-Z]{2,3}|\\^.|x[0-9a-fA-F]+|o[0-7]+|[0-9]+|.|\\s*$)' }],
        },
        {
          name: 'string.quoted.single.frank',
          match: `${START}'(?:[^'\\\\]|(\\\\(?:[A-Z]{2,3}[0-9]?|\\^.|x[0-9a-fA-F]+|o[0-7]+|[0-9]+|.)))'`,
          captures: capture('constant.character.escape.frank'),
        },
        {
          name: 'constant.numeric.frank',
          match: `${START}(?:0[xX][0-9a-fA-F]+|0[oO][0-7]+|[0-9]+(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)`,
        },
      ],
    },
  },
};

writeFileSync(new URL('frank.tmLanguage.json', import.meta.url), JSON.stringify(grammar, null, 2) + '\n');
