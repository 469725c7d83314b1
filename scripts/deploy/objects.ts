import { UsageError } from '../cli-error.ts';
import type { WorkerFound } from './inventory.ts';
import type { Environment, Project } from './project.ts';

/**
 * The classes of Durable Objects. Cloudflare compares those that wrangler.toml declares with those that the Worker has, and
 * changes them all at once. Source:
 * https://developers.cloudflare.com/durable-objects/reference/durable-objects-migrations/
 */

const isObject = ({ type }: Project['exports'][string]): boolean => type === 'durable-object';

// The states of a class whose objects stay.
const LIVE = new Set(['created', 'expecting-transfer']);

/** The classes that a deploy would create, rename or delete, sorted. */
export function changedClasses({ exports }: Project, worker: WorkerFound | null): string[] {
  const declared = Object.entries(exports).filter(([, each]) => isObject(each) && LIVE.has(each.state ?? 'created'));
  return differenceOf(
    declared.map(([name]) => name),
    worker?.classes ?? [],
  );
}

/** The items that only one of two lists has, sorted. */
export function differenceOf(some: readonly string[], others: readonly string[]): string[] {
  return [...some.filter((each) => !others.includes(each)), ...others.filter((each) => !some.includes(each))].sort();
}

/** Throws a `UsageError` if a deploy would leave classes of the Worker undeclared, which Cloudflare refuses. */
export function checkClasses({ exports }: Project, { worker: name }: Environment, worker: WorkerFound | null): void {
  const lost = (worker?.classes ?? []).filter((each) => exports[each] === undefined || !isObject(exports[each]));
  if (lost.length === 0) return;
  throw new UsageError(
    `The Worker ${name} has the Durable Objects ${lost.join(', ')}, which wrangler.toml does not declare, and nothing was changed: keep them, as docs/self-hosting.md says of a return to former code.`,
  );
}
