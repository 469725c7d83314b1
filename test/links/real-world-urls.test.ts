import { expect, it } from 'vitest';
import { seedCaller } from '../support/forms.ts';
import { seedLink } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { shareOf } from '../support/share.ts';
import { ODD_URLS } from './real-world-urls/odd.ts';
import { PAGE_URLS } from './real-world-urls/pages.ts';
import { QUERY_URLS } from './real-world-urls/queries.ts';

const REAL_WORLD_URLS = { ...PAGE_URLS, ...QUERY_URLS, ...ODD_URLS };

it('the list of real URLs has 500, all distinct', () => {
  const all = Object.values(REAL_WORLD_URLS).flat();
  expect(all.length).toBeGreaterThanOrEqual(500);
  expect(new Set(all).size).toBe(all.length);
});

it.each(shareOf(Object.entries(REAL_WORLD_URLS)))(
  'a link leads to the very address that was given: %s',
  async (_shape, urls) => {
    const caller = await seedCaller();
    for (const url of urls) {
      const { href } = new URL(url);
      const link = await seedLink(caller, { url });
      const [get, head] = [await call(`/${link.id}`), await call(`/${link.id}`, { method: 'HEAD' })];
      const answers = [get, head].map(({ status, headers }) => ({ status, location: headers.get('Location') }));
      const found = { status: 302, location: href };
      expect({ url, shown: link.url, answers }).toEqual({ url, shown: href, answers: [found, found] });
    }
  },
);
