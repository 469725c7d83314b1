import * as z from 'zod';
import { UsageError } from '../cli-error.ts';
import { CloudflareError, type Cloudflare } from './cloudflare.ts';
import type { Environment } from './project.ts';

/**
 * The versions of the Worker, and which of them get requests. Source:
 * https://developers.cloudflare.com/api/resources/workers/subresources/scripts/subresources/deployments/
 */

const versions = z.array(z.looseObject({ version_id: z.string(), percentage: z.number() }));
const deployment = z.looseObject({ versions, annotations: z.record(z.string(), z.unknown()).optional() });
const deployments = z.looseObject({ deployments: z.array(deployment) });

/** A version with its share of requests in percent. */
interface Share {
  readonly version: string;
  readonly percent: number;
}

/** The division of requests among versions. */
export interface Deployment {
  readonly shares: readonly Share[];
  readonly message: string | null;
}

const MESSAGE = 'workers/message';

const pathOf = ({ accountId }: Cloudflare, { worker }: Environment) =>
  `/accounts/${accountId}/workers/scripts/${worker}/deployments`;

/** The last deployments, newest first. */
export async function readDeployments(
  cloudflare: Cloudflare,
  environment: Environment,
): Promise<readonly Deployment[]> {
  const found = await cloudflare.get(pathOf(cloudflare, environment), deployments);
  return found.deployments.map(({ versions: shares, annotations }) => ({
    shares: shares.map(({ version_id, percentage }) => ({ version: version_id, percent: percentage })),
    message: typeof annotations?.[MESSAGE] === 'string' ? annotations[MESSAGE] : null,
  }));
}

/**
 * Divides the requests among versions.
 *
 * @param force whether a version with former values of secrets is allowed
 */
export async function deployShares(
  cloudflare: Cloudflare,
  environment: Environment,
  shares: readonly Share[],
  message: string,
  { force = false } = {},
): Promise<void> {
  const body = {
    strategy: 'percentage',
    versions: shares.map(({ version, percent }) => ({ version_id: version, percentage: percent })),
    annotations: { [MESSAGE]: message },
  };
  await cloudflare.send('POST', pathOf(cloudflare, environment) + (force ? '?force=true' : ''), body, z.unknown());
}

/**
 * Sets what Cloudflare logs, which all versions share. wrangler does so too, but ignores a failure, and leaves it out for a
 * version that gets no requests yet. Source:
 * https://developers.cloudflare.com/api/resources/workers/subresources/scripts/subresources/script_and_version_settings/
 */
export async function setLogs(
  { accountId, send }: Cloudflare,
  { worker }: Environment,
  observability: object,
): Promise<void> {
  const path = `/accounts/${accountId}/workers/scripts/${worker}/script-settings`;
  await send('PATCH', path, { observability }, z.unknown());
}

// The code that wrangler knows for it.
const SECRETS_CHANGED = 10220;

/** True if a deployment was refused since the version has other secrets than the present one. */
export const areSecretsChanged = (error: unknown): boolean =>
  error instanceof CloudflareError && error.code === SECRETS_CHANGED;

// The code that wrangler knows for it.
const CLASSES_CHANGED = 100_402;

/** True if a deployment was refused since the version has other classes of Durable Objects than the Worker. */
export const areClassesChanged = (error: unknown): boolean =>
  error instanceof CloudflareError && error.code === CLASSES_CHANGED;

/** The message of a deployment by a rollback. */
export const ROLLBACK = 'rollback';

// Versions that share the requests are being tried.
const ofAll = ({ shares }: Deployment): string | null => (shares.length === 1 ? (shares[0]?.version ?? null) : null);

/** The version that last got all requests. Throws a `UsageError` if there is none. */
export function trustedVersion(deployed: readonly Deployment[]): string {
  const trusted = deployed.map(ofAll).find((version) => version !== null);
  if (trusted) return trusted;
  throw new UsageError('No version has ever had all requests: run "npm run deploy" without --gradual and --rollback.');
}

/**
 * The version that a rollback leads to: the last one with all requests, if several share them now, else the one before
 * it. Throws a `UsageError` if there is none, or if the last deployment was a rollback, so that a repeated command does
 * not go further back than the first.
 */
export function versionBefore(deployed: readonly Deployment[]): string {
  const [now] = deployed;
  const trusted = trustedVersion(deployed);
  if (now && ofAll(now) === null) return trusted;
  const former = (from: number) =>
    deployed
      .slice(from)
      .map(ofAll)
      .find((version) => version && version !== trusted);
  if (now?.message === ROLLBACK) {
    const further = former(deployed.findLastIndex((each) => ofAll(each) === trusted));
    const hint = further ? `, or go further back with --rollback --to ${further}` : '';
    throw new UsageError(
      `Version ${trusted} was rolled back to already, and nothing was changed: deploy a newer version${hint}.`,
    );
  }
  const before = former(0);
  if (before) return before;
  throw new UsageError('There is no version before this one, and nothing was changed.');
}

/** Returns a version that had all requests before. Throws a `UsageError` if the named one is none. */
export function versionNamed(deployed: readonly Deployment[], name: string): string {
  const [now, ...former] = deployed.map(ofAll);
  const others = [...new Set(former.flatMap((version) => (version === null || version === now ? [] : [version])))];
  if (others.includes(name)) return name;
  if (others.length === 0) throw new UsageError('There is no version before this one, and nothing was changed.');
  const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(others);
  throw new UsageError(`--to names a version that had all requests before: ${names}.`);
}

const binding = z.looseObject({
  type: z.string(),
  class_name: z.string().optional(),
  script_name: z.string().optional(),
});
const version = z.looseObject({
  annotations: z.record(z.string(), z.unknown()).optional(),
  resources: z.looseObject({ bindings: z.array(binding).default([]) }),
});

/** The properties with which a version was uploaded. */
interface Version {
  readonly message: string | null;
  /** The classes of its Durable Objects, each of which has a binding here. */
  readonly classes: readonly string[];
}

/** Reads a version. */
export async function readVersion(
  { accountId, get }: Cloudflare,
  { worker }: Environment,
  id: string,
): Promise<Version> {
  const { annotations, resources } = await get(
    `/accounts/${accountId}/workers/scripts/${worker}/versions/${id}`,
    version,
  );
  const message = annotations?.[MESSAGE];
  const own = resources.bindings.filter(
    ({ type, script_name = worker }) => type === 'durable_object_namespace' && script_name === worker,
  );
  return {
    message: typeof message === 'string' ? message : null,
    classes: own.flatMap(({ class_name: name }) => name ?? []),
  };
}

/** The schema of the code of a version, which its message names. */
export function schemaOf(message: string | null): number {
  // Versions before 1.2.0 do not say it.
  return Number(/schema (\d+)/.exec(message ?? '')?.[1] ?? 1);
}
