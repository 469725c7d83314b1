import { describe, expect, it } from 'vitest';
import { writtenDate } from '../../../src/links/import/dates/written.ts';

/** The instants of a text: one, or those of each order. */
function read(text: string): string | Record<string, string> | null {
  const written = writtenDate(text);
  if (written === null) return null;
  const iso = (at: number) => new Date(at).toISOString();
  if (typeof written.at === 'number') return iso(written.at);
  return Object.fromEntries([...written.at].map(([order, at]) => [order, iso(at)]));
}

const START = 'T00:00:00.000Z';

describe('a date with one meaning', () => {
  it.each([
    ['2030-12-31', `2030-12-31${START}`],
    ['2030/12/31', `2030-12-31${START}`],
    ['2030.1.5', `2030-01-05${START}`],
    ['2030. 12. 31.', `2030-12-31${START}`],
    ['2030-12-31 18:30', '2030-12-31T18:30:00.000Z'],
    ['Mar 14, 2024', `2024-03-14${START}`],
    ['March 14th, 2024', `2024-03-14${START}`],
    ['Sept. 1, 2024', `2024-09-01${START}`],
    ['14 March 2024', `2024-03-14${START}`],
    ['14-Mar-24', `2024-03-14${START}`],
    ['14. März 2024', `2024-03-14${START}`],
    ['14 août 2024', `2024-08-14${START}`],
    ['1er février 2030', `2030-02-01${START}`],
    ['14 de marzo de 2024', `2024-03-14${START}`],
    ['14 grudnia 2024', `2024-12-14${START}`],
    ['Mar 14, 2024 3:45 PM', '2024-03-14T15:45:00.000Z'],
    ['Mar 14, 2024, 12:05 am', '2024-03-14T00:05:00.000Z'],
    ['Thu, 14 Mar 2024 10:00:00 GMT', '2024-03-14T10:00:00.000Z'],
    ['Thu Mar 14 2024 10:00:00 GMT+0100 (Central European Standard Time)', '2024-03-14T09:00:00.000Z'],
    ['Thu Mar 14 10:00:00 2024', '2024-03-14T10:00:00.000Z'],
    ['Mar 14, 2024, 3:45\u202fPM', '2024-03-14T15:45:00.000Z'],
    ['Mar\u00a014, 2024 3:45\u00a0am', '2024-03-14T03:45:00.000Z'],
    ['14-Mar-99', `1999-03-14${START}`],
    ['2030-12-31 18:30:00+01', '2030-12-31T17:30:00.000Z'],
    ['2030-12-31T18:30:00+0530', '2030-12-31T13:00:00.000Z'],
    ['2030-12-31T18:30:00-14:00', '2031-01-01T08:30:00.000Z'],
    ['Thu, 14 Mar 2024 10:00:00 +02', '2024-03-14T08:00:00.000Z'],
    ['47848', `2030-12-31${START}`],
    ['47848.75', '2030-12-31T18:00:00.000Z'],
    ['47848,75', '2030-12-31T18:00:00.000Z'],
    ['1924905600', `2030-12-31${START}`],
    ['05/05/2030', `2030-05-05${START}`],
    [' 2030-12-31 ', `2030-12-31${START}`],
  ])('a date with one meaning is read: %s', (text, at) => {
    expect(read(text)).toBe(at);
  });
});

describe('a date with an order', () => {
  it.each([
    ['12/31/2030', { mdy: `2030-12-31${START}` }],
    ['31.12.2030', { dmy: `2030-12-31${START}` }],
    ['31. 12. 2030', { dmy: `2030-12-31${START}` }],
    ['3/4/2030', { dmy: `2030-04-03${START}`, mdy: `2030-03-04${START}` }],
    ['31-12-2030 18:30:15', { dmy: '2030-12-31T18:30:15.000Z' }],
    ['12/31/2030, 6:30 PM', { mdy: '2030-12-31T18:30:00.000Z' }],
    ['12/31/30', { mdy: `2030-12-31${START}` }],
    ['30-12-31', { ymd: `2030-12-31${START}`, dmy: `2031-12-30${START}` }],
  ])('a date with an order is read: %s', (text, orders) => {
    expect(read(text)).toEqual(orders);
  });
});

describe('no date', () => {
  it.each([
    '',
    'soon',
    '31/31/2030',
    '2030-02-31',
    '2030/13/01',
    'Feb 30, 2030',
    'Foo 14, 2024',
    '0',
    '7',
    '2030',
    '123456',
    '12/31/2030 25:00',
    '12/31/2030 13:00 PM',
    '12/31-2030',
    '1/2/3/2030',
    'x'.repeat(1000),
    `${'Mar '.repeat(15)}1`,
  ])('a text is no date: %j', (text) => {
    expect(read(text)).toBeNull();
  });
});

it.each([
  '2030-12-31T18:30:00+15:00',
  '2030-12-31T18:30:00+1401',
  '2030-12-31T18:30:00+01:75',
  '2030-12-31+01',
  'Thu, 14 Mar 2024 10:00:00 +1500',
])('the text %s has no offset of any place, and is no date', (text) => {
  expect(read(text)).toBeNull();
});
