import { foldDeliveries, type Pause } from './fold.ts';
import { purgeLinks } from './purge.ts';
import { retain, type Retention } from './retention.ts';

/** Some work in the background; returns whether all of it is done. */
export type Work = () => Promise<boolean>;

/**
 * What an alarm does, in this order. The retention also runs if there is more to fold: to a client that is clicked all the
 * time, deliveries come during every fold. And it runs if the fold fails: it makes room in a full database, and visitors'
 * marks are not kept longer.
 */
export function worksOf(storage: DurableObjectStorage, retention: Retention, pause: Pause): readonly Work[] {
  return [
    () => foldDeliveries(storage, pause).then(() => true),
    () => purgeLinks(storage, pause).then(() => true),
    () => retain(storage, retention, pause),
  ];
}
