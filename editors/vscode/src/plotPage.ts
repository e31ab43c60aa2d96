// The page of the panel “Frank: Plot”. It shows the pictures that it gets as messages, and sends what is wanted.

import { escape, nonce } from './infoPage';

/** The page for an operator, without a picture. */
export function page(name: string): string {
  const own = nonce();
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'nonce-${own}'; script-src 'nonce-${own}'">
<title>Frank: Plot</title>
<style nonce="${own}">
  form { display: flex; flex-wrap: wrap; gap: 0.4em 1.2em; align-items: center; margin: 0.8em 0; }
  label { display: flex; gap: 0.4em; align-items: center; }
  input, select { font: inherit; color: var(--vscode-input-foreground); background: var(--vscode-input-background); border: 1px solid var(--vscode-input-border, var(--vscode-widget-border, transparent)); padding: 0.1em 0.3em; }
  input[type=number] { width: 6em; }
  input[type=range] { width: 14em; }
  img { max-width: 100%; display: block; }
  #graph { overflow: auto; }
  #graph [data-place] { cursor: pointer; }
  [hidden] { display: none !important; }
  #error { white-space: pre-wrap; color: var(--vscode-errorForeground); }
</style>
</head>
<body>
<form>
  <label>show <select id="view"><option value="plot" selected>plot</option><option value="graph">graph</option></select></label>
  <label class="plot">from <input id="from" type="number" step="any"></label>
  <label class="plot">to <input id="to" type="number" step="any"></label>
  <label class="plot">derivatives <select id="order"><option>0</option><option selected>1</option><option>2</option></select></label>
  <span id="point"></span>
</form>
<p id="error" role="alert"></p>
<p><button id="place" hidden>Go to the place</button></p>
<img id="picture" alt="${escape(name)} and its derivatives">
<div id="graph" hidden></div>
<script nonce="${own}">
  const vscode = acquireVsCodeApi();
  const part = (id) => document.getElementById(id);
  const moved = {};
  let last;
  const nonce = document.currentScript.nonce;
  const wants = () => part('view').value;
  const number = (id) => (part(id).value === '' ? undefined : Number(part(id).value));
  function ask() {
    const wanted = { view: wants(), from: number('from'), to: number('to'), order: Number(part('order').value), moved };
    vscode.postMessage({ kind: 'show', wanted });
  }
  for (const id of ['view', 'from', 'to', 'order']) {
    part(id).addEventListener('change', ask);
  }
  const go = (place) => vscode.postMessage({ kind: 'go', place: Number(place) });
  part('place').addEventListener('click', () => go(0));
  // The nodes of a graph are elements of the page, which tell more where the pointer rests, and lead to the program.
  function graph(svg) {
    const drawn = document.importNode(new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement, true);
    for (const style of drawn.querySelectorAll('style')) {
      style.setAttribute('nonce', nonce);
    }
    for (const node of drawn.querySelectorAll('[data-place]')) {
      node.setAttribute('tabindex', '0');
      node.setAttribute('role', 'link');
    }
    part('graph').replaceChildren(drawn);
  }
  const nodeOf = ({ target }) => target.closest('[data-place]');
  part('graph').addEventListener('click', (event) => {
    const node = nodeOf(event);
    if (node !== null) {
      go(node.dataset.place);
    }
  });
  part('graph').addEventListener('keydown', (event) => {
    const node = nodeOf(event);
    if (node !== null && event.key === 'Enter') {
      go(node.dataset.place);
    }
  });
  document.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
  // A slider for each variable, made when the variables are known and left alone while it is moved.
  function slider(variable) {
    const label = document.createElement('label');
    const [name, input, output] = ['span', 'input', 'output'].map((kind) => label.appendChild(document.createElement(kind)));
    name.textContent = variable;
    input.type = 'range';
    input.step = 'any';
    input.addEventListener('input', () => {
      moved[variable] = Number(input.value);
      output.textContent = shortly(moved[variable]);
      ask();
    });
    return { variable, label, input, output };
  }
  const shortly = (value) => String(Number(Number(value).toPrecision(4)));
  let sliders = [];
  function place({ point, variable, x }) {
    if (point.map((one) => one.variable).join(' ') !== sliders.map((one) => one.variable).join(' ')) {
      sliders = point.map((one) => slider(one.variable));
      part('point').replaceChildren(...sliders.map((one) => one.label));
    }
    for (const [i, { input, output }] of sliders.entries()) {
      const { value } = point[i];
      if (document.activeElement === input) {
        continue;
      }
      // The varied one goes over the picture; others, and all of a graph, around where they are.
      const [least, most] = point[i].variable === variable ? x : [Math.min(Number(input.min || value - 3), value), Math.max(Number(input.max || value + 3), value)];
      [input.min, input.max, input.value] = [String(least), String(most), String(value)];
      output.textContent = shortly(value);
    }
  }
  window.addEventListener('message', ({ data }) => {
    part('error').textContent = data.error ?? '';
    part('place').hidden = data.leads !== true;
    for (const field of document.querySelectorAll('.plot')) {
      field.hidden = wants() === 'graph';
    }
    if (data.svg !== undefined) {
      last = data.view;
    }
    // What is shown beside an error is of the same kind.
    part('picture').hidden = last !== 'plot' || wants() !== 'plot';
    part('graph').hidden = last !== 'graph' || wants() !== 'graph';
    if (data.svg === undefined) {
      return;
    }
    place(data);
    if (data.view === 'graph') {
      graph(data.svg);
      return;
    }
    part('picture').src = 'data:image/svg+xml;utf8,' + encodeURIComponent(data.svg);
    part('from').placeholder = shortly(data.x[0]);
    part('to').placeholder = shortly(data.x[1]);
  });
  ask();
</script>
</body>
</html>`;
}
