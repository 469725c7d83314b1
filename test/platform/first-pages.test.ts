import { afterEach, expect, it, vi } from 'vitest';
import { openBrowser } from '../support/platform.ts';
import { seedCaller } from '../support/forms.ts';
import { seedLink } from '../support/seed.ts';
import { parseFields } from '../../src/input/validation.ts';
import { pageFields, parseListQuery } from '../../src/platform/links/list/list-query.ts';

const SITE = { publicUrl: null, requestUrl: new URL('https://terse.test/') };

/** What the first pages of an isolate do without, since it takes as long as much of a page. */

afterEach(() => {
  vi.restoreAllMocks();
});

it('the overview, the list and the page of a link create no format of Intl for a user in UTC', async () => {
  const caller = await seedCaller();
  const { id } = await seedLink(caller, { expires_at: '2099-01-31T12:00:00Z' });
  const { browse } = await openBrowser(caller);
  const formats = (['DateTimeFormat', 'NumberFormat', 'RelativeTimeFormat', 'DisplayNames'] as const).map((name) =>
    vi.spyOn(Intl, name),
  );
  const path = `/platform/c/${caller.clientId}`;
  for (const each of [path, `${path}/links`, `${path}/links/${id}`]) {
    const response = await browse(each);
    expect([each, response.status]).toEqual([each, 200]);
    await response.text();
  }
  expect(formats.map((format) => format.mock.calls)).toEqual(formats.map(() => []));
});

it('the list without filters has the query that its schema gives', () => {
  for (const fields of [{}, { q: '' }]) expect(parseListQuery(fields, SITE)).toEqual(parseFields(pageFields(), fields));
  expect(() => parseListQuery({ no_such_field: '' }, SITE)).toThrow('no_such_field');
});
