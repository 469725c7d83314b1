import type { Database } from '../src/database/database.ts';
import { UnlockCookies } from '../src/links/password/unlock-cookies.ts';
import { linkRules } from '../src/links/routes/rules.ts';
import { linkVariants } from '../src/links/routes/variants.ts';
import { seedLinks, slugOf } from './links.ts';
import type { Headers } from './requests.ts';

/** Links that decide where they lead, and visitors who all differ. */

/** The number of visitors of such links, each with a user agent, a language, an address and a cookie of its own. */
const CROWD = 1000;
const PASSWORD_AT = 1;

/** The numbers of the links, from the first free one on. */
export const decidingLinks = (first: number) => ({ ruled: first, varied: first + 1, locked: first + 2 });

// None of the visitors is one of the first nine.
const RULES = [
  { if: [{ type: 'country', in: ['US', 'CA', 'MX'] }] },
  { if: [{ type: 'language', in: ['ja', 'ko', 'zh'] }] },
  { if: [{ type: 'device', in: ['tablet'] }] },
  { if: [{ type: 'os', in: ['Linux', 'Chrome OS'] }] },
  { if: [{ type: 'browser', in: ['Opera', 'Vivaldi'] }] },
  { if: [{ type: 'referrer', in: ['shop.example'] }] },
  { if: [{ type: 'query', name: 'ref', in: ['poster'] }] },
  { if: [{ type: 'date', until: '2020-01-01T00:00:00Z' }] },
  { if: [{ type: 'visitor', in: ['bot', 'preview'] }] },
  {
    if: [
      { type: 'country', in: ['AT', 'DE', 'ES'] },
      { type: 'device', in: ['desktop', 'mobile'] },
      { type: 'language', in: ['de', 'en', 'es'] },
    ],
  },
].map((rule, index) => ({ ...rule, url: `https://example.com/rules/${index}` }));

const VARIANTS = [50, 30, 20].map((weight, index) => ({ url: `https://example.com/variants/${index}`, weight }));

const set = (link: number, column: string, value: string | number) => ({
  sql: `UPDATE links SET ${column} = ?2 WHERE id = ?1`,
  params: [slugOf(link), value],
});

export async function seedDecidingLinks(db: Database, first: number): Promise<void> {
  await seedLinks(db, first, first + 3);
  const { ruled, varied, locked } = decidingLinks(first);
  await db.batch([
    set(ruled, 'rules', JSON.stringify(linkRules().parse(RULES))),
    set(varied, 'variants', JSON.stringify(linkVariants().parse(VARIANTS))),
    // No visitor enters it, since all of them have a cookie.
    set(locked, 'password_hash', 'unused'),
    set(locked, 'password_at', PASSWORD_AT),
  ]);
}

const COUNTRIES = ['AT', 'DE', 'ES'];
const LANGUAGES = ['de-AT,de', 'en-GB,en', 'es-ES,es'];

/**
 * The headers of each visitor. A local workerd reads `request.cf` from a header, as it gets it from Cloudflare, so each
 * stream that is compared with another one must have these.
 */
export const CROWD_HEADERS: readonly Headers[] = Array.from({ length: CROWD }, (_, number) => {
  const chrome = `Chrome/${120 + (number % 20)}.0.${number}.0`;
  const system = number % 2 === 0 ? 'Windows NT 10.0; Win64; x64' : 'Macintosh; Intel Mac OS X 10_15_7';
  return {
    'User-Agent': `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${chrome} Safari/537.36`,
    'Accept-Language': `${LANGUAGES[number % 3]};q=0.${String(number).padStart(3, '0')}`,
    'MF-CF-Blob': JSON.stringify({ country: COUNTRIES[number % 3], continent: 'EU' }),
  };
});

/** `CROWD_HEADERS` with a cookie for the link with a password, each with an end of its own. */
export function unlockedHeaders(first: number, secret: string): readonly Headers[] {
  const linkId = slugOf(decidingLinks(first).locked);
  const cookies = new UnlockCookies([secret]);
  return CROWD_HEADERS.map((headers, number) => {
    const value = cookies.of({ linkId, passwordAt: PASSWORD_AT }, Date.now() + number * 1000);
    return { ...headers, Cookie: `terse-${linkId}=${value}` };
  });
}
