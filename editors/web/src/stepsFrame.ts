// The frame of a run state by state. The page around it sends the states; the script of the page that editors show goes
// through them, and is told that it is in an editor, which wants to know where the focus is.

/** What the page around this one sends. */
export interface Shown {
  /** The answer to `frank/step`. */
  page: unknown;
  dark: boolean;
}

addEventListener('message', ({ data, origin, source }: MessageEvent<Shown>) => {
  if (origin !== location.origin || source !== parent) {
    return;
  }
  document.body.className = data.dark ? 'vscode-dark' : 'vscode-light';
  const states = document.getElementById('states');
  if (states === null || states.textContent !== '') {
    return;
  }
  states.textContent = JSON.stringify(data.page);
  const editor = { postMessage: (focus: unknown) => { parent.postMessage(focus, location.origin); } };
  Object.assign(globalThis, { acquireVsCodeApi: () => editor });
  document.body.append(Object.assign(document.createElement('script'), { src: 'steps.js' }));
});
parent.postMessage('ready', location.origin);
