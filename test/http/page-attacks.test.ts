import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { bearerOf, seedCaller } from '../support/forms.ts';
import { fill } from '../support/fuzz.ts';
import { toRequest } from '../support/fuzz-bent.ts';
import { FUZZED_PAGES } from '../support/fuzz-every-page.ts';
import type { Page } from '../support/fuzz-pages.ts';
import { ownOf, type Own } from '../support/own-values.ts';
import { browse, form, openBrowser } from '../support/platform.ts';
import { contentOfTables, rowsOf } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { shareOf } from '../support/share.ts';

/** Asks for a page as its form would, with other headers in place of its own. */
function visit(page: Page, own: Own, others: Readonly<Record<string, string | null>> = {}): Promise<Response> {
  const { method, path, headers, body } = fill(toRequest(page, Object.entries(page.fields)), own);
  const all = Object.entries({ ...headers, ...others }).filter(([, value]) => value !== null) as [string, string][];
  return call(path, { method, headers: all, ...(body !== undefined && { body: body as string }) });
}

const GETS = FUZZED_PAGES.filter(({ method }) => method === 'GET');
const POSTS = FUZZED_PAGES.filter(({ method }) => method === 'POST');
const nameOf = ({ path }: Page) => path;

/** All that pages may change, and when each key was last used. */
const everything = async () => ({ ...(await contentOfTables()), api_keys: await rowsOf('api_keys') });

describe('another site', () => {
  // What it sends changes nothing, so that one user serves all forms.
  let own: Own;
  beforeAll(async () => {
    own = await ownOf(await seedCaller());
  });

  it.each(shareOf(POSTS.map((page) => [nameOf(page), page] as const)))(
    'another site has %s do nothing',
    async (_path, page) => {
      const before = await everything();
      for (const Origin of [
        null,
        'null',
        'https://evil.example',
        'https://terse.test.evil.example',
        'http://terse.test',
        'https://terse.test:8443',
        'https://terse.test@evil.example',
      ]) {
        const others = { Origin, Referer: 'https://terse.test/platform', 'Sec-Fetch-Site': 'cross-site' };
        expect([Origin, (await visit(page, own, others)).status]).toEqual([Origin, 403]);
      }
      expect(await everything()).toEqual(before);
    },
  );

  it('another site changes nothing by having pages opened', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const before = await everything();
    for (const page of GETS) expect([page.path, (await visit(page, own)).status < 500]).toEqual([page.path, true]);
    expect(await everything()).toEqual(before);
  });

  it('another site finds no page that it may frame', async () => {
    for (const page of GETS) {
      const { headers } = await visit(page, own);
      expect([page.path, headers.get('X-Frame-Options')]).toEqual([page.path, 'DENY']);
      expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
    }
  });
});

const TAG = `"><img src=x onerror=alert(1)><script>alert(1)</script><a href='javascript:alert(1)'>x</a>`;

/** The tags and attributes of a page that none of ours is. */
async function foreignIn(response: Response): Promise<string[]> {
  const found: string[] = [];
  const rewriter = new HTMLRewriter().on('*', {
    element({ tagName, attributes }) {
      const all = new Map(attributes as Iterable<[string, string]>);
      const isForeign =
        [...all.keys()].some((name) => name.startsWith('on')) ||
        all.get('src') === 'x' ||
        (tagName === 'script' && !all.has('src')) ||
        /^\s*(javascript|data):/i.test(all.get('href') ?? '') ||
        /^\s*javascript:/i.test(all.get('action') ?? '');
      if (isForeign) found.push(`${tagName} ${[...all].join(' ')}`);
    },
  });
  await rewriter.transform(response).text();
  return found;
}

describe('what a user typed', () => {
  it('what a user typed is text on every page that shows it, and in none a tag', async () => {
    const caller = await seedCaller();
    const fields = { url: `https://example.com/?q=${TAG}#${TAG}`, campaign_name: TAG, metadata: JSON.stringify(TAG) };
    const own = await ownOf(caller, fields);
    await env.DB.batch([
      env.DB.prepare('UPDATE api_keys SET name = ?2 WHERE client_id = ?1').bind(caller.clientId, TAG),
      env.DB.prepare('UPDATE users SET name = ?2 WHERE id = ?1').bind(caller.userId, `${TAG}${caller.userId}`),
      env.DB.prepare('UPDATE domains SET root_url = ?2 WHERE client_id = ?1').bind(
        caller.clientId,
        `https://example.com/${encodeURI(TAG)}`,
      ),
    ]);
    const headers = { ...bearerOf(caller), 'Content-Type': 'application/json' };
    const body = JSON.stringify({ campaign_name: `${TAG}2` });
    expect((await call(`/v1/links/${own['link']}`, { method: 'PATCH', headers, body })).status).toBe(200);
    let shown = 0;
    for (const page of GETS.filter(({ path }) => !/export|stream/.test(path))) {
      const response = await visit(page, own);
      const text = await response.clone().text();
      if (text.includes('&lt;script&gt;') || text.includes('%3Cscript%3E')) shown++;
      expect([page.path, await foreignIn(response)]).toEqual([page.path, []]);
    }
    expect(shown).toBeGreaterThan(8);
  });

  it('what a user typed comes back in a form as it was typed', async () => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    for (const path of ['links/new', 'keys/new', 'domains/new']) {
      const fields = { url: TAG, slug: TAG, name: TAG, host: TAG, root_url: TAG, metadata: TAG, campaign_name: TAG };
      const response = await browse(`/platform/c/${caller.clientId}/${path}`, form(fields));
      expect([path, response.status, await foreignIn(response)]).toEqual([path, 400, []]);
    }
    const signIn = await call('/platform/sign-in', form({ name: TAG, password: '', next: TAG }));
    expect([signIn.status, await foreignIn(signIn)]).toEqual([400, []]);
    for (const query of [
      `q=${encodeURIComponent(TAG)}`,
      `state=${encodeURIComponent(TAG)}`,
      `${encodeURIComponent(TAG)}=1`,
    ]) {
      expect(await foreignIn(await browse(`/platform/c/${caller.clientId}/links?${query}`))).toEqual([]);
    }
  });

  it.each(['a\r\nSet-Cookie: x=y', 'a\u0085b', 'a\u2028b', '\0', '&b=c#d'])(
    'a UTM parameter stays in the parameter: %j',
    async (utm_source) => {
      const caller = await seedCaller();
      const { browse } = await openBrowser(caller);
      const path = `/platform/c/${caller.clientId}/links/new`;
      await browse(path, form({ url: 'https://example.com/', utm_source }));
      const link = (await rowsOf('links')).find((row) => row['client_id'] === caller.clientId);
      const response = await call(`/${String(link?.['id'])}`);
      const to = new URL(response.headers.get('Location') ?? '');
      expect([response.status, response.headers.get('Set-Cookie')]).toEqual([302, null]);
      expect([to.origin, [...to.searchParams], to.hash]).toEqual([
        'https://example.com',
        [['utm_source', utm_source]],
        '',
      ]);
    },
  );
});

describe('a cookie that another site has set', () => {
  it('a cookie that another site has set does not count: only the name for this host is accepted', async () => {
    const caller = await seedCaller();
    const { value } = await openBrowser(caller);
    for (const cookie of [
      `terse-session=${value}`,
      `terse=${value}`,
      `__host-terse=${value}`,
      `__Secure-terse=${value}`,
    ]) {
      const response = await browse(cookie)('/platform/account');
      expect([cookie.split('=')[0], response.status]).toEqual([cookie.split('=')[0], 303]);
    }
  });

  it('a cookie that another site has set beside that of this host does not take its place', async () => {
    const [victim, attacker] = [await seedCaller(), await seedCaller()];
    const { cookie } = await openBrowser(victim);
    const { value } = await openBrowser(attacker);
    const page = await browse(`terse-session=${value}; ${cookie}; terse=${value}`)('/platform/account');
    expect(await page.text()).toContain(victim.userName);
  });

  it.each(['link-deleted.%22%3E%3Cscript%3Ealert(1)%3C/script%3E', '__proto__', 'toString.a', '%ff', '<script>'])(
    'a cookie that another site has set and that says %s has a page say nothing of its own',
    async (said) => {
      const caller = await seedCaller();
      const { cookie } = await openBrowser(caller);
      const page = await browse(`${cookie}; __Host-terse-flash=${said}`)(`/platform/c/${caller.clientId}/links`);
      expect([page.status, await foreignIn(page)]).toEqual([200, []]);
    },
  );
});
