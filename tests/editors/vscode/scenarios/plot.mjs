// An operator as a picture: a lens opens a panel, its fields and sliders move the picture, and it follows the text. As a
// graph its nodes lead to the program.

import { Server } from '../lib/server.mjs';
import { folderOf } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';

const PROGRAM = `\
include ad-compare

wave : X -> X -> [Smooth X]X
wave x a = times a (sinS x)

sign : X -> [Compare X, Smooth X]X
sign x = if (lessS x (c 0)) {negate x} {x}
`;

export async function run(browser) {
  const server = await Server.start('plot');
  try {
    const window = await Workbench.open(browser, server, folderOf('plot', { 'frank.toml': '', 'wave.fk': PROGRAM }));
    await window.openFile('wave.fk');
    const page = window.page.frameLocator('iframe.webview').frameLocator('iframe');
    // The lens has the derivatives, and draws them.
    const lens = window.page.locator('.codelens-decoration a', { hasText: '∂wave/∂x = a·cos(x)' });
    await lens.first().waitFor();
    await window.until('a panel', async () => {
      if ((await window.page.locator('iframe.webview').count()) === 0) {
        await lens.first().click();
      }
      return (await page.locator('#picture').getAttribute('src', { timeout: 5000 }))?.startsWith('data:image/svg+xml');
    });
    const shown = async () => decodeURIComponent(await page.locator('#picture').getAttribute('src'));
    const shows = (what, test) => window.until(what, async () => test(await shown()));
    await shows('the operator and its derivative', (svg) => svg.includes('wave (a = 1.0)') && svg.includes('∂wave/∂x'));
    await window.picture('checks/plot');

    // Fields and sliders.
    await page.locator('#order').selectOption('2');
    await shows('the second derivative', (svg) => svg.includes('∂²wave/∂x²'));
    const before = await shown();
    await page.locator('#to').fill('20');
    await page.locator('#to').blur();
    await shows('another range', (svg) => svg !== before && svg.includes('>20<'));
    const amplitude = page.locator('#point input').nth(1);
    await amplitude.focus();
    await amplitude.press('ArrowRight');
    await shows('another amplitude', (svg) => /wave \(a = 1\.0?[1-9]/.test(svg));

    // A range that is none.
    await page.locator('#from').fill('0');
    await page.locator('#to').fill('-20');
    await page.locator('#to').blur();
    await window.until('the reason', async () => (await page.locator('#error').textContent()).includes('range'));
    await window.picture('checks/plot-error');
    await page.locator('#to').fill('4');
    await page.locator('#to').blur();
    await window.until('no reason', async () => (await page.locator('#error').textContent()) === '');

    // What is computed, as a graph: nodes name their places, and lead there.
    const cursor = (place) => window.until(place, async () =>
      (await window.page.locator('.statusbar-item', { hasText: /^Ln / }).textContent()).includes(place));
    const title = (text) => page.locator('#graph g.n').filter({ has: page.locator('title', { hasText: text }) });
    await page.locator('#view').selectOption('graph');
    await title('sin of x').waitFor();
    const titles = await page.locator('#graph g.n title').allTextContents();
    const ofSine = titles.filter((text) => text.includes('wave.fk:4:20') || text.includes('wave.fk:4:21'));
    // The sine, and what carries its derivative back.
    if (!ofSine.some((text) => text.includes('initial')) || !ofSine.some((text) => text.includes('secondary'))) {
      throw new Error(`nodes do not name the place of the sine: ${titles.join(' | ')}`);
    }
    await window.picture('checks/graph');
    await title('sin of x').click();
    await cursor('Ln 4');
    // The sliders move its values.
    await page.locator('#point input').first().focus();
    const atPoint = await page.locator('#graph').textContent();
    await page.locator('#point input').first().press('ArrowLeft');
    await window.until('other values', async () => (await page.locator('#graph').textContent()) !== atPoint);

    // What has no graph leads to the reason.
    await window.page.locator('.codelens-decoration a', { hasText: '∂ plot' }).first().click();
    await window.until('the other operator', async () =>
      (await page.locator('#picture').getAttribute('alt', { timeout: 5000 })).startsWith('sign'));
    await page.locator('#view').selectOption('graph');
    await window.until('the reason', async () => /comparison.*wave\.fk:7:/.test(await page.locator('#error').textContent()));
    await page.locator('#place').click();
    await cursor('Ln 7');
    await window.close();
  } finally {
    server.stop();
  }
}
