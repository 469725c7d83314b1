import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newHost } from '../support/domains.ts';
import { seedCaller } from '../support/forms.ts';
import { openOperator, type Operator } from '../support/operator.ts';
import { seedDomain, seedLink } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';

afterEach(() => void vi.restoreAllMocks());

const ADDRESSES_A_PAGE = 900;

/** Sends the requests of the tool: one command, and then page after page. Gives the number of links on each page. */
async function run({ ask }: Operator, command: 'block-host' | 'unblock-host', host: string): Promise<number[]> {
  expect((await ask(command, { host })).status).toBe(200);
  const pages: number[] = [];
  for (let after: string | null = ''; after !== null;) {
    const response = await ask('publish-links-to', { host, after });
    expect(response.status).toBe(200);
    const page: { links: number; after: string | null } = await response.json();
    pages.push(page.links);
    after = page.after;
  }
  return pages;
}

/** The answer for a link from KV: no isolate has it in memory, and the database does not respond. */
async function responseSummary(url: string): Promise<string> {
  const outage = vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1_ERROR: Network connection lost.'));
  const { status, headers } = await openIsolate()(url);
  outage.mockRestore();
  return `${status} ${headers.get('Location') ?? ''}`.trim();
}

describe('a host that is blocked', () => {
  it('a host that is blocked stops hot links at the next visit, and they work again once it is unblocked', async () => {
    const [operator, caller, host] = [await openOperator(), await seedCaller(), newHost()];
    const domain = await seedDomain(caller);
    const links = [
      await seedLink(caller, { url: `https://${host}/` }),
      await seedLink(caller, { url: `https://a.${host}/`, custom_domain: domain }),
    ];
    const other = await seedLink(caller, { url: 'https://example.com/' });
    const cold = openIsolate({ MEMORY_SECONDS: '0' });
    for (const { short_url } of [...links, other, ...links, other]) await cold(short_url);
    const before = ['302 https://HOST/', '302 https://a.HOST/'].map((text) => text.replace('HOST', host));
    expect([await responseSummary(links[0]!.short_url), await responseSummary(links[1]!.short_url)]).toEqual(before);
    expect(await run(operator, 'block-host', host)).toEqual([2]);
    expect([await responseSummary(links[0]!.short_url), await responseSummary(links[1]!.short_url)]).toEqual([
      '403',
      '403',
    ]);
    expect(await responseSummary(other.short_url)).toBe('302 https://example.com/');
    expect(await run(operator, 'unblock-host', host)).toEqual([2]);
    expect([await responseSummary(links[0]!.short_url), await responseSummary(links[1]!.short_url)]).toEqual(before);
  });

  it('blocking a host makes no more writes to KV a request than the platform allows, for any number of links', async () => {
    const [operator, caller, host] = [await openOperator(), await seedCaller(), newHost()];
    const prefix = `p${host.slice(0, 6)}`;
    await env.DB.batch([
      env.DB.prepare(
        `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 700)
         INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, created_at, updated_at, revision)
         SELECT printf('%s%04d', ?1, n), '', printf('%s%04d', ?1, n), ?2, 's', ?3, 1, 1, 1 FROM n`,
      ).bind(prefix, caller.clientId, `https://${host}/`),
      env.DB.prepare(
        `INSERT INTO addresses (domain_id, folded, slug, link_id)
         SELECT '', lower(slug), slug, id FROM links WHERE client_id = ?1`,
      ).bind(caller.clientId),
      // The last hundred have ten addresses each.
      env.DB.prepare(
        `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 9)
         INSERT INTO addresses (domain_id, folded, slug, link_id)
         SELECT '', lower(id) || 'x' || n, id || 'x' || n, id FROM links, n WHERE client_id = ?1 AND id > ?2 || '0600'`,
      ).bind(caller.clientId, prefix),
    ]);
    const put = vi.spyOn(env.LINKS, 'put');
    const writes: number[] = [];
    const counting: Operator = {
      ...operator,
      ask: async (command, fields) => {
        const begun = put.mock.calls.length;
        const response = await operator.ask(command, fields);
        if (command === 'publish-links-to') writes.push(put.mock.calls.length - begun);
        return response;
      },
    };
    expect(await run(counting, 'block-host', host)).toEqual([300, 300, 90, 10]);
    expect(writes).toEqual([300, 300, ADDRESSES_A_PAGE, 100]);
    expect(await responseSummary(`/${prefix}0700x9`)).toBe('403');
  });
});
