import { openWindow, ORIGIN, signIn, type Page } from './browser.ts';
import { DAY_MS } from '../../../src/time/day.ts';
import type { ValueClicks } from '../../../src/statistics/days/sums.ts';
import type { CarriedDay } from '../../statistics/support/carried-days.ts';
import { seedAccount, type Account } from './seed.ts';
import { storeDays } from './stored-statistics.ts';

/** The field of a destination in the form of a link, and the button that creates the link. */
export const DESTINATION = 'Where should it lead?';
export const CREATE = { name: /^Create(?: and copy)?$/ } as const;

/** Makes a link over HTTP and gives its id. */
export async function make(account: Account, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const response = await fetch(`${ORIGIN}/v1/links`, {
    method: 'POST',
    headers: { 'X-API-Key': account.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: 'https://example.com/page', client_id: account.clientId, ...fields }),
  });
  if (!response.ok) throw new Error(`no link: ${await response.text()}`);
  const { result } = (await response.json()) as { result: string };
  return (JSON.parse(result) as { id: string }).id;
}

/** The time that a busy machine may take to count a click, also where the first attempts fail. */
export const COUNTED = { timeout: 120_000 };

/**
 * Clicks of some days, as they were carried from version 1.2.0.
 *
 * @param times how many times as many
 */
export function seedClicks({ clientId }: Account, ids: readonly string[], days = 60, times = 1): void {
  const people = (values: readonly (readonly [value: string, clicks: number])[]): ValueClicks[] =>
    values.map(([value, humans]) => ({ value, humans, bots: 0, previews: 0 }));
  const links = people(ids.map((id, i) => [id, times * (30 - 4 * i)]));
  const dayOf = (subject: CarriedDay['subject'], ago: number, link: readonly ValueClicks[]): CarriedDay => {
    const humans = times * (20 + Math.round(15 * Math.sin(ago / 3)) + (ago % 7));
    const [bots, previews] = [times * (ago % 5), times * (ago % 3)];
    // Of the last value, only bots have clicks.
    const split = (values: readonly string[], ofBots?: string): ValueClicks[] => {
      const shares = values.map((value, i) => [value, Math.ceil(humans / (i + 1))] as const);
      const byBots = Math.ceil(humans / (values.length + 1));
      return [
        ...people(shares),
        ...(ofBots === undefined ? [] : [{ value: ofBots, humans: 0, bots: byBots, previews: 0 }]),
      ];
    };
    return {
      subject,
      day: Math.floor(Date.now() / DAY_MS) - ago,
      humans,
      bots,
      previews,
      lastAt: 1,
      by: {
        hour: [{ value: '0', humans, bots, previews }],
        country: split(['AT', 'DE', 'US', '', 'JP'], 'US'),
        referrer: split(['', 'news.example', 'a-very-long-name-of-a-site-that-sends-visitors.example.org']),
        browser: split(['Chrome', 'Firefox', 'Safari'], ''),
        device: split(['mobile', 'desktop', 'tablet'], ''),
        link,
      },
    };
  };
  const [first] = ids;
  const carried = Array.from({ length: days }, (_, ago) => [
    dayOf({ kind: 'client' }, ago, links),
    ...(first === undefined ? [] : [dayOf({ kind: 'link', name: first }, ago, [])]),
  ]);
  storeDays(clientId, carried.flat());
}

/** Signs a new user in, and gives the path of the links of their client. */
export async function openLinks(scripts = true): Promise<{ page: Page; account: Account; path: string }> {
  const account = await seedAccount();
  const page = await openWindow({ scripts });
  await signIn(page, account);
  return { page, account, path: `/platform/c/${account.clientId}/links` };
}
