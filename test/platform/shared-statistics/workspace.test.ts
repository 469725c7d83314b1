import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import worker from '../../../src/index.ts';
import { DAY_MS } from '../../../src/time/day.ts';
import { deliver, packOf } from '../../support/clicks.ts';
import { seedCaller } from '../../support/forms.ts';
import { form, openBrowser, placeOf } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';
import { addressOf, auditedOf, sharesOf, visitor } from '../../support/shared-statistics.ts';
import { hrefOf, peopleOf, rowsOf } from '../../support/statistics-page.ts';

/** A workspace with clicks on two links, and a public page of all of them. */
async function openSharedWorkspace(password = '') {
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  const path = `/platform/c/${caller.clientId}`;
  const fields = { title: 'secret title', comments: 'secret comment', tags: 'secret tag' };
  const named = { ...fields, campaign_name: 'Secret & campaign', url: 'https://secret.example/' };
  const [one, other] = [await seedLink(caller, named), await seedLink(caller)];
  await deliver([
    packOf(one, [{ country: 'AT', referrer: 't.co', clicks: 3 }]),
    packOf(other, [{ country: 'DE', clicks: 4 }]),
  ]);
  expect(placeOf(await browse(`${path}/share`, form({ password })))).toEqual([303, `${path}/share`]);
  return { caller, browse, path, links: [one, other], address: await addressOf(browse, path) };
}

describe('the public statistics of a workspace', () => {
  it('the public statistics of a workspace are created from its overview, and have the clicks on all links together', async () => {
    const { caller, browse, path, address } = await openSharedWorkspace();
    expect(hrefOf(await (await browse(path)).text(), 'Share')).toBe(`${path}/share`);
    const own = await (await browse(`${path}/share`)).text();
    expect(own).toContain('the clicks on all its links together');
    expect(hrefOf(own, 'Overview')).toBe(path);
    const { status, headers } = await visitor(address);
    expect([status, headers.get('Cache-Control'), headers.get('X-Robots-Tag'), headers.get('Referrer-Policy')]).toEqual(
      [200, 'no-store', 'noindex', 'no-referrer'],
    );
    const page = await (await visitor(address)).text();
    expect([peopleOf(page), page.includes('<h1>Clicks on all links</h1>')]).toEqual([7, true]);
    expect(page).toContain('<meta name="robots" content="noindex"/>');
    expect(rowsOf(page, 'Countries').map(([country]) => country)).toEqual(['DEGermany', 'ATAustria']);
    expect(peopleOf(await (await visitor(`${address}?country=AT`)).text())).toBe(3);
    await env.DB.prepare('UPDATE clients SET name = ? WHERE id = ?').bind('Acme <b>&</b> Co', caller.clientId).run();
    const named = await (await visitor(address)).text();
    expect(named).toContain('<bdi class="broken">Acme &lt;b&gt;&amp;&lt;/b&gt; Co</bdi>');
    expect(named).toContain('<title>Clicks on Acme &lt;b&gt;&amp;&lt;/b&gt; Co');
  });

  it('the public statistics of a workspace name no link, campaign, destination or member, whatever their address asks for', async () => {
    const { caller, links, address } = await openSharedWorkspace();
    const ids = links.map(({ id }) => id).join('|');
    for (const card of ['link', 'campaign', 'destination', 'country']) {
      const asked = `?card=${card}&csv=${card}&campaign=Secret+%26+campaign&destination=x&link=${links[0]?.id}`;
      const response = await visitor(address + asked);
      const page = await response.text();
      expect([card, response.headers.get('Content-Type')]).toEqual([card, 'text/html; charset=UTF-8']);
      if (card !== 'country') expect(peopleOf(page)).toBe(7);
      // The random part of the address can be any word.
      expect(page.replaceAll(address, '')).not.toMatch(new RegExp(`secret|/platform/c/|csv|${ids}`, 'i'));
      expect(page).not.toContain(caller.userName);
      expect(page).not.toContain(caller.clientId);
    }
  });

  it('the public statistics of a workspace are stored once, without their secret, apart from those of its campaigns', async () => {
    const { caller, browse, path, address } = await openSharedWorkspace();
    const campaign = `${path}/campaigns/Secret%20%26%20campaign`;
    await browse(`${path}/share`, form({ password: '' }));
    await browse(`${campaign}/share`, form({ password: '' }));
    const rows = await sharesOf(caller);
    expect(new Set(rows.map(({ campaign_name: name }) => name))).toEqual(new Set(['', 'Secret & campaign']));
    expect(JSON.stringify(rows)).not.toContain(address.split('/').at(-1));
    const ofCampaign = await addressOf(browse, campaign);
    expect([await addressOf(browse, path), ofCampaign === address]).toEqual([address, false]);
    expect(peopleOf(await (await visitor(ofCampaign)).text())).toBe(3);
    await browse(`${campaign}/share/revoke`, form({}));
    expect([(await visitor(address)).status, (await visitor(ofCampaign)).status]).toEqual([200, 404]);
  });

  it('the public statistics of a workspace can have a password, and are revoked, with an entry in the audit log for each', async () => {
    const { caller, browse, path, address } = await openSharedWorkspace('open sesame');
    expect(await (await visitor(address)).text()).toContain('Enter the password');
    expect((await visitor(address, form({ password: 'wrong' }))).status).toBe(403);
    expect(placeOf(await visitor(address, form({ password: 'open sesame' })))).toEqual([303, address]);
    expect((await browse(`${path}/share/password`, form({ password: 'abc' }))).status).toBe(400);
    expect(placeOf(await browse(`${path}/share/password`))).toEqual([303, `${path}/share`]);
    await browse(`${path}/share/password`, form({ password: '', remove: 'on' }));
    expect((await (await visitor(address)).text()).includes('Clicks on all links')).toBe(true);
    expect(await (await browse(`${path}/share/revoke`)).text()).toContain('Revoke this public page?');
    await browse(`${path}/share/revoke`, form({}));
    expect([(await visitor(address)).status, await sharesOf(caller)]).toEqual([404, []]);
    await browse(`${path}/share`, form({ password: '' }));
    expect(await addressOf(browse, path)).not.toBe(address);
    const entries = ['share.created', 'share.changed', 'share.revoked', 'share.created'];
    expect(await auditedOf(caller)).toEqual(
      entries.map((action) => ({ action, subject_name: caller.clientId, details: '{"of":"client"}' })),
    );
    const log = await (await browse(`${path}/audit`)).text();
    for (const done of ['created', 'changed the password of', 'revoked']) {
      expect(log.replaceAll(/<[^>]*>|[\u2068\u2069]/g, '')).toContain(
        `${done} the public statistics page of the workspace.`,
      );
    }
  });

  it('the public statistics of a workspace end with its deletion, are there again if that is undone, and are removed with it', async () => {
    const { caller, browse, path, address } = await openSharedWorkspace();
    const { clientId } = caller;
    await browse(`${path}/settings/delete`, form({ name: clientId }));
    expect((await visitor(address)).status).toBe(404);
    await browse(`${path}/restore`, form({}));
    expect((await visitor(address)).status).toBe(200);
    await worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
    await browse(`${path}/settings/delete`, form({ name: clientId }));
    await env.DB.prepare('UPDATE deletions SET ends_at = ? WHERE client_id = ?')
      .bind(Date.now() - DAY_MS, clientId)
      .run();
    await worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
    expect([await sharesOf(caller), (await visitor(address)).status]).toEqual([[], 404]);
  });

  it('the public statistics of a workspace stay when its links are deleted', async () => {
    const { browse, path, links, address } = await openSharedWorkspace();
    for (const { id } of links) await browse(`${path}/links/${id}/delete`, form({}));
    expect(peopleOf(await (await visitor(address)).text())).toBe(7);
  });

  it('the public statistics of a workspace cannot be seen, created, protected or revoked by another workspace', async () => {
    const { caller, path, address } = await openSharedWorkspace();
    const stranger = await seedCaller();
    const { browse } = await openBrowser(stranger);
    for (const rest of ['/share', '/share/revoke']) expect((await browse(path + rest)).status).toBe(404);
    for (const rest of ['/share', '/share/password', '/share/revoke']) {
      expect((await browse(path + rest, form({ password: 'open sesame' }))).status).toBe(404);
      expect((await visitor(path + rest, form({ password: 'open sesame' }))).status).toBe(303);
    }
    expect(await sharesOf(caller)).toMatchObject([{ password_hash: null }]);
    await browse(`/platform/c/${stranger.clientId}/share`, form({ password: '' }));
    const other = await addressOf(browse, `/platform/c/${stranger.clientId}`);
    const theirs = await (await visitor(other)).text();
    expect([theirs.includes('Clicks appear here within seconds.'), theirs.includes('Germany')]).toEqual([true, false]);
    await browse(`/platform/c/${stranger.clientId}/share/revoke`, form({}));
    expect(peopleOf(await (await visitor(address)).text())).toBe(7);
  });
});
