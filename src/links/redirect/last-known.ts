import type { FoundTarget } from '../link.ts';
import { keyOf } from './cache.ts';
import type { DatabaseOutage, Memory } from './memory.ts';
import type { RequestedPath } from './target-store.ts';

/**
 * Finds the link of a path that memory had when the database stopped responding. Memory remembers it anew, so that the
 * next visits read no store.
 */
export function findLastKnown(
  { outage, targets }: { readonly outage: DatabaseOutage; readonly targets: Memory },
  { host, slug, prefixes }: RequestedPath,
): FoundTarget | null {
  const { since } = outage;
  if (since === null) return null;
  const findAt = (slug: string) => {
    const key = keyOf({ host, slug });
    const target = targets.findFrom(key, since);
    return target && { slug, target: targets.remember(key, target) };
  };
  const whole = slug === null ? null : findAt(slug);
  if (whole !== null) return { ...whole, prefix: null };
  for (const prefix of prefixes) {
    const found = findAt(prefix.slug);
    if (found?.target.extras?.forwardPath === true) return { ...found, prefix };
  }
  return null;
}
