import {
  ACTING,
  actingParams,
  authorize,
  selectAccess,
  SOLE_CLIENT,
  type AccessRow,
  type Actor,
} from '../../accounts/access.ts';
import type { ClickSources } from '../../clicks/days.ts';
import { readTotals, type LinkTotals } from '../../clicks/totals.ts';
import { encodeCursor, readPage, type Position } from '../../input/pagination.ts';
import type { RankedBy } from '../../statistics/questions/ranking.ts';
import { toManaged } from '../managed-link.ts';
import type { ClickedLink, ClickedLinkPage } from './clicked-link.ts';
import type { LinkFilters } from './filters.ts';
import type { FilteredRow } from './link-page.ts';
import { chosenSqlOf, listSqlOf } from './list-sql.ts';
import type { LinkPageOptions } from './list.ts';

/**
 * The links of a client by their clicks, or by those of people: first the links with such clicks, in the order of the
 * client's object, then the others, newest first. The database says which of them fit the filters.
 */

/** The number of links that one page examines, however few of them fit. */
const MAX_EXAMINED = 500;
const STEP = 100;

/** The start of the next page: among the links with such clicks, or among those without. */
const CLICKED = 'clicked ';
const UNCLICKED = 'unclicked ';
const BEGIN_UNCLICKED: Position = [Number.MAX_SAFE_INTEGER, UNCLICKED];

/** A link in the order of the list, and the position after it. */
interface Candidate extends LinkTotals {
  readonly id: string;
  readonly position: Position;
}

interface Step {
  readonly candidates: readonly Candidate[];
  /** Their rows, as far as the links still exist. */
  readonly rows: readonly FilteredRow[];
  /** The position after them; null at the end of the list. */
  readonly next: Position | null;
  /** The number of links that were examined to find them. */
  readonly examined: number;
}

interface List {
  readonly sources: ClickSources;
  readonly actor: Actor;
  readonly clientId: string;
  readonly filters: LinkFilters;
  readonly by: RankedBy;
}

/** Throws `invalid_cursor`, `store_unavailable`, and what `authorize` throws. */
export async function listRankedLinks(
  sources: ClickSources,
  actor: Actor,
  filters: LinkFilters,
  by: RankedBy,
  options: LinkPageOptions,
): Promise<ClickedLinkPage> {
  const page = readPage({ ...filters, sort: by, client_id: actor.clientId ?? undefined }, options);
  const clientId = await findClient(sources, actor);
  const list = { sources, actor, clientId, filters, by };
  const now = Date.now();
  const found: ClickedLink[] = [];
  let position: Position | null = page.after;
  let scannedTo: number | null = null;
  for (let examined = 0; position !== null && found.length < page.limit && examined < MAX_EXAMINED;) {
    const step: Step = await (isUnclicked(position) ? readUnclicked(list, position) : readClicked(list, position));
    const byId = new Map(step.rows.map((row) => [row.id, row]));
    position = step.next;
    for (const candidate of step.candidates) {
      const row = byId.get(candidate.id);
      if (row === undefined) continue;
      scannedTo = row.created_at;
      if (row.fits === 0) continue;
      const { clicks, humans, lastClickAt } = candidate;
      found.push({ ...toManaged(row, now), clicks, humans, lastClickAt });
      if (found.length < page.limit) continue;
      const isLast = candidate === step.candidates.at(-1);
      if (!isLast) position = candidate.position;
      break;
    }
    if (found.length < page.limit) scannedTo = step.rows.at(-1)?.created_at ?? scannedTo;
    examined += step.examined;
  }
  return {
    links: found,
    cursor: position === null ? null : encodeCursor(page.filters, position),
    scannedTo: position === null ? null : scannedTo,
  };
}

const isUnclicked = ([, text]: Position): boolean => text.startsWith(UNCLICKED);

async function findClient(sources: ClickSources, actor: Actor): Promise<string> {
  const now = Date.now();
  const [access, [client]] = await sources.db.batch<[AccessRow, { readonly id: string | null }]>([
    selectAccess(actor, 'links:read', now),
    { sql: `${ACTING} SELECT ${SOLE_CLIENT} AS id`, params: actingParams(actor, 'links:read', now) },
  ]);
  authorize(access, actor);
  return client?.id ?? '';
}

async function readClicked(list: List, [value, text]: Position): Promise<Step> {
  const { sources, clientId, by } = list;
  const after = text === '' ? null : { value, number: Number(text.slice(CLICKED.length)) };
  const { links, next } = await sources.statistics.call(clientId, (object) => object.rank(by, after, STEP));
  const candidates = links.map((link): Candidate => {
    const { id, humans, number, lastAt } = link;
    const clicks = humans + link.bots + link.previews;
    const value = { clicks, humans, last_click: lastAt }[by];
    return { id, clicks, humans, lastClickAt: lastAt, position: [value, `${CLICKED}${number}`] };
  });
  const rows = await readChosen(
    list,
    candidates.map(({ id }) => id),
  );
  return {
    candidates,
    rows,
    next: next === null ? BEGIN_UNCLICKED : [next.value, `${CLICKED}${next.number}`],
    examined: links.length,
  };
}

async function readChosen({ sources, actor, filters }: List, ids: readonly string[]): Promise<readonly FilteredRow[]> {
  if (ids.length === 0) return [];
  const now = Date.now();
  const { sql, params } = chosenSqlOf(filters, ids);
  const [access, rows] = await sources.db.batch<[AccessRow, FilteredRow]>([
    selectAccess(actor, 'links:read', now),
    { sql, params: [...actingParams(actor, 'links:read', now), ...params] },
  ]);
  authorize(access, actor);
  return rows;
}

async function readUnclicked({ sources, actor, clientId, filters, by }: List, [at, text]: Position): Promise<Step> {
  const now = Date.now();
  const { sql, params } = listSqlOf(filters, [at, text.slice(UNCLICKED.length)], STEP);
  const [access, rows] = await sources.db.batch<[AccessRow, FilteredRow]>([
    selectAccess(actor, 'links:read', now),
    { sql, params: [...actingParams(actor, 'links:read', now), ...params] },
  ]);
  authorize(access, actor);
  const fitting = rows.filter(({ fits }) => fits === 1);
  const totalsOf = await readTotals(
    sources.statistics,
    clientId,
    fitting.map(({ id }) => id),
  );
  const unclicked = fitting.filter(({ id }) => totalsOf(id)[by === 'humans' ? 'humans' : 'clicks'] === 0);
  const positionOf = (row: FilteredRow): Position => [row.created_at, `${UNCLICKED}${row.id}`];
  const isFull = fitting.length === STEP;
  const last = isFull ? fitting.at(-1) : rows.find(({ fits }) => fits === 0);
  return {
    candidates: unclicked.map((row) => ({ id: row.id, ...totalsOf(row.id), position: positionOf(row) })),
    rows,
    next: last === undefined ? null : positionOf(last),
    // A step that found fewer has examined as many as it can.
    examined: isFull ? STEP : MAX_EXAMINED,
  };
}
