import { UsageError } from '../cli-error.ts';
import { findOldestMigration } from '../migrations/migrate.ts';
import type { Cloudflare } from './cloudflare.ts';
import { hostOf, type Domains } from './domains.ts';
import type { Inventory } from './inventory.ts';
import { changedClasses } from './objects.ts';
import type { DeployOptions } from './options.ts';
import type { Environment, Project } from './project.ts';
import { readDeployments, readVersion, schemaOf, trustedVersion } from './versions.ts';

/**
 * The share of requests that the new version gets first, in percent; null for all at once. Versions that share the requests
 * must share the origin and the classes of Durable Objects: throws a `UsageError` if they would not.
 */
export function gradualOf(
  { gradual, domains: added, dropped }: DeployOptions,
  project: Project,
  { worker }: Inventory,
  { own }: Domains,
): number | null {
  if (gradual === null) return null;
  if (added.length + dropped.length > 0) {
    throw new UsageError('--gradual changes no domains: deploy once with --domain or --drop-domain alone.');
  }
  if (!worker) {
    console.log('There is no version yet, so the new one gets all requests at once.');
    return null;
  }
  const changed = changedClasses(project, worker);
  if (changed.length > 0) {
    console.log(
      `This version changes the Durable Objects ${changed.join(', ')}, so it gets all requests at once, and cannot be rolled back.`,
    );
    return null;
  }
  if (own !== null && own !== hostOf(worker.vars['PUBLIC_URL'])) {
    throw new UsageError('--gradual does not change the origin of short links: deploy once without it.');
  }
  return gradual;
}

/** Throws a `UsageError` if the version that has all requests could not write to the database after the migrations. */
export async function checkGradual(cloudflare: Cloudflare, environment: Environment): Promise<void> {
  const before = trustedVersion(await readDeployments(cloudflare, environment));
  const { message } = await readVersion(cloudflare, environment, before);
  const oldest = await findOldestMigration();
  if (schemaOf(message) >= oldest) return;
  throw new UsageError(
    `Version ${before} (${message ?? 'without a message'}) could only redirect on the new database, which needs schema ${oldest}, and nothing was changed: deploy without --gradual.`,
  );
}
