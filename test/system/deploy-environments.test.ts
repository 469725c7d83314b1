import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openBuiltDeploys, stepsOf } from './support/deploys.ts';
import type { Account } from './support/cloudflare/state.ts';

/** All that belongs to production, and every row of its database. */
const productionOf = async (
  { databases, namespaces, queues, scripts, domains }: Account,
  rows: (table: string) => Promise<unknown>,
) =>
  structuredClone({
    databases: databases.filter(({ name }) => name === 'terse'),
    namespaces: namespaces.filter(({ title }) => title === 'terse-links'),
    queues: queues
      .filter(({ queue_name }) => ['terse-clicks', 'terse-clicks-dead', 'terse-webhooks'].includes(queue_name))
      .map((queue) => ({ ...queue, messages: [] })),
    versions: scripts.get('terse')?.versions.map(({ id, bindings }) => ({ id, bindings })),
    deployments: scripts.get('terse')?.deployments,
    domains: domains.filter(({ service }) => service === 'terse'),
    rows: await Promise.all(['users', 'api_keys', 'links', 'addresses', 'd1_migrations'].map(rows)),
  });

it('deploys another environment as a second set of everything, and touches nothing of the first', async () => {
  const { folder, cloudflare, deploy, runScript } = await openBuiltDeploys({ zones: ['example.com'] });
  expect((await deploy('--domain', 'go.example.com')).code).toBe(0);
  const rows = (table: string) => cloudflare.rows('terse', `SELECT * FROM ${table}`);
  const before = await productionOf(cloudflare.state, rows);
  const production = cloudflare.state.databases.find(({ name }) => name === 'terse')?.uuid ?? '';
  const toml = readFileSync(join(folder, 'wrangler.toml'), 'utf8');
  writeFileSync(join(folder, 'wrangler.toml'), `${toml}\n[env.staging.vars]\nACCESS_TOKEN_SECONDS = "600"\n`);
  const from = cloudflare.requests.length;

  const staged = await deploy('--env', 'staging', '--domain', 'staging.example.com');
  expect([staged.code, staged.stderr]).toEqual([0, '']);
  expect(stepsOf(staged)).toMatchObject({
    'database terse-staging': 'created',
    'KV namespace terse-staging-links': 'created',
    'queue terse-staging-clicks': 'created',
    'queue terse-staging-clicks-dead': 'created, keeps messages for 14 days',
    'queue terse-staging-webhooks': 'created',
    'signing keys': 'created',
    'keys for webhooks': 'created',
    'Worker terse-staging': 'created',
    'domain staging.example.com': 'bound',
  });
  expect(staged.stdout).toMatch(/^Created and followed: https:\/\/staging\.example\.com\/\w+ → /m);
  expect((await deploy('--env', 'staging')).code).toBe(0);
  expect((await deploy('--env', 'staging', '--rollback')).code).toBe(0);

  // Nothing of production is other than it was, and no request has named it but for lists.
  expect(await productionOf(cloudflare.state, rows)).toEqual(before);
  const touching = cloudflare.requests
    .slice(from)
    .filter(({ path }) => path.includes(production) || /\/scripts\/terse(?:\/|$)/.test(path));
  expect(touching).toEqual([]);

  const bindings = (name: string) => cloudflare.state.scripts.get(name)?.versions.at(-1)?.bindings ?? [];
  const own = (name: string) =>
    bindings(name).flatMap(({ namespace_id, id, queue_name }) => [namespace_id, id, queue_name]);
  const shared = own('terse').filter((id) => id !== undefined && own('terse-staging').includes(id));
  expect(shared).toEqual([]);
  const objects = cloudflare.state.objectNamespaces.map(({ name }) => name);
  expect(objects).toEqual(
    ['terse', 'terse-staging'].flatMap((name) => [`${name}_ClientStatistics`, `${name}_LinkLimit`]),
  );
  const limiters = bindings('terse-staging').filter(({ type }) => type === 'ratelimit');
  expect(limiters).toHaveLength(bindings('terse').filter(({ type }) => type === 'ratelimit').length);
  const settings = Object.fromEntries(bindings('terse-staging').map(({ name, text }) => [name, text]));
  expect(settings).toMatchObject({
    PUBLIC_URL: 'https://staging.example.com',
    DEAD_LETTER_QUEUE: 'terse-staging-clicks-dead',
    WEBHOOK_QUEUE: 'terse-staging-webhooks',
    ACCESS_TOKEN_SECONDS: '600',
  });
  expect(cloudflare.secrets('terse-staging').get('TOKEN_KEYS')).not.toBe(cloudflare.secrets('terse').get('TOKEN_KEYS'));
  expect(JSON.parse(readFileSync(join(folder, 'domains.json'), 'utf8'))).toEqual({
    production: ['go.example.com'],
    staging: ['staging.example.com'],
  });
  for (const file of ['token-keys.staging.json', 'operator-key.staging.json', 'first-account.staging.json']) {
    expect([file, existsSync(join(folder, file))]).toEqual([file, true]);
  }

  // The operator's tools reach each by its name.
  const add = ['scripts/account.ts', 'key', 'default', '--name', 'of staging', '--remote', '--env', 'staging'];
  expect((await runScript(...add)).code).toBe(0);
  expect(await productionOf(cloudflare.state, rows)).toEqual(before);
  expect(cloudflare.unknown).toEqual([]);
});
