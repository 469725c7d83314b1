import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { faultsOf } from './support/axe.ts';
import { follow, inspect, type Page } from './support/browser.ts';
import { openLinks } from './support/links.ts';
import { onDatabase } from './support/seed.ts';

const ROWS = 4000;
/** The time that a busy machine may take for all pieces of a file. */
const SENT = { timeout: 300_000 };
const COMMENT = 'x'.repeat(700);

/** About 3 MiB. Row 1,503 is not valid, and row 2,502 has a limit without the clicks that are left. */
function largeFile(): Buffer {
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const url = index === 1501 ? 'nowhere' : `https://example.com/${index}`;
    return `large-${index},${url},${COMMENT},${index === 2500 ? 7 : ''},\n`;
  });
  return Buffer.from(`slug,url,comments,max_clicks,clicks_left\n${rows.join('')}`);
}

const choose = (page: Page, buffer: Buffer, name = 'links.csv') =>
  page.getByLabel('File', { exact: true }).setInputFiles({ name, mimeType: 'text/csv', buffer });

/** The numbers above the rows, by their names. */
async function totalsOf(page: Page): Promise<Record<string, string>> {
  const texts = await page.locator('.totals > div').evaluateAll((tiles) => tiles.map((tile) => tile.textContent ?? ''));
  return Object.fromEntries(texts.map((text) => [text.replace(/[\d,]+$/, ''), /[\d,]+$/.exec(text)?.[0] ?? '']));
}

async function downloadOf(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return text(await download.createReadStream());
}

it('a large file is shown first, sent in pieces, and continues at the piece that failed', async () => {
  const { page, account, path } = await openLinks();
  await page.goto(`${path}/files`);
  await choose(page, largeFile());
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByText('Preview of the first 1,000 of the 4,000 rows of links.csv.').waitFor();
  expect(await totalsOf(page)).toMatchObject({ 'To be created': '1,000', Errors: '0' });
  const linksOf = () =>
    onDatabase((db) =>
      db.batch<[{ readonly n: number }]>([
        { sql: 'SELECT count(*) AS n FROM links WHERE client_id = ?1', params: [account.clientId] },
      ]),
    );
  expect(await linksOf()).toEqual([[{ n: 0 }]]);

  let pieces = 0;
  const shown = Promise.withResolvers<void>();
  // The response to the second piece is lost, and so is all after it.
  await page.route(/\/import\/piece$/, async (route) => {
    pieces += 1;
    if (pieces === 2) await Promise.all([route.fetch(), shown.promise]);
    return pieces < 2 ? route.continue() : route.abort();
  });
  await page.evaluate(`document.title = document.title.replace('Terse', 'Name of the operator')`);
  await page.getByRole('button', { name: 'Import 4,000 rows' }).click();
  await page.getByText(/^[\d,]+ rows a second, about \d+ (?:second|minute)s? left$/).waitFor();
  await inspect(page, 'import-running');
  expect(await page.title()).toBe('Importing · Name of the operator');
  shown.resolve();
  await page
    .getByRole('alert')
    .getByText('The service does not respond. Check your connection, then continue.')
    .waitFor();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Import stopped');
  expect(await page.getByText('1,000 of 4,000 rows', { exact: true }).isVisible()).toBe(true);
  expect(await linksOf()).toEqual([[{ n: 1999 }]]);
  expect(await faultsOf(page)).toEqual([]);

  await page.unrouteAll();
  // It has the focus.
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Import finished' }).waitFor(SENT);
  expect(await totalsOf(page)).toEqual({
    Created: '3,000',
    'Already exist': '999',
    Errors: '1',
    'With notes': '1',
    Skipped: '0',
  });
  expect(await linksOf()).toEqual([[{ n: 3999 }]]);
  const rows = await page.locator('tbody tr').allInnerTexts();
  expect(rows.map((row) => row.split(/\s+/).slice(0, 3).join(' '))).toEqual([
    '1,503 Error Destination',
    '2,502 Note The',
  ]);
  await inspect(page, 'import-finished');
  expect(await downloadOf(page, 'Download all errors as CSV')).toMatch(
    /^"row","error"\r\n1503,"Destination must be an absolute .*"\r\n$/,
  );
  expect(await downloadOf(page, 'Download all notes as CSV')).toMatch(/^"row","note"\r\n2502,.*\r\n$/);
  await follow(page.getByRole('link', { name: 'See the links' }));
});

const isKept = (page: Page) =>
  page.evaluate<boolean>(`{
    const event = new Event('beforeunload', { cancelable: true });
    dispatchEvent(event);
    event.defaultPrevented;
  }`);

it('many rows are sent as fast as the service takes them, until they are stopped', async () => {
  const { page, path } = await openLinks();
  await page.goto(`${path}/files`);
  const rows = Array.from({ length: 5000 }, (_, index) => `https://example.com/${index}\n`);
  // Longer than a piece may be, so that it is not sent.
  rows.push(`https://example.com/${'x'.repeat(1024 * 1024)}\n`);
  await choose(page, Buffer.from(`Ziel\n${rows.join('')}`));
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByLabel('Ziel').selectOption('Destination');
  await page.getByRole('button', { name: 'Check the file' }).click();
  const run = page.getByRole('button', { name: 'Import 5,001 rows' });
  await run.waitFor();
  const held = Promise.withResolvers<void>();
  let pieces = 0;
  await page.route(/\/import\/piece$/, async (route) => {
    pieces += 1;
    if (pieces === 1) return route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, body: '' });
    if (pieces === 3) await held.promise;
    return route.continue();
  });
  // That is shown for a second, which can have passed once the click has returned.
  const waits = page.getByText('Waiting for 1 second before the rows are sent again.').waitFor();
  await Promise.all([waits, run.click()]);
  await page.getByText('1,000 of 5,001 rows', { exact: true }).waitFor();
  expect(await isKept(page)).toBe(true);
  // It has the focus.
  await page.keyboard.press('Enter');
  await page.getByText('Stopping after the rows that are on their way.').waitFor();
  held.resolve();
  await page.getByRole('heading', { name: 'Import stopped' }).waitFor();
  expect(await page.getByText('2,000 of 5,001 rows', { exact: true }).isVisible()).toBe(true);
  expect([await isKept(page), pieces]).toEqual([false, 3]);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Import finished' }).waitFor(SENT);
  expect(await totalsOf(page)).toMatchObject({ Created: '5,000', 'Already exist': '0', Errors: '1' });
  expect(await page.locator('tbody tr').innerText()).toMatch(
    /^5,002\s+Error\s+The row is longer than 65536 bytes\. Shorten it\.$/,
  );
});

it('a list of URLs is read as one, and a file that is not recognised shows its first row beside its columns', async () => {
  const { page, path } = await openLinks();
  await page.goto(`${path}/files`);
  await inspect(page, 'files');
  await choose(page, Buffer.from('# Spring\nhttps://example.com/a,b\nexample.com/c\n'), 'urls.txt');
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByText('Format: List of URLs, recognised by its columns.').waitFor();
  expect(await totalsOf(page)).toMatchObject({ 'To be created': '2', Errors: '0' });
  await inspect(page, 'import-list');
  await follow(page.getByRole('button', { name: 'Import 2 links' }));
  await page.getByText('example.com/c').first().waitFor();

  await page.goto(`${path}/files`);
  await choose(page, Buffer.from('Ziel|Name|<b>Art</b>\nhttps://example.com/ziel|ziel|<i>x</i>\n'));
  await page.getByRole('button', { name: 'Check the file' }).click();
  const complaint = page.getByRole('alert').filter({ hasText: 'There are no columns' });
  await complaint.waitFor();
  expect((await complaint.innerText()).trim()).toBe(
    'There are no columns "Ziel", "Name" and "<b>Art</b>" here. Leave them out. Destination is required: add a column of that ' +
      'name to the header. Its first row is "Ziel": "https://example.com/ziel", "Name": "ziel", "<b>Art</b>": "<i>x</i>".',
  );
  await page.getByText('First row: https://example.com/ziel', { exact: true }).waitFor();
  await inspect(page, 'import-unrecognised');
});

it('a file that is too large, or is no table, is refused where it is chosen', async () => {
  const { page, path } = await openLinks();
  await page.goto(`${path}/files`);
  // The last one is an error of the reader of files, whose sentences are English in every language.
  for (const [file, sentence, language] of [
    [Buffer.alloc(10 * 1024 * 1024 + 1, 'x'), 'The file is larger than 10 MiB.', null],
    [
      Buffer.from(`url\n${'x\n'.repeat(100_001)}`),
      'The file has 100,001 rows, more than the 100,000 of an import.',
      null,
    ],
    [
      Buffer.from('PK\u0003\u0004'),
      'The file is a spreadsheet workbook. Save the sheet as CSV, and send that file.',
      'en',
    ],
  ] as const) {
    await choose(page, file);
    await page.getByRole('button', { name: 'Check the file' }).click();
    const alert = page.getByRole('alert').filter({ hasText: sentence });
    await alert.waitFor();
    expect([sentence, await alert.getAttribute('lang')]).toEqual([sentence, language]);
  }
  expect(await faultsOf(page)).toEqual([]);
});

it('a large file in another encoding is shown first, and is read by the dates of all of its rows', async () => {
  const { page, account, path } = await openLinks();
  await page.goto(`${path}/files`);
  // Only the last rows have letters beyond ASCII, and a date that says the order of all.
  const rows = Array.from({ length: 5200 }, (_, index) => {
    const [title, date] = index < 5100 ? ['plain', '03/04/2099'] : ['Gr\xfcn', '31/12/2099'];
    return `https://example.com/${index};dated-${index};${title};${date}\n`;
  });
  await choose(page, Buffer.from(`url;slug;title;expires_at\n${rows.join('')}`, 'latin1'));
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('heading', { name: 'Check the letters' }).waitFor();
  expect(await page.locator('tbody tr').first().innerText()).toContain('Grün');
  await inspect(page, 'import-letters');
  await page.getByLabel('Encoding').selectOption('windows-1251');
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByText('Grьn').first().waitFor();
  await page.getByLabel('Encoding').selectOption('windows-1252');
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByText('Grün').first().waitFor();
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByText('Preview of the first 1,000 of the 5,200 rows of links.csv.').waitFor();
  await page.getByText('read as day, month, year: 03/04/2099 is 2099-04-03.').waitFor();
  await page.getByRole('button', { name: 'Import 5,200 rows' }).click();
  await page.getByRole('heading', { name: 'Import finished' }).waitFor(SENT);
  expect(await totalsOf(page)).toMatchObject({ Created: '5,200', Errors: '0' });
  const [kept] = await onDatabase((db) =>
    db.batch<[{ readonly title: string; readonly expires_at: number; readonly n: number }]>([
      {
        sql: 'SELECT title, expires_at, count(*) AS n FROM links WHERE client_id = ?1 GROUP BY title, expires_at ORDER BY n',
        params: [account.clientId],
      },
    ]),
  );
  expect(kept).toEqual([
    { title: 'Grün', expires_at: Date.parse('2099-12-31T00:00:00Z'), n: 100 },
    { title: 'plain', expires_at: Date.parse('2099-04-03T00:00:00Z'), n: 5100 },
  ]);
});

it('a file with dates of no certain order is asked for', async () => {
  const { page, path } = await openLinks();
  await page.goto(`${path}/files`);
  await choose(page, Buffer.from('url,expires_at\nhttps://example.com/,03/04/2099\n'));
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('heading', { name: 'Check the dates' }).waitFor();
  await inspect(page, 'import-dates');
  await page.getByLabel('Dates are written as').selectOption('Month, day, year');
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByText('read as month, day, year: 03/04/2099 is 2099-03-04.').waitFor();
});
