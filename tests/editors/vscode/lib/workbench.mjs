// A window of VS Code, and what somebody does in it.

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { wanted } from './wanted.mjs';

const PICTURES = wanted('FRANK_PICTURES');
/** Other programs build on the same machine, now and then. */
const PATIENCE = 60_000;

export class Workbench {
  /**
   * Opens a folder. `size` is the window's; `payload` is handed to
   * the workbench, and `prepare` does something to the page before it is loaded.
   */
  static async open(browser, server, folder, { size = { width: 1120, height: 640 }, payload, prepare } = {}) {
    const context = await browser.newContext({
      viewport: size,
      locale: 'en-US',
      permissions: ['clipboard-read', 'clipboard-write'],
      // What moves is drawn again and again.
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const query = new URLSearchParams({ folder });
    if (payload) {
      query.set('payload', JSON.stringify(payload));
    }
    await prepare?.(page);
    const workbench = new Workbench();
    Object.assign(workbench, { page, context, server, folder });
    workbench.url = `http://127.0.0.1:${server.port}/?${query}`;
    await page.goto(workbench.url);
    await page.locator('.monaco-workbench .statusbar').waitFor();
    return workbench;
  }

  async close() {
    await this.context.close();
  }

  /** Waits until a question about the window is answered with something true. */
  async until(what, ask) {
    const end = Date.now() + PATIENCE;
    let last;
    for (;;) {
      try {
        last = await ask();
        if (last) {
          return last;
        }
      } catch (error) {
        last = error;
      }
      if (Date.now() > end) {
        throw new Error(`waited for: ${what}; last seen: ${last}; see the pictures in ${PICTURES}`);
      }
      await this.page.waitForTimeout(100);
    }
  }

  /** Moves the mouse to where it rests on nothing. */
  away() {
    const { width, height } = this.page.viewportSize();
    return this.page.mouse.move(width / 2, height - 60);
  }

  press(keys) {
    return this.page.keyboard.press(keys);
  }

  /** Does a command by its name in the palette. */
  async command(title) {
    await this.pick(title, () => this.press('F1'), '>');
  }

  /** Chooses an entry from a list that `open` opens, by typing it behind what says which list it is. */
  async pick(title, open, sort = '') {
    const widget = this.page.locator('.quick-input-widget');
    const input = widget.locator('input').first();
    const entry = widget.locator('.monaco-list-row', { hasText: title }).first();
    // A list that opens while the workbench still starts may close again, or not know the entry.
    await this.until(`“${title}” in its list`, async () => {
      if (!(await widget.isVisible())) {
        await open();
      }
      // Where the mouse rests on the list, a hint may cover the entry.
      await this.away();
      await input.fill(`${sort}${title}`, { timeout: 3000 });
      await entry.waitFor({ timeout: 3000 });
      // It may close by itself before the click, too. On a busy machine a click takes its time.
      await entry.click({ timeout: 20000 });
      return true;
    });
  }

  async openFile(name) {
    await this.pick(name, () => this.press('Control+P'));
    await this.page.locator('.tab.active', { hasText: name }).waitFor();
    await this.until('the text', async () => (await this.text()).trim() !== '');
  }

  /** The same where files cannot be searched. */
  async openInExplorer(name) {
    await this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first().dblclick();
    await this.page.locator('.tab.active', { hasText: name }).waitFor();
    await this.until('the text', async () => (await this.text()).trim() !== '');
  }

  editor() {
    return this.page.locator('.editor-instance .monaco-editor').first();
  }

  /** What the editor shows, lines in order, hints included. */
  async lines() {
    const lines = await this.editor().locator('.view-lines .view-line').evaluateAll((all) =>
      all.map((line) => [parseFloat(line.style.top), line.textContent]).sort(([one], [other]) => one - other),
    );
    // Blanks of all widths, and what has none.
    return lines.map(([, text]) => text.replace(/[\u200b-\u200f]/g, '').replace(/[\u00a0\u2000-\u200a]/g, ' '));
  }

  async text() {
    return (await this.lines()).join('\n');
  }

  /** Goes to a place, lines and columns from 1. */
  async goTo(line, column) {
    const widget = this.page.locator('.quick-input-widget');
    await this.until('the place’s box', async () => {
      if (!(await widget.isVisible())) {
        await this.press('Control+G');
      }
      return widget.locator('input').first().isVisible();
    });
    await widget.locator('input').first().fill(`:${line}:${column}`);
    await this.press('Enter');
    await this.until('the cursor there', async () =>
      (await this.page.locator('.statusbar-item', { hasText: /^Ln / }).textContent()).includes(`Ln ${line}, Col ${column}`));
  }

  /** The texts under wavy lines of errors, in the order of the screen. */
  async squiggles(kind = 'error') {
    const boxes = await this.editor().locator(`.squiggly-${kind}`).evaluateAll((all) =>
      all.map((one) => { const { x, y, width, height } = one.getBoundingClientRect(); return { x, y, width, height }; }));
    return this.textsIn(boxes);
  }

  /** The characters whose middles are in rectangles of the screen. */
  async textsIn(boxes) {
    return this.page.evaluate((boxes) => boxes.map((box) => {
      let text = '';
      for (const line of document.querySelectorAll('.view-lines .view-line')) {
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          for (let at = 0; at < node.length; at += 1) {
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            const rect = range.getBoundingClientRect();
            const x = rect.x + rect.width / 2;
            const y = rect.y + rect.height / 2;
            if (x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height) {
              text += node.data[at];
            }
          }
        }
      }
      return text;
    }), boxes);
  }

  /** The titles of lenses, from the top. */
  async lenses() {
    const all = await this.editor().locator('.codelens-decoration').allTextContents();
    return all.map((text) => text.replaceAll('\u00a0', ' ').trim());
  }

  lens(title) {
    return this.editor().locator('.codelens-decoration a', { hasText: title });
  }

  /** The lens of a title that is furthest down. */
  async lowestLens(title) {
    const all = await this.lens(title).all();
    const heights = await Promise.all(all.map(async (lens) => (await lens.boundingBox())?.y ?? -1));
    return all[heights.indexOf(Math.max(...heights))];
  }

  /** Takes the quick fix of a title at the cursor. */
  async quickFix(title, look = async () => {}) {
    const fix = this.page.locator('.action-widget .monaco-list-row', { hasText: title });
    await this.until(`the fix “${title}”`, async () => {
      if (!(await this.page.locator('.action-widget').isVisible())) {
        await this.press('Control+.');
      }
      return fix.first().isVisible();
    });
    await look();
    const focused = this.page.locator('.action-widget .monaco-list-row.focused', { hasText: title });
    await this.until('the fix chosen', async () => {
      if (await focused.isVisible()) {
        return true;
      }
      await this.press('ArrowDown');
      return false;
    });
    await this.press('Enter');
  }

  /** Clicks a lens that asks, until its box is there: a click on a lens that is just drawn anew is lost. */
  async ask(lens) {
    const input = this.page.locator('.quick-input-widget input').first();
    await this.until('the box that asks', async () => {
      await lens.click({ timeout: 10_000 });
      await input.waitFor({ timeout: 10_000 });
      return true;
    });
  }

  /** Types an answer into the box that asks, and gives what stood there before. */
  async answer(text) {
    const input = this.page.locator('.quick-input-widget input').first();
    await input.waitFor();
    const before = await input.inputValue();
    await input.fill(text);
    await this.press('Enter');
    await input.waitFor({ state: 'hidden' });
    return before;
  }

  status() {
    return this.page.locator('.statusbar-item[id="frank-tools.frank.frank.status"]');
  }

  /** What the status item's icon and tooltip say. */
  async state() {
    return `${await this.status().locator('a').first().getAttribute('aria-label')}`;
  }

  notification(text) {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text });
  }

  async clearNotifications() {
    await this.command('Notifications: Clear All Notifications');
    await this.until('no messages', async () => (await this.page.locator('.notifications-toasts .notification-list-item').count()) === 0);
  }

  /** A picture of the window, without a blinking cursor; `still` leaves the mouse where it is. */
  async picture(name, { still = false } = {}) {
    const path = join(PICTURES, `${name}.png`);
    mkdirSync(dirname(path), { recursive: true });
    if (!still) {
      await this.away();
    }
    // What fades in or out has done so.
    await this.page.waitForTimeout(400);
    await this.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  }
}
