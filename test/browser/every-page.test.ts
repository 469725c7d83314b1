import { expect, it } from 'vitest';
import { follow, openWindow, ORIGIN, signIn, type Page } from './support/browser.ts';
import { checkDialog, checkPage, crawl, SOME_WIDTHS } from './support/crawl.ts';
import { seedDifficult } from './support/difficult.ts';
import { make, openLinks, seedClicks } from './support/links.ts';
import { onDatabase, seedAccount, type Account } from './support/seed.ts';

const workspaceOf = ({ clientId }: Account) => `/platform/c/${clientId}`;

async function openDifficult() {
  const account = await seedAccount({ more: 3 });
  const links = await seedDifficult(account);
  const page = await openWindow();
  await signIn(page, account);
  return { page, account, path: `${workspaceOf(account)}/links`, ...links };
}

const TABS = ['', '/details', '/edit', '/try?agent=iphone', '/qr', '/history', '/api'];

it('every page of links and of their clicks has no error, and fits every screen', async () => {
  const { page, path, full } = await openDifficult();
  const seen = await crawl(page, [path, ...TABS.map((tab) => `${path}/${full}${tab}`)], { part: /links|campaigns|\?/ });
  expect(seen.size).toBeGreaterThan(30);
});

it('every other page that a member can reach has no error, and fits every screen', async () => {
  const { page, account } = await openDifficult();
  const seen = await crawl(page, [workspaceOf(account)], { part: /^(?!.*(?:links|campaigns|\?))/ });
  expect(seen.size).toBeGreaterThan(20);
});

it('every link that is difficult in one way fits every screen', async () => {
  const { page, path, others } = await openDifficult();
  for (const [at, id] of others.entries()) {
    for (const tab of ['', '/details', '/edit']) {
      await page.goto(`${path}/${id}${tab}`);
      await checkPage(page, `difficult-${at}${tab.replace('/', '-')}`);
    }
  }
});

it('the list fits every screen with all links and some of them, and so do the dialogs for selected ones', async () => {
  const { page, path } = await openDifficult();
  for (const query of ['q=row', 'sort=clicks', 'state=disabled', 'tag=print&sort=clicks&q=x', 'limit=5']) {
    await page.goto(`${path}?${query}`);
    await checkPage(page, `list-${query.replaceAll(/\W/g, '-')}`);
  }
  await follow(page.getByRole('link', { name: 'Next page' }));
  await checkPage(page, 'list-next');
  await page.goto(path);
  await page.getByLabel('Select all').check();
  await checkPage(page, 'list-selected');
  const actions = page.locator('.bulk button[name="do"]');
  for (const action of await actions.all()) {
    const name = await action.textContent();
    await action.click();
    await checkDialog(page, `list-selected-${name ?? ''}`);
  }
});

it('every page of an empty workspace fits every screen', async () => {
  const account = await seedAccount();
  const page = await openWindow();
  await signIn(page, account);
  const seen = await crawl(page, [workspaceOf(account)], { widths: SOME_WIDTHS });
  expect(seen.size).toBeGreaterThan(20);
});

it('a file with errors, and one with an unknown column, fit every screen', async () => {
  const { page, path } = await openDifficult();
  const long = 'x'.repeat(300);
  const rows = [
    `https://example.com/${long},${long},`,
    `nowhere-${long},,`,
    'https://münchen.example/straße,Donaudampfschifffahrtsgesellschaftskapitän,מבצע אביב',
    'https://example.com/1,,print',
    `https://example.com/2,a/b?c,"${'tag,'.repeat(30)}"`,
  ];
  for (const [name, header, title] of [
    ['errors', 'url,slug,tags', 'Check the import'],
    ['columns', `url,slug,a-column-that-is-not-known-${long.slice(0, 60)}`, /^(?!Import or export)/],
  ] as const) {
    await page.goto(`${path}/files`);
    const file = {
      name: `${long.slice(0, 80)}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from([header, ...rows].join('\n')),
    };
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await checkPage(page, `import-${name}`);
  }
});

it.each(['/', '/changelog', '/docs/errors', '/platform/sign-in', '/platform/invite/none', '/platform/reset/none'])(
  'the page %s fits every screen',
  async (path) => {
    const page = await openWindow();
    await page.goto(path);
    await checkPage(page, `public${path.replaceAll('/', '-')}`);
  },
);

const LONG_NAME = 'Donaudampfschifffahrtsgesellschaftskapitän';

it('the pages of short links without a redirect fit every screen', async () => {
  const account = await seedAccount();
  const url = `https://example.com/${'a-rather-long-path'.repeat(50)}`;
  const preview = { title: LONG_NAME.repeat(2), description: 'All of it. '.repeat(15) };
  const [locked, shown, disabled, expired, limited] = [
    await make(account, { password: 'open sesame' }),
    await make(account, { url, preview }),
    await make(account),
    await make(account),
    await make(account, { max_clicks: 5 }),
  ];
  await onDatabase((db) =>
    db.batch([
      { sql: 'UPDATE links SET disabled_at = 1 WHERE id = ?1', params: [disabled] },
      { sql: 'UPDATE links SET expires_at = 1 WHERE id = ?1', params: [expired] },
    ]),
  );
  const page = await openWindow();
  for (const [name, path, status] of [
    ['locked', `/${locked}`, 200],
    ['inspected', `/${shown}+`, 200],
    ['disabled', `/${disabled}`, 410],
    ['expired', `/${expired}`, 410],
    ['unknown', '/there-is-no-such-link', 404],
    ['platform-unknown', '/platform/nothing', 404],
  ] as const) {
    const response = await page.goto(path);
    expect([name, response?.status()]).toEqual([name, status]);
    await checkPage(page, `visitor-${name}`);
  }
  await page.goto(`/${locked}`);
  await page.getByLabel('Password').fill('wrong');
  await follow(page.getByRole('button', { name: 'Continue' }));
  await page.getByRole('alert').waitFor();
  await checkPage(page, 'visitor-locked-wrong');
  for (const [name, path, userAgent] of [
    ['preview', `/${shown}`, 'WhatsApp/2.23.20.0'],
    ['limited', `/${limited}`, 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
  ] as const) {
    const program = await openWindow({ userAgent });
    await program.goto(path);
    await checkPage(program, `visitor-${name}`);
  }
});

it('the pages that a link of an owner opens fit every screen', async () => {
  const { page, account, path, full } = await openDifficult();
  await page.goto(`${workspaceOf(account)}/members/invite`);
  await follow(page.getByRole('button', { name: 'Create invite link' }));
  await checkPage(page, 'invite-link');
  const invite = await page.getByLabel('Invite link', { exact: true }).inputValue();
  await page.goto(`${path}/${full}/share`);
  await page.getByLabel('Password').fill('open sesame');
  await follow(page.getByRole('button', { name: 'Create public page' }));
  await checkPage(page, 'share');
  const shared = await page.getByRole('textbox', { name: 'Address' }).inputValue();
  const visitor = await openWindow();
  await visitor.goto(invite);
  await checkPage(visitor, 'invite');
  await visitor.goto(shared);
  await checkPage(visitor, 'shared-locked');
  await visitor.getByLabel('Password').fill('open sesame');
  await follow(visitor.getByRole('button', { name: 'Continue' }));
  const cards = visitor.getByRole('navigation', { name: 'Further breakdowns' }).getByRole('link');
  const hrefs = await Promise.all((await cards.all()).map((card) => card.getAttribute('href')));
  expect(hrefs.length).toBeGreaterThan(2);
  for (const [at, href] of hrefs.entries()) {
    await visitor.goto(href ?? '');
    await checkPage(visitor, `shared-${at}`);
  }
});

/** The distance that the content of a page moves when a part of it arrives first, and the rest once that is painted. */
function shiftOfPieces(page: Page, html: string, place: number): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const painted = async () => {
      for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
    };
    document.open();
    let shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (shift += value)))
      .observe({ type: 'layout-shift' });
    document.write(${JSON.stringify(html.slice(0, place))});
    // Nothing is painted before the style has arrived.
    while (getComputedStyle(document.body).margin !== '0px') await painted();
    await painted();
    document.write(${JSON.stringify(html.slice(place))});
    document.close();
    await painted();
    return Math.floor(shift * 100);
  })()`);
}

const PIECES = 20;

it.each([
  ['the chart', '/platform/c/CLIENT', '<figure class="chart">', '</figure>'],
  ['the header of a link', '/platform/c/CLIENT/links/ID', '<div class="page-header">', '</main>'],
])('%s does not move when it arrives in pieces', async (_what, path, begin, end) => {
  const { page, account } = await openLinks();
  const id = await make(account, { url: `https://shop.example/${'a-long-path/'.repeat(20)}?utm_source=newsletter` });
  seedClicks(account, [id]);
  const url = ORIGIN + path.replace('CLIENT', account.clientId).replace('ID', id);
  await page.goto(url);
  const html = await (await page.request.get(url)).text();
  const first = html.indexOf(begin);
  const length = html.indexOf(end, first) - first;
  const places = Array.from({ length: PIECES }, (_, piece) => first + Math.floor((length * piece) / PIECES));
  const shifts = [];
  for (const place of places) shifts.push(await shiftOfPieces(page, html, place));
  expect(shifts).toEqual(places.map(() => 0));
});
