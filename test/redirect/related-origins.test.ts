import { expect, it } from 'vitest';
import { FORMER_RP, seedPasskey } from '../support/passkeys.ts';
import { seedDomain, seedTenant } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';

const PATH = '/.well-known/webauthn';

it('a former host names the origin at which its passkeys may be used now', async () => {
  await seedPasskey({ rp: FORMER_RP });
  const response = await call(`https://former.test${PATH}`);
  expect([response.status, response.headers.get('Content-Type'), await response.json()]).toEqual([
    200,
    'application/json',
    { origins: ['https://terse.test'] },
  ]);
  const head = await call(`https://former.test${PATH}`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const posted = await call(`https://former.test${PATH}`, { method: 'POST' });
  expect([posted.status, posted.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  // Nothing else of the service is there.
  expect((await call('https://former.test/platform')).status).toBe(404);
});

it('hosts without passkeys, those of customers and the own host of the service name no origin', async () => {
  await seedPasskey();
  const domain = await seedDomain(await seedTenant());
  for (const origin of [`https://${domain}`, 'https://unknown.test', 'https://terse.test'])
    expect([origin, (await call(`${origin}${PATH}`)).status]).toEqual([origin, 404]);
});

it('a host names no origin while the service has no public one', async () => {
  await seedPasskey({ rp: FORMER_RP });
  expect((await openIsolate({ PUBLIC_URL: '' })(`https://former.test${PATH}`)).status).toBe(404);
});
