// The pages of the living book, and what is done there.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { open } from './browser.mjs';

const PROGRAMS = '.programs.json';

/** A page of which the reader says yes when it asks whether a text is to be given up. */
export async function openBook(browser, options) {
  const opened = await open(browser, options);
  opened.page.on('dialog', (dialog) => { void dialog.accept(); });
  return opened;
}

/** The names of the pages that have programs, without `.html`. */
export function pagesWithPrograms(site) {
  const files = readdirSync(site.folder, { recursive: true }).filter((name) => name.endsWith(PROGRAMS));
  return files.map((name) => name.slice(0, -PROGRAMS.length)).sort();
}

/** The programs of a page, each with its files. */
export function programsOf(site, name) {
  const { files, programs } = JSON.parse(readFileSync(join(site.folder, name + PROGRAMS), 'utf8'));
  return programs.map((program) => ({ ...program, files: program.files.map((number) => files[number]) }));
}

/** A program of a page that is open, by its number from 0 or the name of its file. */
export function program(page, which) {
  const all = page.locator('.frank-tools');
  const tools = typeof which === 'number' ? all.nth(which) : all.and(page.locator(`[aria-label="What to do with ${which}"]`));
  const behind = (element) => tools.locator(`xpath=following-sibling::*[1][self::${element}]`);
  const result = behind('section');
  return {
    tools,
    result,
    shown: result.locator('.frank-shown'),
    field: result.locator('.frank-prompt input'),
    editor: tools.locator('xpath=preceding-sibling::*[1]'),
    button: (deed) => tools.locator(`[data-deed="${deed}"]`),
    /** Waits for the end of what runs, and gives what is shown. */
    done: async () => {
      await result.and(page.locator('[data-state="done"]')).waitFor();
      return result.locator('.frank-shown').evaluate((element) => element.textContent);
    },
  };
}
