// The playground in a page: its parts, and what people do with them.

import { open } from './browser.mjs';

/** Opens the playground; `fragment` is that of a program. */
export async function playground(browser, site, { fragment = '', ...options } = {}) {
  const opened = await open(browser, options);
  const { page } = opened;
  await page.goto(`${site.url}playground/${fragment}`);
  return { ...opened, ...parts(page) };
}

/** In the page: whether the program is checked. */
export const isChecked = () => /^(Nothing to say|\d)/.test(document.getElementById('state').textContent);

/** In the page: the text of an editor's content, without the hints in it. */
export const textOf = (content) => [...content.querySelectorAll('.cm-line')].map((line) => {
  const copy = line.cloneNode(true);
  copy.querySelectorAll('.fk-hint').forEach((hint) => { hint.remove(); });
  return copy.textContent;
}).join('\n');

export function parts(page) {
  const content = page.locator('.editor:not([hidden]) .cm-content');
  const state = page.locator('#state');
  /** Waits until a program is checked, and gives what is said of it. */
  const checked = async () => {
    await page.waitForFunction(isChecked);
    return state.textContent();
  };
  /** Puts another program into the place of the one that is there, as if it were pasted. */
  const write = async (text) => {
    await content.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  };
  return {
    content,
    state,
    problems: page.locator('#problems li'),
    outcome: page.locator('#outcome'),
    notice: page.locator('#notice span'),
    checked,
    write,
    /** The text, as long as all of it is in view. */
    text: () => content.evaluate(textOf),
    lens: (title) => page.locator('.fk-lenses button', { hasText: title }),
    /** Waits for a value or a failure, and gives what stands there. */
    result: async () => {
      await page.waitForFunction(() => document.querySelector('#outcome .value, #outcome .failure') !== null);
      return page.locator('#outcome').innerText();
    },
  };
}
