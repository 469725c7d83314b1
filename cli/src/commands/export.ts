import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { Option, type Command } from 'commander-14';
import { openService, type CommonOptions } from '../context.ts';
import { onInterrupt } from '../interrupt.ts';
import { Failure } from '../outcome.ts';
import { reasonOf } from '../reasons.ts';
import { note, print, printJson } from '../terminal.ts';
import { plain } from '../text.ts';
import { asFailure } from '../transport.ts';

interface ExportOptions extends CommonOptions {
  readonly format?: 'csv' | 'ndjson';
  readonly force?: boolean;
}

export function addExport(program: Command): void {
  program
    .command('export')
    .description('Writes all links to a file, which can be imported again')
    .argument('[file]', 'the file; stdout if left out, or "-"')
    .addOption(
      new Option('--format <format>', 'csv or ndjson; by the name of the file if left out').choices(['csv', 'ndjson']),
    )
    .option('--force', 'replace the file if it exists')
    .addHelpText('after', '\nWith --json and without a file, the links are NDJSON on stdout.')
    .action(async (named: string | undefined, _options: unknown, command: Command) => {
      const file = named === '-' ? undefined : named;
      const options = command.optsWithGlobals<ExportOptions>();
      if (file !== undefined && existsSync(file) && !options.force) {
        throw new Failure(`${file} exists already.`, {
          code: 'file_exists',
          remedy: 'Name another, or replace it with --force.',
        });
      }
      const format = options.format ?? formatOf(file, options);
      const { api, data, client, origin } = openService(options);
      const query = { ...client, format };
      const body = await data(api.GET('/v1/links/export', { params: { query }, parseAs: 'stream' }));
      // An empty file has no body. Node and the Web have two types for one class.
      const source = body === null ? Readable.from([]) : Readable.fromWeb(body as unknown as ReadableStream);
      try {
        if (file === undefined) for await (const chunk of source) await print(chunk as Uint8Array);
        else await save(source, file);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).syscall !== undefined) throw unwritable(file, error);
        throw asFailure(error, { url: origin }, options.timeout);
      }
      if (file === undefined) return;
      await (options.json ? printJson({ file, format }) : note(plain(`The links are in ${file}.`)));
    });
}

function formatOf(file: string | undefined, { json }: ExportOptions): 'csv' | 'ndjson' {
  if (file === undefined) return json ? 'ndjson' : 'csv';
  return /\.(?:ndjson|jsonl)$/i.test(file) ? 'ndjson' : 'csv';
}

// The file gets its name when it is whole, so that what is broken off is never taken for an export.
async function save(source: Readable, file: string): Promise<void> {
  const draft = `${file}.partial-${process.pid}`;
  const remove = () => rmSync(draft, { force: true });
  const forget = onInterrupt(remove);
  try {
    await pipeline(source, createWriteStream(draft, { mode: 0o600 }));
    renameSync(draft, file);
  } catch (error) {
    remove();
    throw error;
  } finally {
    forget();
  }
}

function unwritable(file: string | undefined, error: unknown): Failure {
  return new Failure(`${file} cannot be written: ${reasonOf(error)}.`, { code: 'unwritable_file' });
}
