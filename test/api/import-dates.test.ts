import { describe, expect, it } from 'vitest';
import { importFile, NDJSON, newSlug, openClient, outcomesOf, sendFile } from '../support/files.ts';

/** Dates as the country of a file writes them. */

const URL_CELL = 'https://example.com/';

const own = (...dates: readonly string[]) =>
  `url,slug,expires_at\n${dates.map((date) => `${URL_CELL},${newSlug()},"${date}"\n`).join('')}`;

/** A file of Short.io, which has a creation and an expiry date. */
const foreign = (...dates: readonly (readonly [created: string, expires: string])[]) =>
  `shortURL,originalURL,createdAt,expiresAt\n${dates
    .map(([created, expires]) => `https://terse.test/${newSlug()},${URL_CELL},"${created}","${expires}"\n`)
    .join('')}`;

const DAY_NOTE = 'A date without a time is 00:00 UTC, the beginning of that day.';

async function expiriesOf(file: string, query = '') {
  const { results } = await importFile(await openClient(), file, { query });
  return results.map(({ link, error }) => link?.expires_at ?? error?.split(':', 1)[0] ?? null);
}

const day = (text: string) => `${text}T00:00:00.000Z`;

describe('dates of a column that admit one reading', () => {
  it.each([
    ['2099-12-31', 'January 31, 2099', '31 Jan 2099'],
    ['12/31/2099', '01/02/2099'],
    ['31.12.2099', '01.02.2099'],
    ['72686', '72686.5'],
  ])('dates that admit one reading are read: %s and others', async (...dates) => {
    const expected: Readonly<Record<string, string>> = {
      '2099-12-31': day('2099-12-31'),
      'January 31, 2099': day('2099-01-31'),
      '31 Jan 2099': day('2099-01-31'),
      '12/31/2099': day('2099-12-31'),
      '01/02/2099': day('2099-01-02'),
      '31.12.2099': day('2099-12-31'),
      '01.02.2099': day('2099-02-01'),
      '72686': day('2099-01-01'),
      '72686.5': '2099-01-01T12:00:00.000Z',
    };
    expect(await expiriesOf(own(...dates))).toEqual(dates.map((date) => expected[date]));
    const rows = dates.map((date) => ['2024-01-01', date] as const);
    expect(await expiriesOf(foreign(...rows))).toEqual(dates.map((date) => expected[date]));
  });

  it('dates that admit one reading come with a note: how they were read, and when a day begins', async () => {
    const { notes } = await importFile(await openClient(), own('01.02.2099', '31.12.2099'));
    expect(notes).toEqual([
      'The dates in "expires_at" are read as day, month, year: 01.02.2099 is 2099-02-01.',
      DAY_NOTE,
    ]);
    expect((await importFile(await openClient(), own('2099-12-31T10:00:00Z'))).notes).toEqual([]);
  });

  it('dates that admit one reading are read column by column, and also after hundreds of rows', async () => {
    const rows = Array.from({ length: 400 }, () => ['01/02/2024', '01/02/2099'] as const);
    const file = foreign(...rows, ['12/31/2024', '31/12/2099']);
    const { results } = await importFile(await openClient(), file);
    expect(results.map(({ row }) => row)).toEqual(Array.from({ length: 401 }, (_, index) => index + 2));
    const [first, last] = [results[0]?.link, results.at(-1)?.link];
    expect([first?.created_at, first?.expires_at]).toEqual([day('2024-01-02'), day('2099-02-01')]);
    expect([last?.created_at, last?.expires_at]).toEqual([day('2024-12-31'), day('2099-12-31')]);
  });

  it('dates that admit one reading keep their rows in order among others, and a row with an error is one', async () => {
    const manager = await openClient();
    const file = own('2099-01-01T00:00:00Z', '01/02/2099', 'soon', '13/02/2099', '');
    expect(outcomesOf(await importFile(manager, file))).toEqual([
      'created',
      'created',
      'invalid_expires_at',
      'created',
      'created',
    ]);
  });

  it('dates that admit one reading are those of NDJSON too, where a number is no date', async () => {
    const lines = [
      { url: URL_CELL, expires_at: '31.12.2099' },
      { url: `${URL_CELL}b`, expires_at: 47848 },
    ].map((line) => JSON.stringify(line));
    const imported = await importFile(await openClient(), lines.join('\n'), { type: NDJSON });
    expect(outcomesOf(imported)).toEqual(['created', 'invalid_expires_at']);
    expect(imported.results[0]?.link?.expires_at).toBe(day('2099-12-31'));
  });

  it('dates that admit one reading are unchanged when the same file is imported again', async () => {
    const manager = await openClient();
    const file = own('31.12.2099', '01.02.2099');
    await importFile(manager, file);
    expect(outcomesOf(await importFile(manager, file))).toEqual(['unchanged', 'unchanged']);
  });
});

describe('dates of a column that admit several readings, or none', () => {
  it.each([
    [
      own('03/04/2099', '05/06/2099'),
      'The dates in the column "expires_at" can be read in several ways, such as "03/04/2099". Say which one is right: dates=dmy (day, month, year) or dates=mdy (month, day, year).',
    ],
    [
      own('31/12/2099', '12/31/2099'),
      'The dates in the column "expires_at" have no common order of day, month and year, such as "12/31/2099". Say which one counts: dates=dmy (day, month, year), dates=mdy (month, day, year) or dates=ymd (year, month, day). Others are then invalid.',
    ],
    [
      foreign(['03/04/2024', '2099-01-01']),
      'The dates in the column "createdAt" can be read in several ways, such as "03/04/2024". Say which one is right: dates=dmy (day, month, year) or dates=mdy (month, day, year).',
    ],
  ])('dates that admit several readings, or none, are asked for, and nothing is written', async (file, sentence) => {
    const manager = await openClient();
    const response = await sendFile(manager, file);
    expect([response.status, await response.json()]).toEqual([
      400,
      { result: 'Failed', error: `invalid_dates: ${sentence}` },
    ]);
    const { created } = await importFile(manager, file, { query: '?dates=dmy&dry_run=true' });
    expect(created).toBeGreaterThan(0);
  });

  it('dates that admit several readings, or none, are read as the caller says, and one that does not fit is an error of its row', async () => {
    expect(await expiriesOf(own('03/04/2099'), '?dates=dmy')).toEqual([day('2099-04-03')]);
    expect(await expiriesOf(own('03/04/2099'), '?dates=mdy')).toEqual([day('2099-03-04')]);
    expect(await expiriesOf(own('31/12/2099', '12/31/2099'), '?dates=dmy')).toEqual([
      day('2099-12-31'),
      'invalid_expires_at',
    ]);
    expect(await expiriesOf(own('99-03-04'), '?dates=ymd')).toEqual(['invalid_expires_at']);
    expect(await expiriesOf(own('60-03-04'), '?dates=ymd')).toEqual([day('2060-03-04')]);
  });

  it('dates that admit several readings, or none, come with a note that says how they were read', async () => {
    const { notes } = await importFile(await openClient(), own('03/04/2099 10:00'), { query: '?dates=mdy' });
    expect(notes).toEqual(['The dates in "expires_at" are read as month, day, year: 03/04/2099 10:00 is 2099-03-04.']);
  });

  it('dates that admit several readings, or none, are refused with an unknown order', async () => {
    const response = await sendFile(await openClient(), own('03/04/2099'), { query: '?dates=dd.mm' });
    expect([response.status, await response.json()]).toEqual([
      400,
      { result: 'Failed', error: 'invalid_dates: dates must be one of dmy, mdy, ymd.' },
    ]);
  });
});

it('a link of another service whose expiry date does not fit is created disabled', async () => {
  const file = foreign(['2024-01-01', '12/31/2099']);
  const { results } = await importFile(await openClient(), file, { query: '?dates=dmy' });
  expect(results[0]).toMatchObject({
    link: { disabled: true, expires_at: null },
    notes: ['Its expiry date cannot be read: it is created disabled.'],
  });
});
