import type { FoundTarget } from '../link.ts';
import { keyOf, spellingKeyOf } from './cache.ts';
import type { DatabaseOutage } from './database-outage.ts';
import type { Memory } from './memory.ts';
import { isUntrimmed } from './slug-path.ts';
import type { RequestedPath } from './target-store.ts';

/**
 * Finds the link of a path that memory had when the database stopped responding. Memory remembers it anew, so that the
 * next visits read no store.
 */
export function findLastKnown(
  { outage, targets }: { readonly outage: DatabaseOutage; readonly targets: Memory },
  path: RequestedPath,
): FoundTarget | null {
  const { host, prefixes } = path;
  const { since } = outage;
  if (since === null) return null;
  const findAt = (slug: string) => {
    const key = keyOf({ host, slug });
    const target = targets.findFrom(key, since);
    return target && { slug, target: targets.remember(key, target) };
  };
  const find = (requested: Pick<RequestedPath, 'pathname' | 'slug'>) => {
    const exact = requested.slug === null ? null : findAt(requested.slug);
    if (exact !== null) return exact;
    const key = spellingKeyOf({ host, ...requested });
    const slug = targets.slugFrom(key, since);
    if (slug !== null) targets.rememberSpelling(key, slug);
    return slug === null ? null : findAt(slug);
  };
  const whole = find(path);
  if (whole !== null) return { ...whole, prefix: null };
  for (const prefix of prefixes) {
    const found = find({ pathname: '', slug: prefix.slug });
    if (found?.target.extras?.forwardPath === true && isUntrimmed(prefix, found)) return { ...found, prefix };
  }
  return null;
}
