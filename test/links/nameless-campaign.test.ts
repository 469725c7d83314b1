import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { importFile, NDJSON, newSlug } from '../support/files.ts';
import { open } from '../support/manage.ts';
import { form, openBrowser } from '../support/platform.ts';
import { seedLink } from '../support/seed.ts';

// In the column of campaigns, the share of a whole workspace has the empty name.
it('a campaign with an empty name cannot be created by an endpoint, a file or a page', async () => {
  const manager = await open();
  const { tenant, ask, key } = manager;
  const { browse } = await openBrowser(tenant);
  const path = `/platform/c/${tenant.clientId}`;
  const url = 'https://example.com/';
  const nameless = { url, campaign_name: '' };
  await seedLink(tenant, { campaign_name: '' });
  const named = await manager.make({ campaign_name: 'Spring' });
  const statuses = [
    await ask('POST', '/v1/links', { ...nameless, client_id: tenant.clientId }, key),
    await ask('POST', '/v1/links/batch', { links: [nameless] }, key),
    await ask('PATCH', `/v1/links/${named}`, { campaign_name: '' }),
    await ask('PATCH', '/v1/campaigns/Spring', { name: '' }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 400, 400]);
  for (const [text, type] of [
    [`${JSON.stringify({ ...nameless, slug: newSlug() })}\n`, NDJSON],
    [`url,slug,campaign_name\n${url},${newSlug()},""\n`, 'text/csv'],
  ] as const) {
    expect((await importFile(manager, text, { type })).created).toBe(1);
  }
  expect((await browse(`${path}/links/new`, form(nameless))).status).toBe(303);
  expect((await browse(`${path}/campaigns/Spring/rename`, form({ name: '' }))).status).toBe(400);
  const cleared = form({ do: 'campaign', id: named, campaign_name: '' });
  expect((await browse(`${path}/links/selected`, cleared)).status).toBe(303);
  const links = env.DB.prepare(
    'SELECT DISTINCT campaign_name AS name, count(*) AS links FROM links WHERE client_id = ?',
  );
  expect((await links.bind(tenant.clientId).all()).results).toEqual([{ name: null, links: 7 }]);
});
