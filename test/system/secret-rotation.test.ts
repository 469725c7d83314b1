import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseSealingKeys } from '../../src/secrets/sealing.ts';
import { blocksThatNeed } from '../scripts/support/shell-blocks.ts';
import { openBuiltDeploys } from './support/deploys.ts';

/** The blocks of the pages that replace a secret of a deployed service. */

const ORIGIN = 'https://terse.example.workers.dev';

const [webhookKeys, signingKeys] = ['WEBHOOK_KEYS', 'TOKEN_KEYS'].map((secret) => {
  const [block, ...others] = blocksThatNeed('secrets').filter(({ text }) => text.includes(secret));
  expect(others).toEqual([]);
  return block?.text ?? 'false';
});

it('the keys of a rotation are those of two secrets', () => {
  expect(blocksThatNeed('secrets').map(({ page }) => page)).toEqual(['docs/operations.md', 'docs/self-hosting.md']);
});

it('signs with the new key, and still verifies what the former one has signed', async () => {
  const { folder, cloudflare, deploy, runShell } = await openBuiltDeploys();
  expect((await deploy()).code).toBe(0);
  const { user, password } = JSON.parse(readFileSync(join(folder, 'first-account.json'), 'utf8'));
  const getToken = async () => {
    const headers = { Authorization: `Basic ${btoa(`${user}:${password}`)}` };
    const { body } = await cloudflare.visit(`${ORIGIN}/tokens/create_token`, { headers });
    return (JSON.parse(body) as { access_token: string }).access_token;
  };
  const statusOf = async (token: string) => {
    const headers = { Authorization: `Bearer ${token}` };
    return (await cloudflare.visit(`${ORIGIN}/tokens/token_info`, { headers })).status;
  };
  const keyIdOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
  const former = await getToken();

  const { code, stderr } = await runShell(signingKeys ?? 'false');
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const current = await getToken();
  const { body } = await cloudflare.visit(`${ORIGIN}/.well-known/jwks.json`);
  const published = (JSON.parse(body) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
  expect(published).toEqual([keyIdOf(current), keyIdOf(former)]);
  expect([await statusOf(former), await statusOf(current)]).toEqual([200, 200]);
  expect(readFileSync(join(folder, 'token-keys.json'), 'utf8').trim()).toBe(
    cloudflare.secrets('terse').get('TOKEN_KEYS')?.trim(),
  );
  expect(existsSync(join(folder, 'token-keys.new.json'))).toBe(false);
  expect(cloudflare.unknown).toEqual([]);
});

it('puts a new key for webhooks before the former one', async () => {
  const { folder, cloudflare, deploy, runShell } = await openBuiltDeploys();
  expect((await deploy()).code).toBe(0);
  const keys = () => JSON.parse(cloudflare.secrets('terse').get('WEBHOOK_KEYS') ?? '[]') as object[];
  const [former] = keys();

  const { code, stderr } = await runShell(webhookKeys ?? 'false');
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(keys()).toEqual([expect.objectContaining({ kty: 'oct' }), former]);
  expect(keys()[0]).not.toEqual(former);
  const kept = readFileSync(join(folder, 'webhook-keys.json'), 'utf8');
  expect([parseSealingKeys(kept)?.length, JSON.parse(kept)]).toEqual([2, keys()]);
  expect(existsSync(join(folder, 'webhook-keys.new.json'))).toBe(false);
  expect(cloudflare.unknown).toEqual([]);
});
