// A part of the page that cannot be loaded takes everything with it that imports it: this imports nothing, and says so.

addEventListener('error', ({ target }) => {
  const state = document.getElementById('state');
  if (target instanceof HTMLScriptElement && state !== null) {
    state.textContent = 'A part of this page cannot be loaded. Perhaps the network is gone, or the page is an old one: load it again.';
  }
}, { capture: true });

export {};
