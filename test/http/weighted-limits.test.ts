import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { seedTenant, signIn } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';

// The minute of the clock does not end.
beforeEach(() => void vi.setSystemTime(new Date('2026-11-22T10:00:00Z')));
afterEach(() => void vi.useRealTimers());

const [LIMIT, LINKS_A_BATCH] = [3000, 100];

it('a revoked token of the same user does not reduce the count of links in batches', async () => {
  const tenant = await seedTenant();
  const isolate = openIsolate();
  const good = { Authorization: `Bearer ${(await signIn(tenant)).access_token}` };
  const revoked = (await signIn(tenant)).access_token;
  const ended = { Authorization: `Bearer ${revoked}` };
  await isolate('/tokens/revoke_token', { form: { token: revoked } });
  const links = Array.from({ length: LINKS_A_BATCH }, () => ({
    url: 'https://example.com/',
    client_id: tenant.clientId,
    custom_domain: 'nobody-has-this.example',
  }));
  const send = async (headers: Record<string, string>) =>
    (
      await isolate('/v1/links/batch', {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ links: headers === ended ? links.slice(0, 1) : links }),
      })
    ).status;
  const statuses = [];
  for (let sent = 0; sent < LIMIT; sent += LINKS_A_BATCH) {
    statuses.push(await send(good));
    if (sent === LIMIT / 2) expect(await send(ended)).toBe(401);
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await send(good)).toBe(429);
});
