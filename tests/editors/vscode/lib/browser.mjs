// The browser in which pages are clicked through.

import { chromium } from 'playwright-core';
import { wanted } from './wanted.mjs';

export async function launch() {
  return chromium.launch({
    executablePath: wanted('FRANK_CHROMIUM'),
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--lang=en-US'],
  });
}
