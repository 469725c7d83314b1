import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readMigrations } from '../../scripts/migrations/files.ts';
import { findOldestMigration, migrate } from '../../scripts/migrations/migrate.ts';
import { addDays, dayOf } from '../../src/time/day.ts';
import type { Answer } from '../scripts/support/server.ts';
import { changesOf, openBuiltDeploys, stepsOf, type Deploys } from './support/deploys.ts';
import { deployRelease } from './support/release-account.ts';
import { migrationsOfMover, moveClicksAt } from './support/moved-clicks.ts';
import { arrivalAt, clickMover, keyOf, lastReleaseWithout, newestRelease, versionMessage } from './support/releases.ts';

/**
 * From a release without Durable Objects, which was deployed by hand, to this version and back, then forward by the
 * release before: without clicks directly, and with clicks by way of the release that moves them.
 */

const release = lastReleaseWithout('ClientStatistics');
const before = newestRelease();
const { known } = release;
const [HOST, CUSTOMER] = ['go.example.com', 'go.acme.example'];
const SITE = `https://${HOST}`;
const link = known.links.find(({ state, customDomain }) => state === 'active' && customDomain === null)!;
const { clientId } = link;
const [user] = known.users as [(typeof known.users)[number]];

it(`a deploy takes over what ${release.version} has, goes back to its code, forward by ${before.version}, and not back to that`, async () => {
  const deploys = await openBuiltDeploys({ zones: ['example.com', 'acme.example'] });
  const { folder, cloudflare, deploy } = deploys;
  const { databaseId, namespaceId, deployFormer } = await deployRelease(deploys, release, [HOST, CUSTOMER]);
  await expectLinks(deploys);
  const token = await signIn(deploys);
  const from = cloudflare.requests.length;
  const queues = cloudflare.state.queues.map(({ queue_id }) => queue_id);

  const forward = await deploy();
  expect([forward.code, forward.stderr]).toEqual([0, '']);
  const names = readMigrations().map(({ name }) => name);
  expect(stepsOf(forward)).toMatchObject({
    account: `Example (${cloudflare.state.id})`,
    'database terse': 'is there',
    'KV namespace terse-links': 'is there',
    'queue terse-clicks': 'is there',
    'queue terse-clicks-dead': 'now keeps messages for 14 days',
    'queue terse-webhooks': 'created',
    migrations: `The database is upgraded: ${names.map((name) => name.replace('.sql', '')).join(', ')}.`,
    replicas: 'turned on',
    'signing keys': 'are there',
    'keys for webhooks': 'created',
    'Worker terse': 'replaced',
    'Durable Objects': 'changed: ClientStatistics, LinkLimit; there is no rollback across it',
    'domain go.example.com': 'is bound',
    'domain go.acme.example': 'is bound',
  });
  expect(
    changesOf(cloudflare, from).filter((change) => /d1\/database$|namespaces$|queues$|import$/.test(change)),
  ).toEqual(['POST /accounts/*/queues']);
  expect({
    databases: cloudflare.state.databases.map(({ uuid }) => uuid),
    namespaces: cloudflare.state.namespaces.map(({ id }) => id),
    queues: cloudflare.state.queues.map(({ queue_id, settings }) => [queue_id, settings.message_retention_period]),
    domains: cloudflare.state.domains.map(({ hostname }) => hostname),
    keys: cloudflare.secrets('terse').get('TOKEN_KEYS'),
    publicUrl: bindingOf(deploys, 'PUBLIC_URL')?.['text'],
    kept: JSON.parse(readFileSync(join(folder, 'domains.json'), 'utf8')),
  }).toEqual({
    databases: [databaseId],
    namespaces: [namespaceId],
    queues: [
      [queues[0], 345_600],
      [queues[1], 14 * 24 * 3600],
      [expect.any(String), 345_600],
    ],
    domains: [HOST, CUSTOMER],
    keys: known.tokenKeys,
    publicUrl: SITE,
    kept: { production: [HOST, CUSTOMER] },
  });
  // The service has accounts, and its keys are known.
  expect(['first-account.json', 'token-keys.json'].filter((file) => existsSync(join(folder, file)))).toEqual([]);
  expect(forward.stdout).not.toMatch(/account was created|token-keys/);
  await expectLinks(deploys);
  await expectService(deploys, token, 'this version');

  const back = await deploy('--rollback');
  const { versions, deployments } = cloudflare.state.scripts.get('terse')!;
  const refusal = `Version ${versions[0]?.id} (without a message) could only redirect on this database, which needs schema ${await findOldestMigration()}, and nothing was changed: deploy a newer version.\n`;
  expect([back.code, back.stderr]).toEqual([2, refusal]);
  expect(deployments[0]?.versions).toEqual([{ version_id: versions.at(-1)?.id, percentage: 100 }]);
  // Its code can only redirect, since it reads clicks from tables that were dropped.
  await deployFormer(release);
  await expectLinks(deploys);

  const objects = structuredClone(cloudflare.state.objectNamespaces);
  await deployFormer(before, versionMessage(before));
  const former = versions.at(-1)?.id;
  // As an operator may have left it, who had written into it what the README of that version said.
  const toml = join(folder, 'wrangler.toml');
  const settings = readFileSync(toml, 'utf8')
    .replace('binding = "LINKS"', `binding = "LINKS"\nid = "${namespaceId}"`)
    .replace('PUBLIC_URL = ""', `PUBLIC_URL = "${SITE}"`);
  writeFileSync(toml, settings);
  const again = await deploy();
  expect([again.code, again.stderr]).toEqual([0, '']);
  expect(stepsOf(again)).toMatchObject({ migrations: 'none is pending', 'KV namespace terse-links': 'is there' });
  expect(stepsOf(again)).not.toHaveProperty('Durable Objects');
  expect([cloudflare.state.databases, cloudflare.state.namespaces]).toMatchObject([[{}], [{}]]);
  await expectLinks(deploys);
  await expectService(deploys, token, 'this version, again');

  const newest = [{ version_id: versions.at(-1)?.id, percentage: 100 }];
  const undone = await deploy('--rollback');
  expect([undone.code, undone.stderr]).toEqual([
    2,
    `Version ${former} (${versionMessage(before)}) could only redirect on this database, which needs schema ${await findOldestMigration()}, and nothing was changed: deploy a newer version.\n`,
  ]);
  expect(deployments[0]?.versions).toEqual(newest);
  expect(cloudflare.state.objectNamespaces).toEqual(objects);
  expect(cloudflare.unknown).toEqual([]);
});

it(`a deploy refuses the clicks of ${release.version}, until ${clickMover.version} has moved them, and keeps them`, async () => {
  const deploys = await openBuiltDeploys({ zones: ['example.com', 'acme.example'] });
  const { cloudflare, deploy } = deploys;
  const { databaseId, deployFormer } = await deployRelease(deploys, release, [HOST, CUSTOMER], { withClicks: true });
  const query = async (batch: readonly string[]) => {
    const body = { batch: batch.map((sql) => ({ sql })) };
    const path = `/accounts/:account/d1/database/${databaseId}/query`;
    const { success, errors, result } = await cloudflare.call('POST', path, body);
    if (!success) throw new Error(JSON.stringify(errors));
    return (result as { readonly results: unknown[] }[]).map(({ results }) => results);
  };
  const rows = () => query(['SELECT * FROM sqlite_schema', 'SELECT * FROM click_days', 'SELECT * FROM links']);
  const refuse = async (...args: readonly string[]) => {
    const [from, before] = [cloudflare.requests.length, await rows()];
    const { code, stderr } = await deploy(...args);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^The clicks .* are not moved yet \(of acme, globex\), and nothing was changed: run version 1\.3\.0 /,
      ),
    ]);
    expect(changesOf(cloudflare, from)).toEqual([]);
    expect(await rows()).toEqual(before);
  };
  for (const args of [[], ['--dry-run'], ['--gradual', '10']]) await refuse(...args);

  await migrate(query, migrationsOfMover);
  await deployFormer(clickMover, versionMessage(clickMover));
  await refuse();
  const visit = (url: string, { headers }: { readonly headers: Readonly<Record<string, string>> }) =>
    cloudflare.visit(url, { headers });
  await moveClicksAt(SITE, release, visit);
  const { code, stderr, ...outcome } = await deploy();
  expect([code, stderr]).toEqual([0, '']);
  expect(stepsOf({ code, stderr, ...outcome })['migrations']).toMatch(
    /^The database is upgraded: .*0020_former_clicks/,
  );
  const day = dayOf(Date.parse(known.createdAt));
  for (const [client, { clicks }] of Object.entries(known.clients)) {
    const { body } = await cloudflare.visit(`${SITE}/v1/stats?from=${day}&to=${addDays(day, 1)}`, {
      headers: keyOf(known, client),
    });
    expect([client, JSON.parse(body)]).toMatchObject([client, clicks]);
  }
  expect(cloudflare.unknown).toEqual([]);
});

function bindingOf({ cloudflare }: Deploys, name: string) {
  return cloudflare.state.scripts
    .get('terse')
    ?.versions.at(-1)
    ?.bindings.find((each) => each.name === name);
}

/** Follows every known link on its domain, as a browser that loads a page in advance, which is no click. */
async function expectLinks({ cloudflare }: Deploys): Promise<void> {
  const headers = { 'Sec-Purpose': 'prefetch' };
  const follow = async (host: string | null, slug: string) => {
    const { status, headers: answered } = await cloudflare.visit(`https://${host ?? HOST}/${slug}`, { headers });
    return [status, answered['location']];
  };
  for (const each of known.links) {
    for (const slug of [each.slug, ...each.aliases]) {
      expect([each.name, ...(await follow(each.customDomain, slug))]).toEqual([each.name, ...arrivalAt(each)]);
    }
  }
}

async function signIn({ cloudflare }: Deploys): Promise<string> {
  const headers = { Authorization: `Basic ${btoa(`${user.name}:${user.password}`)}` };
  const answer = await cloudflare.visit(`${SITE}/tokens/create_token`, { headers });
  expect(answer.status).toBe(201);
  return JSON.parse(answer.body).access_token;
}

/** Creates, follows and edits a link, and signs in to the API and to the pages; an earlier token still works. */
async function expectService(deploys: Deploys, token: string, by: string): Promise<void> {
  const { cloudflare } = deploys;
  const key = keyOf(known, clientId);
  const json = ({ status, body }: Answer) => [status, JSON.parse(body)];
  const url = (text: string) => `https://example.com/${encodeURIComponent(`${text} by ${by}`)}`;

  const form = new FormData();
  form.set('client_id', clientId);
  form.set('url', url('created'));
  const multipart = new Response(form);
  const created = await cloudflare.visit(`${SITE}/v1/links`, {
    method: 'POST',
    headers: { ...key, 'Content-Type': multipart.headers.get('Content-Type') ?? '' },
    body: await multipart.text(),
  });
  expect(json(created)).toEqual([200, expect.anything()]);
  const { id, short_url } = JSON.parse(JSON.parse(created.body).result);
  expect(short_url).toBe(`${SITE}/${id}`);
  expect(await cloudflare.visit(short_url)).toMatchObject({ status: 302, headers: { location: url('created') } });
  const edited = await cloudflare.visit(`${SITE}/v1/links/${id}`, {
    method: 'PATCH',
    headers: { ...key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: url('edited') }),
  });
  expect(json(edited)).toMatchObject([200, { id, url: url('edited') }]);
  expect(await cloudflare.visit(short_url)).toMatchObject({ status: 302, headers: { location: url('edited') } });

  for (const each of [token, await signIn(deploys)]) {
    const headers = { Authorization: `Bearer ${each}` };
    expect((await cloudflare.visit(`${SITE}/tokens/token_info`, { headers })).status).toBe(200);
    expect(json(await cloudflare.visit(`${SITE}/v1/links/${id}`, { headers }))).toMatchObject([200, { id }]);
  }
  const path = `/platform/c/${clientId}/links`;
  const signedIn = await cloudflare.visit(`${SITE}/platform/sign-in`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: SITE },
    body: new URLSearchParams({ name: user.name, password: user.password, next: path }).toString(),
  });
  expect(signedIn).toMatchObject({ status: 303, headers: { location: path } });
  const [cookie = ''] = (signedIn.headers['set-cookie'] as string[]).map((each) => each.split(';', 1)[0]);
  const page = await cloudflare.visit(`${SITE}${path}`, { headers: { Cookie: cookie } });
  expect([page.status, page.body.includes(`/${id}`)]).toEqual([200, true]);
}
