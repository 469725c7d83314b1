import { parseArgs } from 'node:util';
import { clientId } from '../../src/accounts/users/names.ts';
import { isCharset } from '../../src/links/import/charsets.ts';
import { readMapping } from '../../src/links/import/mapping.ts';
import { optionFault, UsageError } from '../cli-error.ts';
import { LOCATION_OPTIONS, readLocation } from '../location.ts';
import type { ServiceLocation } from '../operator.ts';
import { checkOrigin } from '../settings.ts';

/** The arguments of `npm run import`. */
export interface ImportOptions {
  readonly file: string;
  /** The file for the rows that are refused. */
  readonly reportFile: string;
  /** The file for the rows that are skipped, or imported without something that the file has. */
  readonly notesFile: string;
  readonly client: string;
  /** The query of `POST /v1/links/import`, which each piece has. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** The encoding of the file; absent for UTF-8, or what its byte order mark says. */
  readonly charset: string | undefined;
  readonly isDryRun: boolean;
  readonly location: ServiceLocation;
}

/** Reads the arguments; null if they ask for help. Throws `UsageError`. */
export function readImportOptions(args: readonly string[]): ImportOptions | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const [file, surplus] = positionals;
  if (!file) throw new UsageError('"import" takes a file: npm run import -- FILE --client CLIENT');
  if (surplus !== undefined) throw new UsageError(`"import" takes one file, and not "${surplus}" too.`);
  const client = clientId().safeParse(values.client);
  if (!client.success) throw new UsageError('--client is missing or no client id: --client acme');
  if (values.unprotected !== undefined && values.unprotected !== 'publish')
    throw new UsageError('--unprotected takes only "publish".');
  if (values.origin !== undefined) {
    if (!values.remote) throw new UsageError('--origin goes with --remote: it is the origin of the deployed service.');
    checkOrigin(values.origin);
  }
  const { from, host, unprotected, dates, charset, 'dry-run': isDryRun } = values;
  if (charset !== undefined && !isCharset(charset))
    throw new UsageError('--charset takes the name of an encoding, such as windows-1252 or utf-16le.');
  const mapping = readMapping(values.map ?? []);
  if (typeof mapping === 'string') throw new UsageError(mapping);
  const query = {
    ...mapping,
    ...(isDryRun && { dry_run: 'true' }),
    ...(from !== undefined && { from }),
    ...(host !== undefined && { host }),
    ...(unprotected !== undefined && { unprotected }),
    ...(dates !== undefined && { dates }),
    ...(charset !== undefined && { charset }),
  };
  const reportFile = `${file}.${isDryRun ? 'dry-run' : 'refused'}.csv`;
  const notesFile = `${file}.${isDryRun ? 'dry-run-notes' : 'notes'}.csv`;
  const location = readLocation(values);
  return { file, reportFile, notesFile, client: client.data, query, charset, isDryRun, location };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        client: { type: 'string' },
        from: { type: 'string' },
        map: { type: 'string', multiple: true },
        host: { type: 'string', multiple: true },
        unprotected: { type: 'string' },
        dates: { type: 'string' },
        charset: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        ...LOCATION_OPTIONS,
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw optionFault('import', error);
  }
}
