// What goes wrong does not cost anybody's text: a server that traps, addresses that are damaged or worse, no network.

import { deflateRawSync } from 'node:zlib';
import { assert, equal } from '../../lib/assert.mjs';
import { open } from '../lib/browser.mjs';
import { parts, playground } from '../lib/playground.mjs';

export async function run(browser, site) {
  await aTrapIsAMessage(browser, site);
  await aServerThatIsNotThereIsAMessage(browser, site);
  await theRestIsLoadedLater(browser, site);
  await manyBracketsAreNoTrouble(browser, site);
  await anAddressIsOnlyText(browser, site);
  await aTextThatIsMeantToBeSlowIsNot(browser, site);
  await whatIsNotThereIsSaid(browser, site);
  await manyFindingsAreListedInPart(browser, site);
  await aRunThatCannotBeginSaysWhy(browser, site);
  await itIsThereWithoutANetwork(browser, site);
}

/** Text as a fragment that says that it is a program. */
function fragmentOf(bytes) {
  return `#p=${deflateRawSync(bytes, { level: 9 }).toString('base64url')}`;
}

/** A pointer that rests on a text asks about it, too. */
const away = (page) => page.mouse.move(0, 0);

/** What is loaded can be exchanged: the service worker stays away. */
const BARE = { serviceWorkers: 'block' };
const BLOCKED = 'Service Worker registration blocked by Playwright';

/** In the worker: the server traps where a message has a word. */
const TRAP = `{
  const write = JSON.stringify;
  JSON.stringify = (value) => {
    const text = write(value);
    if (/trapsHere|"method":"textDocument\\/hover"/.test(text)) {
      throw new WebAssembly.RuntimeError('unreachable executed');
    }
    return text;
  };
}
`;

async function aTrapIsAMessage(browser, site) {
  const { page, wrong } = await open(browser, BARE);
  const { write, checked, notice, problems, content, text } = parts(page);
  let starts = 0;
  await page.route('**/worker.js', async (route) => {
    starts += 1;
    const response = await route.fetch();
    await route.fulfill({ response, body: TRAP + (await response.text()) });
  });
  await page.goto(`${site.url}playground/`);
  await checked();
  equal(starts, 1);
  // A question makes it fail: that is told, and the text is checked again.
  await write('main : {Int}\nmain! = nowhere\n');
  await problems.first().waitFor();
  await content.locator('.cm-line').nth(1).click();
  await away(page);
  await page.keyboard.press('Alt+i');
  await page.locator('#notice span', { hasText: 'started anew' }).waitFor();
  await checked();
  equal([starts, await problems.count(), await text()], [2, 1, 'main : {Int}\nmain! = nowhere\n']);
  // The text makes it fail: it is not tried again and again.
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('-- trapsHere');
  await page.locator('#notice span', { hasText: 'starts again when you change it' }).waitFor();
  await page.waitForTimeout(1500);
  equal(starts, 3);
  equal(await page.locator('#state').textContent(), 'The checker has stopped.');
  await page.getByRole('button', { name: 'Start again' }).click();
  await page.locator('#notice span', { hasText: 'starts again when you change it' }).waitFor();
  equal(await text(), 'main : {Int}\nmain! = nowhere\n-- trapsHere');
  await page.keyboard.press('Escape');
  await content.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('main : {Int}\nmain! = 1\n');
  await page.waitForFunction(() => document.getElementById('state').textContent.startsWith('Nothing to say'));
  equal(await notice.isVisible(), false);
  equal(wrong.filter((message) => !message.includes(BLOCKED)), []);
}

async function aServerThatIsNotThereIsAMessage(browser, site) {
  const { context, page, wrong } = await open(browser, BARE);
  const { text } = parts(page);
  await context.route('**/frank.wasm', (route) => route.fulfill({ status: 404 }));
  await page.goto(`${site.url}playground/`);
  await page.locator('#notice span', { hasText: 'cannot be loaded' }).waitFor();
  assert((await text()).includes('include prelude'), 'the text is not there');
  await context.unroute('**/frank.wasm');
  await page.getByRole('button', { name: 'Start again' }).click();
  await page.waitForFunction(() => document.getElementById('state').textContent.startsWith('Nothing to say'));
  assert(wrong.every((message) => message.includes('404') || message.includes(BLOCKED)), wrong);
}

const WRONG = 'include prelude\n\nmain : {Int}\nmain! = lenght [1]\n';

/** What the first findings need is there, and nothing else comes before them; what is asked for then is told if it does not come. */
async function theRestIsLoadedLater(browser, site) {
  const { context, page, requests } = await open(browser, BARE);
  const { checked, content, notice, problems, state, write } = parts(page);
  let hold = () => undefined;
  const held = new Promise((resolve) => { hold = resolve; });
  await page.route('**/frank-rest.wasm', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${site.url}playground/${fragmentOf(JSON.stringify([['program.fk', WRONG]]))}`);
  equal(await checked(), '1 error');
  equal(await problems.locator('.fk-fix').count(), 0);
  for (const [text, word] of [['main : {Int}\nmain! = "x"\n', 'String'], ['include prelude\n\nmain : {Int}\nmain! = length\n', 'Int'], ['include nowhere\n', 'nowhere']]) {
    await write(text);
    await problems.filter({ hasText: word }).first().waitFor();
  }
  await write(WRONG);
  hold();
  await problems.locator('.fk-fix', { hasText: 'length' }).waitFor();
  equal(requests.filter((url) => url.endsWith('.wasm')).map((url) => url.slice(url.lastIndexOf('/') + 1)), ['frank.wasm', 'frank-rest.wasm']);
  await page.unroute('**/frank-rest.wasm');
  // A text is not blamed for what cannot be loaded.
  await context.route('**/frank-rest.wasm', (route) => route.abort());
  await page.reload();
  await checked();
  for (const said of ['had failed', 'The checker cannot be loaded']) {
    await content.locator('.cm-line').nth(2).click({ position: { x: 5, y: 5 } });
    await away(page);
    await page.keyboard.press('Alt+i');
    await notice.filter({ hasText: said }).and(notice.filter({ hasText: 'frank-rest.wasm cannot be loaded' })).waitFor();
    if (said === 'had failed') {
      await checked();
    }
  }
  equal(await state.textContent(), 'The checker has stopped.');
  await context.unroute('**/frank-rest.wasm');
  await page.getByRole('button', { name: 'Start again' }).click();
  await checked();
  await content.locator('.cm-line').nth(2).click({ position: { x: 5, y: 5 } });
  await away(page);
  await page.keyboard.press('Alt+i');
  await page.locator('.fk-hover', { hasText: 'Int' }).waitFor();
  await context.close();
}

const BRACKETS = 100_000;

/** The server has either an answer or no stack left; both are told, and one goes on from there. */
async function manyBracketsAreNoTrouble(browser, site) {
  const { page, wrong, write, checked, content, lens, outcome } = await playground(browser, site);
  await checked();
  await content.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(`main : {Int}\nmain! = ${'('.repeat(BRACKETS)}1${')'.repeat(BRACKETS)}\n`);
  const answered = /^(Nothing to say|\d|The checker has stopped)/;
  await page.waitForFunction((words) => new RegExp(words).test(document.getElementById('state').textContent), answered.source);
  await write('main : {Int}\nmain! = 1\n');
  await checked();
  await lens('run').click();
  await outcome.locator('.value', { hasText: 'main = 1' }).waitFor();
  equal(wrong, []);
}

async function anAddressIsOnlyText(browser, site) {
  const damaged = [
    ['#p=', 'damaged'],
    ['#p=!!!', 'damaged'],
    ['#p=AAAA', 'damaged'],
    [fragmentOf('{"a": 1}'), 'damaged'],
    [fragmentOf(JSON.stringify([['../../etc/passwd', 'x']])), 'damaged'],
    [fragmentOf(JSON.stringify([['a.fk', 'x'], ['a.fk', 'y']])), 'damaged'],
    [fragmentOf(Buffer.alloc(64 << 20, ' ')), 'too long'],
  ];
  for (const [fragment, word] of damaged) {
    const { page, wrong, notice, checked, text } = await playground(browser, site, { fragment });
    await page.locator('#notice span', { hasText: word }).waitFor();
    await checked();
    assert((await text()).includes('include prelude'), await notice.textContent());
    equal(await page.evaluate(() => location.hash), '');
    equal(wrong, []);
    await page.context().close();
  }
  const hostile = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>\nmain : {Int}\nmain! = `<b onmouseover=window.hit=1>`\n';
  const { page, wrong, problems, text } = await playground(browser, site, { fragment: fragmentOf(JSON.stringify([['program.fk', hostile]])) });
  await problems.first().waitFor();
  equal(await text(), hostile);
  equal(await page.evaluate(() => [window.hit, document.querySelectorAll('main img[src=x], main script, main b').length]), [undefined, 0]);
  // What is put into the page in spite of all that does nothing, either.
  await page.evaluate(() => {
    const image = document.createElement('div');
    image.innerHTML = '<img src="data:,x" onerror="window.hit=1">';
    document.body.append(image);
    const script = document.createElement('script');
    script.textContent = 'window.hit = 1';
    document.body.append(script);
  });
  equal(await page.evaluate(() => window.hit), undefined);
  const refused = wrong.splice(0);
  assert(refused.length > 0 && refused.every((message) => message.includes('Content Security Policy')), refused);
}

/** Words in which a careless pattern begins anew at each letter. */
async function aTextThatIsMeantToBeSlowIsNot(browser, site) {
  const name = 'a'.repeat(50_000);
  const texts = ['`'.repeat(8000), '['.repeat(20_000), '[]('.repeat(8000)];
  for (const said of texts) {
    const text = `-- ${said}\nquiet : {Int}\nquiet! = 1\n`;
    const { context, page, wrong, checked, content } = await playground(browser, site, { fragment: fragmentOf(JSON.stringify([['program.fk', text]])) });
    await checked();
    await content.locator('.fk-function', { hasText: 'quiet' }).last().click();
    const began = Date.now();
    await page.keyboard.press('Alt+i');
    await page.locator('.fk-hover').first().waitFor();
    assert(Date.now() - began < 3000, `what is known of a name is shown after ${Date.now() - began} ms`);
    equal(wrong, []);
    await context.close();
  }
  const { write, checked, lens, result, wrong } = await playground(browser, site);
  await checked();
  await write(`${name} : Int -> Int\n${name} 1 = 2\n\nmain : {Int}\nmain! = ${name} 0\n`);
  await checked();
  await lens('run').last().waitFor();
  const began = Date.now();
  await lens('run').last().click();
  assert((await result()).includes('program.fk:'), 'there is no place');
  assert(Date.now() - began < 3000, `why a run has failed is shown after ${Date.now() - began} ms`);
  equal(wrong, []);
}

/** Which of its files are missing the page says; nothing else is to blame. */
async function whatIsNotThereIsSaid(browser, site) {
  const { context, page: broken } = await open(browser, BARE);
  await broken.route('**/playground.js', (route) => route.fulfill({ status: 404 }));
  await broken.goto(`${site.url}playground/`);
  await broken.locator('#state', { hasText: 'cannot be loaded' }).waitFor();
  await context.close();
  // Without what begins early the page begins by itself.
  const late = await open(browser, BARE);
  await late.page.route('**/begin.js', (route) => route.fulfill({ status: 404 }));
  await late.page.goto(`${site.url}playground/`);
  await parts(late.page).checked();
  await late.context.close();
  const one = await open(browser, BARE);
  await one.page.route('**/worker.js', (route) => route.fulfill({ status: 404 }));
  await one.page.goto(`${site.url}playground/`);
  await one.page.locator('#notice span', { hasText: 'The checker cannot be loaded (its script cannot be loaded)' }).waitFor();
  await one.page.unroute('**/worker.js');
  await one.page.getByRole('button', { name: 'Start again' }).click();
  await parts(one.page).checked();
  await one.context.close();
  // Without the examples one's own programs are there.
  const { page, wrong } = await open(browser, BARE);
  await page.route('**/examples.json', (route) => route.fulfill({ status: 404 }));
  const { checked, write } = parts(page);
  await page.goto(`${site.url}playground/`);
  await checked();
  await write('-- an hour of work');
  await page.locator('#own option', { hasText: 'an hour of work' }).waitFor({ state: 'attached' });
  await write('-- another text');
  const own = await page.locator('#own option').first().getAttribute('value');
  await page.locator('#examples').selectOption(own);
  await page.waitForFunction(() => document.querySelector('.cm-content').textContent.includes('another text'));
  equal(wrong.filter((message) => !message.includes('404') && !message.includes(BLOCKED)), []);
}

/** Thousands of findings are no more than a person reads. */
async function manyFindingsAreListedInPart(browser, site) {
  const { wrong, write, checked, problems, page } = await playground(browser, site);
  await checked();
  await write(Array.from({ length: 1000 }, (_, n) => `f${n} : {Int}\nf${n}! = nowhere${n}\n`).join('\n'));
  await page.locator('#state', { hasText: '1000 errors' }).waitFor();
  equal(await problems.count(), 201);
  equal(await problems.last().textContent(), '… and 800 more');
  equal(wrong, []);
}

/** The network may go after the checker has come, and where no service worker keeps the files. */
async function aRunThatCannotBeginSaysWhy(browser, site) {
  const { page, context } = await open(browser, BARE);
  const { checked, lens, outcome } = parts(page);
  await page.goto(`${site.url}playground/`);
  await checked();
  await lens('run').last().waitFor();
  await context.route('**/worker.js', (route) => route.abort());
  await lens('run').last().click();
  await outcome.locator('.failure', { hasText: 'could not begin' }).waitFor();
  await context.unroute('**/worker.js');
  await lens('run').last().click();
  await outcome.locator('.value').waitFor();
}

async function itIsThereWithoutANetwork(browser, site) {
  // The site is that of all scenarios.
  const before = site.asked.length;
  const { context, page, wrong, checked, lens, outcome } = await playground(browser, site);
  await checked();
  await page.evaluate(async () => { await navigator.serviceWorker.ready; });
  // What draws is not loaded before something is drawn, by nobody.
  equal(site.asked.slice(before).filter((path) => path.includes('-plot')), []);
  await context.setOffline(true);
  await page.reload();
  await checked();
  await lens('run').click();
  await outcome.locator('.value').waitFor();
  await page.locator('#examples option', { hasText: 'missing-lift' }).waitFor({ state: 'attached' });
  equal(wrong, []);
}
