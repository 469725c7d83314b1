import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planDomains } from '../../scripts/deploy/domains.ts';
import { readDeployOptions } from '../../scripts/deploy/options.ts';
import { configOf, environmentOf, readProject, refuseLoopback } from '../../scripts/deploy/project.ts';
import { ROLLBACK, versionBefore, type Deployment } from '../../scripts/deploy/versions.ts';

describe('the options of a deploy', () => {
  it('the options of a deploy are read', () => {
    expect(readDeployOptions([])).toEqual({
      environment: null,
      domains: [],
      dropped: [],
      gradual: null,
      rollback: null,
      isDryRun: false,
    });
    expect(
      readDeployOptions(['--env', 'staging', '--domain', 'GO.example.com', '--domain', 'bücher.example', '--dry-run']),
    ).toMatchObject({ environment: 'staging', domains: ['go.example.com', 'xn--bcher-kva.example'], isDryRun: true });
    expect(readDeployOptions(['--env', 'production', '--gradual', '10'])).toMatchObject({
      environment: null,
      gradual: 10,
    });
    expect(readDeployOptions(['--rollback'])?.rollback).toEqual({ to: null });
    expect(readDeployOptions(['--rollback', '--to', 'v'])?.rollback).toEqual({ to: 'v' });
    expect(readDeployOptions(['--help'])).toBeNull();
  });

  it.each<[args: readonly string[], sentence: string]>([
    [['--env', 'Staging'], '--env takes up to 20 small letters, digits and hyphens: --env staging'],
    [['--env', '-a'], ''],
    [['--env', 'a'.repeat(21)], '--env takes up to 20 small letters, digits and hyphens: --env staging'],
    [['--domain', 'https://go.example.com'], '--domain takes a host name: --domain go.example.com'],
    [['--domain', 'x'.repeat(5000)], '--domain takes a host name: --domain go.example.com'],
    [['--gradual', '0'], '--gradual takes a number of percent from 1 to 99: --gradual 10'],
    [['--gradual', '100'], '--gradual takes a number of percent from 1 to 99: --gradual 10'],
    [
      ['--rollback', '--gradual', '5'],
      '--rollback deploys nothing new: give it without --gradual, --domain and --drop-domain.',
    ],
    [
      ['--domain', 'a.example', '--drop-domain', 'a.example'],
      'a.example is named by --domain and by --drop-domain: give one of them.',
    ],
    [['--to', 'v'], '--to names the version that --rollback leads to: give both.'],
    [['--name', 'x'], `Unknown option '--name'`],
    [['--minify'], `Unknown option '--minify'`],
    [['go.example.com'], 'Unexpected argument'],
  ])('the options of a deploy refuse %j with a sentence', (args, sentence) => {
    expect(() => readDeployOptions(args)).toThrow(sentence);
  });
});

describe('WEBHOOK_LOOPBACK', () => {
  const project = readProject();
  const withLoopback = { ...project, vars: { ...project.vars, WEBHOOK_LOOPBACK: ' on' } };
  const staged = { ...project, env: { staging: { vars: { WEBHOOK_LOOPBACK: 'on' } } } };
  const off = { ...withLoopback, env: { staging: { vars: { WEBHOOK_LOOPBACK: 'off' } } } };

  it.each([
    ['production', withLoopback, null],
    ['an environment with the settings of production', withLoopback, 'staging'],
    ['an environment with its own', staged, 'staging'],
  ])('WEBHOOK_LOOPBACK is refused for %s', (_, refused, name) => {
    expect(() => refuseLoopback(refused, { name })).toThrow(
      'WEBHOOK_LOOPBACK in wrangler.toml is "on", which is for local runs only, and nothing was changed: set it to "off".',
    );
  });

  it('WEBHOOK_LOOPBACK is no obstacle where it is off', () => {
    for (const [allowed, name] of [
      [project, null],
      [staged, null],
      [off, 'staging'],
    ] as const)
      expect(() => refuseLoopback(allowed, { name })).not.toThrow();
  });
});

describe('an environment', () => {
  const bound = { accountId: 'a', databaseId: 'd', namespaceId: 'n', vars: { PUBLIC_URL: 'https://go.example.com' } };

  it('an environment has names of its own', async () => {
    const project = readProject();
    expect(environmentOf(project, null)).toEqual({
      name: null,
      worker: 'terse',
      database: 'terse',
      namespace: 'terse-links',
      queue: 'terse-clicks',
      deadLetterQueue: 'terse-clicks-dead',
      webhookQueue: 'terse-webhooks',
    });
    expect(environmentOf(project, 'staging')).toEqual({
      name: 'staging',
      worker: 'terse-staging',
      database: 'terse-staging',
      namespace: 'terse-staging-links',
      queue: 'terse-staging-clicks',
      deadLetterQueue: 'terse-staging-clicks-dead',
      webhookQueue: 'terse-staging-webhooks',
    });
  });

  it('an environment has names of its own also if the Worker was renamed', async () => {
    const project = readProject();
    expect(environmentOf({ ...project, name: 'my-links' }, 'staging')).toMatchObject({
      worker: 'my-links-staging',
      database: 'terse-staging',
      queue: 'terse-clicks-staging',
      deadLetterQueue: 'terse-clicks-dead-staging',
      webhookQueue: 'terse-webhooks-staging',
    });
  });

  it('a deploy to production gets the configuration of wrangler.toml, with what the account has', async () => {
    const project = readProject();
    const config = configOf(project, environmentOf(project, null), bound);
    expect(config).toMatchObject({
      account_id: 'a',
      name: 'terse',
      main: resolve('dist/worker/index.mjs'),
      assets: { directory: resolve('public') },
      d1_databases: [{ binding: 'DB', database_name: 'terse', database_id: 'd' }],
      kv_namespaces: [{ binding: 'LINKS', id: 'n' }],
      queues: project.queues,
      ratelimits: project.ratelimits,
      vars: { ...project.vars, ...bound.vars },
    });
    expect(config).not.toHaveProperty('env');
  });

  it('an environment shares no id of a rate limiter with another', async () => {
    const project = readProject();
    const ids = [null, 'staging', 'test', 'a', 'b', 'eu', 'ar', 'c4'].map((name) => {
      const { ratelimits } = configOf(project, environmentOf(project, name), bound) as typeof project;
      return ratelimits.map(({ namespace_id }) => namespace_id);
    });
    expect(new Set(ids.flat()).size).toBe(ids.length * project.ratelimits.length);
    expect(ids.flat().every((id) => /^[1-9]\d{0,9}$/.test(id))).toBe(true);
  });

  it('an environment leaves out what names things of production', async () => {
    const project = readProject();
    const own = {
      ...project,
      vars: { ...project.vars, CF_ZONE_ID: 'f'.repeat(32), DOMAIN_TARGET: 'domains.example.com' },
    };
    const { vars } = configOf(own, environmentOf(own, 'staging'), bound) as typeof project;
    expect(vars).toMatchObject({
      CF_ZONE_ID: '',
      DOMAIN_TARGET: '',
      DEAD_LETTER_QUEUE: 'terse-staging-clicks-dead',
      WEBHOOK_QUEUE: 'terse-staging-webhooks',
    });
  });
});

describe('the version that a rollback leads to', () => {
  const all = (version: string, message: string | null = null): Deployment => ({
    shares: [{ version, percent: 100 }],
    message,
  });
  const split = (version: string, percent: number, other: string): Deployment => ({
    shares: [
      { version, percent },
      { version: other, percent: 100 - percent },
    ],
    message: null,
  });

  it.each<[when: string, deployed: readonly Deployment[], version: string]>([
    ['two versions were deployed', [all('b'), all('a')], 'a'],
    ['one was deployed gradually', [all('b'), split('b', 10, 'a'), all('a')], 'a'],
    ['one that got most requests was given up', [all('a', 'given up'), split('b', 90, 'a'), all('a'), all('z')], 'z'],
    ['a deploy was interrupted', [split('b', 10, 'a'), all('a'), all('z')], 'a'],
    ['a deploy was interrupted at half', [split('b', 50, 'a'), all('a'), all('z')], 'a'],
    ['a newer one was deployed after a rollback', [all('c'), all('a', ROLLBACK), all('b'), all('a')], 'a'],
  ])(
    'the version that a rollback leads to after %s is the last that had all requests before',
    (_when, deployed, version) => {
      expect(versionBefore(deployed)).toBe(version);
    },
  );

  it('the version that a rollback leads to is none after a rollback, and after the first deploy', () => {
    expect(() => versionBefore([all('a', ROLLBACK), all('b'), all('a')])).toThrow(
      'Version a was rolled back to already, and nothing was changed: deploy a newer version.',
    );
    expect(() => versionBefore([all('b', ROLLBACK), all('c'), all('b'), all('a')])).toThrow('--rollback --to a.');
    expect(() => versionBefore([all('a')])).toThrow('There is no version before this one');
    expect(() => versionBefore([])).toThrow('No version has ever had all requests');
  });
});

describe('the domains of a deploy', () => {
  const bound = (...hosts: readonly string[]) => hosts.map((host) => ({ id: host, host }));
  const plan = (hosts: readonly string[], publicHost: string | null, domains: readonly string[] = []) =>
    planDomains({ ...environment, name: 'of-tests' }, bound(...hosts), publicHost, { domains, dropped: [] });
  const environment = { worker: '', database: '', namespace: '', queue: '', deadLetterQueue: '', webhookQueue: '' };

  it('the domains of a deploy begin with the present origin, then with the first that is named', () => {
    expect(plan(['go.acme.example', 'go.example.com'], 'go.example.com')).toMatchObject({
      own: 'go.example.com',
      hosts: ['go.example.com', 'go.acme.example'],
    });
    expect(plan(['go.acme.example'], null, ['go.example.com'])).toMatchObject({
      own: 'go.example.com',
      hosts: ['go.example.com', 'go.acme.example'],
    });
  });

  it('the domains of a deploy use no domain as origin that was only bound by hand', () => {
    expect(plan(['go.acme.example'], null)).toMatchObject({ own: null, hosts: ['go.acme.example'] });
    expect(plan(['go.acme.example'], 'elsewhere.example.com')).toMatchObject({ own: null, hosts: ['go.acme.example'] });
  });
});
