// Findings: underlined, with what mends them where one looks.

import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { type Extension, Facet } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { type Fix, fixesOf } from './actions';
import { ask, keepShown, servedBy, spanOf } from './session';

/** Something that the server has found in the text. */
export interface Finding {
  diagnostic: lsp.Diagnostic;
  /** Counted from 1. */
  line: number;
  column: number;
}

type Tell = (findings: Finding[]) => void;

const listener = Facet.define<Tell, Tell>({ combine: ([first]) => first ?? (() => undefined), static: true });

const SEVERITIES = { 1: 'error', 2: 'warning', 3: 'info', 4: 'hint' } as const;

export function severityOf({ severity }: lsp.Diagnostic): Diagnostic['severity'] {
  return SEVERITIES[severity ?? 1];
}

/** Where the book explains findings; the page says so. */
function explanation(code: string): string | undefined {
  const pages = document.documentElement.dataset['explanations'];
  return pages === undefined ? undefined : `${pages}${code}.html`;
}

/** A finding in words, with a way to its explanation. */
export function described(finding: lsp.Diagnostic): HTMLElement {
  const root = document.createElement('div');
  root.className = 'fk-finding';
  const message = root.appendChild(document.createElement('div'));
  message.textContent = finding.message;
  const code = String(finding.code ?? '');
  const page = /^FK\d+$/.test(code) ? explanation(code) : undefined;
  if (page !== undefined) {
    const link = document.createElement('a');
    link.href = page;
    link.target = '_blank';
    link.rel = 'noopener';
    link.textContent = code;
    link.setAttribute('aria-label', `${code}: the explanation in the book`);
    message.append(' ', link);
  }
  for (const { message: more, location } of finding.relatedInformation ?? []) {
    const related = root.appendChild(document.createElement('div'));
    related.className = 'fk-related';
    related.textContent = `line ${location.range.start.line + 1}: ${more}`;
  }
  return root;
}

/** Buttons for what mends a finding, which come when the server has said what does. */
export function fixButtons(view: EditorView, finding: lsp.Diagnostic): HTMLElement {
  const place = document.createElement('div');
  place.className = 'fk-fixes';
  void fixesOf(view, finding).then((fixes) => { place.append(...fixes.map(fixButton)); });
  return place;
}

function fixButton({ title, apply }: Fix): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'fk-fix';
  button.textContent = title;
  button.addEventListener('mousedown', (event) => { event.preventDefault(); });
  button.addEventListener('click', () => { void apply(); });
  return button;
}

async function pull(view: EditorView): Promise<void> {
  const params = { textDocument: { uri: servedBy(view).uri } };
  const report = await ask<lsp.DocumentDiagnosticReport>(view, 'textDocument/diagnostic', params);
  if (report?.kind !== 'full') {
    return;
  }
  const { doc } = view.state;
  const diagnostics = report.items.map((finding): Diagnostic => {
    const { from, to } = spanOf(doc, finding.range);
    const isUnneeded = finding.tags?.includes(1) === true;
    return {
      from,
      to: Math.max(from, to),
      severity: severityOf(finding),
      message: finding.message,
      ...(isUnneeded && { markClass: 'fk-unneeded' }),
      renderMessage: () => {
        const root = described(finding);
        root.append(fixButtons(view, finding));
        return root;
      },
    };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
  const findings = report.items.map((diagnostic) => {
    const { line, character } = diagnostic.range.start;
    return { diagnostic, line: line + 1, column: character + 1 };
  });
  view.state.facet(listener)(findings);
}

export function findings(tell: Tell): Extension {
  return [
    listener.of(tell),
    lintGutter(),
    keymap.of(lintKeymap),
    keepShown({ pull, refresh: 'workspace/diagnostic/refresh', patience: 0 }),
  ];
}
