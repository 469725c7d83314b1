import { UsageError } from '../cli-error.ts';
import { readOldestMigration, type SendSql } from '../migrations/migrate.ts';
import type { Cloudflare } from './cloudflare.ts';
import { openRemoteSql } from './database.ts';
import type { Inventory } from './inventory.ts';
import { differenceOf } from './objects.ts';
import { logDeploy } from './operator-log.ts';
import type { Environment } from './project.ts';
import type { Report } from './report.ts';
import {
  areClassesChanged,
  areSecretsChanged,
  deployShares,
  readDeployments,
  readVersion,
  ROLLBACK,
  schemaOf,
  versionBefore,
  versionNamed,
} from './versions.ts';

interface RollbackOptions {
  /** The version to go back to; null for the one before. */
  readonly to: string | null;
  readonly isDryRun: boolean;
  readonly ask: (question: string) => Promise<boolean>;
  readonly report: Report;
}

/**
 * Gives all requests to a former version.
 * Throws a `UsageError` if the database no longer supports that version, or
 * Cloudflare allows none since a class of Durable Objects has changed.
 */
export async function rollBack(
  cloudflare: Cloudflare,
  environment: Environment,
  { databaseId, worker }: Inventory,
  { to, isDryRun, ask, report }: RollbackOptions,
): Promise<void> {
  if (!worker) throw new UsageError(`There is no Worker ${environment.worker}, and nothing was changed.`);
  const deployed = await readDeployments(cloudflare, environment);
  const version = to === null ? versionBefore(deployed) : versionNamed(deployed, to);
  const { message, classes } = await readVersion(cloudflare, environment, version);
  const oldest = databaseId === null ? 0 : await readOldestMigration(openRemoteSql(cloudflare, databaseId));
  if (schemaOf(message) < oldest) {
    throw new UsageError(
      `Version ${version} (${message ?? 'without a message'}) could only redirect on this database, which needs schema ${oldest}, and nothing was changed: deploy a newer version.`,
    );
  }
  const changed = differenceOf(classes, worker.classes);
  if (changed.length > 0) throw noRollback(version, message, `the Durable Objects ${changed.join(', ')}`);
  const deployIt = (options?: { readonly force: boolean }) =>
    deployShares(cloudflare, environment, [{ version, percent: 100 }], ROLLBACK, options);
  if (!isDryRun) {
    await deployIt().catch(async (error: unknown) => {
      if (areClassesChanged(error)) throw noRollback(version, message, 'Durable Objects', { cause: error });
      if (!areSecretsChanged(error)) throw error;
      const question = `Version ${version} restores secrets that were changed since. Give it all requests?`;
      if (await ask(question)) return deployIt({ force: true });
      throw new UsageError(
        `Version ${version} has secrets that were changed since, and nothing was changed: run the command in a terminal and agree, or deploy a newer version.`,
        { cause: error },
      );
    });
    if (databaseId !== null) await logRollback(openRemoteSql(cloudflare, databaseId), environment, message ?? version);
  }
  report.done(
    `Worker ${environment.worker}`,
    `version ${version} (${message ?? 'without a message'}) ${isDryRun ? 'would get' : 'gets'} all requests`,
  );
}

// The database of an earlier version has no such log, and a rollback is urgent.
async function logRollback(send: SendSql, environment: Environment, version: string): Promise<void> {
  try {
    await logDeploy(send, environment, 'rollback', version);
  } catch (cause) {
    console.error(`The rollback was not written to the operator's log: ${String(cause)}`);
  }
}

// Cloudflare would leave data without code. Source:
// https://developers.cloudflare.com/workers/versions-and-deployments/rollbacks/#bindings
function noRollback(version: string, message: string | null, what: string, options?: ErrorOptions): UsageError {
  return new UsageError(
    `Version ${version} (${message ?? 'without a message'}) is from before a change of ${what}, which has no rollback, and nothing was changed: deploy its code as a new version that has them, as docs/self-hosting.md says.`,
    options,
  );
}
