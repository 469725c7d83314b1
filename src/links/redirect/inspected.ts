import type { Database } from '../../database/database.ts';
import type { Language } from '../../languages/list.ts';
import type { Address, Target } from '../link.ts';
import { isOnWeb } from '../destinations/web-url.ts';
import { endingNow } from './ending.ts';
import { findInspected } from './target-store.ts';

/** The facts that anyone may see of a link without following it. */
interface Inspected {
  /** Null if the operator has blocked its host. */
  readonly url: string | null;
  /** True if rules, variants or the fallback lead some visitors elsewhere. */
  readonly leadsElsewhere: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The language that the owner has chosen for visitors, if there is one. */
  readonly language: Language | undefined;
}

/**
 * Inspects the link at an address; null if there is none, or none that may be inspected: its owner has said so, it has a
 * password or a click limit, it has not started, or it is no longer available.
 */
export async function inspectLink(db: Database, address: Address): Promise<Inspected | null> {
  const found = await findInspected(db, address);
  if (found === null || !isInspectable(found.target)) return null;
  const { url, ending, extras } = found.target;
  return {
    url: ending === 'blocked' ? null : url,
    leadsElsewhere:
      extras?.rules !== undefined ||
      extras?.variants !== undefined ||
      (extras?.fallback !== undefined && !isOnWeb(url)),
    createdAt: found.createdAt,
    language: extras?.language,
  };
}

function isInspectable(target: Target): boolean {
  const ending = endingNow(target);
  if (ending !== null && ending !== 'blocked') return false;
  const { inspectable = true, passwordAt, maxClicks, startsAt = 0 } = target.extras ?? {};
  return inspectable && passwordAt === undefined && maxClicks === undefined && startsAt <= Date.now();
}
