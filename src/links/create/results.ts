import type { AppError } from '../../errors.ts';
import type { Site } from '../../network/hosts.ts';
import type { ManagedLink } from '../managed-link.ts';
import { toManagedRecord, type ManagedRecord } from '../record.ts';

/** The results of a create of a list of links. */

/** The result of one link of a list. */
export type LinkResult = CreatedResult | RefusedResult;

interface CreatedResult {
  readonly outcome: 'created';
  readonly status: 201;
  readonly link: ManagedRecord;
}

/** The result of a link that was not created. */
export interface RefusedResult {
  readonly outcome: 'error';
  readonly status: number;
  readonly error: string;
}

/** The tools to build results. */
export interface Results {
  readonly site: Site;
  readonly refuse: (error: AppError) => RefusedResult;
}

export function createdResult(link: ManagedLink, site: Site): CreatedResult {
  return { outcome: 'created', status: 201, link: toManagedRecord(link, site) };
}
