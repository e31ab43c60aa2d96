// What the view “Frank: Info” shows of the server's answer, as a page.

/** The answer to `frank/info`, as far as it is shown. */
export interface Info {
  types: string[];
  ability: { instances: { instance: string; active: boolean; by: By[] }[]; rest: string | null } | null;
  adaptor: { adaptor: string; around: string; under: string } | null;
  goal: { undecided: string | null; locals: Local[] } | null;
  findings: Finding[];
  results: { text: string; stale: boolean }[];
}

/** A local at a hole. */
interface Local {
  name: string;
  type: string;
  continuation: boolean;
  written: string | null;
}

interface By {
  text: string;
  location: Place | null;
}

interface Finding {
  severity?: number;
  code?: string | number;
  message: string;
  relatedInformation?: { location: Place; message: string }[];
}

export interface Place {
  uri: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
}

/** The command behind links to places. */
export const OPEN_PLACE = 'frank.openPlace';
/** The command that lets the view stay where it is, or follow the cursor again. */
export const PIN = 'frank.pinInfo';

const SEVERITIES = ['error', 'warning', 'hint', 'hint'];

/** A text that stands in a page as it is. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** What marks the scripts and styles of a page as its own; nobody can guess it. */
export function nonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
}

const code = (text: string): string => `<code>${escape(text)}</code>`;

function link(place: Place, text: string): string {
  const args = encodeURIComponent(JSON.stringify([place]));
  return `<a href="command:${OPEN_PLACE}?${args}">${escape(text)}</a>`;
}

function section(title: string, content: string): string {
  return `<section><h2>${escape(title)}</h2>${content}</section>`;
}

/** `main.fk:3`. */
function shortly({ uri, range }: Place): string {
  return `${decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1))}:${range.start.line + 1}`;
}

function finding({ severity, code: name, message, relatedInformation }: Finding): string {
  const kind = SEVERITIES[(severity ?? 1) - 1] ?? 'hint';
  const related = (relatedInformation ?? []).map(
    ({ location, message }) => `<li>${link(location, shortly(location))} ${escape(message)}</li>`,
  );
  const title = `<h3 class="${kind}">${kind}${name === undefined ? '' : ` ${escape(String(name))}`}</h3>`;
  return `${title}<p class="message">${escape(message)}</p><ul>${related.join('')}</ul>`;
}

/** A local at a hole, and what to write where it fits. */
function local({ name, type, continuation, written }: Local): string {
  const note = continuation ? ', the continuation' : '';
  const fit = written === null ? '' : `: fits as ${code(written)}`;
  return `<li class="${written === null ? 'covered' : ''}">${code(`${name} : ${type}`)}${note}${fit}</li>`;
}

/** What is known at a place; `where` names the place. */
export function body(info: Info | null, where: string, pinned: boolean): string {
  const pin = `<a class="pin" href="command:${PIN}">${pinned ? 'follow the cursor' : 'pin'}</a>`;
  const head = `<header>${escape(where)}${pinned ? ' (pinned)' : ''}${pin}</header>`;
  if (info === null) {
    return `${head}<p class="none">Nothing is known here.</p>`;
  }
  const parts = info.types.map((text) => `<pre>${escape(text)}</pre>`);
  if (info.ability !== null) {
    const instances = info.ability.instances.map(({ instance, active, by }) => {
      const origins = by.map(({ text, location }) => `<li>${location === null ? escape(text) : link(location, text)}</li>`);
      return `<li class="${active ? 'active' : 'covered'}">${code(instance)}${active ? ' active' : ''}<ul>${origins.join('')}</ul></li>`;
    });
    const rest = info.ability.rest === null ? '' : `<li>${escape(info.ability.rest)}</li>`;
    parts.push(section('Ability', `<ul class="stack">${instances.join('')}${rest}</ul>`));
  }
  if (info.adaptor !== null) {
    const { adaptor, around, under } = info.adaptor;
    parts.push(section(`Adaptor ${adaptor}`, `<p>Around it: ${escape(around)}</p><p>Under it: ${escape(under)}</p>`));
  }
  const { undecided = null, locals = [] } = info.goal ?? {};
  if (undecided !== null || locals.length > 0) {
    const why = undecided === null ? '' : `<p>${escape(undecided)}</p>`;
    parts.push(section('Hole', `${why}<ul>${locals.map(local).join('')}</ul>`));
  }
  if (info.findings.length > 0) {
    parts.push(section('Findings', info.findings.map(finding).join('')));
  }
  if (info.results.length > 0) {
    const results = info.results.map(({ text, stale }) => `<p class="${stale ? 'covered' : ''}">${code(text)}</p>`);
    parts.push(section('Last result', results.join('')));
  }
  return head + parts.join('');
}

/** The page around it. It takes what it shows as messages. */
export function page(): string {
  const own = nonce();
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${own}'; script-src 'nonce-${own}'">
<title>Frank: Info</title>
<style nonce="${own}">
  header { color: var(--vscode-descriptionForeground); margin-top: 0.6em; }
  .pin { float: right; }
  pre, code { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); color: var(--vscode-editor-foreground); background: none; }
  pre { white-space: pre-wrap; }
  h2 { font-size: 1em; border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)); }
  h3 { font-size: 1em; margin-bottom: 0; }
  ul { margin: 0.2em 0; padding-left: 1.2em; list-style: none; }
  .stack > .active { border-left: 2px solid var(--vscode-focusBorder); padding-left: 0.5em; }
  .stack > .covered { border-left: 2px solid transparent; padding-left: 0.5em; }
  .message { white-space: pre-wrap; margin-top: 0.2em; }
  .error { color: var(--vscode-editorError-foreground); }
  .warning { color: var(--vscode-editorWarning-foreground); }
  .hint, .none, .covered { color: var(--vscode-descriptionForeground); }
</style>
</head>
<body>
<main aria-live="polite"></main>
<script nonce="${own}">
  const vscode = acquireVsCodeApi();
  window.addEventListener('message', ({ data }) => { document.querySelector('main').innerHTML = data; });
  vscode.postMessage('ready');
</script>
</body>
</html>`;
}
