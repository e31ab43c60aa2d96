// Completion: what the server offers, in its order.

import {
  autocompletion,
  closeCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
  selectedCompletion,
  snippet,
} from '@codemirror/autocomplete';
import { type Extension, Prec } from '@codemirror/state';
import { type Command, type EditorView, keymap } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { told } from './markdown';
import { ask, placeIn, servedBy, spanOf } from './session';

/** Classes of the protocol's kinds, for the signs before the names. */
const KINDS: Record<number, string> = {
  2: 'method',
  3: 'function',
  6: 'variable',
  8: 'interface',
  13: 'enum',
  14: 'keyword',
  15: 'text',
  17: 'namespace',
  20: 'constant',
  21: 'constant',
  25: 'type',
};

const WORD = /[\p{Alphabetic}_][\p{Alphabetic}\p{N}_']*$/u;

/** A snippet as CodeMirror writes it: `${1:name}`, and `${}` for the end. */
function template(text: string): string {
  return text.replace(
    /\\([\\$}])|\$\{(\d+):((?:[^}\\]|\\.)*)\}|\$\{?(\d+)\}?|([#$]\{)/g,
    (_, escaped: string | undefined, number: string | undefined, name: string, bare: string | undefined) => {
      if (escaped !== undefined) {
        return escaped === '}' ? '\\}' : escaped;
      }
      if (number !== undefined) {
        return `\${${number}:${name}}`;
      }
      return bare === undefined ? '\\${' : bare === '0' ? '${}' : `\${${bare}}`;
    },
  );
}

/** What can be chosen, with the text that it stands for if it is no more than a text. */
interface Offer extends Completion {
  plain: string | undefined;
}

function option(view: EditorView, item: lsp.CompletionItem): Offer {
  const detail = item.labelDetails?.description ?? item.detail;
  const inserted = item.textEdit?.newText ?? item.insertText ?? item.label;
  const isSnippet = item.insertTextFormat === 2;
  const type = KINDS[item.kind ?? 0];
  return {
    label: item.filterText ?? item.label,
    displayLabel: item.label,
    plain: isSnippet ? undefined : inserted,
    ...(item.sortText !== undefined && { sortText: item.sortText }),
    ...(detail !== undefined && { detail }),
    ...(type !== undefined && { type }),
    apply: (target, completion, from, to) => {
      if (isSnippet) {
        snippet(template(inserted))(target, completion, from, to);
      } else {
        target.dispatch(insertCompletionText(target.state, inserted, from, to));
      }
    },
    ...(item.data !== undefined && { info: () => documentation(view, item) }),
  };
}

async function documentation(view: EditorView, item: lsp.CompletionItem): Promise<HTMLElement | null> {
  const { connection } = servedBy(view);
  const whole = await connection.request<lsp.CompletionItem>('completionItem/resolve', item).catch(() => undefined);
  return whole?.documentation === undefined ? null : told(whole.documentation);
}

async function source(context: CompletionContext): Promise<CompletionResult | null> {
  const { view, pos, explicit } = context;
  if (view === undefined) {
    return null;
  }
  const triggers = servedBy(view).connection.capabilities?.completionProvider?.triggerCharacters ?? [];
  const before = context.state.sliceDoc(Math.max(0, pos - 1), pos);
  const isTrigger = triggers.includes(before);
  if (!explicit && !isTrigger && !WORD.test(context.state.sliceDoc(Math.max(0, pos - 80), pos))) {
    return null;
  }
  const trigger = isTrigger ? { triggerKind: 2, triggerCharacter: before } : { triggerKind: 1 };
  const params = { ...placeIn(view, pos), context: trigger };
  const answer = await ask<lsp.CompletionItem[] | lsp.CompletionList | null>(view, 'textDocument/completion', params);
  if (answer === undefined || answer === null || context.aborted) {
    return null;
  }
  const { items, isIncomplete } = Array.isArray(answer) ? { items: answer, isIncomplete: false } : answer;
  const edit = items.find(({ textEdit }) => textEdit !== undefined)?.textEdit;
  const { doc } = context.state;
  const from = edit === undefined ? pos : spanOf(doc, 'range' in edit ? edit.range : edit.insert).from;
  return {
    from,
    options: items.map((item) => option(view, item)),
    ...(!isIncomplete && { validFor: /^[<|[]?[\p{Alphabetic}\p{N}_']*$/u }),
  };
}

/** A word that stands there as a whole is not completed: the key does what it does without a list. */
const passOver: Command = (view) => {
  const { state } = view;
  const { plain } = (selectedCompletion(state) ?? {}) as Partial<Offer>;
  const { head } = state.selection.main;
  const [word] = WORD.exec(state.sliceDoc(Math.max(0, head - 80), head)) ?? [];
  const goesOn = WORD.test(state.sliceDoc(Math.max(0, head - 1), head + 1)) && head < state.doc.lineAt(head).to;
  if (plain !== undefined && plain === word && !goesOn) {
    closeCompletion(view);
  }
  return false;
};

export const completion: Extension = [
  Prec.highest(keymap.of([{ key: 'Enter', run: passOver }])),
  autocompletion({ override: [source], icons: true }),
];
