import type { Context } from 'hono';
import { requireConfirmation } from '../../../accounts/sessions/confirmation.ts';
import { importRows } from '../../../domains/import-rows.ts';
import { AppError } from '../../../errors.ts';
import { limitRate } from '../../../http/rate-limits.ts';
import { linkToolsOf } from '../../../http/link-tools.ts';
import { ROWS_PER_CREATE } from '../../../links/import/import.ts';
import type { ImportPart } from '../../../links/import/import-event.ts';
import { UnclearDates } from '../../../links/import/dates/columns.ts';
import { UnreadBytes } from '../../../links/import/unread-bytes.ts';
import { parseLinkFile, type LinkFile } from '../../../links/import/import-file.ts';
import { fieldError } from '../../../input/validation.ts';
import type { PlatformEnv } from '../../env.ts';
import { readChecked, type Carried } from './import-form.ts';
import { inWords } from './import-words.ts';

/** The options of an import; for a piece of a larger file, `rowsBefore` as `Piece.rowsBefore`, and its import. */
interface Run {
  readonly dryRun: boolean;
  readonly maxRows?: number;
  readonly rowsBefore?: number;
  readonly part?: ImportPart;
}

/** Imports a file as it was checked, for the user of a page. Throws what reading the file and `importRows` throw. */
export async function importFile(
  c: Context<PlatformEnv>,
  { bytes, kind, checked, file: known }: Pick<Carried, 'bytes' | 'kind' | 'checked'> & { readonly file?: LinkFile },
  { dryRun, part, ...bounds }: Run,
) {
  const { actor, session, site } = c.var;
  const read = async () => parseLinkFile([bytes], kind, site, { ...readChecked(checked), ...bounds });
  const file = known ?? (await read().catch(throwOfFile));
  await limitRate(c, 'create', actor.credential, Math.ceil(file.rows.length / ROWS_PER_CREATE));
  const { results, pending } = await importRows(linkToolsOf(c), actor, file.rows, site, {
    dryRun,
    // As the page that adds a domain.
    mayAdd: () => requireConfirmation(session),
    part,
  });
  const rows = results.map((result, index) => ({ ...file.rows[index]!, result }));
  return { file, rows, results, pending };
}

// The form has no fields for the columns of a file.
export function throwOfFile(error: unknown): never {
  if (error instanceof UnreadBytes || error instanceof UnclearDates) throw error;
  throw error instanceof AppError ? fieldError(error.code, 'file', inWords(error.message)) : error;
}
