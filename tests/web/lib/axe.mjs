// What axe finds on a page that people who cannot see, or have no mouse, would stumble over.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The findings about elements that fit a selector, and about what is in them; all without one. */
export async function axe(page, selector) {
  // The policy is for the page's own scripts; this one comes from outside.
  await page.evaluate(source);
  return page.evaluate(async (selector) => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) => nodes
      .filter(({ target }) => selector === undefined || document.querySelector(target[0])?.closest(selector) != null)
      .map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
  }, selector);
}
