import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changesOf, editBuilt, openBuiltDeploys, stepsOf, type Deploys } from './support/deploys.ts';
import { deployRelease, emptyClass } from './support/release-account.ts';
import { lastReleaseWithout } from './support/releases.ts';

/** Deploys that change the classes of Durable Objects. */

const NEW = `
[[durable_objects.bindings]]
name = "NEW"
class_name = "NewObject"

[exports.NewObject]
type = "durable-object"
storage = "sqlite"
`;

/** Adds a class to a built Worker. Returns a function that takes it from the settings. */
function addClass(deploys: Deploys): () => void {
  const toml = join(deploys.folder, 'wrangler.toml');
  const settings = readFileSync(toml, 'utf8');
  appendFileSync(toml, NEW);
  editBuilt(deploys, (module) => module + emptyClass('NewObject'));
  return () => writeFileSync(toml, settings);
}

it('a deploy gives a version with a new class all requests at once, and refuses what Cloudflare would refuse later', async () => {
  const deploys = await openBuiltDeploys();
  const { cloudflare, deploy } = deploys;
  const classes = () => cloudflare.state.objectNamespaces.map((namespace) => namespace.class);
  const first = await deploy();
  expect(stepsOf(first)['Durable Objects']).toBe('created: ClientStatistics, LinkLimit');
  const removeClass = addClass(deploys);
  const planned = await deploy('--dry-run');
  expect(stepsOf(planned)['Durable Objects']).toBe('would be changed: NewObject; then there is no rollback');
  expect(classes()).toEqual(['ClientStatistics', 'LinkLimit']);

  // The one that would be advised otherwise.
  cloudflare.failVisitAt(({ path }) => path === '/v1/links');
  const second = await deploy('--gradual', '10');
  expect(second.stdout).toContain(
    'This version changes the Durable Objects NewObject, so it gets all requests at once, and cannot be rolled back.\n',
  );
  expect(stepsOf(second)['Durable Objects']).toBe('changed: NewObject; there is no rollback across it');
  expect([second.code, second.stderr]).toEqual([
    2,
    'The new version does not create a link: /v1/links answered 500 (error code: 1101). Run the same command again to continue.\n',
  ]);
  expect(classes()).toEqual(['ClientStatistics', 'LinkLimit', 'NewObject']);
  const shares = () => cloudflare.state.scripts.get('terse')?.deployments[0]?.versions;
  const [before, after] = cloudflare.state.scripts.get('terse')?.versions.map(({ id }) => id) ?? [];
  expect(shares()).toEqual([{ version_id: after, percentage: 100 }]);

  const from = cloudflare.requests.length;
  const REFUSED = new RegExp(
    String.raw`^Version ${before} \(Terse \S+, schema \d+\) is from before a change of the Durable Objects NewObject, which has no rollback, and nothing was changed: deploy its code as a new version that has them, as docs/self-hosting\.md says\.\n$`,
  );
  const back = await deploy('--rollback');
  expect([back.code, back.stderr]).toEqual([2, expect.stringMatching(REFUSED)]);
  removeClass();
  const without = await deploy();
  expect([without.code, without.stderr]).toEqual([
    2,
    'The Worker terse has the Durable Objects NewObject, which wrangler.toml does not declare, and nothing was changed: keep them, as docs/self-hosting.md says of a return to former code.\n',
  ]);
  expect(changesOf(cloudflare, from)).toEqual([]);
  expect(cloudflare.unknown).toEqual([]);
});

it('a deploy refuses a change of a class that only Cloudflare knows of', async () => {
  const { cloudflare, deploy } = await openBuiltDeploys();
  expect((await deploy()).code).toBe(0);
  // A second version.
  const secret = { name: 'OTHER', type: 'secret_text', text: 'a' };
  const { success } = await cloudflare.call('PUT', '/accounts/:account/workers/scripts/terse/secrets', secret);
  expect(success).toBe(true);
  cloudflare.failAt(({ method, path }) => method === 'POST' && path.endsWith('/deployments'), {
    answer: { status: 400, code: 100_402, message: 'Durable Object exports reconciliation failed' },
  });
  const { code, stderr } = await deploy('--rollback');
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^Version \S+ \(.+\) is from before a change of Durable Objects, which has no rollback, and/),
  ]);
});

it('a deploy takes over the last release without LinkLimit, whose code runs again only with that class', async () => {
  const release = lastReleaseWithout('LinkLimit');
  const deploys = await openBuiltDeploys({ zones: ['example.com'] });
  const { cloudflare, deploy } = deploys;
  const { deployFormer } = await deployRelease(deploys, release, ['go.example.com']);
  const forward = await deploy('--gradual', '10');
  expect([forward.code, forward.stderr]).toEqual([0, '']);
  expect(forward.stdout).toContain(
    'This version changes the Durable Objects LinkLimit, so it gets all requests at once, and cannot be rolled back.\n',
  );
  expect(stepsOf(forward)['Durable Objects']).toBe('changed: LinkLimit; there is no rollback across it');
  const back = await deploy('--rollback');
  const refusal = '(without a message) could only redirect on this database, which needs schema ';
  expect([back.code, back.stderr]).toEqual([2, expect.stringContaining(refusal)]);
  await deployFormer(release);
  const again = await deploy();
  expect([again.code, stepsOf(again)['Durable Objects']]).toEqual([0, undefined]);
  expect(cloudflare.unknown).toEqual([]);
});
