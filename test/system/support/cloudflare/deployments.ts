import { ApiError } from './envelope.ts';
import {
  newUuid,
  now,
  type Deployment,
  type Script,
  type Share,
  type Source,
  type Version,
  versionOf,
} from './state.ts';

/** Which versions of a Worker get how much of the traffic. */

/** Divides the traffic. */
export interface Traffic {
  /**
   * The version that the next request or batch goes to; null without a deployment.
   *
   * @param overrides the header `Cloudflare-Workers-Version-Overrides`, such as `terse="VERSION ID"`
   */
  choose(script: Script, overrides?: string): Version | null;
}

/** @param rolloutVisits how many requests each deployment misses, which still go to the one before it */
export function createTraffic(rolloutVisits = 0): Traffic {
  const missed = new WeakMap<Deployment, number>();
  // A deployment reaches a data centre within seconds.
  const currentOf = ({ deployments }: Script): Deployment | undefined =>
    deployments.find((deployment, index) => {
      const count = missed.get(deployment) ?? 0;
      missed.set(deployment, count + 1);
      return count >= rolloutVisits || index === deployments.length - 1;
    });
  const shares = new WeakMap<Deployment, Map<string, number>>();
  return {
    choose(script, overrides = '') {
      const current = currentOf(script);
      if (current === undefined) return null;
      // A version that is not in the current deployment is ignored:
      // https://developers.cloudflare.com/workers/versions-and-deployments/version-overrides/
      const wanted = [...overrides.matchAll(/([\w*.-]+)\s*=\s*"([^"]*)"/g)].find(([, name]) => name === script.name);
      const pinned = current.versions.find(({ version_id }) => version_id === wanted?.[2]);
      if (pinned !== undefined) return versionOf(script, pinned.version_id);
      // Each version gets its part of any few requests, and not only of many, so that tests can count.
      const due = shares.get(current) ?? new Map<string, number>();
      shares.set(current, due);
      for (const { version_id: id, percentage } of current.versions) due.set(id, (due.get(id) ?? 0) + percentage);
      const [[next = '', share = 0] = []] = [...due].toSorted(([, a], [, b]) => b - a);
      due.set(next, share - 100);
      return versionOf(script, next);
    },
  };
}

/** Gives a version all of the traffic. */
export function deployVersion(script: Script, version: Version, source: Source, trigger: string): Deployment {
  return deploy(script, [{ version_id: version.id, percentage: 100 }], source, {
    ...version.annotations,
    'workers/triggered_by': trigger,
  });
}

/** Adds a deployment, which becomes the current one. */
export function deploy(
  script: Script,
  versions: readonly Share[],
  source: Source,
  annotations: Readonly<Record<string, string>>,
): Deployment {
  const deployment: Deployment = {
    id: newUuid(),
    created_on: now(),
    source,
    strategy: 'percentage',
    annotations,
    versions,
  };
  script.deployments.unshift(deployment);
  return deployment;
}

/**
 * Checks what a client wants to deploy: https://developers.cloudflare.com/workers/versions-and-deployments/. Throws if a
 * version does not exist (code 100146), if the percentages are wrong, and, unless forced, if secrets have changed since
 * (code 10220, which wrangler knows as `CANNOT_ROLLBACK_WITH_MODIFIED_SECERT_CODE`).
 */
export function checkShares(script: Script, shares: readonly Share[], isForced: boolean): void {
  const versions = shares.map(({ version_id: id }) => {
    const version = script.versions.find((each) => each.id === id);
    if (version === undefined) throw new ApiError(404, 100_146, `Version ${id} not found.`);
    return version;
  });
  const sum = shares.reduce((total, { percentage }) => total + percentage, 0);
  const isFair = shares.every(({ percentage }) => percentage >= 0 && percentage <= 100);
  if (shares.length === 0 || shares.length > 2 || !isFair || Math.abs(sum - 100) > 0.01) {
    throw new ApiError(400, 10021, `A deployment has one or two versions, with 100 % together; these have ${sum} %.`);
  }
  const changed = isForced ? [] : secretsChangedSince(script, versions);
  if (changed.length > 0) {
    throw new ApiError(400, 10220, `Secrets have changed. The following secrets have changed: ${changed.join(', ')}`);
  }
}

// Only for versions that are older than those that are deployed: a new version may bring new secrets.
function secretsChangedSince(script: Script, versions: readonly Version[]): string[] {
  const current = new Set(script.deployments[0]?.versions.map(({ version_id }) => version_id));
  const deployed = script.versions.filter(({ id }) => current.has(id));
  const newest = deployed.at(-1);
  if (newest === undefined) return [];
  const former = versions.filter(({ id, number }) => !current.has(id) && number < newest.number);
  const names = former.flatMap((version) => {
    const [before, after] = [secretsOf(version), secretsOf(newest)];
    return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));
  });
  return [...new Set(names)].sort();
}

/** The secrets of a version, by name. */
export function secretsOf(version: Version | undefined): Map<string, string> {
  const secrets = version?.bindings.filter(({ type }) => type === 'secret_text') ?? [];
  return new Map(secrets.map(({ name, text }) => [name, String(text)]));
}
