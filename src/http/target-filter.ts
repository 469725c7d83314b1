import { hostnameOf } from '../domains/host.ts';
import { AppError } from '../errors.ts';
import { blockedHost } from '../links/blocklist.ts';
import type { ImportedLink } from '../links/import-row.ts';
import type { Asked } from './env.ts';

/**
 * Says which of some targets the filtering resolver of the operator blocks, by their hosts; none where there is no such
 * resolver, or where it does not answer.
 */
export async function findFiltered(c: Asked, targets: readonly URL[]): Promise<(target: URL) => boolean> {
  const { targetFilter } = c.var.services;
  if (targetFilter === null || targets.length === 0) return () => false;
  const filtered = await targetFilter(targets.map(hostnameOf));
  return (target) => filtered.has(hostnameOf(target));
}

/** Refuses a target that the filtering resolver blocks. Throws `blocked_host`. */
export async function refuseFiltered(c: Asked, target: URL): Promise<void> {
  const isFiltered = await findFiltered(c, [target]);
  if (isFiltered(target)) throw blockedHost();
}

/**
 * The rows of a file, those that the filtering resolver blocks with that for a fault. What is there already stays
 * unchanged, whatever the resolver says of it by now.
 */
export async function withoutFiltered(c: Asked, rows: readonly (ImportedLink | AppError)[]) {
  const targets = rows.flatMap((row) => (row instanceof AppError ? [] : [new URL(row.url)]));
  const isFiltered = await findFiltered(c, targets);
  return rows.map((row) =>
    row instanceof AppError || row.fault !== null || !isFiltered(new URL(row.url))
      ? row
      : { ...row, fault: blockedHost() },
  );
}
