// Runs scenarios in browsers, two at a time, since much of their time is waiting. One that fails is shown with its reason,
// leaves pictures of its pages, and is tried once more in the end, by itself: what fails twice has failed, and a single
// failure stays to be read.

import { join } from 'node:path';

/**
 * `title` stands before each line. `waiting` are the names, in the order in which they begin; `load` gives the module of a
 * name, whose `run` takes a browser and `more`. `open` gives `{ browser, more, close }`, for as many scenarios as run one
 * after the other, of which there are `workers` rows. Sets the exit code.
 */
export async function runScenarios({ title, waiting, load, open, workers = 2 }) {
  /** Runs one scenario after the other until none waits; gives those that failed. */
  const work = async () => {
    const failed = [];
    if (waiting.length === 0) {
      return failed;
    }
    const { browser, more = [], close } = await open();
    try {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const began = Date.now();
        console.log(`${title}: ${name}`);
        try {
          const { run } = await load(name);
          await run(browser, ...more);
          console.log(`${title}: ${name}: passed in ${((Date.now() - began) / 1000).toFixed(0)} s`);
        } catch (error) {
          console.error(error);
          console.log(`${title}: ${name}: failed; once more in the end`);
          failed.push(name);
          await pictures(browser, name);
        } finally {
          await Promise.all(browser.contexts().map((context) => context.close()));
        }
      }
    } finally {
      await close();
    }
    return failed;
  };
  // The second try has the machine for itself.
  waiting.push(...(await Promise.all(Array.from({ length: workers }, work))).flat());
  const failed = await work();
  if (failed.length > 0) {
    console.error(`${title}: failed twice: ${failed.join(', ')}`);
    process.exitCode = 1;
  }
}

async function pictures(browser, name) {
  const pages = browser.contexts().flatMap((context) => context.pages());
  for (const [index, page] of pages.entries()) {
    await page.screenshot({ path: join(process.env.FRANK_PICTURES, `failed-${name}-${index}.png`) });
  }
}
