import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openCloudflare } from '../../scripts/deploy/cloudflare.ts';
import { checkConflicts } from '../../scripts/deploy/domains.ts';
import { environmentOf, readProject } from '../../scripts/deploy/project.ts';
import { runProcess, strangersEnv } from '../scripts/support/processes.ts';
import { copyProject, NODE } from '../scripts/support/project.ts';
import { uploadForm } from './support/cloudflare/client.ts';
import { startCloudflare, type Cloudflare } from './support/cloudflare/cloudflare.ts';
import { createRecord } from './support/cloudflare/state.ts';
import { addMigration, changesOf, openBuiltDeploys, openDeploys } from './support/deploys.ts';

/** Reasons that keep a deploy from its first step. */

const REFUSED: readonly [
  what: string,
  prepare: (cloudflare: Cloudflare) => void | Promise<unknown>,
  args: readonly string[],
  sentence: RegExp,
][] = [
  [
    'an account without the paid plan',
    ({ state }) => void (state.plans = ['teams_free']),
    [],
    /^The account has no Workers Paid plan, and nothing was changed: sign-ins take more CPU .*Upgrade at https:\/\/dash/,
  ],
  [
    'an account without a subdomain',
    ({ state }) => void (state.subdomain = null),
    [],
    /^The account has no workers\.dev subdomain, and nothing was changed: open https:\/\/dash/,
  ],
  [
    'a domain in no zone of the account',
    () => undefined,
    ['--domain', 'go.example.net'],
    /^go\.example\.net is in no zone of the account, and nothing was changed: add its zone/,
  ],
  [
    'a Worker of that name that is something else',
    ({ call }) => call('PUT', '/accounts/:account/workers/scripts/terse', uploadForm('export default {}')),
    [],
    /^The account has a Worker terse that is not this service, and nothing was changed: choose another "name"/,
  ],
];

describe('a deploy', () => {
  it.each(REFUSED)('a deploy refuses %s, and changes nothing', async (_what, prepare, args, sentence) => {
    const { folder, cloudflare, deploy } = await openDeploys({ zones: ['example.com'] });
    await prepare(cloudflare);
    const from = cloudflare.requests.length;
    const { code, stderr } = await deploy(...args);
    expect([code, stderr, changesOf(cloudflare, from)]).toEqual([2, expect.stringMatching(sentence), []]);
    expect(existsSync(join(folder, 'domains.json'))).toBe(false);
  });

  it('a deploy takes an account with the paid plan without a word', async () => {
    const { cloudflare, deploy } = await openDeploys();
    cloudflare.state.plans = ['workers_paid'];
    const { code, stdout } = await deploy('--dry-run');
    expect([code, stdout.includes('plan of the account')]).toEqual([0, false]);
  });

  it('a deploy lists the accounts of a sign-in that has several', async () => {
    const { cloudflare, deploy } = await openDeploys({ accounts: ['One', 'Two'] });
    const { code, stderr } = await deploy();
    const lines = cloudflare.accounts.map(({ id, name }) => `  CLOUDFLARE_ACCOUNT_ID=${id}  (${name})`);
    expect([code, stderr.split('\n')]).toEqual([
      2,
      ['This sign-in has several accounts: set one of them, then try again.', ...lines, ''],
    ]);
  });

  it('a deploy says how to sign in', async () => {
    const { code, stderr } = await runProcess(NODE, ['scripts/deploy.ts'], { cwd: copyProject(), env: strangersEnv() });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^You are not signed in to Cloudflare \(.+\): run "npm run login", or set CLOUDFLARE_API_TOKEN\.\n$/,
      ),
    ]);
  });

  it('a deploy refuses a domains.json that is none', async () => {
    const { folder, cloudflare, deploy } = await openDeploys();
    writeFileSync(join(folder, 'domains.json'), '{"production": "go.example.com"}');
    const { code, stderr } = await deploy();
    expect([code, stderr, changesOf(cloudflare)]).toEqual([
      2,
      'domains.json must be like {"production": ["go.example.com"]}: correct it, then try again.\n',
      [],
    ]);
  });
});

describe('a domain whose host is in use', () => {
  it('a domain whose host is in use is not bound without a terminal, and the service continues where it was', async () => {
    const { folder, cloudflare, deploy } = await openBuiltDeploys({ zones: ['example.com'] });
    expect((await deploy()).code).toBe(0);
    cloudflare.state.zones[0]?.records.push(createRecord('A', 'go.example.com', '192.0.2.7'));
    const versions = () => cloudflare.state.scripts.get('terse')?.versions.length;
    const before = versions();
    addMigration(folder, 'CREATE TABLE later (id INTEGER)');
    const { code, stderr } = await deploy('--domain', 'go.example.com');
    expect([code, stderr]).toEqual([
      2,
      'go.example.com already has DNS records, and was not bound: remove that, or run the command in a terminal and agree to replace it.\n',
    ]);
    expect([versions(), cloudflare.state.domains, existsSync(join(folder, 'domains.json'))]).toEqual([
      before,
      [],
      false,
    ]);
    const later = () => cloudflare.rows('terse', "SELECT name FROM sqlite_master WHERE name = 'later'");
    expect(await later()).toEqual([]);
    expect((await deploy()).code).toBe(0);
    expect(await later()).toEqual([{ name: 'later' }]);
  });

  it('a domain whose host is in use is taken from another Worker only with consent', async () => {
    const cloudflare = await startCloudflare({ zones: ['example.com'] });
    onTestFinished(() => cloudflare.close());
    for (const name of ['other', 'terse']) {
      await cloudflare.call('PUT', `/accounts/:account/workers/scripts/${name}`, uploadForm('export default {}'));
    }
    const bound = { hostname: 'go.example.com', service: 'other', environment: 'production' };
    expect((await cloudflare.call('PUT', '/accounts/:account/workers/domains', bound)).status).toBe(200);
    for (const [name, value] of Object.entries(cloudflare.env)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const [api, environment] = [await openCloudflare(), environmentOf(readProject(), null)];
    const asked: string[] = [];
    const check = (answer: boolean) =>
      checkConflicts(
        api,
        environment,
        { own: 'go.example.com', hosts: ['go.example.com'], dropped: [] },
        async (question) => {
          asked.push(question);
          return answer;
        },
      );
    expect(await check(true)).toEqual({ replacesRecords: false, replacesWorkers: true });
    await expect(check(false)).rejects.toThrow('go.example.com is bound to another Worker, and was not bound');
    expect(asked[0]).toBe(
      'go.example.com is bound to another Worker. Replace that, so that the service answers there?',
    );
  });
});
