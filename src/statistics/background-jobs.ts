import { HOUR_MS } from '../time/day.ts';
import { nextDay } from './alarm.ts';
import { FOLD_MS, type Backlog } from './append/backlog.ts';
import { foldDeliveries, hasPurges, type Pause } from './days/fold-deliveries.ts';
import { purgeLinks } from './purge.ts';
import { hasRetention, retain, type Retention } from './retention.ts';

/** Some work in the background; returns whether all of it is done. */
type Job = () => Promise<boolean>;

/**
 * The jobs of an alarm, in this order. The retention also runs if there is more to fold: to a client that is clicked
 * all the time, deliveries come during every fold. And it runs if the fold fails: it makes room in a full database, and
 * visitors' marks are not kept longer.
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

/** Counts what is not folded yet. Returns when there is work again, in milliseconds since the epoch; null if never. */
export function nextWork(sql: SqlStorage, backlog: Backlog, isDone: boolean): number | null {
  const { firstAt } = backlog.recount(sql);
  const now = Date.now();
  if (backlog.isFull || !isDone) return now;
  // A clock that ran ahead may have stored a future time. Links that were clicked meanwhile are still to be purged.
  if (firstAt !== null) return Math.min(firstAt, now) + (hasPurges(sql) ? HOUR_MS : FOLD_MS);
  return hasRetention(sql) ? nextDay(now) : null;
}
