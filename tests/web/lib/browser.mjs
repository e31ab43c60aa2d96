// The browser, and pages that keep what went wrong in them.

import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { PLAIN } from './site.mjs';

export function launch() {
  return chromium.launch({
    executablePath: process.env.FRANK_CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--lang=en-US', `--host-resolver-rules=MAP ${PLAIN} 127.0.0.1`],
  });
}

/** The bytes that the processes of all pages have in memory. */
export async function residentMemory(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => {
    try {
      return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1]) * 1024;
    } catch {
      // It has ended.
      return 0;
    }
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** mdbook's highlighter knows neither Frank nor some other languages of the book, and says so of each block. */
const KNOWN = [/^Could not find the language '/, /^Falling back to no-highlight mode/];

/**
 * A page in a context of its own, with what it has asked the network for, and its errors and warnings: those of the
 * console, scripts that fail, requests that fail, and whatever the policy forbids.
 */
export async function open(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  return { context, page, wrong: wrongIn(page, 'warning', 'net::ERR_ABORTED'), requests };
}

/** What goes wrong in a page from now on. Browsers have their own words for warnings and for what a page has left. */
export function wrongIn(page, warning, aborted) {
  const wrong = [];
  page.on('console', (message) => {
    const text = message.text();
    if (['error', warning].includes(message.type()) && !KNOWN.some((known) => known.test(text))) {
      wrong.push(`${page.url()}: ${text}`);
    }
  });
  page.on('pageerror', (error) => wrong.push(`${page.url()}: ${error.stack}`));
  page.on('requestfailed', (request) => {
    // Whoever leaves a page ends what it still asks for.
    if (request.failure()?.errorText !== aborted) {
      wrong.push(`${request.url()}: ${request.failure()?.errorText}`);
    }
  });
  return wrong;
}
