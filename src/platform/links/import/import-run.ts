import type { Context } from 'hono';
import { listDomains } from '../../../domains/domains.ts';
import { importRows } from '../../../domains/import-rows.ts';
import { AppError } from '../../../errors.ts';
import { limitRate } from '../../../http/rate-limits.ts';
import { linkToolsOf } from '../../../http/link-tools.ts';
import { ROWS_PER_CREATE } from '../../../links/import/import.ts';
import type { ImportPart } from '../../../links/import/import-event.ts';
import { SHARED } from '../../../links/import/formats/hosts.ts';
import { isSharedHost } from '../../../links/import/formats/table.ts';
import { UnclearDates } from '../../../links/import/dates/columns.ts';
import { UnreadBytes } from '../../../links/import/unread-bytes.ts';
import { parseLinkFile, type LinkFile } from '../../../links/import/import-file.ts';
import { hostsOfRows, type FileRow } from '../../../links/import/import-row.ts';
import { fieldError } from '../../../input/validation.ts';
import type { PlatformEnv } from '../../env.ts';
import { readChecked, saysHost, withPlaces, type Carried } from './import-form.ts';

/** The options of an import; for a piece of a larger file, `rowsBefore` as `Piece.rowsBefore`, and its import. */
interface Run {
  readonly dryRun: boolean;
  readonly maxRows?: number;
  readonly rowsBefore?: number;
  readonly part?: ImportPart;
}

/** A file that is checked, and the hosts in it for which the check has chosen a place. */
interface Placed {
  /** The choices for it, as a query. */
  readonly checked: string;
  readonly placed: readonly string[];
  /** The file as it was read with this query; absent if it is to be read again. */
  readonly file?: LinkFile;
}

/**
 * The choices for a file that is checked for the first time, as a query: the links on hosts that all customers of a
 * service share go to the service's own host, with the same slugs, unless `fields` say something of that host. Nothing
 * else lets them in, since such a host cannot be verified.
 */
export async function placeShared(
  c: Context<PlatformEnv>,
  { bytes, kind }: Pick<Carried, 'bytes' | 'kind'>,
  checked: string,
  fields: Readonly<Record<string, string>>,
): Promise<Placed> {
  const { db, actor, site } = c.var;
  const options = readChecked(checked);
  const file = await parseLinkFile([bytes], kind, site, options).catch(throwOfFile);
  const shared = sharedHostsIn(file.rows).filter((host) => !saysHost(fields, host));
  if (shared.length === 0) return { checked, placed: [], file };
  const { domains } = await listDomains(db, actor);
  const placed = shared.filter((host) => domains.every((domain) => domain.host !== host));
  return placed.length === 0 ? { checked, placed, file } : { checked: withPlaces(checked, placed, SHARED), placed };
}

const sharedHostsIn = (rows: readonly FileRow[]): string[] =>
  hostsOfRows(rows).flatMap(({ host }) => (isSharedHost(host) ? [host] : []));

/** Imports a file as it was checked, for the user of a page. Throws what reading the file and `importRows` throw. */
export async function importFile(
  c: Context<PlatformEnv>,
  { bytes, kind, checked, file: known }: Pick<Carried, 'bytes' | 'kind' | 'checked'> & { readonly file?: LinkFile },
  { dryRun, part, ...bounds }: Run,
) {
  const { actor, site } = c.var;
  const read = async () => parseLinkFile([bytes], kind, site, { ...readChecked(checked), ...bounds });
  const file = known ?? (await read().catch(throwOfFile));
  await limitRate(c, 'create', actor.credential, Math.ceil(file.rows.length / ROWS_PER_CREATE));
  const { results, pending } = await importRows(linkToolsOf(c), actor, file.rows, site, { dryRun, part });
  const rows = results.map((result, index) => ({ ...file.rows[index]!, result }));
  return { file, rows, results, pending };
}

// The form has no fields for the columns of a file.
export function throwOfFile(error: unknown): never {
  if (error instanceof UnreadBytes || error instanceof UnclearDates) throw error;
  throw error instanceof AppError ? fieldError(error.code, 'file', error.message) : error;
}
