import { HOUR_MS } from '../time/day.ts';
import { nextDay } from './alarm.ts';
import { countUnfolded } from './append/deliveries.ts';
import { foldDeliveries, MAX_UNFOLDED, type Pause } from './days/fold.ts';
import { purgeLinks } from './purge.ts';
import { hasRetention, retain, type Retention } from './retention.ts';

/** Some work in the background; returns whether all of it is done. */
export type Job = () => Promise<boolean>;

/**
 * What an alarm does, in this order. The retention also runs if there is more to fold: to a client that is clicked all the
 * time, deliveries come during every fold. And it runs if the fold fails: it makes room in a full database, and visitors'
 * marks are not kept longer.
 */
export function jobsOf(
  storage: DurableObjectStorage,
  retention: Retention,
  pause: Pause,
  keptMs: number,
): readonly Job[] {
  return [
    () => foldDeliveries(storage, pause, keptMs).then(() => true),
    () => purgeLinks(storage, pause).then(() => true),
    () => retain(storage, retention, pause),
  ];
}

/** How many groups are not folded yet, and when there is work again, in milliseconds since the epoch; null if never. */
export function remainingWork(
  sql: SqlStorage,
  isDone: boolean,
): { readonly groups: number; readonly next: number | null } {
  const { groups, at } = countUnfolded(sql);
  if (groups >= MAX_UNFOLDED || !isDone) return { groups, next: Date.now() };
  // A clock that ran ahead may have stored a future time.
  if (at !== null) return { groups, next: Math.min(at, Date.now()) + HOUR_MS };
  return { groups, next: hasRetention(sql) ? nextDay(Date.now()) : null };
}
