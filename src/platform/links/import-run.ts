import type { Context } from 'hono';
import { claimFileDomains } from '../../domains/file-domains.ts';
import { AppError } from '../../errors.ts';
import { limitRate } from '../../http/rate-limits.ts';
import { targetPolicyOf } from '../../http/target-policy.ts';
import { createdLinks, importLinks, ROWS_PER_CREATE } from '../../links/import/import.ts';
import type { ImportPart } from '../../links/import/import-event.ts';
import { parseLinkFile } from '../../links/import/import-file.ts';
import { forgetMissing } from '../../links/redirect/resolve.ts';
import { fieldError } from '../../validation.ts';
import type { PlatformEnv } from '../env.ts';
import { readChecked, type Carried } from './import-form.ts';

/** How a file is imported; for a piece of a larger one, `rowsBefore` as `Piece.rowsBefore`, and its import. */
interface Run {
  readonly dryRun: boolean;
  readonly maxRows?: number;
  readonly rowsBefore?: number;
  readonly part?: ImportPart;
}

/** Imports a file as it was checked, for the user of a page. Throws what reading the file and `importLinks` throw. */
export async function importFile(
  c: Context<PlatformEnv>,
  { bytes, kind, checked }: Pick<Carried, 'bytes' | 'kind' | 'checked'>,
  { dryRun, part, ...bounds }: Run,
) {
  const { db, actor, site } = c.var;
  const read = async () => parseLinkFile([bytes], kind, site, { ...readChecked(checked), ...bounds });
  const file = await read().catch(throwOfFile);
  await limitRate(c, 'create', actor.credential, Math.ceil(file.rows.length / ROWS_PER_CREATE));
  const domains = await claimFileDomains(db, actor, file.rows, site, { dryRun });
  const targetPolicy = targetPolicyOf(c);
  const results = await importLinks(db, actor, file.rows, { dryRun, targetPolicy, domains, ...(part && { part }) });
  forgetMissing(c.var.services.memory, createdLinks(results));
  const rows = results.map((result, index) => ({ ...file.rows[index]!, result }));
  return { file, rows, results, pending: domains.pending };
}

// The form has no fields for the columns of a file.
export function throwOfFile(error: unknown): never {
  throw error instanceof AppError ? fieldError(error.code, 'file', error.message) : error;
}
