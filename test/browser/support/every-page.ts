import { make, openLinks, seedClicks } from './links.ts';
import { ORIGIN, type Page } from './browser.ts';
import type { Account } from './seed.ts';

/** All pages that a member reaches by links, with links of many kinds. */

const TEXTS = [
  { title: 'Spring sale', campaign_name: 'Spring 2026', tags: ['print', 'Zürich'] },
  { title: 'קמפיין אביב ארוך מאוד עם שם שלא נגמר', campaign_name: 'אביב 2026', tags: ['עברית'] },
  { url: `https://shop.example/${'a-long-path/'.repeat(20)}?utm_source=newsletter&utm_medium=e-mail` },
  { url: 'https://münchen.example/straße', comments: 'Words\n'.repeat(20), external_id: 'order-1138' },
  { slug: 'a-slug-that-a-person-has-chosen-and-that-is-rather-long', expires_at: '2099-01-01T00:00:00Z' },
];

/** The path of a page without what differs from one thing to the next. */
export const patternOf = ({ pathname }: URL) => pathname.replaceAll(/\/(?=[^/]*[A-Z0-9%])[^/]{7,}(?=\/|$)/g, '/*');

/** The pages of this service that a page leads to; leaving is none of them. */
export async function pagesFrom(page: Page): Promise<URL[]> {
  // Those of a map have no text as their `href`.
  const hrefs = await page.evaluate<string[]>(
    `[...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href'))`,
  );
  return hrefs
    .map((href) => new URL(href, page.url()))
    .filter(({ origin, pathname }) => origin === new URL(page.url()).origin && pathname.startsWith('/platform'));
}

/** Signs a new user in, whose workspace has links with clicks. */
export async function openFull(scripts = true): Promise<{ page: Page; account: Account; start: URL; ids: string[] }> {
  const { page, account, path } = await openLinks(scripts);
  const ids: string[] = [];
  // No other test of the same service has the slug.
  const own = `-${account.clientId.slice(-8)}`;
  for (const fields of TEXTS)
    ids.push(await make(account, { ...fields, ...('slug' in fields && { slug: fields.slug?.slice(0, 50) + own }) }));
  seedClicks(account, ids);
  return { page, account, ids, start: new URL(path.replace(/\/links$/, ''), ORIGIN) };
}
