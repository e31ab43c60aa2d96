// The playground: a program, what is found in it, and what comes of it. A program from an address is text: it is put into
// the editor, and runs when somebody wants it to.

import type * as lsp from 'vscode-languageserver-protocol';
import type { DerivativeAnswer, RunAnswer } from '../../shared/answers';
import { connection, server, startsDark } from './checker';
import { Lost, ServerError, ServerFiles, type State } from './connection';
import { createEditor, type Editor, type Finding, showText } from './editor';
import { described, severityOf } from './features/findings';
import { FIRST } from './first';
import { type Graph, type Plot, PlotView } from './plot';
import { Runner, Stopped, type Text } from './runner';
import { checked, type CheckAnswer, cost, derivative, printed, questionForm, run, text } from './outcome';
import { keep, type Own, ownPrograms, same } from './own';
import { addressOf, type File, fragmentOf, isProgram, NoProgram, programOf } from './share';
import { RUN_SETTINGS, shownIn } from './settings';
import { recall, remember } from './store';
import type { Shown } from './stepsFrame';

/** A part of the page that is of some kind. */
function typed<E extends HTMLElement>(id: string, kind: new () => E): E {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) {
    throw new Error(`the page has no ${id}`);
  }
  return found;
}

const part = (id: string): HTMLElement => typed(id, HTMLElement);
const button = (id: string): HTMLButtonElement => typed(id, HTMLButtonElement);
const choice = (id: string): HTMLSelectElement => typed(id, HTMLSelectElement);

/** Whether the server that draws is a module of its own, which `server.mjs` knows. */
declare const DRAWS_APART: boolean;

const FOLDER = 'file:///playground/';

/** A file with its editor. */
interface Open {
  file: File;
  editor: Editor;
  place: HTMLElement;
  tab: HTMLButtonElement;
  findings: Finding[];
}

const uriOf = ({ name }: File): string => FOLDER + name;

class Playground {
  private readonly connection = connection;
  private readonly runner: Runner;
  /** What draws is larger, and is loaded when something is drawn. */
  private readonly drawer: Runner;
  private open: Open[] = [];
  private active = 0;
  private isDark = false;
  private showsHints = true;
  /** The program that is kept; nothing for one of an address or an example, as long as nobody has changed it. */
  private own: Own | undefined;
  /** There is something to be kept. */
  private isChanged = false;
  /** What stands in the place of a result as long as there is none. */
  private readonly nothing = ['outcome', 'plot', 'steps'].map((id) => [part(id), part(id).cloneNode(true)] as const);
  private saving: ReturnType<typeof setTimeout> | undefined;
  private unsure: ReturnType<typeof setTimeout> | undefined;
  private plot: PlotView | undefined;
  /** The time of the first findings is kept, for who measures it. */
  private isMeasured = false;
  /** How the checker has failed since it was last ready. */
  private failure: { why: string } | 'again' | undefined;

  public constructor() {
    this.theme(startsDark ? 'dark' : 'light');
    this.showsHints = recall('hints') !== 'off';
    button('hints').setAttribute('aria-pressed', String(this.showsHints));
    this.runner = new Runner(server, RUN_SETTINGS);
    this.drawer = DRAWS_APART
      ? new Runner(new ServerFiles(new URL('.', import.meta.url), 'plot'), RUN_SETTINGS)
      : this.runner;
    this.connection.onState((state) => { this.stateIs(state); });
    this.connection.onChange(() => { this.doubt(); });
    this.connection.on('window/showMessage', ({ message }: lsp.ShowMessageParams) => { notice(message); });
    this.wire();
  }

  /** Shows the program of the address, else the one of last time. */
  public async begin(): Promise<void> {
    const [own] = ownPrograms();
    const showOwn = (): void => { this.show(own?.files ?? FIRST, own); };
    if (!isProgram(location.hash)) {
      showOwn();
      return;
    }
    try {
      const files = await programOf(location.hash);
      const known = ownPrograms().find((one) => same(one.files, files));
      this.show(files, known);
      if (own !== undefined && known === undefined) {
        notice('This is the program of the address.', 'Back to your own', () => {
          forgetAddress();
          showOwn();
        });
      }
    } catch (error) {
      if (!(error instanceof NoProgram)) {
        throw error;
      }
      showOwn();
      forgetAddress();
      notice(error.message);
    }
  }

  private files(): File[] {
    return this.open.map(({ file, editor }) => ({ name: file.name, text: editor.text() }));
  }

  private texts(): Text[] {
    return this.files().map((file) => ({ uri: uriOf(file), text: file.text }));
  }

  private get current(): Open | undefined {
    return this.open[this.active];
  }

  /** Puts a program into the place of the one that is there; `own` is what is kept of it. */
  private show(files: File[], own: Own | undefined): void {
    this.save();
    this.forgetResults();
    for (const { editor, place } of this.open) {
      editor.dispose();
      place.remove();
    }
    this.own = own;
    this.open = files.map((file) => this.opened(file));
    this.listOwn();
    part('files').replaceChildren(...this.open.map(({ tab }) => tab));
    part('files').hidden = files.length < 2;
    this.activate(files.length - 1);
  }

  private opened(file: File): Open {
    const place = part('editors').appendChild(document.createElement('div'));
    place.className = 'editor';
    const tab = document.createElement('button');
    tab.setAttribute('role', 'tab');
    tab.textContent = file.name;
    tab.addEventListener('click', () => { this.activate(this.open.findIndex((one) => one.tab === tab)); });
    const editor = createEditor(place, {
      connection: this.connection,
      uri: uriOf(file),
      text: file.text,
      label: `Program ${file.name}`,
      dark: this.isDark,
      hints: this.showsHints,
      onChange: () => { this.changed(); },
      onFindings: (findings) => { this.found(file, findings); },
      onCommand: (command) => { this.start(command); },
      onLenses: () => { this.listDeeds(); },
      onPlace: (at) => { void this.go(at); },
    });
    editor.view.contentDOM.setAttribute('aria-describedby', 'help');
    return { file, editor, place, tab, findings: [] };
  }

  private activate(index: number): void {
    this.active = index;
    for (const [at, { place, tab }] of this.open.entries()) {
      place.hidden = at !== index;
      tab.setAttribute('aria-selected', String(at === index));
      tab.tabIndex = at === index ? 0 : -1;
    }
    this.listFindings();
    this.listDeeds();
  }

  private changed(): void {
    // It is neither that of the address nor an example any more.
    forgetAddress();
    choice('examples').value = '';
    this.isChanged = true;
    part('outcome').dataset['old'] = 'true';
    clearTimeout(this.saving);
    this.saving = setTimeout(() => { this.save(); }, 300);
  }

  private save(): void {
    if (!this.isChanged) {
      return;
    }
    this.isChanged = false;
    const kept = keep(this.files(), this.own);
    if (kept === undefined) {
      notice('This browser has no room to keep this program: share it, or copy it, before you leave.');
    } else {
      this.own = kept.own;
      this.listOwn();
      tellOfGone(kept.gone);
    }
  }

  /** What was shown is of another program. */
  private forgetResults(): void {
    if (this.running > 0) {
      this.runner.stop();
      this.drawer.stop();
    }
    this.plot = undefined;
    for (const [result, nothing] of this.nothing) {
      result.replaceChildren(...[...nothing.childNodes].map((node) => node.cloneNode(true)));
    }
  }

  private wire(): void {
    button('run').addEventListener('click', () => {
      const command = this.deeds[Number(choice('deeds').value)];
      if (command !== undefined) {
        this.start(command);
      }
    });
    button('stop').addEventListener('click', () => {
      this.runner.stop();
      this.drawer.stop();
    });
    button('format').addEventListener('click', () => {
      void this.current?.editor.format().then((done) => {
        if (!done) {
          notice('What has errors is not formatted.');
        }
      });
    });
    button('share').addEventListener('click', () => { void this.share(); });
    button('act').addEventListener('click', () => { this.current?.editor.showActions(); });
    button('tell').addEventListener('click', () => { this.current?.editor.tell(); });
    button('hints').addEventListener('click', () => {
      this.showsHints = !this.showsHints;
      button('hints').setAttribute('aria-pressed', String(this.showsHints));
      remember('hints', this.showsHints ? 'on' : 'off');
      this.open.forEach(({ editor }) => { editor.setHints(this.showsHints); });
    });
    button('theme').addEventListener('click', () => {
      this.dress(this.isDark ? 'light' : 'dark');
      remember('theme', this.isDark ? 'dark' : 'light');
    });
    // Until somebody has chosen, the system's colours are followed: many change them in the evening.
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
      if (recall('theme') === undefined) {
        this.dress(matches ? 'dark' : 'light');
      }
    });
    button('notice-end').addEventListener('click', () => { part('notice').hidden = true; });
    button('library-end').addEventListener('click', () => { typed('library', HTMLDialogElement).close(); });
    addEventListener('pagehide', () => { this.save(); });
    addEventListener('hashchange', () => {
      // Back from the program of an address leads to one's own.
      if (isProgram(location.hash) || this.own === undefined) {
        this.save();
        void this.begin();
      }
    });
    for (const list of document.querySelectorAll<HTMLElement>('[role="tablist"]')) {
      arrows(list);
    }
    for (const tab of RESULTS) {
      button(`tab-${tab}`).addEventListener('click', () => { reveal(tab); });
    }
    void this.listExamples();
    addEventListener('message', ({ data, origin, source }: MessageEvent<unknown>) => {
      const frame = part('steps').querySelector('iframe');
      if (origin === location.origin && frame !== null && source === frame.contentWindow) {
        this.stepsSay(data);
      }
    });
  }

  /** Other colours for all that is shown. */
  private dress(name: string): void {
    this.theme(name);
    this.open.forEach(({ editor }) => { editor.setDark(this.isDark); });
    this.connection.configure(shownIn(this.isDark));
    void this.plot?.show();
    this.showSteps();
  }

  private theme(name: string): void {
    this.isDark = name === 'dark';
    document.documentElement.classList.toggle('dark', this.isDark);
    button('theme').textContent = this.isDark ? 'Light' : 'Dark';
    button('theme').setAttribute('aria-label', `${this.isDark ? 'Light' : 'Dark'} colours`);
  }

  private stateIs(state: State): void {
    const text = part('state');
    switch (state.is) {
      case 'starting':
        text.textContent = 'Loading the checker…';
        break;
      case 'ready':
        text.textContent = 'Checking…';
        if (this.failure === 'again') {
          part('notice').hidden = true;
        } else if (this.failure !== undefined) {
          notice(`The checker had failed (${this.failure.why}) and was started anew. Your text is as it was.`);
        }
        this.failure = undefined;
        break;
      case 'failed':
        this.failure = { why: state.message };
        break;
      case 'stopped':
        this.failure = 'again';
        text.textContent = 'The checker has stopped.';
        notice(
          state.hadBegun
            ? `The checker fails on this text, and was stopped (${state.message}). The text is safe: the checker starts again when you change it.`
            : `The checker cannot be loaded (${state.message}). The text is safe: perhaps the network is gone.`,
          'Start again',
          () => { this.connection.restart(); },
        );
        break;
    }
  }

  private found(file: File, findings: Finding[]): void {
    const one = this.open.find((other) => other.file === file);
    if (one === undefined) {
      return;
    }
    one.findings = findings;
    clearTimeout(this.unsure);
    if (!this.isMeasured) {
      this.isMeasured = true;
      performance.mark('first findings');
    }
    const worst = findings.some(({ diagnostic }) => severityOf(diagnostic) === 'error');
    one.tab.classList.toggle('wrong', worst);
    if (one === this.current) {
      this.listFindings();
    }
  }

  /** What is said of a text that is another one by now is not said for long. */
  private doubt(): void {
    clearTimeout(this.unsure);
    this.unsure = setTimeout(() => {
      if (this.connection.state.is === 'ready') {
        part('state').textContent = 'Checking…';
      }
    }, 1_000);
  }

  private listFindings(): void {
    const { current } = this;
    if (current === undefined || this.connection.state.is !== 'ready') {
      return;
    }
    const { findings, editor } = current;
    const list = part('problems');
    const items = findings.slice(0, MOST_FINDINGS).map((finding, index) => {
      const item = document.createElement('li');
      const severity = severityOf(finding.diagnostic);
      item.className = severity;
      const go = item.appendChild(document.createElement('button'));
      go.type = 'button';
      go.className = 'place';
      go.textContent = `${finding.line}:${finding.column}`;
      go.setAttribute('aria-label', `Go to the ${severity} in line ${finding.line}`);
      go.addEventListener('click', () => { editor.select(finding.diagnostic.range); });
      item.append(described(finding.diagnostic));
      if (index < MOST_FIXES) {
        void this.addFixes(item, editor, finding);
      }
      return item;
    });
    if (findings.length > MOST_FINDINGS) {
      const more = document.createElement('li');
      more.textContent = `… and ${findings.length - MOST_FINDINGS} more`;
      items.push(more);
    }
    list.replaceChildren(...items);
    list.hidden = items.length === 0;
    const [state, said] = [part('state'), summary(findings)];
    // A screen reader says again what is written again.
    if (state.textContent !== said) {
      state.textContent = said;
    }
  }

  private async addFixes(item: HTMLElement, editor: Editor, finding: Finding): Promise<void> {
    await this.connection.whole;
    const fixes = await editor.fixes(finding);
    item.append(
      ...fixes.map(({ title, apply }) => {
        const fix = document.createElement('button');
        fix.type = 'button';
        fix.className = 'fk-fix';
        fix.textContent = title;
        fix.addEventListener('click', () => { void apply(); });
        return fix;
      }),
    );
  }

  private deeds: lsp.Command[] = [];

  /** What can be done with the operators: the run of `main` first. */
  private listDeeds(): void {
    const select = choice('deeds');
    const commands = (this.current?.editor.commands() ?? []).filter(({ command }) => command in VERBS);
    const before = select.selectedOptions[0]?.textContent;
    const rank = ({ command, arguments: args }: lsp.Command): number =>
      Object.keys(VERBS).indexOf(command) * 2 + (args?.[1] === 'main' ? 0 : 1);
    this.deeds = commands.sort((one, other) => rank(one) - rank(other));
    const options = this.deeds.map((deed, index) => new Option(`${VERBS[deed.command] ?? ''} ${about(deed)}`, String(index)));
    select.replaceChildren(...(options.length > 0 ? options : [new Option('Nothing to run')]));
    const again = options.find(({ textContent }) => textContent === before);
    if (again !== undefined) {
      again.selected = true;
    }
    select.disabled = options.length === 0;
    this.mayRun();
  }

  private running = 0;

  private mayRun(): void {
    const [start, stop] = [button('run'), button('stop')];
    const focused = document.activeElement;
    start.disabled = this.deeds.length === 0 || this.running > 0;
    stop.disabled = this.running === 0;
    // A button that cannot be pressed loses the keyboard: the other one has it then.
    if (focused === start && start.disabled) {
      stop.focus();
    } else if (focused === stop && stop.disabled) {
      start.focus();
    }
  }

  /** Does what a lens or the list says. */
  private start(command: lsp.Command): void {
    if (this.running > 0) {
      notice('Something runs already: stop that first.');
      return;
    }
    const [uri, name] = (command.arguments ?? []) as unknown[];
    switch (command.command) {
      case 'frank.plot':
        void this.draw(String(uri), String(name));
        break;
      case 'frank.step':
        void this.step(String(uri), String(name));
        break;
      case 'frank.run':
      case 'frank.derivative':
      case 'frank.check':
        void this.evaluate(command);
        break;
      default:
        void this.connection
          .request('workspace/executeCommand', { command: command.command, arguments: command.arguments })
          .catch((error: unknown) => { notice(messageOf(error)); });
    }
  }

  /** Keeps track of what runs. */
  private async during<R>(what: () => Promise<R>): Promise<R> {
    this.running += 1;
    this.mayRun();
    try {
      return await what();
    } finally {
      this.running -= 1;
      this.mayRun();
    }
  }

  private async evaluate(deed: lsp.Command): Promise<void> {
    const { command, arguments: args = [] } = deed;
    reveal('result');
    const outcome = part('outcome');
    const name = about(deed);
    const isDerivative = command === 'frank.derivative';
    outcome.replaceChildren(text('p', 'quiet', `${isDerivative ? 'Differentiating' : 'Running'} ${name}…`));
    delete outcome.dataset['old'];
    const began = performance.now();
    const { open } = this;
    try {
      const answer = await this.during(() => this.runner.execute<unknown>(this.texts(), command, args));
      if (command === 'frank.run') {
        outcome.replaceChildren(...run(name, answer as RunAnswer));
      } else if (isDerivative) {
        outcome.replaceChildren(...derivative(answer as DerivativeAnswer, this.questionForm(command, args)), this.plotButton(args));
      } else {
        outcome.replaceChildren(...checked(answer as CheckAnswer));
      }
    } catch (error) {
      if (this.open !== open) {
        return;
      }
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      const failure = error instanceof Stopped ? [text('p', 'failure', `Stopped after ${seconds} s.`)] : this.explained(error);
      // It may be the point that was wrong.
      outcome.replaceChildren(...failure, ...(isDerivative ? [this.questionForm(command, args)] : []));
    }
  }

  /** Asks for the same operator's derivative, at another point, of another order, or with a proof. */
  private questionForm(command: string, [uri, name, last]: unknown[]): HTMLElement {
    return questionForm(last ?? {}, (question) => {
      this.start({ title: '', command, arguments: [uri, name, question] });
    });
  }

  private plotButton([uri, name]: unknown[]): HTMLElement {
    const plot = document.createElement('button');
    plot.type = 'button';
    plot.textContent = `Plot ${String(name)}`;
    plot.addEventListener('click', () => { void this.draw(String(uri), String(name)); });
    return plot;
  }

  /** A failure in words, with what was printed before; the places in it lead there. */
  private explained(error: unknown): HTMLElement[] {
    if (error instanceof Lost) {
      const why = error.hadBegun
        ? 'The run has ended its worker: it needed more memory or a deeper stack than there is.'
        : `This could not begin, since ${error.message}. Perhaps the network is gone: try again.`;
      return [text('p', 'failure', why)];
    }
    const message = messageOf(error);
    const shown = text('p', 'failure', '');
    let seen = 0;
    // From the middle of a long word no name is looked for.
    for (const match of message.matchAll(/(?<![\w.-])([\w-][\w.-]{0,60}\.fk):(\d+)/g)) {
      const [whole, name, line] = match;
      const found = this.open.findIndex(({ file }) => file.name === name);
      if (found < 0) {
        continue;
      }
      shown.append(message.slice(seen, match.index));
      seen = match.index + whole.length;
      const go = shown.appendChild(text('button', 'place', whole));
      go.addEventListener('click', () => {
        this.activate(found);
        const position = { line: Number(line) - 1, character: 0 };
        this.current?.editor.select({ start: position, end: position });
      });
    }
    shown.append(message.slice(seen));
    const data = error instanceof ServerError ? (error.data as RunAnswer | undefined) : undefined;
    return [...printed(data?.output), shown, ...cost(data)];
  }

  private async draw(uri: string, name: string): Promise<void> {
    reveal('plot');
    const ask = <R>(method: string, wanted: object): Promise<R> => {
      const params = { textDocument: { uri }, name, ...wanted, theme: this.isDark ? 'dark' : 'light' };
      return this.during(() => this.drawer.request<R>(this.texts(), method, params));
    };
    const view = new PlotView(part('plot'), name, {
      plot: (wanted) => ask<Plot>('frank/plot', wanted),
      graph: (moved) => ask<Graph>('frank/graph', { moved }),
      go: (place) => { void this.go(place); },
    });
    this.plot = view;
    await view.show();
  }

  private steps: Shown['page'];

  private async step(uri: string, name: string): Promise<void> {
    reveal('steps');
    const place = part('steps');
    const { open } = this;
    place.replaceChildren(text('p', 'quiet', `Running ${name} step by step…`));
    try {
      const params = { textDocument: { uri }, name, html: true };
      const { html } = await this.during(() => this.runner.request<{ html: string }>(this.texts(), 'frank/step', params));
      // The scripts and styles of the page are files here; what is left of it is the states.
      this.steps = JSON.parse(/<script type="application\/json" id="states">([^]*?)<\/script>/.exec(html)?.[1] ?? 'null');
      const frame = document.createElement('iframe');
      frame.title = `The run of ${name}, state by state`;
      frame.src = new URL('steps.html', import.meta.url).href;
      place.replaceChildren(frame);
    } catch (error) {
      if (this.open !== open) {
        return;
      }
      place.replaceChildren(...(error instanceof Stopped ? [text('p', 'failure', 'Stopped.')] : this.explained(error)));
    }
  }

  /** Sends the frame its states, and its colours. */
  private showSteps(): void {
    const frame = part('steps').querySelector('iframe');
    frame?.contentWindow?.postMessage({ page: this.steps, dark: this.isDark } satisfies Shown, location.origin);
  }

  /** The frame is there, or tells where the focus of a state is. */
  private stepsSay(data: unknown): void {
    if (data === 'ready') {
      this.showSteps();
      return;
    }
    const { uri, start, end } = data as { uri?: string; start?: number; end?: number };
    const found = this.open.findIndex(({ file }) => uriOf(file) === uri);
    const length = this.open[found]?.editor.view.state.doc.length ?? 0;
    if (found >= 0 && start !== undefined && end !== undefined && end <= length) {
      this.activate(found);
      this.current?.editor.view.dispatch({ selection: { anchor: start, head: end }, scrollIntoView: true });
    }
  }

  private async share(): Promise<void> {
    const files = this.files();
    try {
      history.replaceState(null, '', await fragmentOf(files));
    } catch (error) {
      notice(messageOf(error));
      return;
    }
    const address = new URL(await addressOf(files), import.meta.url).href;
    try {
      await navigator.clipboard.writeText(address);
      notice('The address of this program is copied. Whoever opens it sees the program as it is now.');
    } catch {
      notice('The program is in the address of this page now: copy that.');
    }
  }

  /** Shows a place that is in no editor that is open: another file, or one of the library. */
  private async go({ uri, range }: lsp.Location): Promise<void> {
    const name = uri.slice(uri.lastIndexOf('/') + 1);
    const found = this.open.findIndex(({ file }) => uriOf(file) === uri);
    if (found >= 0) {
      this.activate(found);
      this.current?.editor.select(range);
      return;
    }
    const response = /^[\w-]+\.fk$/.test(name) ? await fetch(new URL(`library/${name}`, import.meta.url)) : undefined;
    if (response?.ok !== true) {
      notice(`The definition is in ${name}, which is not part of this program.`);
      return;
    }
    const dialog = typed('library', HTMLDialogElement);
    part('library-title').textContent = `${name}, a file of the library`;
    const source = await response.text();
    dialog.showModal();
    const view = showText(part('library-text'), source, `${name}, which can only be read`, this.isDark, range);
    view.focus();
    dialog.addEventListener('close', () => { view.destroy(); }, { once: true });
  }

  private async listExamples(): Promise<void> {
    const select = choice('examples');
    const all: File[][] = [];
    select.addEventListener('change', () => {
      // It may be this program that is chosen.
      this.save();
      const chosen = ownPrograms().find(({ id }) => id === select.value);
      const files = chosen?.files ?? (select.value === '' ? undefined : all[Number(select.value)]);
      if (files === undefined) {
        return;
      }
      forgetAddress();
      this.show(files, chosen);
      part('notice').hidden = true;
    });
    const response = await fetch(new URL('examples.json', import.meta.url)).catch(() => undefined);
    if (response?.ok !== true) {
      // One's own programs are there all the same.
      return;
    }
    const groups = (await response.json()) as { group: string; programs: { says: string; files: File[] }[] }[];
    for (const { group, programs } of groups) {
      const place = select.appendChild(document.createElement('optgroup'));
      place.label = group;
      for (const { files, says } of programs) {
        const name = files.at(-1)?.name.replace(/\.fk$/, '') ?? '';
        place.append(new Option(`${name}: ${says}`, String(all.length)));
        all.push(files);
      }
    }
  }

  /** Lists one's own programs above the examples. */
  private listOwn(): void {
    const place = typed('own', HTMLOptGroupElement);
    place.replaceChildren(...ownPrograms().map((own) => new Option(titled(own), own.id)));
    place.hidden = place.childElementCount === 0;
  }
}

/** So many findings are listed; all are underlined. */
const MOST_FINDINGS = 200;

/** Of so many findings fixes are looked for before somebody asks. */
const MOST_FIXES = 12;

const VERBS: Record<string, string> = {
  'frank.run': 'Run',
  'frank.derivative': 'Derivative of',
  'frank.plot': 'Plot',
  'frank.step': 'Step through',
  'frank.check': 'Check',
};

/** What a command is about: an operator, or the line of an example or a law. */
function about({ command, arguments: args }: lsp.Command): string {
  return command === 'frank.check' ? `line ${Number(args?.[1]) + 1}` : String(args?.[1]);
}

const RESULTS = ['result', 'plot', 'steps'] as const;

/** Shows one of the results. */
function reveal(wanted: (typeof RESULTS)[number]): void {
  for (const tab of RESULTS) {
    const isShown = tab === wanted;
    button(`tab-${tab}`).setAttribute('aria-selected', String(isShown));
    button(`tab-${tab}`).tabIndex = isShown ? 0 : -1;
    part(tab).hidden = !isShown;
  }
  part(wanted).scrollIntoView({ block: 'nearest' });
}

/** Arrows lead through a row of tabs. */
function arrows(list: HTMLElement): void {
  list.addEventListener('keydown', (event) => {
    const tabs = [...list.querySelectorAll<HTMLElement>('[role="tab"]')];
    const at = tabs.indexOf(document.activeElement as HTMLElement);
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (way !== undefined && at >= 0) {
      const next = tabs.at((at + way) % tabs.length);
      next?.click();
      next?.focus();
    }
  });
}

let endOfNotice: AbortController | undefined;

/** Tells something above the program, perhaps with something to do about it. */
function notice(message: string, title?: string, act?: () => void): void {
  const box = part('notice');
  const action = button('notice-act');
  endOfNotice?.abort();
  endOfNotice = new AbortController();
  box.hidden = false;
  box.querySelector('span')?.replaceChildren(message);
  action.hidden = title === undefined;
  action.textContent = title ?? '';
  action.addEventListener('click', () => {
    box.hidden = true;
    act?.();
  }, { signal: endOfNotice.signal });
}

/** Programs that the browser has no room for any more can still be saved. */
function tellOfGone(gone: Own[]): void {
  if (gone.length === 0) {
    return;
  }
  const [which, it] = gone.length === 1 ? ['your oldest program', 'it'] : [`your ${gone.length} oldest programs`, 'them'];
  notice(`This browser has no room for ${which} beside this one, and has forgotten ${it}.`, `Save ${it} on disk`, () => {
    gone.flatMap(({ files }) => files).forEach(download);
  });
}

function download({ name, text: own }: File): void {
  const link = document.createElement('a');
  link.download = name;
  link.href = URL.createObjectURL(new Blob([own], { type: 'text/plain' }));
  link.click();
  setTimeout(() => { URL.revokeObjectURL(link.href); }, 60_000);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function summary(findings: Finding[]): string {
  if (findings.length === 0) {
    return 'Nothing to say: the program is right.';
  }
  const count = (severity: string): number => findings.filter(({ diagnostic }) => severityOf(diagnostic) === severity).length;
  const parts = (['error', 'warning', 'info', 'hint'] as const)
    .map((severity) => [count(severity), severity] as const)
    .filter(([number]) => number > 0)
    .map(([number, severity]) => `${number} ${severity === 'info' ? 'note' : severity}${number === 1 ? '' : 's'}`);
  return parts.join(', ');
}

/** A program in a list: how its text begins, and when it was changed. */
function titled({ files, time }: Own): string {
  const lines = files.at(-1)?.text.split('\n').map((line) => line.replace(/^-+/, '').trim()) ?? [];
  const first = lines.find((line) => line !== '' && !line.startsWith('include ')) ?? 'an empty program';
  const when = new Date(time).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
  return `${first.length > 40 ? `${first.slice(0, 40)}…` : first} (${when})`;
}

/** The text is no longer that of the address. */
function forgetAddress(): void {
  if (location.hash !== '') {
    history.replaceState(null, '', location.pathname + location.search);
  }
}

void new Playground().begin();
void connection.whole.then(async () => {
  // It loads all there is, so it comes last. Without it all is the same, as long as there is a network.
  if ('serviceWorker' in navigator) {
    await navigator.serviceWorker.register(new URL('offline.js', import.meta.url)).catch(() => undefined);
  }
});
