import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseSealingKeys } from '../../src/secrets/sealing.ts';
import { parseTokenKeys } from '../../src/secrets/jwks.ts';
import { readMigrations } from '../../scripts/migrations/files.ts';
import { ROOT } from '../scripts/support/project.ts';
import { blocksThatNeed } from '../scripts/support/shell-blocks.ts';
import { changesOf, openBuiltDeploys, openDeploys, stepsOf } from './support/deploys.ts';

/** The way from an empty account to a link, and each command after that. */

const json = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;

it('a deploy creates everything in an empty account, and ends with a link that it has followed', async () => {
  const { folder, cloudflare, deploy, runScript } = await openBuiltDeploys();
  const toml = readFileSync(join(folder, 'wrangler.toml'), 'utf8');
  const planned = await deploy('--dry-run');
  expect([planned.code, planned.stderr, changesOf(cloudflare)]).toEqual([0, '', []]);
  const names = readMigrations().map(({ name }) => name);
  expect(stepsOf(planned)).toEqual({
    account: `Example (${cloudflare.state.id})`,
    'database terse': 'would be created',
    'KV namespace terse-links': 'would be created',
    'queue terse-clicks': 'would be created',
    'queue terse-clicks-dead': 'would be created',
    'queue terse-webhooks': 'would be created',
    migrations: `would be applied: ${names.join(', ')}`,
    replicas: 'would be turned on',
    'signing keys': 'would be created',
    'keys for webhooks': 'would be created',
    'Worker terse': 'would be created',
    'Durable Objects': 'would be created: ClientStatistics, LinkLimit',
  });

  const first = await deploy();
  expect([first.code, first.stderr]).toEqual([0, '']);
  expect(stepsOf(first)).toEqual({
    account: `Example (${cloudflare.state.id})`,
    'database terse': 'created',
    'KV namespace terse-links': 'created',
    'queue terse-clicks': 'created',
    'queue terse-clicks-dead': 'created, keeps messages for 14 days',
    'queue terse-webhooks': 'created',
    migrations: 'The database is created.',
    replicas: 'turned on',
    'signing keys': 'created',
    'keys for webhooks': 'created',
    'Worker terse': 'created',
    'Durable Objects': 'created: ClientStatistics, LinkLimit',
  });
  const [, shortUrl = ''] = /^Created and followed: (\S+) → https:\/\/example\.com\/$/m.exec(first.stdout) ?? [];
  expect(shortUrl).toMatch(/^https:\/\/terse\.example\.workers\.dev\/\w+$/);
  const followed = await cloudflare.visit(shortUrl);
  expect([followed.status, followed.headers['location']]).toEqual([302, 'https://example.com/']);
  expect(await cloudflare.rows('terse', 'SELECT name FROM d1_migrations ORDER BY id')).toEqual(
    names.map((name) => ({ name })),
  );
  const { queues, databases } = cloudflare.state;
  expect(databases.map(({ read_replication: replication }) => replication)).toEqual([{ mode: 'auto' }]);
  expect(queues.map(({ queue_name, settings }) => [queue_name, settings.message_retention_period])).toEqual([
    ['terse-clicks', 345_600],
    ['terse-clicks-dead', 14 * 24 * 3600],
    ['terse-webhooks', 345_600],
  ]);
  expect(
    queues.map(({ consumers }) => consumers.map(({ script, dead_letter_queue }) => [script, dead_letter_queue])),
  ).toEqual([[['terse', 'terse-clicks-dead']], [['terse', undefined]], [['terse', undefined]]]);

  // What is secret is in files that only their owner can read, and that git ignores.
  const account = json(join(folder, 'first-account.json'));
  expect(first.stdout).not.toContain(account['password']);
  expect(cloudflare.secrets('terse').get('TOKEN_KEYS')).toBe(
    readFileSync(join(folder, 'token-keys.json'), 'utf8').trim(),
  );
  expect(parseTokenKeys(cloudflare.secrets('terse').get('TOKEN_KEYS') ?? '')).toHaveLength(1);
  const webhookKeys = readFileSync(join(folder, 'webhook-keys.json'), 'utf8').trim();
  expect(parseSealingKeys(webhookKeys)).toHaveLength(1);
  expect(cloudflare.secrets('terse').get('WEBHOOK_KEYS')).toBe(webhookKeys);
  expect(first.stdout).not.toContain(webhookKeys);
  expect(first.stdout.trimEnd().split('\n').slice(-3)).toEqual([
    'Keep token-keys.json where you keep secrets: Cloudflare does not show the signing keys again.',
    '',
    'Keep webhook-keys.json where you keep secrets: Cloudflare does not show the keys for webhooks again.',
  ]);
  for (const file of ['token-keys.json', 'webhook-keys.json', 'operator-key.json', 'first-account.json']) {
    expect([file, statSync(join(folder, file)).mode & 0o777]).toEqual([file, 0o600]);
  }
  const secretFiles = [
    'token-keys.json',
    'webhook-keys.json',
    'operator-key.json',
    'first-account.json',
    'token-keys.staging.json',
    'deployed.json',
  ];
  expect(
    execFileSync('git', ['check-ignore', ...secretFiles], { cwd: ROOT })
      .toString()
      .trim()
      .split('\n'),
  ).toEqual(secretFiles);
  expect(readFileSync(join(folder, 'wrangler.toml'), 'utf8')).toBe(toml);

  const basic = `Basic ${btoa(`${account['user']}:${account['password']}`)}`;
  const token = await cloudflare.visit('https://terse.example.workers.dev/tokens/create_token', {
    headers: { Authorization: basic },
  });
  expect(token.status).toBe(201);
  const listed = await runScript('scripts/account.ts', 'list', '--remote');
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining('admin')]);
  expect([cloudflare.unknown, cloudflare.requests.filter(({ path }) => path.endsWith('/import'))]).toEqual([[], []]);

  // A build that forgets its key revokes none; a folder that has one leaves only that.
  const keys = () => {
    const binding = cloudflare.state.scripts
      .get('terse')
      ?.versions.at(-1)
      ?.bindings.find(({ name }) => name === 'OPERATOR_KEYS');
    return (JSON.parse(String(binding?.['text'])) as { readonly x: string }[]).map(({ x }) => x);
  };
  const [own] = keys();
  rmSync(join(folder, 'operator-key.json'));
  expect((await deploy()).code).toBe(0);
  expect(keys()).toEqual([expect.any(String), own]);
  const [another] = keys();
  expect((await deploy()).code).toBe(0);
  expect(keys()).toEqual([another]);
});

it('a deploy goes well as the README and docs/self-hosting.md say, after the sign-in', async () => {
  const blocks = blocksThatNeed('deploy');
  const text = 'npm run login\nnpm run deploy -- --domain go.example.com\n';
  expect(blocks).toEqual(['README.md', 'docs/self-hosting.md'].map((page) => ({ page, text })));
  const { cloudflare, runShell } = await openDeploys({ zones: ['example.com'] });
  const { code, stdout } = await runShell(text.replace('npm run login\n', ''));
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Created and followed: https:\/\/go\.example\.com\//m)]);
  expect(cloudflare.unknown).toEqual([]);
});

it('a deploy creates and follows a link although Cloudflare refuses replicas, and turns them on the next time', async () => {
  const { cloudflare, deploy } = await openBuiltDeploys();
  const answer = { status: 400, code: 7400, message: 'Read replication is not available for this database.' };
  cloudflare.failAt(({ method, path }) => method === 'PUT' && path.includes('/d1/database/'), { answer });
  const refused = await deploy();
  expect([refused.code, refused.stderr, stepsOf(refused)['replicas']]).toEqual([
    0,
    '',
    'refused by Cloudflare (code 7400): the primary answers all queries',
  ]);
  expect(refused.stdout).toContain('Created and followed: ');
  expect(stepsOf(await deploy('--dry-run'))).toMatchObject({ replicas: 'would be turned on' });
  expect(stepsOf(await deploy())).toMatchObject({ replicas: 'turned on' });
});

it('a deploy changes only what is new when the command is given again', async () => {
  const { folder, cloudflare, deploy } = await openBuiltDeploys({ zones: ['example.com'], handshakesToFail: 2 });
  expect((await deploy()).code).toBe(0);
  const account = readFileSync(join(folder, 'first-account.json'), 'utf8');
  const keys = cloudflare.secrets('terse').get('TOKEN_KEYS');

  const bound = await deploy('--domain', 'GO.example.com', '--domain', 'acme.example.com');
  expect([bound.code, bound.stderr]).toEqual([0, '']);
  expect(stepsOf(bound)).toMatchObject({
    'database terse': 'is there',
    'queue terse-clicks-dead': 'is there',
    'queue terse-webhooks': 'is there',
    migrations: 'none is pending',
    replicas: 'are on',
    'signing keys': 'are there',
    'keys for webhooks': 'are there',
    'Worker terse': 'replaced',
    'domain go.example.com': 'bound',
    'domain acme.example.com': 'bound',
  });
  expect(json(join(folder, 'domains.json'))).toEqual({ production: ['go.example.com', 'acme.example.com'] });
  expect(bound.stdout).toMatch(/^Created and followed: https:\/\/go\.example\.com\/\w+ → https:\/\/example\.com\/$/m);

  // No domain has to be named again, and none is dropped.
  const from = cloudflare.requests.length;
  const again = await deploy();
  expect(stepsOf(again)).toMatchObject({ 'domain go.example.com': 'is bound', 'domain acme.example.com': 'is bound' });
  expect(
    changesOf(cloudflare, from).filter((change) => /domains\/records|d1\/database|namespaces$|queues$/.test(change)),
  ).toEqual([]);
  expect(cloudflare.state.domains.map(({ hostname }) => hostname).toSorted()).toEqual([
    'acme.example.com',
    'go.example.com',
  ]);
  expect([
    readFileSync(join(folder, 'first-account.json'), 'utf8'),
    cloudflare.secrets('terse').get('TOKEN_KEYS'),
  ]).toEqual([account, keys]);

  const dropped = await deploy('--drop-domain', 'acme.example.com');
  expect(stepsOf(dropped)).toMatchObject({ 'domain acme.example.com': 'unbound', 'domain go.example.com': 'is bound' });
  expect(cloudflare.state.domains.map(({ hostname }) => hostname)).toEqual(['go.example.com']);
  expect(json(join(folder, 'domains.json'))).toEqual({ production: ['go.example.com'] });
  // An interrupted command can be given again.
  expect(stepsOf(await deploy('--drop-domain', 'acme.example.com'))).toMatchObject({
    'domain acme.example.com': 'is not bound',
  });
  expect(cloudflare.unknown).toEqual([]);
});
