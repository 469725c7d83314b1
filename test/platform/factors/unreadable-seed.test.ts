import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { newAddress } from '../../support/address.ts';
import { addApp, codeAt, stepOf } from '../../support/factors.ts';
import { form, openBrowser, signInBy } from '../../support/platform.ts';
import { rowsOf, seedTenant } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const SAID = 'The codes of your app cannot be checked at the moment. Enter a recovery code, or use a passkey.';

it('an app whose key no longer decrypts lets in no code, which is no wrong one, and recovery codes keep working', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const tenant = await seedTenant();
  const { browse } = await openBrowser(tenant);
  const { seed, codes } = await addApp(browse);
  // The operator has taken the key out of WEBHOOK_KEYS.
  await env.DB.prepare(`UPDATE totp_seeds SET seed = 'former' || seed WHERE user_id = ?`).bind(tenant.userId).run();
  const step = await stepOf(await signInBy({ ...tenant, address: newAddress() }, tenant.password));
  const enter = (code: string) =>
    call('/platform/sign-in', form({ step, code }, { 'CF-Connecting-IP': newAddress(), 'Accept-Language': 'en' }));
  const refused = await enter(codeAt(seed));
  const page = await refused.text();
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '600']);
  expect(page).toContain(SAID);
  expect(page).toContain('name="step"');
  expect((await rowsOf('code_tries')).filter((row) => row['user_id'] === tenant.userId)).toEqual([]);
  expect(log.mock.calls.flat().join('\n')).toContain('"event":"factor_seed_unreadable"');

  const confirmation = new FormData();
  confirmation.append('code', codeAt(seed));
  const confirmed = await browse('/platform/confirm', {
    method: 'POST',
    body: confirmation,
    headers: { Origin: 'https://terse.test', 'CF-Connecting-IP': newAddress() },
  });
  expect([confirmed.status, await confirmed.text()]).toEqual([503, expect.stringContaining(SAID)]);
  expect((await enter(codes[0]!)).status).toBe(303);
});
