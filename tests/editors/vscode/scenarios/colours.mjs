// Commands, handlers and abilities have colours of their own in the themes that VS Code comes with.

import { Server } from '../lib/server.mjs';
import { STATE, folderOf } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';
import { equal } from '../../../lib/assert.mjs';

const THEMES = [
  'Default Dark Modern', 'Default Light Modern', 'Default High Contrast', 'Default High Contrast Light',
  'Solarized Dark', 'Solarized Light', 'Monokai',
];

/** What each kind of name is seen at: a line's beginning, and the word in it. */
const NAMES = {
  command: ['tick! =', 'get'],
  handler: ['main! =', 'state'],
  ability: ['tick :', 'State'],
  function: ['count! =', 'tick'],
  type: ['main :', 'Int'],
  variable: ['tick! =', 'n '],
};

/** In the page: the colours of words, by their kinds, and that behind them. */
function colours(names) {
  const behind = document.querySelector('.editor-instance .monaco-editor-background');
  const found = { behind: getComputedStyle(behind).backgroundColor };
  for (const line of document.querySelectorAll('.view-lines .view-line')) {
    const text = line.textContent.replace(/\u00a0/g, ' ');
    for (const [kind, [start, word]] of Object.entries(names)) {
      if (!text.startsWith(start)) {
        continue;
      }
      let at = text.indexOf(word, start.length);
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null && at >= 0; node = walker.nextNode()) {
        if (at < node.length) {
          found[kind] = getComputedStyle(node.parentElement).color;
        }
        at -= node.length;
      }
    }
  }
  return found;
}

export async function run(browser) {
  const server = await Server.start('colours', { settings: {
    'editor.inlayHints.enabled': 'off', 'editor.bracketPairColorization.enabled': false,
  } });
  try {
    const window = await Workbench.open(browser, server, folderOf('colours', { 'frank.toml': '', 'state.fk': STATE }));
    await window.openFile('state.fk');
    await window.until('the server', async () => (await window.lenses()).some((title) => title.includes('run')));
    let before;
    for (const theme of THEMES) {
      server.set({ 'workbench.colorTheme': theme });
      const seen = await window.until(`the colours of ${theme}`, async () => {
        const now = await window.page.evaluate(colours, NAMES);
        const { command, handler, ability, function: named, type, variable } = now;
        const own = new Set([command, handler, ability]);
        const others = [named, variable].filter((colour) => own.has(colour));
        const apart = own.size === 3 && others.length === 0 && ability !== type;
        return JSON.stringify(now) !== before && apart && now;
      });
      equal(Object.keys(seen).sort(), ['behind', ...Object.keys(NAMES)].sort());
      before = JSON.stringify(seen);
      await window.picture(`checks/colours-${theme.replaceAll(' ', '-').toLowerCase()}`);
    }
    await window.close();
  } finally {
    server.stop();
  }
}
