import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import worker from '../../../src/index.ts';
import { DAY_MS } from '../../../src/time/day.ts';
import { deliver, packOf } from '../../support/clicks.ts';
import { seedCaller } from '../../support/forms.ts';
import { form, openBrowser, placeOf } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';
import { addressOf, auditedOf, openShared, sharesOf, visitor } from '../../support/shared-statistics.ts';
import { peopleOf } from '../../support/statistics-page.ts';

afterEach(() => void vi.restoreAllMocks());

describe('the public statistics of a link', () => {
  it('the public statistics of a link are created, shown again, and seen by everyone who has the address, and say nothing of how it is managed', async () => {
    const { caller, browse, link, path, address } = await openShared();
    const other = await seedLink(caller, { campaign_name: 'Secret & campaign' });
    await deliver([packOf(link, [{ country: 'AT', referrer: 't.co', clicks: 3 }]), packOf(other, [{ clicks: 9 }])]);
    expect(await addressOf(browse, path)).toBe(address);
    const response = await visitor(address);
    const page = await response.text();
    expect([response.status, peopleOf(page)]).toEqual([200, 3]);
    expect(page).toContain(`terse.test/${link.id}`);
    expect(page).toContain('All &lt;b&gt;must&lt;/b&gt; go');
    expect(page).toContain('t.co');
    for (const card of ['sources', 'locations', 'technology', 'links', 'destinations']) {
      const shown = await (await visitor(`${address}?card=${card}&campaign=x&destination=x&link=${link.id}`)).text();
      expect(peopleOf(shown)).toBe(3);
      // The random part of the address can be any word.
      expect(shown.replaceAll(address, '')).not.toMatch(/secret|Secret|\/platform\/c\/|csv|CSV/);
      expect(shown).not.toContain(caller.userName);
      expect(shown).not.toContain(caller.clientId);
    }
    expect(peopleOf(await (await visitor(`${address}?country=AT&period=today`)).text())).toBe(3);
    expect(await (await visitor(`${address}?country=DE`)).text()).toContain('No click matches all filters');
  });

  it('the public statistics of a link are not cached, not indexed, and send no other site their address, also for HEAD', async () => {
    const { address } = await openShared();
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await visitor(address, { method });
      expect([
        status,
        ...['Cache-Control', 'X-Robots-Tag', 'Referrer-Policy'].map((name) => headers.get(name)),
      ]).toEqual([200, 'no-store', 'noindex', 'no-referrer']);
    }
    expect(await (await visitor(address, { method: 'HEAD' })).text()).toBe('');
    expect(await (await visitor(address)).text()).toContain('<meta name="robots" content="noindex"/>');
  });

  it('the public statistics of a link are stored without their secret, once for each link', async () => {
    const { caller, browse, path, address } = await openShared();
    await browse(`${path}/share`, form({ password: '' }));
    const rows = await sharesOf(caller);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(address.split('/').at(-1));
    expect(await addressOf(browse, path)).toBe(address);
  });

  it('the public statistics of a link lead a script to their page, with the address to copy', async () => {
    const { browse, path, address } = await openShared();
    const response = await browse(`${path}/share`, form({ password: '' }, { 'Terse-Form': 'script' }));
    expect([response.status, response.headers.get('Terse-Short-Url')]).toEqual([204, `https://terse.test${address}`]);
  });

  it('the public statistics of a link are 404 once they are revoked, and a new page has another address', async () => {
    const { caller, browse, path, address } = await openShared();
    expect(await (await browse(`${path}/share/revoke`)).text()).toContain('Revoke this public page?');
    expect(placeOf(await browse(`${path}/share/revoke`, form({})))).toEqual([303, `${path}/share`]);
    expect((await visitor(address)).status).toBe(404);
    expect(placeOf(await browse(`${path}/share/revoke`))).toEqual([303, `${path}/share`]);
    expect((await browse(`${path}/share/revoke`, form({}))).status).toBe(404);
    await browse(`${path}/share`, form({ password: '' }));
    expect(await addressOf(browse, path)).not.toBe(address);
    expect((await visitor(address)).status).toBe(404);
    const of = '{"of":"link"}';
    const name = path.split('/').at(-1);
    expect(await auditedOf(caller)).toEqual(
      ['share.created', 'share.revoked', 'share.created'].map((action) => ({
        action,
        subject_name: name,
        details: of,
      })),
    );
  });

  it('the public statistics of a link are 404 while the link is deleted, and there again once it is restored', async () => {
    const { browse, path, address } = await openShared();
    await browse(`${path}/delete`, form({}));
    expect([(await visitor(address)).status, (await browse(`${path}/share`)).status]).toEqual([404, 404]);
    expect((await browse(`${path}/share`, form({ password: '' }))).status).toBe(404);
    await browse(`${path}/restore`, form({}));
    expect((await visitor(address)).status).toBe(200);
  });

  it('the public statistics of a link are removed with the content of the link', async () => {
    const { caller, link } = await openShared();
    const deletedAt = Date.now() - 30 * DAY_MS;
    await env.DB.prepare('UPDATE links SET deleted_at = ? WHERE id = ?').bind(deletedAt, link.id).run();
    expect(await sharesOf(caller)).toHaveLength(1);
    await worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
    expect(await sharesOf(caller)).toEqual([]);
  });

  it.each(['x'.repeat(43), 'x'.repeat(42), `${'x'.repeat(42)}%2F`, 'x'.repeat(5000), '%00'])(
    'the public statistics of a link are not there for a guessed secret: %s',
    async (secret) => {
      for (const init of [{}, { method: 'HEAD' }, form({ password: 'open sesame' })]) {
        expect((await visitor(`/platform/shared/${secret}`, init)).status).toBeGreaterThanOrEqual(404);
      }
    },
  );

  it('the public statistics of a link cannot be seen, created, protected or revoked by another workspace', async () => {
    const { caller, path, address } = await openShared();
    const stranger = await seedCaller();
    const { browse } = await openBrowser(stranger);
    const id = path.split('/').at(-1);
    for (const at of [path, `/platform/c/${stranger.clientId}/links/${id}`]) {
      for (const rest of ['/share', '/share/revoke']) expect((await browse(at + rest)).status).toBe(404);
      for (const rest of ['/share', '/share/password', '/share/revoke']) {
        expect((await browse(at + rest, form({ password: 'open sesame' }))).status).toBe(404);
      }
    }
    expect(await sharesOf(caller)).toMatchObject([{ password_hash: null }]);
    expect((await visitor(address)).status).toBe(200);
    expect((await visitor(`${path}/share`)).status).toBe(303);
  });

  it('the public statistics of a link are limited by the address of their visitor', async () => {
    const { address } = await openShared();
    vi.spyOn(env.SHARED_STATISTICS_LIMIT, 'limit').mockResolvedValue({ success: false });
    const headers = { 'CF-Connecting-IP': '203.0.113.77' };
    expect((await visitor(address, { headers })).status).toBe(200);
    await expect.poll(async () => (await visitor(address, { headers })).status).toBe(429);
  });
});

describe('the public statistics of a campaign', () => {
  it('the public statistics of a campaign have the clicks that came for it, follow its rename, and end with its last link', async () => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    const campaigns = `/platform/c/${caller.clientId}/campaigns`;
    const link = await seedLink(caller, { campaign_name: 'a/b', url: 'https://secret.example/' });
    await deliver([packOf(link, 3)]);
    expect((await browse(`${campaigns}/a%2Fb/share`, form({ password: '' }))).status).toBe(303);
    const address = await addressOf(browse, `${campaigns}/a%2Fb`);
    const page = await (await visitor(address)).text();
    expect([peopleOf(page), page.includes('<bdi class="broken">a/b</bdi>')]).toEqual([3, true]);
    expect(page).not.toMatch(new RegExp(`secret|/platform/c/|${link.id}`));
    await browse(`${campaigns}/a%2Fb/rename`, form({ name: 'new' }));
    const renamed = await (await visitor(address)).text();
    expect([peopleOf(renamed), renamed.includes('<bdi class="broken">new</bdi>')]).toEqual([3, true]);
    const other = await seedLink(caller, { campaign_name: 'other' });
    await browse(`${campaigns}/new/rename`, form({ name: 'other' }));
    expect((await visitor(address)).status).toBe(404);
    expect(await addressOf(browse, `${campaigns}/other`)).toBe('');
    await env.DB.prepare('UPDATE links SET deleted_at = 1 WHERE id = ?').bind(other.id).run();
  });

  it('the public statistics of a campaign are not found for a campaign of another workspace, or of none', async () => {
    const [caller, stranger] = [await seedCaller(), await seedCaller()];
    const { browse } = await openBrowser(caller);
    await seedLink(stranger, { campaign_name: 'Theirs' });
    for (const name of ['Theirs', 'None']) {
      const path = `/platform/c/${caller.clientId}/campaigns/${name}/share`;
      expect((await browse(path)).status).toBe(404);
      expect((await browse(path, form({ password: '' }))).status).toBe(404);
    }
    expect([await sharesOf(caller), await sharesOf(stranger)]).toEqual([[], []]);
  });
});
