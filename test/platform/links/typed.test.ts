import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { form, openLinks, textOf, type LinksScene } from '../../support/platform.ts';
import { listed, manyLinks } from '../../support/link-lists.ts';
import { rowsOf, seedDomain, seedLink } from '../../support/seed.ts';

/** Texts that people type or paste on the pages, where a program would send another one. */

afterEach(() => {
  vi.restoreAllMocks();
});

const foundBy = async ({ browse, path }: LinksScene, query: Record<string, string>) =>
  listed(await textOf(browse(`${path}?${new URLSearchParams(query).toString()}`)));

describe('a pasted short URL', () => {
  it('a pasted short URL finds its link on the service, with and without scheme and spaces, and by a former slug', async () => {
    const scene = await openLinks();
    const { id } = await seedLink(scene.caller, { slug: 'Grüße' });
    await seedLink(scene.caller);
    for (const q of [
      `https://terse.test/Grüße`,
      `  http://terse.test/${encodeURIComponent('Grüße')} `,
      'terse.test/grüße',
      'TERSE.TEST/GRÜSSE/?utm_source=x#top',
      'https://terse.test/Grüße+',
    ]) {
      expect([q, await foundBy(scene, { q })]).toEqual([q, [id]]);
    }
    await scene.browse(`${scene.path}/${id}/edit`, form({ slug: 'new', revision: await revisionOf(id) }));
    expect(await foundBy(scene, { q: 'terse.test/Grüße' })).toEqual([id]);
    expect(await foundBy(scene, { q: 'terse.test/nowhere' })).toEqual([]);
  });

  it('a pasted short URL finds its link on a custom domain, whose name may be written in its own letters', async () => {
    const scene = await openLinks();
    const host = await seedDomain(scene.caller, `xn--bcher-kva.${newHost()}`);
    const { id } = await seedLink(scene.caller, { custom_domain: host, slug: 'a/größe' });
    await seedLink(scene.caller, { slug: 'other' });
    const readable = host.replace('xn--bcher-kva', 'bücher');
    expect(await foundBy(scene, { q: `${readable}/a/größe` })).toEqual([id]);
    expect(await foundBy(scene, { q: ` https://${host}/a/gr%C3%B6%C3%9Fe` })).toEqual([id]);
    expect(await foundBy(scene, { q: `${host}/other` })).toEqual([]);
  });

  it('a pasted short URL of another workspace finds nothing, and a destination is searched as before', async () => {
    const [scene, other] = [await openLinks(), await openLinks()];
    const host = await seedDomain(other.caller);
    await seedLink(other.caller, { custom_domain: host, slug: 'theirs' });
    await seedLink(other.caller, { slug: `x-${other.caller.clientId}` });
    const mine = await seedLink(scene.caller, { url: 'https://example.com/shop/shoes' });
    expect(await foundBy(scene, { q: `https://${host}/theirs` })).toEqual([]);
    expect(await foundBy(scene, { q: `terse.test/x-${other.caller.clientId}` })).toEqual([]);
    expect(await foundBy(scene, { q: ' example.com/shop ' })).toEqual([mine.id]);
  });

  it('a pasted short URL can be as long as percent-encoding lets it become; a search text cannot', async () => {
    const scene = await openLinks();
    const slug = '你'.repeat(64);
    const { id } = await seedLink(scene.caller, { slug });
    expect(await foundBy(scene, { q: `https://terse.test/${encodeURIComponent(slug)}` })).toEqual([id]);
    const long = await scene.browse(`${scene.path}?q=${'a'.repeat(3000)}/b`);
    expect([long.status, (await long.text()).includes('This must be at most 200 characters long.')]).toEqual([
      400,
      true,
    ]);
  });
});

describe('a campaign', () => {
  it('a campaign is found in any case, with all its spellings, and offered where it is typed', async () => {
    const [scene, other] = [await openLinks(), await openLinks()];
    const spring = await seedLink(scene.caller, { campaign_name: 'Frühling' });
    const shout = await seedLink(scene.caller, { campaign_name: 'FRÜHLING' });
    await seedLink(scene.caller, { campaign_name: 'Autumn' });
    await seedLink(other.caller, { campaign_name: 'frühling' });
    expect(new Set(await foundBy(scene, { campaign_name: ' frühling' }))).toEqual(new Set([spring.id, shout.id]));
    expect(await foundBy(scene, { campaign_name: 'frühling', state: 'disabled' })).toEqual([]);
    const offered =
      '<datalist id="campaigns"><option value="Autumn"></option><option value="FRÜHLING"></option><option value="Frühling"></option></datalist>';
    for (const below of ['', '/new', `/${spring.id}/edit`]) {
      const page = await textOf(scene.browse(`${scene.path}${below}`));
      expect(page).toContain(offered);
      expect(page).toMatch(/name="campaign_name"[^>]* list="campaigns"/);
    }
  });
});

it('a campaign is offered at the cost of one look-up, however many links it has', async () => {
  const { caller, browse, path } = await openLinks();
  await manyLinks(caller, 400, () => 'https://example.com/');
  const name = env.DB.prepare(`UPDATE links SET campaign_name = 'c' || (rowid_of % 4) FROM (
    SELECT id AS of, row_number() OVER () AS rowid_of FROM links WHERE client_id = ?1) WHERE id = of`);
  await name.bind(caller.clientId).run();
  const batch = vi.spyOn(env.DB, 'batch');
  expect((await textOf(browse(`${path}/new`))).match(/<option value="c\d">/g)).toHaveLength(4);
  const results = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
  const read = results.flat().reduce((sum, { meta }) => sum + meta.rows_read, 0);
  expect([read > 4, read < 200]).toEqual([true, true]);
});

describe('a destination without a scheme', () => {
  it.each([
    ['example.com/page', 'https://example.com/page'],
    [' bücher.example ', 'https://xn--bcher-kva.example/'],
    ['example.com:8443/?a=b', 'https://example.com:8443/?a=b'],
    ['HTTP://example.com/', 'http://example.com/'],
  ])('a destination without a scheme leads to its URL: %j to %s', async (url, to) => {
    const { browse, path } = await openLinks();
    const made = await browse(`${path}/new`, form({ url, utm_term: '' }));
    expect(made.status).toBe(303);
    const id = made.headers.get('Location')!.split('/').at(-1);
    expect((await rowsOf('links')).find((row) => row['id'] === id)).toMatchObject({ url: to });
    const edited = await browse(
      `${path}/${id}/edit`,
      form({ url: `sub.${url.trim().replace(/^HTTP:../, '')}`, revision: await revisionOf(id!) }),
    );
    expect(edited.status).toBe(303);
  });

  it.each(['nowhere', 'javascript:alert(1)', 'myapp://open', '/page', 'ftp://example.com/', 'ann@example.com'])(
    'a destination without a scheme is not taken from %j',
    async (url) => {
      const { browse, path } = await openLinks();
      expect((await browse(`${path}/new`, form({ url }))).status).toBe(400);
    },
  );
});

it('a destination may be typed with a scheme that the operator has named, and is shown with it', async () => {
  const { browse, path } = await openLinks();
  const created = await browse(`${path}/new`, form({ url: ' tel:+1 (555) 010-0100 ' }));
  expect(created.status).toBe(303);
  const page = await browse(created.headers.get('Location') ?? '');
  expect(await page.text()).toContain('tel:+1(555)010-0100');
});

it('a URL typed as a domain gives its host, and its fallback URLs need no scheme', async () => {
  const { caller, browse } = await openLinks();
  const host = newHost();
  const domains = `/platform/c/${caller.clientId}/domains`;
  const added = await browse(`${domains}/new`, form({ host: ` https://${host}/ `, root_url: 'example.com/home' }));
  expect(added.status).toBe(303);
  expect((await rowsOf('domains')).find((row) => row['host'] === host)).toMatchObject({
    root_url: 'https://example.com/home',
  });
  expect((await browse(`${domains}/new`, form({ host: 'https://' }))).status).toBe(400);
});

const newHost = () => `${crypto.randomUUID()}.example`;

async function revisionOf(id: string): Promise<string> {
  return String((await rowsOf('links')).find((row) => row['id'] === id)?.['revision']);
}
