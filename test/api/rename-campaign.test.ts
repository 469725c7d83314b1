import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MAX_RENAMED } from '../../src/links/edit/rename-campaign.ts';
import { deliver, packOf } from '../support/clicks.ts';
import { carryClicks } from '../support/carried-clicks.ts';
import { manyLinks } from '../support/link-lists.ts';
import { OBJECT_FAILURE, replaceInObjects } from '../support/objects.ts';
import { rowsOf, seedLink, seedTenant, type Tenant } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { ask } from '../support/stats.ts';
import { addWebhook } from '../support/webhooks.ts';

afterEach(() => void vi.restoreAllMocks());

async function rename(tenant: Tenant, former: string, body: object) {
  const response = await call(`/v1/campaigns/${encodeURIComponent(former)}`, {
    method: 'PATCH',
    headers: { 'X-API-Key': tenant.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const campaignsOf = async (tenant: Tenant) => {
  const { body } = await ask(tenant, '/v1/campaigns');
  const campaigns = body['campaigns'] as { name: string; links: number; clicks: number | null }[];
  return campaigns.map(({ name, links, clicks }) => [name, links, clicks]);
};

// The operator's tools create clients.
const OF_MEMBERS = `AND credential_kind <> 'operator'`;

describe('PATCH /v1/campaigns/{name}', () => {
  it.each([[['Spring']], [['spring', 'SPRING']]])(
    'PATCH /v1/campaigns/{name} goes along with webhooks of the client that are limited to it as %j',
    async (spellings) => {
      const [tenant, stranger] = [await seedTenant(), await seedTenant()];
      await seedLink(tenant, { campaign_name: 'Spring' });
      for (const campaign of [...spellings, 'Autumn', null]) await addWebhook(tenant.clientId, { campaign });
      await addWebhook(stranger.clientId, { campaign: 'Spring' });
      expect((await rename(tenant, 'Spring', { name: 'Summer' })).status).toBe(200);
      const limits = async ({ clientId }: Tenant) =>
        (await rowsOf('webhooks')).filter((row) => row['client_id'] === clientId).map((row) => String(row['campaign']));
      const byText = (one: string, other: string) => one.localeCompare(other);
      expect((await limits(tenant)).toSorted(byText)).toEqual(['Autumn', 'null', ...spellings.map(() => 'Summer')]);
      expect(await limits(stranger)).toEqual(['Spring']);
    },
  );

  it('PATCH /v1/campaigns/{name} renames a campaign for its links, their clicks and their next clicks, with an entry in each history', async () => {
    const [tenant, stranger] = [await seedTenant(), await seedTenant()];
    const link = await seedLink(tenant, { campaign_name: 'Spring/1 %' });
    await seedLink(tenant, { campaign_name: 'Spring/1 %' });
    await seedLink(tenant, { campaign_name: 'Autumn' });
    const other = await seedLink(stranger, { campaign_name: 'Spring/1 %' });
    await deliver([packOf(link, [{ clicks: 3 }]), packOf(other, [{ clicks: 1 }])]);
    expect(await rename(tenant, 'Spring/1 %', { name: 'קיץ 🏖' })).toEqual({
      status: 200,
      body: { name: 'קיץ 🏖', changed_links: 2, merged: false },
    });
    expect(await campaignsOf(tenant)).toEqual([
      ['Autumn', 1, 0],
      ['קיץ 🏖', 2, 3],
    ]);
    expect(await campaignsOf(stranger)).toEqual([['Spring/1 %', 1, 1]]);
    const { results } = await env.DB.prepare('SELECT action, changes FROM link_history WHERE link_id = ? AND n = 2')
      .bind(link.id)
      .all();
    expect(results).toEqual([{ action: 'edited', changes: '{"campaign_name":["Spring/1 %","קיץ 🏖"]}' }]);
    const audit = env.DB.prepare(
      `SELECT action, subject_name, details FROM audit_entries WHERE client_id = ? ${OF_MEMBERS}`,
    );
    expect((await audit.bind(tenant.clientId).all()).results).toEqual([
      { action: 'campaign.renamed', subject_name: 'קיץ 🏖', details: '{"former_name":"Spring/1 %"}' },
    ]);
  });

  it('PATCH /v1/campaigns/{name} merges with a campaign of that name, whose clicks stay apart', async () => {
    const tenant = await seedTenant();
    const [spring, summer] = [
      await seedLink(tenant, { campaign_name: 'Spring' }),
      await seedLink(tenant, { campaign_name: 'Summer' }),
    ];
    await deliver([packOf(spring, [{ clicks: 3 }]), packOf(summer, [{ clicks: 1 }])]);
    expect((await rename(tenant, 'Spring', { name: 'Summer' })).body).toEqual({
      name: 'Summer',
      changed_links: 1,
      merged: true,
    });
    expect(await campaignsOf(tenant)).toEqual([['Summer', 2, 1]]);
    const { body } = await ask(tenant, '/v1/campaigns/Spring/stats');
    expect(body['total']).toBe(3);
  });

  it('PATCH /v1/campaigns/{name} does the rest if the database failed after the statistics, when it is sent again', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant, { campaign_name: 'Spring' });
    await deliver([packOf(link, [{ clicks: 3 }])]);
    vi.spyOn(console, 'error').mockReturnValue();
    const batch = env.DB.batch.bind(env.DB);
    vi.spyOn(env.DB, 'batch').mockImplementation((statements) => {
      if (statements.length > 5) throw new Error('D1_ERROR: lost');
      return batch(statements);
    });
    expect((await rename(tenant, 'Spring', { name: 'Summer' })).status).toBe(503);
    vi.restoreAllMocks();
    expect((await rename(tenant, 'Spring', { name: 'Summer' })).body).toMatchObject({ merged: false });
    expect(await campaignsOf(tenant)).toEqual([['Summer', 1, 3]]);
  });

  it('PATCH /v1/campaigns/{name} changes nothing if the statistics do not respond', async () => {
    const tenant = await seedTenant();
    await seedLink(tenant, { campaign_name: 'Spring' });
    vi.spyOn(console, 'error').mockReturnValue();
    replaceInObjects('renameCampaign', () => () => Promise.reject(OBJECT_FAILURE), tenant.clientId);
    expect((await rename(tenant, 'Spring', { name: 'Summer' })).status).toBe(503);
    expect((await campaignsOf(tenant)).map(([name]) => name)).toEqual(['Spring']);
  });

  it('PATCH /v1/campaigns/{name} takes clicks along that were carried from version 1.2.0', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant, { campaign_name: 'Spring' });
    await carryClicks(link, { days: 2, campaign: 'Spring', humans: 1, bots: 0 });
    expect((await rename(tenant, 'Spring', { name: 'Summer' })).body).toMatchObject({ merged: false });
    expect(await campaignsOf(tenant)).toEqual([['Summer', 1, 2]]);
  });

  it.each([
    [{ name: '' }, 'invalid_name'],
    [{ name: ' ' }, 'invalid_name'],
    [{ name: 'a\nb' }, 'invalid_name'],
    [{ name: 'x'.repeat(200) }, 'too_long'],
    [{ name: 'Spring' }, 'invalid_name'],
    [{}, 'missing_field'],
    [{ name: 'x', colour: 'red' }, 'unknown_field'],
  ])('PATCH /v1/campaigns/{name} refuses %j', async (body, code) => {
    const tenant = await seedTenant();
    await seedLink(tenant, { campaign_name: 'Spring' });
    const answer = await rename(tenant, 'Spring', body);
    expect([answer.status, (answer.body as { error: string }).error.split(':')[0]]).toEqual([400, code]);
  });

  it('PATCH /v1/campaigns/{name} does not find a campaign of another client, of deleted links only, or with an invalid name', async () => {
    const [tenant, stranger] = [await seedTenant(), await seedTenant()];
    await seedLink(stranger, { campaign_name: 'Spring' });
    const gone = await seedLink(tenant, { campaign_name: 'Gone' });
    await env.DB.prepare('UPDATE links SET deleted_at = 1 WHERE id = ?').bind(gone.id).run();
    for (const name of ['Spring', 'Gone', 'x'.repeat(200)]) {
      expect((await rename(tenant, name, { name: 'Summer' })).status).toBe(404);
    }
    expect((await campaignsOf(stranger)).map(([name]) => name)).toEqual(['Spring']);
  });

  it('PATCH /v1/campaigns/{name} refuses more links than it can publish, and renames as many as that', async () => {
    const tenant = await seedTenant();
    await manyLinks(tenant, MAX_RENAMED + 1, (index) => `https://example.com/${index}`);
    const own = `client_id = '${tenant.clientId}'`;
    await env.DB.prepare(`UPDATE links SET campaign_name = 'many' WHERE ${own}`).run();
    const refused = await rename(tenant, 'many', { name: 'more' });
    expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining('too_many_links') } });
    await env.DB.prepare(
      `UPDATE links SET campaign_name = NULL WHERE id = (SELECT max(id) FROM links WHERE ${own})`,
    ).run();
    expect((await rename(tenant, 'many', { name: 'more' })).body).toMatchObject({ changed_links: MAX_RENAMED });
  });

  it('PATCH /v1/campaigns/{name} changes nothing of links with more addresses than it can publish: no clicks, no public page, no entry', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant, { campaign_name: 'Spring' });
    await deliver([packOf(link, [{ clicks: 3 }])]);
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO addresses (domain_id, folded, slug, link_id)
         SELECT '', ?1 || key, ?1 || key, ?1 FROM json_each(?2)`,
      ).bind(link.id, JSON.stringify(Array.from({ length: MAX_RENAMED }, () => 0))),
      env.DB.prepare(
        `INSERT INTO statistics_shares (id, client_id, campaign_name, secret_hash, created_at) VALUES (?1, ?1, 'Spring', ?1, 1)`,
      ).bind(tenant.clientId),
    ]);
    expect(await rename(tenant, 'Spring', { name: 'Summer' })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('too_many_links') },
    });
    expect(await campaignsOf(tenant)).toEqual([['Spring', 1, 3]]);
    for (const table of ['statistics_shares', 'audit_entries']) {
      const { results } = await env.DB.prepare(
        `SELECT * FROM ${table} WHERE client_id = ? ${table === 'audit_entries' ? OF_MEMBERS : ''}`,
      )
        .bind(tenant.clientId)
        .all();
      expect(results).toMatchObject(table === 'audit_entries' ? [] : [{ campaign_name: 'Spring' }]);
    }
  });

  it('PATCH /v1/campaigns/{name} renames once if two names are asked for at the same time', async () => {
    const tenant = await seedTenant();
    await seedLink(tenant, { campaign_name: 'Spring' });
    const answers = await Promise.all(['Summer', 'Autumn'].map((name) => rename(tenant, 'Spring', { name })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]));
    const { name } = answers.find(({ status }) => status === 200)!.body as { name: string };
    expect((await campaignsOf(tenant)).map(([found]) => found)).toEqual([name]);
    const audit = env.DB.prepare(`SELECT subject_name FROM audit_entries WHERE client_id = ? ${OF_MEMBERS}`).bind(
      tenant.clientId,
    );
    expect((await audit.all()).results).toEqual([{ subject_name: name }]);
  });
});
