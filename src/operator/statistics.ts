import * as z from 'zod';
import { AppError } from '../errors.ts';
import { readBytes } from '../http/body.ts';
import { lazy } from '../isolate/lazy.ts';
import type { Section } from '../statistics/backup/export.ts';
import { command, parse, subjectOf, type OperatorCommand, type Stores } from './command.ts';
import { limitRow, LIMIT_COLUMNS, LIMITS, loadLimits, type LimitRow } from './limits.ts';
import { eraseStatistics, type StatisticsObjects } from './objects.ts';
import { decode, overtaken, parseLine, sha256, SELECT_PROGRESS, type Progress } from './restore.ts';

/**
 * The commands that back up and restore the click statistics, each of which names a client or a page of clients. What
 * restores their rows also restores those of limited links, which come after them.
 */

/**
 * The section of a backup with the steps of each client: `begin` before its rows, with the version of their tables, and
 * `end` after them. Where a backup of a client began again, so does its restore.
 */
export const STATISTICS = 'ClientStatistics';
export const STEP_COLUMNS = ['client_id', 'step', 'schema'] as const;
/** The section with rows of a table of the objects; their first value is the client. */
export const sectionOf = (table: string): string => `${STATISTICS}.${table}`;

// A request may make 1,000 calls to objects.
const CLIENTS = 100;
// A row has 2 MB at most, and four thirds of that in base64.
const MAX_SLICE_BYTES = 4_000_000;

const clientId = lazy(() => z.string().min(1).max(1024));
const place = lazy(() =>
  z.strictObject({
    id: z.string().max(64),
    table: z.string().max(64),
    after: z.array(z.union([z.string().max(4096), z.number()])).max(8),
  }),
);

const sliceHead = lazy(() => z.strictObject({ sha256: sha256(), from: z.int().min(0), to: z.int().min(0) }));
const section = lazy(() =>
  z.strictObject({ table: z.string().max(64), columns: z.array(z.string().max(64)).min(1).max(64) }),
);
const row = lazy(() => z.tuple([clientId()], z.string().nullable()));

export const STATISTICS_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'read-statistics': command(
    () => z.strictObject({ client: clientId(), place: place().nullable() }),
    async ({ objects }, { client, place }) => {
      const page = await objects.call(client, (object) => object.exportPage(place));
      if (page === 'loading')
        throw new AppError('edit_conflict', `A restore of the statistics of ${client} is not finished: restore again.`);
      // It would be the first page again.
      return page === 'over' ? { state: 'over' } : { state: 'read', ...page };
    },
  ),
  'empty-statistics': command(
    () => z.strictObject({ sha256: sha256(), after: clientId().nullable() }),
    async ({ store, objects }, { sha256, after }) => {
      const sql = 'SELECT id FROM clients WHERE id > ?1 ORDER BY id LIMIT ?2';
      const [[progress], clients] = await store.batch<[Progress, { readonly id: string }]>([
        SELECT_PROGRESS,
        { sql, params: [after ?? '', CLIENTS] },
      ]);
      if (progress?.sha256 !== sha256) throw overtaken();
      const ids = clients.map(({ id }) => id);
      await eraseStatistics(objects, ids);
      return { after: ids.length < CLIENTS ? null : ids.at(-1) };
    },
  ),
  'restore-statistics': async (stores, request) =>
    restoreSlice(stores, await readBytes(request, { maxBytes: MAX_SLICE_BYTES })),
};

/**
 * The body is a line of JSON, followed by sections and rows as in a backup, one a line. Rows of a slice can be stored again,
 * as when the progress after them was not.
 */
async function restoreSlice(
  { store, objects, limits, record }: Stores,
  bytes: Uint8Array,
): Promise<{ readonly next_row: number }> {
  const [first = '', ...lines] = decode(bytes).trimEnd().split('\n');
  const head = parse(sliceHead(), parseLine(first));
  await record(subjectOf(head));
  const readProgress = async () => {
    const [[progress]] = await store.batch<[Progress]>([SELECT_PROGRESS]);
    if (progress?.sha256 !== head.sha256 || progress.is_emptied !== 1) throw overtaken();
    return progress;
  };
  const { next_row } = await readProgress();
  if (next_row !== head.from) return { next_row };
  await loadLimits(limits, await restoreLines(objects, lines));
  const sql = `UPDATE restores SET next_row = ?3 WHERE sha256 = ?1 AND is_emptied = 1 AND next_row = ?2`;
  await store.batch([{ sql, params: [head.sha256, head.from, head.to] }]);
  return { next_row: (await readProgress()).next_row };
}

/** Returns the rows of limited links. */
async function restoreLines(objects: StatisticsObjects, lines: readonly string[]): Promise<readonly LimitRow[]> {
  const limited: LimitRow[] = [];
  let waiting: Waiting = { client: '', sections: [] };
  const flush = async () => {
    const { client, sections } = waiting;
    waiting = { client: '', sections: [] };
    if (sections.length > 0) await loadInto(objects, client, sections);
  };
  let open: z.output<ReturnType<typeof section>> | null = null;
  for (const [index, line] of lines.entries()) {
    const value = parseLine(line, `${index + 2}.`);
    if (!Array.isArray(value)) {
      open = parse(section(), value);
      continue;
    }
    if (open?.table === LIMITS && open.columns.join() === LIMIT_COLUMNS.join()) {
      limited.push(parse(limitRow(), value));
      continue;
    }
    const [client, ...values] = parse(row(), value);
    if (client !== waiting.client || open?.table === STATISTICS) await flush();
    if (open?.table === STATISTICS) await takeStep(objects, client, values);
    else waiting = added(waiting, client, open, values);
  }
  await flush();
  return limited;
}

/** Rows of a client that are stored together. */
interface Waiting {
  readonly client: string;
  readonly sections: (Section & { readonly rows: (string | null)[][] })[];
}

function added(
  { sections }: Waiting,
  client: string,
  open: z.output<ReturnType<typeof section>> | null,
  values: (string | null)[],
): Waiting {
  const [first, ...columns] = open?.columns ?? [];
  const table = open?.table.startsWith(sectionOf('')) ? open.table.slice(sectionOf('').length) : null;
  if (table === null || first !== 'client_id') throw new AppError('malformed_body', 'A row has no section.');
  const last = sections.at(-1);
  if (last?.table === table && last.columns.length === columns.length) last.rows.push(values);
  else sections.push({ table, columns, rows: [values] });
  return { client, sections };
}

async function loadInto(objects: StatisticsObjects, client: string, sections: readonly Section[]): Promise<void> {
  const fault = await objects.call(client, (object) => object.load(sections));
  if (fault !== null) throw new AppError('malformed_body', `The statistics of ${client} cannot be stored: ${fault}`);
}

async function takeStep(
  objects: StatisticsObjects,
  client: string,
  [step, schema]: readonly (string | null)[],
): Promise<void> {
  if (step === 'end') return objects.call(client, (object) => object.endLoad());
  const version = Number(schema);
  if (step !== 'begin' || !Number.isInteger(version) || version < 1)
    throw new AppError('malformed_body', 'A step of a restore is not known.');
  if (await objects.call(client, (object) => object.beginLoad(version))) return;
  throw new AppError(
    'edit_conflict',
    'The click statistics of the backup are newer than this version of the service: deploy the newer version, then restore.',
  );
}
