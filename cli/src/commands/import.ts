import { readFileSync, statSync } from 'node:fs';
import type { Command } from 'commander-14';
import { openService, type CommonOptions } from '../context.ts';
import { EXIT, Failure, usageFailure } from '../outcome.ts';
import { readStdin } from '../prompt.ts';
import { splitError } from '../service.ts';
import { plain } from '../text.ts';
import { note, printJson, printLine } from '../terminal.ts';

interface ImportOptions extends CommonOptions {
  readonly dryRun?: boolean;
  readonly from?: string;
  readonly type?: keyof typeof TYPES;
}

const TYPES = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
} as const;

const MAX_BYTES = 10 * 1024 * 1024;

export function addImport(program: Command): void {
  program
    .command('import')
    .description('Creates the links of a file, and skips those that exist already')
    .argument('<file>', 'CSV or NDJSON; "-" for stdin')
    .option('--dry-run', 'report what would be created, and change nothing')
    .option('--from <service>', 'the service that exported the file, such as bitly, if the file does not show it')
    .option('--type <type>', 'csv, tsv, ndjson or json; by the name of the file if left out')
    .action(async (file: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ImportOptions>();
      const type = typeOf(file, options);
      const content = await contentOf(file);
      const { api, data, client } = openService(options);
      const query = {
        ...client,
        ...(options.dryRun && { dry_run: true }),
        // The service says which ones it knows.
        ...(options.from !== undefined && { from: options.from as never }),
      };
      const results = await data(
        api.POST('/v1/links/import', {
          params: { query },
          headers: { 'Content-Type': type },
          body: content as never,
          bodySerializer: (body: unknown) => body,
        }),
      );
      if (results.errors > 0) process.exitCode = EXIT.failed;
      if (options.json) return printJson(results);
      for (const result of results.results) if (result.status === 'error') showError(result);
      const verb = results.dry_run ? 'would be created' : 'created';
      await printLine(`${results.created} ${verb}, ${results.unchanged} unchanged, ${results.errors} with errors`);
    });
}

function typeOf(file: string, { type }: ImportOptions): string {
  const name = type ?? /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(TYPES, name)) return TYPES[name as keyof typeof TYPES];
  if (name === 'jsonl') return TYPES.ndjson;
  throw usageFailure(
    `What kind of file "${file}" is cannot be seen by its name. Say it with --type: csv, tsv, ndjson, json.`,
  );
}

async function contentOf(file: string): Promise<string | Uint8Array<ArrayBuffer>> {
  if (file === '-') return readStdin();
  try {
    if (statSync(file).size > MAX_BYTES) {
      throw usageFailure(`${file} has more than 10 MiB. Divide it, or import it on the page, which sends it in parts.`);
    }
    return new Uint8Array(readFileSync(file));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${file} cannot be read: ${(error as Error).message}.`, { code: 'unreadable_file' });
  }
}

interface Refused {
  readonly row: number;
  readonly error: string;
  readonly errors?: readonly { readonly field: string; readonly detail: string }[];
}

function showError({ row, error, errors = [] }: Refused): void {
  const { sentence } = splitError(error);
  const details = errors.length > 1 ? errors.map(({ field, detail }) => `  ${field}: ${detail}`) : [];
  note([`Row ${row}: ${sentence}`, ...details].map(plain).join('\n'));
}
