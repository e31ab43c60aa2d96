// The editor of a text: CodeMirror, with what the language server says about the text. The playground has one, and a page
// of the book one for each program that somebody edits.

import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import type { Connection } from './connection';
import { codeActions, type Fix, fixesOf, showActions } from './features/actions';
import { colours, plainColours } from './features/colours';
import { completion } from './features/completion';
import { format, formatCommand, formatOnType, serverEdits } from './features/edits';
import { type Finding, findings } from './features/findings';
import { hints } from './features/hints';
import { hover, tell } from './features/hover';
import { doNearest, lenses, offered } from './features/lenses';
import { goTo, names } from './features/names';
import { served } from './features/session';
import { typeOver } from './features/typing';

export type { Finding, Fix };

/** What an editor is made of. */
export interface EditorOptions {
  connection: Connection;
  /** The address under which the server knows the text. */
  uri: string;
  text: string;
  /** What a screen reader says. */
  label: string;
  dark: boolean;
  /** Whether types and abilities that are not written are shown. */
  hints?: boolean;
  /** Whether lines have numbers. */
  numbers?: boolean;
  /** Called after each change. */
  onChange?: () => void;
  /** Called with all findings whenever they may be others. */
  onFindings?: (findings: Finding[]) => void;
  /** Called to do what a lens says: `frank.run`, `frank.derivative`, `frank.check`, `frank.plot`, `frank.step`. */
  onCommand?: (command: lsp.Command) => void;
  /** Called when the lenses are others, as `Editor.commands` says. */
  onLenses?: () => void;
  /** Called to show a place in another text. */
  onPlace?: (place: lsp.Location) => void;
}

export interface Editor {
  readonly view: EditorView;
  text: () => string;
  /** Puts another text in the place of what is there; it can be undone. */
  setText: (text: string) => void;
  setDark: (dark: boolean) => void;
  setHints: (hints: boolean) => void;
  /** Selects a place and moves it into view. */
  select: (range: lsp.Range) => void;
  /** What mends a finding. */
  fixes: (finding: Finding) => Promise<Fix[]>;
  /** What lenses offer, from the first line to the last. */
  commands: () => lsp.Command[];
  format: () => Promise<boolean>;
  /** Shows a menu of what can be done where the cursor is. */
  showActions: () => void;
  /** Tells what is known of the place where the cursor is. */
  tell: () => void;
  focus: () => void;
  dispose: () => void;
}

const nothing = (): void => undefined;

/** An editor as the last element of `parent`. The server is told of its text until it is disposed of. */
export function createEditor(parent: HTMLElement, options: EditorOptions): Editor {
  const { connection, uri } = options;
  const dark = new Compartment();
  const shownHints = new Compartment();
  const theme = (isDark: boolean): Extension => EditorView.theme({}, { dark: isDark });
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        served({ connection, uri }),
        options.numbers === false ? [] : lineNumbers(),
        basics(options.label),
        dark.of(theme(options.dark)),
        // The server answers in the order of these.
        findings(options.onFindings ?? nothing),
        colours,
        codeActions,
        completion,
        hover,
        names(options.onPlace ?? nothing),
        lenses({ act: options.onCommand ?? nothing, changed: options.onLenses ?? nothing }),
        shownHints.of(options.hints === false ? [] : hints),
        formatOnType,
        typeOver,
        serverEdits,
        keymap.of([
          { key: 'Mod-Enter', run: doNearest },
          { key: 'Shift-Alt-f', run: formatCommand },
          ...completionKeymap,
          ...closeBracketsKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) {
            options.onChange?.();
          }
        }),
      ],
    }),
  });
  const end = connection.on('window/showDocument', ({ uri: shown, selection }: lsp.ShowDocumentParams) => {
    if (selection === undefined) {
      return undefined;
    }
    goTo(view, { uri: shown, range: selection });
    return { success: true };
  });
  return {
    view,
    text: () => view.state.doc.toString(),
    setText: (text) => {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
    },
    setDark: (isDark) => { view.dispatch({ effects: dark.reconfigure(theme(isDark)) }); },
    setHints: (areShown) => { view.dispatch({ effects: shownHints.reconfigure(areShown ? hints : []) }); },
    select: (range) => { goTo(view, { uri, range }); },
    fixes: ({ diagnostic }) => fixesOf(view, diagnostic),
    commands: () => offered(view.state).map(({ command }) => command),
    format: () => format(view),
    showActions: () => { showActions(view); },
    tell: () => { tell(view); },
    focus: () => { view.focus(); },
    dispose: () => {
      end();
      view.destroy();
    },
  };
}

function basics(label: string): Extension {
  return [
    // The tabindex is for those who do not count what can be edited among what the keyboard reaches.
    EditorView.contentAttributes.of({ 'aria-label': label, autocapitalize: 'off', autocorrect: 'off', spellcheck: 'false', tabindex: '0' }),
    EditorState.tabSize.of(2),
    indentUnit.of('  '),
    highlightSpecialChars(),
    history(),
    // Who has chosen all colours has chosen that of selections, too: the browser's own.
    matchMedia('(forced-colors: active)').matches ? [] : drawSelection(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
  ];
}

/** A text that is only shown, such as a file of the library, with a place selected. */
export function showText(parent: HTMLElement, text: string, label: string, dark: boolean, range?: lsp.Range): EditorView {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        basics(label),
        plainColours,
        EditorState.readOnly.of(true),
        EditorView.theme({}, { dark }),
        keymap.of([...searchKeymap, ...defaultKeymap]),
      ],
    }),
  });
  if (range !== undefined) {
    const { from } = view.state.doc.line(Math.min(range.start.line + 1, view.state.doc.lines));
    const anchor = from + range.start.character;
    view.dispatch({ selection: { anchor, head: anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
  }
  return view;
}
