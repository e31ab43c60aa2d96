// Debian's Firefox, by WebDriver BiDi: Playwright wants one of its own, or a newer one.

import puppeteer from 'puppeteer-core';
import { wrongIn } from './browser.mjs';

export function launch() {
  return puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FRANK_FIREFOX,
    defaultViewport: { width: 1280, height: 900 },
  });
}

/** As `open` of `browser.mjs`. What the policy forbids is an error of the page here. */
export async function open(firefox) {
  const context = await firefox.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return { page, wrong: wrongIn(page, 'warn', 'NS_BINDING_ABORTED') };
}
