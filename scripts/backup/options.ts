import { parseArgs } from 'node:util';
import { optionFault, UsageError } from '../cli-error.ts';
import { LOCATION_OPTIONS, readLocation } from '../location.ts';
import type { ServiceLocation } from '../operator.ts';
import { checkOrigin } from '../settings.ts';

/** The arguments of `npm run backup` and `npm run restore`. */
interface BackupOptions {
  readonly file: string;
  readonly force: boolean;
  readonly location: ServiceLocation;
}

/** Reads the arguments of a tool; null if they ask for help. Throws `UsageError`. */
export function readBackupOptions(tool: 'backup' | 'restore', args: readonly string[]): BackupOptions | null {
  const { values, positionals } = parse(tool, args);
  if (values.help) return null;
  const [file, surplus] = positionals;
  if (!file) throw new UsageError(`"${tool}" takes a file: npm run ${tool} -- FILE`);
  if (surplus !== undefined) throw new UsageError(`"${tool}" takes one file, and not "${surplus}" too.`);
  if (values.origin !== undefined) {
    if (!values.remote) throw new UsageError('--origin goes with --remote: it is the origin of the deployed service.');
    checkOrigin(values.origin);
  }
  return { file, force: values.force, location: readLocation(values) };
}

function parse(tool: string, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        force: { type: 'boolean', default: false },
        ...LOCATION_OPTIONS,
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw optionFault(tool, error);
  }
}
