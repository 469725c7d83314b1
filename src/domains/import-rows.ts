import type { Actor } from '../accounts/access.ts';
import { AppError } from '../errors.ts';
import type { Site } from '../network/hosts.ts';
import type { ImportPart } from '../links/import/import-event.ts';
import { importLinks, type ImportResult, type ImportTools } from '../links/import/import.ts';
import type { FileRow } from '../links/import/import-row.ts';
import { claimFileDomains, type FileDomains, type WaitedFor } from './file-domains.ts';

/** The options of an import of rows. */
interface RowsOptions {
  /** True to report the outcomes only. */
  readonly dryRun: boolean;
  /** True if the domains are added for any member. */
  readonly byOperator?: boolean;
  /** Refuses to add domains, where a person has to confirm that. */
  readonly mayAdd?: () => void;
  /** For a piece of a file: its import, as `importLinks` takes it. */
  readonly part?: ImportPart | undefined;
}

/** The outcome of an import. */
interface ImportedRows {
  /** One for each row. */
  readonly results: readonly ImportResult[];
  /** The domains of the file for which links wait. */
  readonly pending: readonly WaitedFor[];
}

/**
 * Imports the rows of a file: adds the domains that they name as pending ones, as `claimFileDomains`, and creates the links
 * that do not exist yet, as `importLinks`. Throws `store_unavailable`, and what `authorize` and `mayAdd` throw.
 */
export async function importRows(
  tools: ImportTools,
  actor: Actor,
  rows: readonly FileRow[],
  site: Site,
  { dryRun, byOperator = false, mayAdd, part }: RowsOptions,
): Promise<ImportedRows> {
  const hosts = hostsOf(rows);
  const claim = { dryRun, byOperator, mayAdd };
  const domains = hosts.length === 0 ? NO_DOMAINS : await claimFileDomains(tools.db, actor, hosts, site, claim);
  const results = await importLinks(tools, actor, rows, { dryRun, domains, ...(part && { part }) });
  return { results, pending: domains.pending };
}

const NO_DOMAINS: FileDomains = { pending: [], coming: new Set(), refused: new Map() };

/** The domains of the rows whose links can be created. */
function hostsOf(rows: readonly FileRow[]): string[] {
  const hosts = rows.map(({ content }) =>
    content instanceof AppError || content.faults.length > 0 ? null : content.customDomain,
  );
  return [...new Set(hosts)].filter((host) => host !== null);
}
