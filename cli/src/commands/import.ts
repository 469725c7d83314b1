import { readFileSync, statSync } from 'node:fs';
import type { Command } from 'commander-14';
import { MAPPABLE, readMapping, SAY_BY_OPTIONS, SAY_WHAT_IT_IS } from '../../../src/links/import/mapping.ts';
import { withOptions } from '../../../src/links/import/option-words.ts';
import { collect, openService, type CommonOptions } from '../context.ts';
import { EXIT, Failure, usageFailure } from '../outcome.ts';
import { readBytes } from '../prompt.ts';
import { reasonOf } from '../reasons.ts';
import { splitError, type ImportResults } from '../service.ts';
import { plain } from '../text.ts';
import { note, printJson, printLine } from '../terminal.ts';

interface ImportOptions extends CommonOptions {
  readonly dryRun?: boolean;
  readonly from?: string;
  readonly map?: readonly string[];
  readonly host?: readonly string[];
  readonly unprotected?: string;
  readonly dates?: string;
  readonly charset?: string;
  readonly type?: keyof typeof TYPES;
}

const TYPES = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  // The service finds whether it is a list of URLs.
  txt: 'text/csv',
} as const;

const WORKBOOKS: ReadonlySet<string> = new Set(['xlsx', 'xls', 'ods', 'numbers']);

const HELP = `
The format of the file is recognised by its columns; --from names it, and --map names the columns of any other file.
--map can be repeated, for ${Object.keys(MAPPABLE).join(', ')}. So can --host.`;

const MAX_BYTES = 10 * 1024 * 1024;

export function addImport(program: Command): void {
  program
    .command('import')
    .description('Creates the links of a file, and skips those that exist already')
    .argument('<file>', 'CSV, NDJSON, JSON, or a text with a URL in each line; "-" for stdin')
    .option('--dry-run', 'report what would be created, and change nothing')
    .option('--from <service>', 'the service that exported the file, such as bitly, if the file does not show it')
    .option('--map <field=column>', 'the column of a file that is not recognised, such as url="Long link"', collect)
    .option('--host <where>', 'where links go: shared, a domain, or bit.ly:shared for those of one host', collect)
    .option('--unprotected <how>', 'links that had a password or were banned: disable (if left out) or publish')
    .option('--dates <order>', 'the order in dates such as 03/04/2030, if they do not show it: dmy, mdy or ymd')
    .option('--charset <name>', 'the encoding, such as windows-1252 or utf-16le; UTF-8 if left out')
    .option('--type <type>', 'csv, tsv, txt, ndjson or json; by the name of the file if left out')
    .addHelpText('after', HELP)
    .action(async (file: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ImportOptions>();
      const type = typeOf(file, options);
      const query = queryOf(options);
      const content = await contentOf(file);
      const { api, data, client } = openService(options);
      const results = await data(
        api.POST('/v1/links/import', {
          params: { query: { ...client, ...query } },
          headers: { 'Content-Type': type },
          body: content as never,
          bodySerializer: (body: unknown) => body,
        }),
      ).catch((error: unknown) => {
        const failure = options.map === undefined ? withMapping(error) : error;
        throw withNames(failure);
      });
      if (results.errors > 0) process.exitCode = EXIT.failed;
      await (options.json ? printJson(results) : printResults(results));
    });
}

type Query = Readonly<Record<string, true | string | readonly string[]>>;

// The service says which values it knows.
function queryOf({ dryRun, from, map = [], host, unprotected, dates, charset }: ImportOptions): Query {
  return {
    ...(dryRun && { dry_run: true }),
    ...(from !== undefined && { from }),
    ...mappingOf(map),
    ...(host !== undefined && { host }),
    ...(unprotected !== undefined && { unprotected }),
    ...(dates !== undefined && { dates }),
    ...(charset !== undefined && { charset }),
  };
}

function mappingOf(words: readonly string[]): Query {
  const mapping = readMapping(words);
  if (typeof mapping === 'string') throw usageFailure(mapping);
  return mapping;
}

function typeOf(file: string, { type }: ImportOptions): string {
  const name = type ?? /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(TYPES, name)) return TYPES[name as keyof typeof TYPES];
  if (name === 'jsonl') return TYPES.ndjson;
  if (WORKBOOKS.has(name)) {
    throw usageFailure(`"${file}" is a spreadsheet workbook. Save the sheet as CSV, and import that file.`);
  }
  throw usageFailure(`The type of "${file}" is not clear from its name. Use --type csv, tsv, txt, ndjson or json.`);
}

async function contentOf(file: string): Promise<Uint8Array<ArrayBuffer>> {
  if (file === '-') return readBytes();
  try {
    if (statSync(file).size > MAX_BYTES) {
      throw usageFailure(`${file} has more than 10 MiB. Divide it into smaller files.`);
    }
    return new Uint8Array(readFileSync(file));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${file} cannot be read: ${reasonOf(error)}.`, { code: 'unreadable_file' });
  }
}

// Sentences of the API name its parameters.
function withNames(error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  const { details } = error;
  const fields = details.fields?.map(({ field, detail }) => ({ field, detail: withOptions(detail) }));
  return new Failure(withOptions(error.message), { ...details, ...(fields && { fields }) }, { cause: error });
}

function withMapping(error: unknown): unknown {
  if (!(error instanceof Failure) || !UNKNOWN_COLUMNS.has(error.details.code ?? '')) return error;
  const remedy = error.message.includes(SAY_WHAT_IT_IS)
    ? SAY_BY_OPTIONS
    : 'If the file is of another kind, name its columns with --map, such as --map url="Long link".';
  const message = error.message.replace(` ${SAY_WHAT_IT_IS}`, '');
  return new Failure(message, { ...error.details, remedy }, { cause: error });
}

const UNKNOWN_COLUMNS: ReadonlySet<string> = new Set(['unknown_field', 'missing_field']);

async function printResults(results: ImportResults): Promise<void> {
  const { format, notes, skipped, pending_domains: pending } = results;
  if (format.id !== 'terse') note(plain(`The file is read as ${format.name}.`));
  for (const sentence of notes) note(plain(sentence));
  const noted = results.results.flatMap((result) =>
    result.status === 'error' ? [] : (result.notes ?? []).map((sentence) => ({ row: result.row, text: sentence })),
  );
  const refused = results.results.flatMap((result) =>
    result.status === 'error' ? [{ row: result.row, text: textOf(result) }] : [],
  );
  // Errors stand last, since they are to be fixed.
  sayOfRows([...skipped.map(({ row, reason }) => ({ row, text: `Skipped: ${reason}` })), ...noted, ...refused]);
  for (const { host } of pending) note(plain(`Links on ${host} do not redirect until the domain is verified.`));
  const verb = results.dry_run ? 'would be created' : 'created';
  const left = skipped.length === 0 ? '' : `, ${skipped.length} skipped`;
  await printLine(`${results.created} ${verb}, ${results.unchanged} unchanged, ${results.errors} with errors${left}`);
}

const MAX_ROWS_NAMED = 3;

// A text that fits many rows would fill the terminal; --json has it for each.
function sayOfRows(said: readonly { readonly row: number; readonly text: string }[]): void {
  const rowsOf = new Map<string, number[]>();
  for (const { row, text } of said) {
    const rows = rowsOf.get(text);
    if (rows) rows.push(row);
    else rowsOf.set(text, [row]);
  }
  for (const [text, rows] of rowsOf) {
    const more = rows.length - MAX_ROWS_NAMED;
    const first = rows.slice(0, MAX_ROWS_NAMED).join(', ');
    const named = `${rows.length === 1 ? 'Row' : 'Rows'} ${first}${more > 0 ? ` and ${more} more` : ''}`;
    note(`${named}: ${text}`.split('\n').map(plain).join('\n'));
  }
}

interface Refused {
  readonly error: string;
  readonly errors?: readonly { readonly field: string; readonly detail: string }[];
}

function textOf({ error, errors = [] }: Refused): string {
  const details = errors.length > 1 ? errors.map(({ field, detail }) => `  ${field}: ${oneLine(detail)}`) : [];
  return [oneLine(splitError(error).sentence), ...details].join('\n');
}

const oneLine = (sentence: string): string => withOptions(plain(sentence));
