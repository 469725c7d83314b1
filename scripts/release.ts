import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  changesSinceRelease,
  currentDocument,
  keepDocument,
  readChangelog,
  setPackageVersion,
  writeChangelog,
} from './changelog/files.ts';
import { objectOf } from './changelog/json.ts';
import { canonicalEntries, freeze } from './changelog/release.ts';
import { run, UsageError } from './cli-error.ts';

/**
 * `npm run release [-- X.Y.Z]`: gives the unreleased changes a version and today's date, stores the API document of
 * that version, and puts the version into package.json. Commits nothing. `npm run release` then runs `types.ts` and
 * `release-fixture.ts`, which need the new version.
 */

if (import.meta.main) await run(async () => release(process.cwd(), process.argv.slice(2)));

/**
 * Runs the tool. Throws `UsageError`.
 *
 * @param root the project's folder
 */
export function release(root: string, args: readonly string[]): void {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
  const [wanted, ...more] = positionals;
  if (more.length > 0) throw new UsageError('npm run release takes one version at most: npm run release -- 1.2.0');
  refuseUncommitted(root);
  const changelog = readChangelog(root);
  const document = currentDocument();
  if (canonicalEntries(changesSinceRelease(root, document)) !== canonicalEntries(changelog.unreleased)) {
    throw new UsageError(
      'The changelog does not match the API document: run "npm run changelog" and commit, then try again.',
    );
  }
  const released = freeze(changelog, new Date().toISOString().slice(0, 10), wanted);
  const version = released.releases[0]?.version ?? '';
  // The document contains the version.
  keepDocument(root, version, { ...document, info: { ...objectOf(document['info']), version } });
  setPackageVersion(root, version);
  writeChangelog(root, released);
  console.log(
    `${version} is released. Commit it when its fixture is created: git add --all && git commit -m 'chore: release ${version}'`,
  );
}

// A release must describe what is in its commit.
function refuseUncommitted(root: string): void {
  if (!existsSync(`${root}/.git`)) return;
  const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (changed !== '') throw new UsageError(`There are uncommitted changes:\n${changed.trimEnd()}`);
}
