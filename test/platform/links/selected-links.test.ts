import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cookiesOf, openBrowser, openLinks, textOf } from '../../support/platform.ts';
import { formOfMany, listed, manyLinks, statusesOf } from '../../support/link-lists.ts';
import { rowsOf, seedLink } from '../../support/seed.ts';
import { call } from '../../support/service.ts';
import { countTrips } from '../../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('links that are chosen', () => {
  it.each([
    ['delete', 'restore', 410],
    ['disable', 'enable', 410],
  ] as const)(
    'links that are chosen are asked about before they %s, and restored by %s',
    async (action, undo, status) => {
      const { caller, browse, path } = await openLinks();
      const ids = [(await seedLink(caller)).id, (await seedLink(caller)).id];
      const other = (await seedLink(caller)).id;
      const query = ids.map((id) => `id=${id}`).join('&');
      const asked = await textOf(browse(`${path}/selected?do=${action}&${query}&back=q%3Dexample`));
      expect(listed(asked)).toEqual(ids);
      expect(asked).toContain('2 links?</h1>');
      expect(asked).toContain('the links are no longer available');
      const [first] = ids;
      expect(await textOf(browse(`${path}/selected?do=${action}&id=${first}`))).toContain('the link is no longer');
      expect(await statusesOf(ids)).toEqual([302, 302]);

      const done = await browse(`${path}/selected`, formOfMany(action, ids, 'q=example'));
      expect([done.status, done.headers.get('Location')]).toEqual([303, `${path}?q=example`]);
      expect(await statusesOf([...ids, other])).toEqual([status, status, 302]);

      const flash = cookiesOf(done)['__Host-terse-flash']?.[0];
      const { cookie } = await openBrowser(caller);
      const list = await textOf(call(path, { headers: { Cookie: `${cookie}; __Host-terse-flash=${flash}` } }));
      expect(list).toContain(`<input type="hidden" name="do" value="${undo}"/>`);
      await browse(`${path}/selected`, formOfMany(undo, ids));
      expect(await statusesOf(ids)).toEqual([302, 302]);
      const history = (await rowsOf('link_history')).filter(({ link_id: id }) => id === ids[0]);
      expect(history.map(({ n, user_id: user }) => [n, user])).toEqual([
        [1, expect.any(String)],
        [2, caller.userId],
        [3, caller.userId],
      ]);
    },
  );

  it('links that are chosen are changed in two trips, however many there are, and those of others are left out', async () => {
    const [{ caller, browse, path }, stranger] = [await openLinks(), await openLinks()];
    const ids = (await manyLinks(caller, 40, () => 'https://example.com/')).concat(
      (await seedLink(stranger.caller)).id,
    );
    const trips = await countTrips();
    await browse(`${path}/selected`, formOfMany('disable', ids));
    expect(trips().d1).toBe(2);
    const links = await rowsOf('links');
    const disabled = links.filter(({ id, disabled_at: at }) => ids.includes(String(id)) && at !== null);
    expect(disabled.map(({ id }) => id)).toEqual(ids.slice(0, 40));
  });

  it('links that are chosen are refused if they have more addresses than KV writes are allowed in a request', async () => {
    const { caller, browse, path } = await openLinks();
    const ids = await manyLinks(caller, 100, () => 'https://example.com/');
    const addAliases = (each: number) =>
      env.DB.prepare(
        `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
         INSERT INTO addresses (domain_id, folded, slug, link_id)
         SELECT '', id || 'x' || n, id || 'x' || n, id FROM links, n WHERE client_id = ?2 ON CONFLICT DO NOTHING`,
      )
        .bind(each, caller.clientId)
        .run();
    const disabled = async () => (await rowsOf('links')).filter((row) => row['disabled_at'] !== null).length;
    const before = await disabled();
    const put = vi.spyOn(env.LINKS, 'put');
    await addAliases(9);
    const refused = await browse(`${path}/selected`, formOfMany('disable', ids));
    expect([refused.status, await disabled(), put.mock.calls.length]).toEqual([400, before, 0]);
    expect(await refused.text()).toContain('The links have 1000 addresses in all, but only 900 can be changed at once');
    expect((await browse(`${path}/selected`, formOfMany('disable', ids.slice(0, 90)))).status).toBe(303);
    expect([await disabled(), put.mock.calls.length]).toEqual([before + 90, 900]);
  });

  it.each([
    ['none', 'disable', [] as string[], 400],
    ['more than a hundred', 'delete', Array.from({ length: 101 }, (_, i) => `x${i}`), 400],
    ['an unknown action', 'explode', ['x'], 404],
  ])('links that are chosen are refused where there is %s', async (_, action, ids, status) => {
    const { browse, path } = await openLinks();
    expect((await browse(`${path}/selected`, formOfMany(action, ids))).status).toBe(status);
  });

  it('links that are chosen lead back to the list where none was chosen', async () => {
    const { browse, path } = await openLinks();
    const response = await browse(`${path}/selected?do=delete&back=q%3Da`);
    expect([response.status, response.headers.get('Location')]).toEqual([303, `${path}?q=a`]);
  });

  it('links that are chosen are as they were where the form comes from another site', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    const init = { ...formOfMany('delete', [id]), headers: { Origin: 'https://evil.example' } };
    expect((await browse(`${path}/selected`, init)).status).toBe(403);
    expect(await statusesOf([id])).toEqual([302]);
  });
});
