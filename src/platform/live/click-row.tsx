import { html } from 'hono/html';
import type { Counted } from '../../statistics/live/counted-clicks.ts';
import { nameOf } from '../clicks/cards.ts';
import type { OwnClient } from '../env.ts';
import { TableRow, type Column } from '../kit/table.tsx';
import { nameInstant, nameTime } from '../kit/time.tsx';
import { formatCount } from '../kit/numbers.ts';
import { displayUrl } from '../links/display-url.ts';
import { livePath } from './paths.ts';

/**
 * A click, or several that are alike, with the short link of its link: null if that is deleted, undefined if it could not be
 * read.
 */
export interface ShownClick {
  readonly click: Counted;
  readonly shortUrl: string | null | undefined;
}

/** The columns of clicks as they are counted. */
export function columnsOf(client: Pick<OwnClient, 'id'>, timeZone: string): readonly Column<ShownClick>[] {
  return [
    {
      label: 'Link',
      cell: ({ click, shortUrl }) =>
        shortUrl === null ? (
          <span class="quiet">Deleted link ({click.link})</span>
        ) : shortUrl === undefined ? (
          <span class="quiet">Link {click.link}</span>
        ) : (
          <a href={livePath(client, click.link)}>
            <bdi>{displayUrl(shortUrl)}</bdi>
          </a>
        ),
    },
    {
      label: 'Time',
      cell: ({ click: { at, clicks } }) => (
        <time datetime={new Date(at).toISOString()} data-clicks={clicks} title={nameInstant(at, timeZone)}>
          {nameTime(at, timeZone)}
        </time>
      ),
    },
    { label: 'Country', align: 'words', cell: ({ click }) => nameOf('country', click.country) },
    { label: 'Referrer', cell: ({ click }) => <bdi>{nameOf('referrer', click.referrer)}</bdi> },
    { label: 'Came by', cell: ({ click }) => <bdi>{nameOf('via', click.via ?? null)}</bdi> },
    { label: 'Device', align: 'words', cell: ({ click }) => nameDevice(click) },
    { label: 'Visitor', align: 'words', cell: ({ click }) => nameVisitor(click) },
  ];
}

/** A row of the table as HTML. */
export async function rowOf(client: Pick<OwnClient, 'id'>, timeZone: string, row: ShownClick): Promise<string> {
  return String(await html`${<TableRow columns={columnsOf(client, timeZone)} row={row} />}`);
}

function nameDevice({ device, browser, os }: Counted): string {
  const known = [device && nameOf('device', device), browser && nameOf('browser', browser), os && nameOf('os', os)];
  return known.filter(Boolean).join(', ') || 'Unknown';
}

const KINDS = { human: 'Person', bot: 'Bot', preview: 'Preview' } as const;

function nameVisitor({ kind, clicks }: Counted): string {
  return clicks === 1 ? KINDS[kind] : `${KINDS[kind]}, ${formatCount(clicks)} clicks`;
}
