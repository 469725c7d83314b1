import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { openConfirmation } from '../../../src/app/confirm-by-refresh-token.ts';
import { openCore } from '../../../src/app/core.ts';
import { servicesOf } from '../../../src/app/services.ts';
import { parseConfig } from '../../../src/config/config.ts';
import { seal, unseal } from '../../../src/secrets/sealing.ts';
import { begin, comeBack, joinAs, openProviderScene, type ProviderScene } from '../../support/issuers.ts';
import { rowsWhere } from '../../support/oauth.ts';
import { db } from '../../support/seed.ts';
import { WEBHOOK_KEYS } from '../../support/webhook-owners.ts';

const ask = openConfirmation(servicesOf(openCore(parseConfig({ ...env, WEBHOOK_LOOPBACK: 'on' }))), db);

async function outcomeOf({ provider }: ProviderScene, clientId?: null) {
  const [row] = await rowsWhere('SELECT * FROM providers WHERE id = ?', provider);
  const asked = {
    id: provider,
    kind: 'openid',
    clientId: clientId === undefined ? String(row!['client_id']) : clientId,
    issuer: String(row!['issuer']),
    application: String(row!['application']),
    secret: String(row!['secret']),
  } as const;
  return ask(asked, await seal(WEBHOOK_KEYS, provider, 'a refresh token'));
}

it('a refresh token that a provider gives at a sign-in is sealed with its row', async () => {
  const scene = await openProviderScene();
  await joinAs(scene, { sub: 'eve' });
  const begun = await begin(scene);
  await scene.issuer.confirm(begun, { sub: 'eve' }, { refreshToken: 'a refresh token' });
  expect((await comeBack(scene, begun)).status).toBe(303);
  const [row] = await rowsWhere('SELECT refresh_token FROM identities WHERE provider_id = ?', scene.provider);
  expect(await unseal(WEBHOOK_KEYS, scene.provider, String(row!['refresh_token']))).toBe('a refresh token');
});

it('a provider that takes the refresh token has confirmed its person, and the next token is sealed', async () => {
  const scene = await openProviderScene();
  await scene.issuer.script('/token', { body: JSON.stringify({ access_token: 'a', refresh_token: 'the next one' }) });
  const outcome = await outcomeOf(scene);
  expect(outcome.outcome).toBe('confirmed');
  const next = outcome.outcome === 'confirmed' ? outcome.refreshToken : null;
  expect(await unseal(WEBHOOK_KEYS, scene.provider, next ?? '')).toBe('the next one');
});

it.each([
  ['the refusal of the token is one of the person', { status: 400, body: '{"error":"invalid_grant"}' }, 'refused'],
  [
    'a wrong client secret says nothing about the person',
    { status: 401, body: '{"error":"invalid_client"}' },
    'unknown',
  ],
  ['an outage says nothing about the person', { status: 503, body: '{}' }, 'unknown'],
  ['a response without a token says nothing about the person', { body: '{}' }, 'unknown'],
])('%s', async (_, response, outcome) => {
  const scene = await openProviderScene();
  await scene.issuer.script('/token', response);
  expect(await outcomeOf(scene)).toEqual({ outcome });
});

it('a former provider of the service gets no secret of the present one, and says nothing about the person', async () => {
  const scene = await openProviderScene();
  await scene.issuer.script('/token', { body: JSON.stringify({ access_token: 'a' }) });
  expect(await outcomeOf(scene, null)).toEqual({ outcome: 'unknown' });
  expect(await scene.issuer.requestsTo('/token')).toBe(0);
});
