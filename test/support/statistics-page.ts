import { deliver, packOf, type PackedBy } from './clicks.ts';
import { seedCaller } from './forms.ts';
import { form, openBrowser } from './platform.ts';
import { seedLink } from './seed.ts';

/** Pages of click statistics, and what they show. */

/** A click from a phone in Germany, by a link on t.co. */
export const GERMAN_PHONE = {
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  country: 'DE',
  referrer: 't.co',
};

/** A workspace with some clicks of one link, and its overview, which `read` returns for a query or a path. */
export async function openStatisticsPages(
  clicks: readonly PackedBy[],
  { tz = 'UTC', campaign = null as string | null } = {},
) {
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  await browse('/platform/account/time-zone', form({ tz }));
  const link = await seedLink(caller, campaign === null ? {} : { campaign_name: campaign });
  await deliver([packOf(link, clicks)]);
  const path = `/platform/c/${caller.clientId}`;
  const read = async (query: string) => (await browse(query.startsWith('/') ? query : `${path}${query}`)).text();
  return { caller, link, browse, path, read };
}

/** The texts of a table's cells, row by row without the head, by the caption of the table. */
export function rowsOf(page: string, caption: string): string[][] {
  const [, table = ''] = page.split(`<caption class="unseen">${caption}</caption>`);
  const [body = ''] = table.split('</table>');
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)]
    .slice(1)
    .map(([, row = '']) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, '')),
    );
}

/** The sum of the numbers of a table's second column, which is that of people. */
export function peopleIn(page: string, caption: string): number {
  return rowsOf(page, caption).reduce((sum, [, people = '']) => sum + Number(people.replaceAll(',', '')), 0);
}

/** The number of visits by people in the tile at the top. */
export function peopleOf(page: string): number {
  return Number(
    totalsIn(page)
      .find(([title]) => title === 'Visits')?.[1]
      ?.replaceAll(',', ''),
  );
}

/** The title of each tile at the top, its number, and how that has changed. */
export function totalsIn(page: string): string[][] {
  return [...page.matchAll(/<div class="total[^"]*"><dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(
    ([, title = '', number = '']) => [
      title.replaceAll(/<[^>]*>/g, ''),
      ...[...number.matchAll(/<bdi>([^<]*)<\/bdi>/g)].map(([, text = '']) => text),
    ],
  );
}

/** The path of the link with a text or a label. */
export function hrefOf(page: string, text: string): string {
  for (const [, attributes = '', content = ''] of page.matchAll(/<a ([^>]*)>(.*?)<\/a>/gs)) {
    const label = /aria-label="([^"]*)"/.exec(attributes)?.[1] ?? content.replaceAll(/<[^>]*>/g, '');
    if (label.trim() === text) return /href="([^"]*)"/.exec(attributes)?.[1]?.replaceAll('&amp;', '&') ?? '';
  }
  throw new Error(`there is no link ${text}`);
}
