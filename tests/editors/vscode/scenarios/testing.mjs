// Examples and laws in comments: tests in the Testing view, lenses, and an action that writes the value.

import { Server } from '../lib/server.mjs';
import { folderOf } from '../lib/workspaces.mjs';
import { Workbench } from '../lib/workbench.mjs';

const DOUBLE = `\
-- Twice as much.
-- > double 2
-- = 4
-- > double 3
-- = 7
-- > double 5
-- for all n : Int. double n == 2 * n
-- for all n : Int. double n < 1000
double : Int -> Int
double n = n + n
`;

const NOTEBOOK = `\
# Halves

\`\`\`frank
-- > half 9
-- = 4
half : Int -> Int
half n = n / 2
\`\`\`
`;

export async function run(browser) {
  const server = await Server.start('testing');
  try {
    const files = { 'frank.toml': '', 'double.fk': DOUBLE, 'half.fk.md': NOTEBOOK };
    const window = await Workbench.open(browser, server, folderOf('testing', files));
    await window.openFile('double.fk');
    const titles = async (wanted) => (await window.lenses()).filter((title) => title === wanted).length;
    await window.until('lenses', async () => (await titles('▶ check')) === 3 && (await titles('▶ check law')) === 2);

    // All tests, from the view: one fails, with its difference.
    await window.command('Testing: Focus on Test Explorer View');
    const row = (text) => window.page.locator('.test-explorer .monaco-list-row', { hasText: text });
    await row('double.fk').locator('.monaco-tl-twistie').click();
    await row('double 3').waitFor();
    await window.command('Test: Run All Tests');
    const ended = (text, state) =>
      window.until(`“${text}” ${state}`, async () => ((await row(text).getAttribute('aria-label')) ?? '').includes(state));
    await ended('double 2', 'Passed');
    await ended('double 5', 'Passed');
    await ended('double 3', 'Failed');
    await ended('double n == 2 * n', 'Passed');
    await ended('double n < 1000', 'Failed');
    // It opens by itself only where VS Code finds the file's editor in time, and so it is with the command.
    await window.until('the difference', async () => {
      await window.command('Test: Go to Next Test Failure');
      await window.page.getByText('It is 6, and should be 7.').first().waitFor({ timeout: 5000 });
      return true;
    });
    await window.picture('checks/testing');
    await window.until('what came of it on the lenses', async () => {
      const lenses = (await window.lenses()).filter((title) => /^[✓✗▶] /.test(title));
      return JSON.stringify(lenses) === JSON.stringify([
        '✓ 4', '✗ 6, should be 7', '▶ = 10', '✓ holds for 100 values', '✗ is false for n = 500',
      ]);
    });

    // Those of a notebook that nobody has opened were among them.
    await row('half.fk.md').locator('.monaco-tl-twistie').click();
    await ended('half 9', 'Passed');

    // The action writes what it has; where nothing is said, below the term.
    await window.press('Escape');
    await window.page.locator('.tab', { hasText: 'double.fk' }).click();
    await window.goTo(4, 6);
    await window.quickFix('Evaluate, and write the value that it has');
    await window.until('the value', async () => (await window.text()).includes('-- > double 3\n-- = 6'));
    await window.goTo(6, 6);
    await window.quickFix('Evaluate, and write the value below');
    await window.until('the value below', async () => (await window.text()).includes('-- > double 5\n-- = 10'));
    await window.until('the lens says that it is right', async () => (await window.lenses()).includes('✓ 10'));
    await window.close();
  } finally {
    server.stop();
  }
}
