// A page of the book whose programs run and can be edited. `docs/theme/frank.js` has put buttons below each program, and
// loads this the first time that one of them is pressed; the server comes with the first run, the editor with the first
// edit. `PAGE.programs.json` has the files of each program, as the tests of the book put them together.

import type * as lsp from 'vscode-languageserver-protocol';
import type { Editor, Finding } from './editor';
import { Connection, Lost, ServerError, ServerFiles } from './connection';
import { Runner, Stopped, type Text } from './runner';
import { RUN_SETTINGS, SETTINGS } from './settings';
import type { File } from './share';

/** What can be done with a program. */
export type Deed = 'run' | 'edit' | 'playground';

/** A program on the page. */
export interface Block {
  /** The block as it is printed in the book. */
  pre: HTMLElement;
  /** Where its buttons are; what comes of it is shown behind them. */
  tools: HTMLElement;
  /** Its number among the programs of the page. */
  index: number;
  /** What it is called. */
  name: string;
  /** The address of the page's `PAGE.programs.json`. */
  programs: string;
}

/** What `tests/support/living.rs` writes. */
interface Programs {
  files: File[];
  programs: { line: number; files: number[]; wrong: boolean; terms: string[] }[];
}

/** What `frank/runCell` answers. */
interface CellAnswer {
  results: {
    value: string | null;
    output: string;
    parts: ({ text: string } | { svg: string } | { missing: string })[];
    error: string | null;
  }[];
  errors: string[];
}

/** So many lines stand above a term in what the server evaluates. */
const ABOVE = 2;

const WORDS = ['error', 'warning', 'information', 'hint'];

/** The folder with the server, the editor, and the playground. */
const HERE = new URL('.', import.meta.url);

const lives = new Map<HTMLElement, Living>();
let page: Promise<Page> | undefined;

/** Does something with a program of the page. */
export async function act(block: Block, deed: Deed): Promise<void> {
  page ??= Page.load(block.programs).catch((error: unknown) => {
    // The network may be back the next time.
    page = undefined;
    throw error;
  });
  const loaded = await page;
  const living = lives.get(block.tools) ?? loaded.enliven(block);
  lives.set(block.tools, living);
  await living.act(deed);
}

/** What the programs of a page share: their files, a worker for runs, and one for editors as long as there are some. */
class Page {
  public readonly runner: Runner;
  /** The files by their numbers, as they are now. */
  public readonly texts: string[];
  private connection: Connection | undefined;
  private running = 0;
  private readonly edited = new Set<Living>();
  private readonly server: ServerFiles;

  private constructor(private readonly folder: string, public readonly written: Programs) {
    this.server = new ServerFiles(HERE);
    this.runner = new Runner(this.server, RUN_SETTINGS);
    this.texts = written.files.map(({ text }) => text);
  }

  public static async load(address: string): Promise<Page> {
    const response = await fetch(address);
    if (!response.ok) {
      throw new Error(`${address} cannot be loaded (${response.status})`);
    }
    const folder = new URL(address).pathname.replace(/\.programs\.json$/, '');
    return new Page(folder, (await response.json()) as Programs);
  }

  /** A run begins; another one ends, as there is one worker for all. */
  public begin(): void {
    if (this.running > 0) {
      this.runner.stop();
    }
    this.running += 1;
  }

  public end(): void {
    this.running -= 1;
  }

  public enliven(block: Block): Living {
    const program = this.written.programs[block.index];
    if (program === undefined) {
      throw new Error(`the page has no program ${block.index + 1}`);
    }
    return new Living(this, block, program.files, program.terms);
  }

  /** The files of a program as the server knows them: in a folder of its own, since names come again on a page. */
  public files(index: number, numbers: number[]): Text[] {
    return numbers.map((number) => ({
      uri: `file://${this.folder}/${index}/${this.name(number)}`,
      text: this.texts[number] ?? '',
    }));
  }

  public name(number: number): string {
    return this.written.files[number]?.name ?? '';
  }

  /** A file is another one now: whatever is edited and includes it has other findings. */
  public change(number: number, text: string): void {
    this.texts[number] = text;
    for (const living of this.edited) {
      living.includedChanged(number);
    }
  }

  /** The session of the editors. */
  public session(living: Living): Connection {
    this.edited.add(living);
    this.connection ??= new Connection(this.server, SETTINGS);
    return this.connection;
  }

  public leave(living: Living): void {
    this.edited.delete(living);
    if (this.edited.size === 0) {
      this.connection?.dispose();
      this.connection = undefined;
    }
  }
}

/** A program of the page that somebody has run or edited. */
class Living {
  private readonly result: HTMLElement;
  private readonly shown: HTMLElement;
  private readonly prompt: HTMLFormElement;
  private readonly field: HTMLInputElement;
  private editor:
    | { editor: Editor; connection: Connection; frame: HTMLElement; themes: MutationObserver }
    | undefined;
  /** The run under way; a number, since a stopped one must not write into the next one's place. */
  private running = 0;
  private isRunning = false;
  /** The editor is on its way. */
  private opening: Promise<void> | undefined;
  private readonly name: string;
  /** The number of the file that the block is. */
  private readonly own: number;

  public constructor(
    private readonly page: Page,
    private readonly block: Block,
    private readonly files: number[],
    private readonly terms: string[],
  ) {
    this.own = files.at(-1) ?? 0;
    this.name = page.name(this.own);
    this.shown = element('div', { className: 'frank-shown', tabIndex: -1 });
    this.shown.setAttribute('aria-live', 'polite');
    this.field = element('input', { type: 'text', spellcheck: false, autocomplete: 'off' });
    this.field.setAttribute('autocapitalize', 'off');
    this.field.setAttribute('aria-label', `A term to evaluate in ${this.name}`);
    this.field.placeholder = 'a term';
    this.prompt = element('form', { className: 'frank-prompt' });
    this.prompt.append(
      element('span', { textContent: `$ frank eval ${this.name}`, ariaHidden: 'true' }),
      this.field,
      element('button', { type: 'submit', textContent: 'Evaluate' }),
    );
    this.prompt.addEventListener('submit', (event) => {
      event.preventDefault();
      const term = this.field.value.trim();
      if (term !== '') {
        void this.run([term], true);
      }
    });
    this.result = element('section', { className: 'frank-result', hidden: true });
    this.result.setAttribute('aria-label', `What comes of ${block.name}`);
    this.result.append(this.shown, this.prompt);
    block.tools.after(this.result);
    quiet(this.result);
  }

  public async act(deed: Deed): Promise<void> {
    if (deed === 'playground') {
      await this.leaveForPlayground();
    } else if (deed === 'run' && this.isRunning) {
      this.page.runner.stop();
    } else if (deed === 'run') {
      await this.run(undefined, false);
    } else if (this.editor === undefined) {
      this.opening ??= this.edit().finally(() => { this.opening = undefined; });
      await this.opening;
    } else if (this.isAsWritten() || confirm('Put the program of the book back? What you have written here is not kept.')) {
      this.reset();
    }
  }

  /** Whether the text is that of the book. */
  private isAsWritten(): boolean {
    return this.texts().at(-1)?.text === this.page.written.files[this.own]?.text;
  }

  private texts(): Text[] {
    return this.page.files(this.block.index, this.files);
  }

  private uri(): string {
    return this.texts().at(-1)?.uri ?? '';
  }

  private button(deed: Deed): HTMLButtonElement | null {
    return this.block.tools.querySelector(`[data-deed="${deed}"]`);
  }

  /** Names a button anew. */
  private label(deed: Deed, sign: string, word: string): void {
    const button = this.button(deed);
    button?.replaceChildren(element('span', { textContent: sign, ariaHidden: 'true' }), ` ${word}`);
    button?.setAttribute('aria-label', `${word} ${this.block.name}`);
  }

  // Runs.

  /** Evaluates terms, or those that the page evaluates, behind what is shown or in its place. */
  private async run(terms: string[] | undefined, isMore: boolean): Promise<void> {
    if (!isMore) {
      this.shown.replaceChildren();
    }
    await this.show((out, isCurrent) => this.evaluate(out, terms, isCurrent));
  }

  /** Has something shown behind what is there, as long as nothing newer is to be shown. */
  private async show(what: (out: HTMLElement, isCurrent: () => boolean) => Promise<void>): Promise<void> {
    this.page.begin();
    const number = ++this.running;
    const isCurrent = (): boolean => number === this.running;
    this.isRunning = true;
    this.label('run', '■', 'Stop');
    this.result.hidden = false;
    this.result.dataset['state'] = 'running';
    const out = element('pre', { tabIndex: 0 });
    this.shown.append(out);
    try {
      await what(out, isCurrent);
    } catch (error) {
      if (isCurrent()) {
        say(out, `${explained(error)}\n`, 'error');
      }
    } finally {
      this.page.end();
      if (isCurrent()) {
        this.isRunning = false;
        this.label('run', '▶', 'Run');
        this.result.dataset['state'] = 'done';
      }
    }
  }

  private async evaluate(out: HTMLElement, asked: string[] | undefined, isCurrent: () => boolean): Promise<void> {
    const texts = this.texts();
    const found = await this.findings(texts, this.uri());
    if (!isCurrent()) {
      return;
    }
    const errors = found.filter(({ severity }) => severity === 1);
    // Who asks for one more term has seen the warnings.
    for (const diagnostic of asked === undefined ? found : errors) {
      told(out, this.name, diagnostic);
    }
    if (errors.length > 0) {
      return;
    }
    const terms = asked ?? (await this.usual(texts));
    if (terms.length === 0) {
      say(out, `${counted(found)}\n`);
    }
    for (const term of terms) {
      if (isCurrent() && !(await this.evaluateTerm(out, texts, term, isCurrent))) {
        // What follows has a failure above it, which is to be seen.
        say(out, '\n');
      }
    }
  }

  /** What is found in one of some texts. */
  private async findings(texts: Text[], uri: string): Promise<lsp.Diagnostic[]> {
    const params = { textDocument: { uri } };
    const report = await this.page.runner.request<lsp.DocumentDiagnosticReport>(texts, 'textDocument/diagnostic', params);
    return report.kind === 'full' ? report.items : [];
  }

  /** The terms that the page evaluates in the program, or its `main`. */
  private async usual(texts: Text[]): Promise<string[]> {
    if (this.terms.length > 0) {
      return this.terms;
    }
    const params = { textDocument: { uri: this.uri() } };
    const symbols = await this.page.runner.request<{ name: string }[] | null>(
      texts,
      'textDocument/documentSymbol',
      params,
    );
    return symbols?.some(({ name }) => name === 'main') === true ? ['main!'] : [];
  }

  /** Evaluates a term as a cell that includes the program. Gives whether it has a value. */
  private async evaluateTerm(out: HTMLElement, texts: Text[], term: string, isCurrent: () => boolean): Promise<boolean> {
    const entry = /^([\w']+)!$/.exec(term)?.[1];
    const command = entry === undefined ? `eval ${this.name} '${term}'` : `run ${entryOption(entry)}${this.name}`;
    say(out, `$ frank ${command}\n`, 'command');
    const folder = this.uri().replace(/^file:/, '').replace(/[^/]*$/, '');
    const uri = `vscode-notebook-cell:${folder}run.fk.md#term`;
    const cell = { uri, text: `include ${this.name.replace(/\.fk$/, '')}\n\n${term}\n` };
    const params = { textDocument: { uri } };
    const answer = await this.page.runner.request<CellAnswer>([...texts, cell], 'frank/runCell', params);
    if (!isCurrent()) {
      return false;
    }
    const [result] = answer.results;
    if (result === undefined) {
      say(out, `error: ${answer.errors[0] ?? 'this is no term'}\n`, 'error');
      return false;
    }
    printed(out, result.parts);
    if (result.value !== null) {
      say(out, `${result.value}\n`);
      return true;
    }
    // Findings of the term are what keeps it from running; what a run has ended with has no code.
    const wrong = await this.findings([...texts, cell], uri);
    const coded = wrong.filter(({ severity, code }) => severity === 1 && code !== undefined);
    for (const diagnostic of coded) {
      told(out, '<term>', diagnostic, ABOVE);
    }
    if (coded.length === 0) {
      say(out, `error: ${result.error ?? 'there is no value'}\n`, 'error');
    }
    return false;
  }

  // Edits.

  private async edit(): Promise<void> {
    const [{ createEditor }] = await Promise.all([import('./editor'), styled()]);
    const connection = this.page.session(this);
    const texts = this.texts();
    for (const { uri } of texts.slice(0, -1)) {
      connection.open(uri, () => this.texts().find((text) => text.uri === uri)?.text ?? '');
    }
    const frame = element('div', { className: 'frank-editor' });
    const holder = element('div', {});
    const findings = element('ul', { className: 'frank-findings' });
    findings.setAttribute('aria-label', `Findings in ${this.block.name}`);
    findings.setAttribute('aria-live', 'polite');
    frame.append(holder, findings);
    quiet(frame);
    frame.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        // The editor's own key would run the next lens.
        event.preventDefault();
        event.stopPropagation();
        void this.run(undefined, false);
      }
    }, { capture: true });
    this.block.pre.hidden = true;
    this.block.pre.after(frame);
    const editor = createEditor(holder, {
      connection,
      uri: this.uri(),
      text: this.page.texts[this.own] ?? '',
      label: this.block.name,
      dark: isDark(),
      hints: false,
      onCommand: (command) => { void this.command(command); },
      onChange: () => { this.page.change(this.own, editor.text()); },
      onFindings: (found) => { this.list(findings, found); },
    });
    const dress = (): void => {
      editor.setDark(isDark());
      frame.classList.toggle('dark', isDark());
    };
    dress();
    const themes = new MutationObserver(dress);
    themes.observe(document.documentElement, { attributeFilter: ['class'] });
    this.editor = { editor, connection, frame, themes };
    this.label('edit', '↺', 'Reset');
    editor.focus();
  }

  /** Does what a lens of the editor says. */
  private async command({ command, arguments: args }: lsp.Command): Promise<void> {
    const [, subject] = (args ?? []) as unknown[];
    if (command === 'frank.run' && typeof subject === 'string') {
      await this.run([`${subject}!`], true);
    } else if (command === 'frank.derivative' || command === 'frank.check') {
      await this.show(async (out) => {
        const answer = await this.page.runner.execute<{ text: string }>(this.texts(), command, args ?? []);
        say(out, `${answer.text}\n`);
      });
    } else if (command === 'frank.plot' || command === 'frank.step') {
      await this.show((out) => {
        say(out, 'open the program in the playground, which shows this\n');
        return Promise.resolve();
      });
    } else {
      // The session of the editor may have ended since.
      const params = { command, arguments: args };
      await this.editor?.connection.request('workspace/executeCommand', params).catch(() => undefined);
    }
  }

  /** Lists the findings below the editor, each with what mends it: underlines alone are not for everybody. */
  private list(place: HTMLElement, found: Finding[]): void {
    const rows = found.map((finding) => {
      const { diagnostic, line, column } = finding;
      const row = element('li', {});
      row.dataset['severity'] = WORDS[(diagnostic.severity ?? 1) - 1] ?? 'error';
      const where = element('button', { type: 'button', className: 'frank-place', textContent: `${line}:${column}` });
      where.setAttribute('aria-label', `Line ${line}, column ${column}`);
      where.addEventListener('click', () => {
        this.editor?.editor.select(diagnostic.range);
        this.editor?.editor.focus();
      });
      row.append(where, ` ${heading(diagnostic)}`);
      void this.offer(row, finding);
      return row;
    });
    place.replaceChildren(...rows);
  }

  private async offer(row: HTMLElement, finding: Finding): Promise<void> {
    const editor = this.editor?.editor;
    await this.editor?.connection.whole;
    // Findings that are older than the text have no fixes.
    const fixes = await editor?.fixes(finding).catch(() => []);
    for (const fix of fixes ?? []) {
      const button = element('button', { type: 'button', className: 'frank-fix', textContent: fix.title });
      button.addEventListener('click', () => {
        void fix.apply().then(() => { editor?.focus(); });
      });
      row.append(' ', button);
    }
  }

  /** A file of the page has changed. */
  public includedChanged(number: number): void {
    const included = this.files.slice(0, -1).indexOf(number);
    const text = this.texts()[included];
    if (text !== undefined) {
      this.editor?.connection.change(text.uri, [{ text: text.text }]);
    }
  }

  /** Puts the program of the book back. */
  private reset(): void {
    if (this.editor === undefined) {
      return;
    }
    if (this.isRunning) {
      this.page.runner.stop();
    }
    const { editor, connection, frame, themes } = this.editor;
    this.editor = undefined;
    themes.disconnect();
    editor.dispose();
    for (const { uri } of this.texts().slice(0, -1)) {
      connection.close(uri);
    }
    this.page.change(this.own, this.page.written.files[this.own]?.text ?? '');
    this.page.leave(this);
    frame.remove();
    this.block.pre.hidden = false;
    this.shown.replaceChildren();
    this.result.hidden = true;
    this.label('edit', '✎', 'Edit');
    this.button('edit')?.focus();
  }

  /** Goes to the playground with the program and the files that it includes. */
  private async leaveForPlayground(): Promise<void> {
    const { addressOf } = await import('./share');
    const files = this.texts().map(({ uri, text }) => ({ name: nameOf(uri), text }));
    location.assign(new URL(await addressOf(included(files)), HERE));
  }
}

/** A program, the last one of some files, behind those that it includes. */
function included(files: File[]): File[] {
  const wanted = new Set<string>();
  const want = (name: string): void => {
    const file = files.find((one) => one.name === name);
    if (file !== undefined && !wanted.has(name)) {
      wanted.add(name);
      for (const [, other] of file.text.matchAll(/^include "?([\w-]+)(?:\.fk)?"?/gm)) {
        want(`${other ?? ''}.fk`);
      }
    }
  };
  want(files.at(-1)?.name ?? '');
  return files.filter(({ name }) => wanted.has(name));
}

function nameOf(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1);
}

let styles: Promise<void> | undefined;

/** Ends when the editor's styles are there, or cannot be had. */
function styled(): Promise<void> {
  styles ??= new Promise((resolve) => {
    const link = element('link', { rel: 'stylesheet', href: new URL('editor.css', HERE).href });
    link.onload = link.onerror = () => { resolve(); };
    document.head.append(link);
  });
  return styles;
}

/** An element with some properties. */
function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), properties);
}

/** The book turns pages at arrow keys and searches at letters; not while somebody types. */
function quiet(place: HTMLElement): void {
  place.addEventListener('keydown', (event) => { event.stopPropagation(); });
}

function isDark(): boolean {
  const themes = document.documentElement.classList;
  return ['navy', 'coal', 'ayu'].some((theme) => themes.contains(theme));
}

/** Adds text. */
function say(out: HTMLElement, text: string, kind?: string): void {
  const span = element('span', { textContent: text });
  if (kind !== undefined) {
    span.className = `frank-${kind}`;
  }
  out.append(span);
}

/** Adds what a run has shown; its value begins on a line of its own. */
function printed(out: HTMLElement, parts: CellAnswer['results'][number]['parts']): void {
  let isLineOpen = false;
  for (const part of parts) {
    if ('svg' in part) {
      // As an image a picture runs nothing, whatever is in it.
      const image = element('img', { alt: 'A picture that the program draws' });
      image.src = `data:image/svg+xml,${encodeURIComponent(part.svg)}`;
      out.append(image);
      isLineOpen = false;
    } else {
      const text = 'text' in part ? part.text : `${part.missing}\n`;
      say(out, text);
      isLineOpen = !text.endsWith('\n');
    }
  }
  if (isLineOpen) {
    say(out, '\n');
  }
}

/** A finding in one line, without its help. */
function heading(diagnostic: lsp.Diagnostic): string {
  const word = WORDS[(diagnostic.severity ?? 1) - 1] ?? 'error';
  const code = diagnostic.code === undefined ? '' : `[${diagnostic.code}]`;
  return `${word}${code}: ${diagnostic.message.split('\n', 1)[0] ?? ''}`;
}

/** Adds a finding as the command line begins it. */
function told(out: HTMLElement, name: string, diagnostic: lsp.Diagnostic, above = 0): void {
  const { line, character } = diagnostic.range.start;
  say(out, `${heading(diagnostic)}\n`, WORDS[(diagnostic.severity ?? 1) - 1]);
  say(out, ` --> ${name}:${line + 1 - above}:${character + 1}\n`);
  for (const help of diagnostic.message.split('\n').slice(1)) {
    say(out, `  = help: ${help}\n`);
  }
}

/** How `frank check` counts findings. */
function counted(found: lsp.Diagnostic[]): string {
  const warnings = found.filter(({ severity }) => severity === 2).length;
  const words = warnings === 0 ? '' : `, ${warnings} warning${warnings === 1 ? '' : 's'}`;
  return `no errors${words}; there is no \`main\` to run: evaluate a term below`;
}

function entryOption(entry: string): string {
  return entry === 'main' ? '' : `--entry ${entry} `;
}

function explained(error: unknown): string {
  if (error instanceof Stopped) {
    return 'stopped';
  }
  if (error instanceof ServerError || error instanceof Lost) {
    return `error: ${error.message}`;
  }
  return `error: ${error instanceof Error ? error.message : String(error)}`;
}
