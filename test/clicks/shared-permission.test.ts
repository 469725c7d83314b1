import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { sharedPermission } from '../../src/clicks/shared-permission.ts';
import type { StatsSubject } from '../../src/clicks/days.ts';
import { seedLink, seedTenant } from '../support/seed.ts';

it('the secret of a public statistics page opens the clicks of its own link, campaign or client, and no others', async () => {
  const tenant = await seedTenant();
  const link = await seedLink(tenant, { campaign_name: 'Spring' });
  await env.DB.prepare(
    `INSERT INTO statistics_shares (id, client_id, link_id, campaign_name, secret_hash, created_at)
     VALUES ('l', ?1, ?2, NULL, 'of link', 1), ('c', ?1, NULL, 'Spring', 'of campaign', 1), ('a', ?1, NULL, '', 'of client', 1)`,
  )
    .bind(tenant.clientId, link.id)
    .run();
  const subjects: Readonly<Record<string, StatsSubject>> = {
    'of link': { kind: 'link', name: link.id },
    'of campaign': { kind: 'campaign', name: 'Spring' },
    'of client': { kind: 'client' },
    'no campaign': { kind: 'campaign', name: '' },
    'no link': { kind: 'link', name: '' },
    'some links': { kind: 'links', names: [link.id] },
  };
  const opened: string[] = [];
  for (const secretHash of ['of link', 'of campaign', 'of client']) {
    for (const [name, subject] of Object.entries(subjects)) {
      const { select, decide } = sharedPermission({ kind: 'share', secretHash }, subject);
      const row = await env.DB.prepare(select.sql)
        .bind(...select.params)
        .first<object>();
      if (row === null) expect(() => decide(undefined)).toThrow('Page not found.');
      else opened.push(`${secretHash}, ${name}, ${decide(row) === tenant.clientId}`);
    }
  }
  expect(opened).toEqual(['of link, of link, true', 'of campaign, of campaign, true', 'of client, of client, true']);
});
