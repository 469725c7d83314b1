import { openWindow, ORIGIN, signIn, type Page } from './browser.ts';
import { onDatabase, seedAccount, type Account } from './seed.ts';

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

const DAY_MS = 24 * 3600 * 1000;

/**
 * Clicks of some days, as the consumer would have counted them.
 *
 * @param times how many times as many
 */
export function seedClicks(account: Account, ids: readonly string[], days = 60, times = 1): Promise<unknown> {
  const row = (subject: string, name: string, day: number, links: object) => {
    const humans = times * (20 + Math.round(15 * Math.sin(day / 3)) + (day % 7));
    const [bots, previews] = [times * (day % 5), times * (day % 3)];
    const split = (values: readonly string[]) =>
      JSON.stringify(Object.fromEntries(values.map((value, i) => [value, Math.ceil(humans / (i + 1))])));
    return {
      sql: `INSERT INTO click_days (client_id, subject, name, day, humans, bots, previews, last_at, hours, countries, referrers,
              browsers, systems, devices, languages, links) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1, ?8, ?9, ?10, ?11, '{}', ?12, '{}', ?13)`,
      params: [
        account.clientId,
        subject,
        name,
        new Date(Date.now() - day * DAY_MS).toISOString().slice(0, 10),
        humans,
        bots,
        previews,
        JSON.stringify({ 'h:0': humans, 'b:0': bots, 'p:0': previews }),
        split(['h:AT', 'h:DE', 'h:US', 'h:', 'b:US', 'h:JP']),
        split(['h:', 'h:news.example', 'h:a-very-long-name-of-a-site-that-sends-visitors.example.org']),
        split(['h:Chrome', 'h:Firefox', 'h:Safari', 'b:']),
        split(['h:mobile', 'h:desktop', 'h:tablet', 'b:']),
        JSON.stringify(links),
      ],
    };
  };
  const links = Object.fromEntries(ids.map((id, i) => [`h:${id}`, times * (30 - 4 * i)]));
  return onDatabase((db) =>
    db.batch(
      Array.from({ length: days }, (_, day) => [
        row('client', '', day, links),
        ...(ids[0] === undefined ? [] : [row('link', ids[0], day, {})]),
      ]).flat(),
    ),
  );
}

/** Signs a new user in, and opens the links of their client. */
export async function openLinks(scripts = true): Promise<{ page: Page; account: Account; path: string }> {
  const account = await seedAccount();
  const page = await openWindow({ scripts });
  await signIn(page, account);
  return { page, account, path: `/platform/c/${account.clientId}/links` };
}
