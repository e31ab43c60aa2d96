// The walkthrough ticks what is done, and nothing before.

import { Server } from '../lib/server.mjs';
import { folderOf, missingLift } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';

export async function run(browser) {
  const server = await Server.start('walkthrough');
  try {
    const folder = folderOf('walkthrough', { 'frank.toml': '', 'own.fk': missingLift() });
    const window = await Workbench.open(browser, server, folder, { size: { width: 1120, height: 760 } });
    await window.command('Open Walkthrough');
    await window.answer('Frank in five minutes');
    const walkthrough = window.page.locator('.gettingStartedContainer');
    const steps = walkthrough.locator('.getting-started-step');
    const ticked = async () => {
      const done = steps.filter({ has: window.page.locator('.codicon.complete') });
      return (await done.locator('h3').allTextContents()).join(', ');
    };
    const back = () => window.page.locator('.tab', { hasText: /Walkthrough|Frank in five/ }).click();
    const done = [];
    const isDone = async (title) => {
      done.push(title);
      await back();
      await window.until(`ticks at ${done.join(', ')}`, async () => (await ticked()) === done.join(', '));
    };

    await isDone('Have the program frank');
    await walkthrough.getByText('Open a program with a mistake').first().click();
    await walkthrough.getByText('Open the Sample').click();
    await window.page.locator('.tab.active', { hasText: 'Untitled-1' }).waitFor();
    await window.until('the mistake', async () => (await window.squiggles()).join() === 'x');
    await isDone('Open a program with a mistake');

    const sample = window.page.locator('.tab', { hasText: 'Untitled-1' });
    await sample.click();
    await window.goTo(8, 28);
    await window.quickFix('Write `lift x`');
    await window.until('no mistake', async () => (await window.squiggles()).length === 0);
    await isDone('Mend the missing lift');

    await sample.click();
    await window.until('running', async () => (await window.lenses()).some((title) => title.includes('▶ run')));
    await window.lens('▶ run').click();
    await window.until('the value', async () => (await window.lenses()).some((title) => title.includes('main = 1')));
    await isDone('Run and differentiate');

    await walkthrough.getByText('Check everything').first().click();
    await walkthrough.getByText('Run the Task').click();
    await isDone('Check everything');

    await window.picture('checks/walkthrough-done');
    await window.close();
  } finally {
    server.stop();
  }
}
