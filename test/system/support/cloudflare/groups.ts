import type { Miniflare } from 'miniflare';
import { versionOf, type Account, type Script, type Version } from './state.ts';

/**
 * The versions of a Worker that has Durable Objects. Two processes on one SQLite file fail each other, so all versions
 * that share the requests run in one workerd, and one of them has the objects.
 */
interface Group {
  /** The first one has the objects. */
  readonly versions: readonly Version[];
  readonly miniflare: Promise<Miniflare>;
}

interface Groups {
  /** The group in which a version answers. Ends the former one if its objects have other code than they should. */
  of(account: Account, script: Script, version: Version): Group;
  close(): Promise<void>;
}

/** @param run starts versions, whose objects have their data in the named folder */
export function createGroups(
  run: (account: Account, versions: readonly Version[], folder: string) => Promise<Miniflare>,
): Groups {
  const groups = new Map<Script, Group>();

  return {
    of(account, script, version) {
      const former = groups.get(script);
      if (former !== undefined && isRight(former, script, version)) return former;
      const deployed = deployedOf(script);
      const versions = deployed.includes(version) ? deployed : [version];
      const ended = former?.miniflare.then((miniflare) => miniflare.dispose()).catch(() => {});
      const miniflare = Promise.resolve(ended).then(() => run(account, versions, script.tag));
      const group = { versions, miniflare };
      groups.set(script, group);
      // The next request starts it again.
      miniflare.catch(() => groups.get(script) === group && groups.delete(script));
      return group;
    },

    async close() {
      await Promise.allSettled([...groups.values()].map(async ({ miniflare }) => (await miniflare).dispose()));
    },
  };
}

// A request that misses the newest deployment goes to a version of the one before, whose objects are still there.
function isRight({ versions }: Group, script: Script, version: Version): boolean {
  const deployed = deployedOf(script);
  return versions.includes(version) && (!deployed.includes(version) || versions[0] === deployed[0]);
}

/**
 * The versions that get requests, that with the largest share first: Cloudflare gives each object one of them, and most
 * objects that one. Source:
 * https://developers.cloudflare.com/workers/versions-and-deployments/gradual-deployments/with-durable-objects/
 */
function deployedOf(script: Script): Version[] {
  const shares = script.deployments[0]?.versions ?? [];
  return shares.toSorted((a, b) => b.percentage - a.percentage).map(({ version_id: id }) => versionOf(script, id));
}
