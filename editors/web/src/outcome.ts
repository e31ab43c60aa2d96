// What a run, a derivative or an example gave, as elements of a page.

import type { Derivative, DerivativeAnswer, Question, RunAnswer } from '../../shared/answers';

/** The answer to `frank.check`. */
export interface CheckAnswer {
  right: boolean;
  value: string | null;
  expected: string | null;
  error: string | null;
  output: string;
  /** What the lens says. */
  text: string;
}

/** An element with a text in it. */
export function text(name: 'button' | 'p' | 'pre' | 'span', className: string, content: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = content;
  if (made instanceof HTMLButtonElement) {
    made.type = 'button';
  }
  return made;
}

/** So many characters are shown at once: browsers take long to lay out more. */
const SHOWN = 100_000;

/** A text that may be long: then it begins, and a button shows the rest. */
function long(className: string, content: string): HTMLElement {
  const made = text('pre', className, content.slice(0, SHOWN));
  if (content.length > SHOWN) {
    const more = text('button', '', `… Show all ${content.length.toLocaleString('en')} characters`);
    more.addEventListener('click', () => { more.replaceWith(content.slice(SHOWN)); });
    made.append(more);
  }
  return made;
}

/** What a run printed. */
export function printed(output: string | undefined): HTMLElement[] {
  return output === undefined || output === '' ? [] : [long('output', output)];
}

/** What a run took. */
export function cost(answer: RunAnswer | undefined): HTMLElement[] {
  const { steps, millis } = answer ?? {};
  return steps === undefined ? [] : [text('p', 'quiet', `${steps.toLocaleString('en')} steps, ${millis ?? 0} ms`)];
}

/** What a run gave. */
export function run(name: string, answer: RunAnswer): HTMLElement[] {
  const value = long('value', answer.value ?? '?');
  value.prepend(text('span', 'quiet', `${name} = `));
  return [...printed(answer.output), value, ...cost(answer)];
}

/** What an operator's derivative is, and a form for it at another point. */
export function derivative(answer: DerivativeAnswer, form: HTMLElement): HTMLElement[] {
  const lines = (sign: string, found: Derivative[] = []): HTMLElement[] => found.map(({ by, values, error }) =>
    text('pre', error === undefined ? 'value' : 'failure', `${sign} by ${by} ${error === undefined ? `= ${values.join(' ')}` : `fails: ${error}`}`),
  );
  const wrong = [
    ...(answer.agree === false ? ['The derivative operators do not agree.'] : []),
    ...(answer.checked === false ? ['Finite differences give something else.'] : []),
  ];
  return [
    text('pre', 'value', answer.text),
    ...wrong.map((message) => text('p', 'failure', message)),
    form,
    ...lines('∂', answer.derivatives),
    ...lines('∂²', answer.second),
  ];
}

/** A form that asks for a derivative, filled in as it was asked last. */
export function questionForm(last: Question, ask: (question: Question) => void): HTMLFormElement {
  const form = document.createElement('form');
  form.className = 'controls';
  const at = document.createElement('input');
  at.placeholder = '2 or 2 3, [1, 2, 3]';
  at.value = last.at?.join(' ') ?? '';
  at.spellcheck = false;
  at.autocapitalize = 'off';
  const second = tick(last.order === 2);
  const check = tick(last.check === true);
  const submit = text('button', '', '∂ Evaluate') as HTMLButtonElement;
  submit.type = 'submit';
  form.append(labelled('at', at), labelled('∂²', second), labelled('check by finite differences', check), submit);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const point = at.value.trim();
    ask({ ...(point !== '' && { at: [point] }), ...(second.checked && { order: 2 }), ...(check.checked && { check: true }) });
  });
  return form;
}

function tick(checked: boolean): HTMLInputElement {
  const input = document.createElement('input');
  input.type = 'checkbox';
  input.checked = checked;
  return input;
}

function labelled(name: string, input: HTMLInputElement): HTMLLabelElement {
  const label = document.createElement('label');
  if (input.type === 'checkbox') {
    label.append(input, name);
  } else {
    label.append(name, input);
  }
  return label;
}

/** What an example gave, and what was expected; of a law, which has no value, whether it holds. */
export function checked({ right, value, expected, error, output, text: said }: CheckAnswer): HTMLElement[] {
  if (error !== null) {
    return [...printed(output), text('p', 'failure', error)];
  }
  const verdict = expected === null ? '' : right ? '✓ ' : '✗ ';
  const wanted = right || expected === null ? [] : [text('p', 'failure', `expected: ${expected}`)];
  return [...printed(output), text('pre', 'value', value === null ? said : `${verdict}${value}`), ...wanted];
}
