import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bearerOf, expectFailure, seedCaller, type Caller } from '../support/forms.ts';
import { answer, ask, seedKey, seedMember } from '../support/management.ts';
import { rowsOf, seedLink, type LinkRecord } from '../support/seed.ts';
import { call } from '../support/service.ts';

afterEach(() => void vi.restoreAllMocks());

interface List {
  readonly links: readonly LinkRecord[];
  readonly cursor: string | null;
}

const listOf = async (caller: Caller, id: string, query = '') =>
  answer<List>(await ask(caller, 'GET', `/v1/keys/${id}/links${query}`));

/** Reads a list to its end, and gives the ids on each page. */
async function pagesOf(caller: Caller, id: string, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: List = await listOf(caller, id, `?limit=${limit}&cursor=${cursor}`);
    pages.push(page.links.map((link) => link.id));
    cursor = page.cursor;
  }
  return pages;
}

it('every link records who created it, and with which key', async () => {
  const caller = await seedCaller();
  const { id, key } = await seedKey(caller);
  const byKey = await seedLink({ ...caller, apiKey: key });
  const byApiToken = await seedLink({ ...caller, apiKey: caller.apiToken });
  const form = { url: 'https://example.com/', client_id: caller.clientId };
  const response = await call('/shortener/encode', { headers: bearerOf(caller), form });
  const byToken: LinkRecord = JSON.parse((await answer<{ result: string }>(response)).result);
  const rows = await rowsOf('links');
  const makerOf = (link: LinkRecord) => {
    const row = rows.find((row) => row['id'] === link.id);
    return [row?.['user_id'], row?.['key_id']];
  };
  expect(makerOf(byKey)).toEqual([caller.userId, id]);
  expect(makerOf(byApiToken)).toEqual([caller.userId, null]);
  expect(makerOf(byToken)).toEqual([caller.userId, null]);
});

describe('the links that a key created', () => {
  it('the links that a key created are listed with their whole records, newest first, and no others', async () => {
    const caller = await seedCaller();
    const [one, other] = [await seedKey(caller), await seedKey(caller)];
    const links: LinkRecord[] = [];
    for (const { key } of [one, other, one]) links.unshift(await seedLink({ ...caller, apiKey: key }));
    const [last, , first] = links;
    const list = await listOf(caller, one.id);
    expect(list.cursor).toBeNull();
    expect(list.links).toHaveLength(2);
    expect(list.links).toEqual(
      expect.arrayContaining([expect.objectContaining(last!), expect.objectContaining(first!)]),
    );
    expect((await listOf(caller, other.id)).links.map(({ id }) => id)).toEqual([links[1]!.id]);
  });

  it('the links that a key created are still listed once the key is revoked, but not where they are deleted', async () => {
    const caller = await seedCaller();
    const { id, key } = await seedKey(caller);
    const [kept, deleted] = [await seedLink({ ...caller, apiKey: key }), await seedLink({ ...caller, apiKey: key })];
    await env.DB.prepare('UPDATE links SET deleted_at = 1 WHERE id = ?').bind(deleted.id).run();
    await ask(caller, 'DELETE', `/v1/keys/${id}`);
    expect((await listOf(caller, id)).links.map((link) => link.id)).toEqual([kept.id]);
  });

  it('the links that a key created are found among many, each once, by pages that read 500', async () => {
    const caller = await seedCaller();
    const { id, key } = await seedKey(caller);
    const made: string[] = [];
    const insertOthers = (count: number) =>
      env.DB.prepare(
        `INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, created_at, updated_at, revision)
         WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
         SELECT lower(hex(randomblob(8))), '', '', ?1, 's', 'https://example.com/', ?3, 1, 1 FROM n`,
      )
        .bind(caller.clientId, count, Date.now())
        .run();
    for (const count of [499, 700, 10]) {
      made.push((await seedLink({ ...caller, apiKey: key })).id);
      await insertOthers(count);
    }
    made.push((await seedLink({ ...caller, apiKey: key })).id);
    const pages = await pagesOf(caller, id, 100);
    // 1,213 links are three pages of 500, whatever is on them.
    expect(pages).toHaveLength(3);
    expect(pages.flat().toSorted((a, b) => (a < b ? -1 : 1))).toEqual(made.toSorted((a, b) => (a < b ? -1 : 1)));
    expect((await pagesOf(caller, id, 1)).flat()).toEqual(pages.flat());

    // A late page reads no more than an early one.
    const batch = vi.spyOn(env.DB, 'batch');
    await pagesOf(caller, id, 100);
    const reads: number[] = [];
    for (const { value } of batch.mock.results) {
      const results: readonly D1Result[] = await value;
      reads.push(results.at(-1)?.meta.rows_read ?? Number.NaN);
    }
    expect(reads).toHaveLength(3);
    expect(Math.max(...reads)).toBeLessThan(2100);
  });

  it('the links that a key created go by the key, even if it has a new owner', async () => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    const { id, key } = await seedKey(member);
    const link = await seedLink({ ...owner, apiKey: key });
    expect((await listOf(member, id)).links.map((found) => found.id)).toEqual([link.id]);
    await ask(owner, 'DELETE', `/v1/members/${member.userId}?keys=adopt`);
    expect((await listOf(owner, id)).links.map((found) => found.id)).toEqual([link.id]);
  });

  it('the links that a key created have cursors of their own', async () => {
    const caller = await seedCaller();
    const [one, other] = [await seedKey(caller), await seedKey(caller)];
    for (let count = 0; count < 2; count++) await seedLink({ ...caller, apiKey: one.key });
    const { cursor } = await listOf(caller, one.id, '?limit=1');
    const path = `/v1/keys/${other.id}/links?cursor=${cursor}`;
    await expectFailure(await ask(caller, 'GET', path), 400, expect.stringMatching(/^invalid_cursor: /));
  });
});
