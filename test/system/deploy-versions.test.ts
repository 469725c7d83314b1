import { expect, it } from 'vitest';
import { findOldestMigration } from '../../scripts/migrations/migrate.ts';
import { SCHEMA_VERSION } from '../../src/database/schema-version.ts';
import { addMigration, changesOf, editBuilt, openBuiltDeploys, stepsOf, type Deploys } from './support/deploys.ts';

/** Versions that get some of the requests, all, or none again. */

const sharesOf = ({ cloudflare }: Deploys) =>
  (cloudflare.state.scripts.get('terse')?.deployments ?? [])
    .slice(0, 3)
    .map(({ versions }) => versions.map(({ percentage }) => percentage));
const current = ({ cloudflare }: Deploys) =>
  cloudflare.state.scripts.get('terse')?.deployments[0]?.versions[0]?.version_id;

it('a gradual deploy gives a new version some requests, tries it alone, gives it all, and goes back', async () => {
  const deploys = await openBuiltDeploys();
  const { cloudflare, deploy } = deploys;
  const first = await deploy('--gradual', '10');
  expect(first.stdout).toContain('There is no version yet, so the new one gets all requests at once.');
  const before = current(deploys);
  const links = () => cloudflare.rows('terse', 'SELECT id, deleted_at FROM links');
  const kept = await links();

  const second = await deploy('--gradual', '10');
  expect([second.code, second.stderr]).toEqual([0, '']);
  expect(sharesOf(deploys)).toEqual([[100], [10, 90], [100]]);
  const after = current(deploys);
  expect(after).not.toBe(before);
  expect(second.stdout).toContain(`version ${after} gets all requests`);
  // The link of the check is in a workspace of its own, and is deleted.
  const added = (await links()).filter(({ id }) => kept.every((link) => link['id'] !== id));
  expect(added).toEqual([{ id: expect.any(String), deleted_at: expect.any(Number) }]);
  const [checked] = await cloudflare.rows('terse', 'SELECT client_id FROM links WHERE deleted_at IS NOT NULL');
  expect(checked).toEqual({ client_id: 'terse-deploy' });

  const planned = await deploy('--rollback', '--dry-run');
  expect(stepsOf(planned)['Worker terse']).toMatch(`version ${before} `);
  expect(current(deploys)).toBe(after);
  const back = await deploy('--rollback');
  expect([back.code, back.stderr]).toEqual([0, '']);
  expect(current(deploys)).toBe(before);

  // A database that has moved on supports no write by that version.
  await deploy();
  await cloudflare.rows('terse', 'UPDATE schema_support SET oldest_migration = 9000');
  const refused = await deploy('--rollback');
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(
      /^Version \S+ \(Terse \S+, schema \d+\) could only redirect on this database, which needs schema 9000, and nothing was changed/,
    ),
  ]);
  expect(cloudflare.unknown).toEqual([]);
});

it.each([0, 8])(
  'a gradual deploy takes a version back that cannot create links, %i requests after its deployment',
  async (visits) => {
    const deploys = await openBuiltDeploys({ rolloutVisits: visits });
    const { cloudflare, deploy } = deploys;
    expect((await deploy()).code).toBe(0);
    const before = current(deploys);
    editBuilt(deploys, (module) => module.replaceAll(/(["'`])\/v1\/links\1/g, '"/v1/lynx"'));
    const { code, stderr } = await deploy('--gradual', '10');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^The new version does not create a link: \/v1\/links answered 4\d\d .*The version before gets all requests again\.\n$/s,
      ),
    ]);
    expect([sharesOf(deploys)[0], current(deploys)]).toEqual([[100], before]);
    expect(cloudflare.unknown).toEqual([]);
  },
);

it('a gradual deploy refuses to give some requests to a version whose migrations stop the writes of the one before', async () => {
  const deploys = await openBuiltDeploys();
  const { folder, cloudflare, deploy } = deploys;
  expect((await deploy()).code).toBe(0);
  addMigration(folder, `UPDATE schema_support SET oldest_migration = ${SCHEMA_VERSION + 1}`);
  const before = cloudflare.requests.length;
  const { code, stderr } = await deploy('--gradual', '10');
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(
      new RegExp(
        String.raw`^Version \S+ \(Terse \S+, schema ${SCHEMA_VERSION}\) could only redirect on the new database, which needs ` +
          String.raw`schema ${SCHEMA_VERSION + 1}, and nothing was changed: deploy without --gradual\.\n$`,
      ),
    ),
  ]);
  expect(changesOf(cloudflare, before)).toEqual([]);
  expect(await cloudflare.rows('terse', 'SELECT oldest_migration FROM schema_support')).toEqual([
    { oldest_migration: await findOldestMigration() },
  ]);
});

it('a gradual deploy goes back to a version that is named, since a bad one may have been deployed twice', async () => {
  const deploys = await openBuiltDeploys();
  const { deploy } = deploys;
  expect((await deploy()).code).toBe(0);
  const good = current(deploys);
  expect((await deploy()).code).toBe(0);
  const bad = current(deploys);
  expect((await deploy()).code).toBe(0);
  const worse = current(deploys);
  expect((await deploy('--rollback')).code).toBe(0);
  expect(current(deploys)).toBe(bad);
  const again = await deploy('--rollback');
  expect([again.code, again.stderr]).toEqual([
    2,
    `Version ${bad} was rolled back to already, and nothing was changed: deploy a newer version, or go further back with --rollback --to ${good}.\n`,
  ]);
  expect((await deploy('--rollback', '--to', String(good))).code).toBe(0);
  expect(current(deploys)).toBe(good);
  expect((await deploy('--rollback', '--to', 'none')).stderr).toBe(
    `--to names a version that had all requests before: ${bad} or ${worse}.\n`,
  );
});

it('a gradual deploy has no version to go back to after the first deploy, and refuses a gradual change of domains', async () => {
  const deploys = await openBuiltDeploys({ zones: ['example.com'] });
  const { cloudflare, deploy } = deploys;
  expect((await deploy('--rollback')).stderr).toBe('There is no Worker terse, and nothing was changed.\n');
  expect((await deploy()).code).toBe(0);
  expect((await deploy('--rollback')).stderr).toBe('There is no version before this one, and nothing was changed.\n');
  const { code, stderr } = await deploy('--gradual', '10', '--domain', 'go.example.com');
  expect([code, stderr]).toEqual([
    2,
    '--gradual changes no domains: deploy once with --domain or --drop-domain alone.\n',
  ]);

  // A version with former secrets comes back only with consent.
  const keys = { name: 'TOKEN_KEYS', type: 'secret_text', text: cloudflare.secrets('terse').get('TOKEN_KEYS') + ' ' };
  expect((await cloudflare.call('PUT', '/accounts/:account/workers/scripts/terse/secrets', keys)).status).toBe(200);
  const now = current(deploys);
  expect((await deploy('--rollback')).stderr).toMatch(
    /^Version \S+ has secrets that were changed since, and nothing was changed: run the command in a terminal and agree/,
  );
  expect(current(deploys)).toBe(now);
});
