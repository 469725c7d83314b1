import { html } from 'hono/html';
import type { Counted } from '../../statistics/live/counted-clicks.ts';
import { nameOf } from '../clicks/cards.ts';
import type { OwnClient } from '../env.ts';
import { TableRow, type Column } from '../kit/table.tsx';
import { displayUrl } from '../links/display-url.ts';
import type { PageWords } from '../words.tsx';
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
export function columnsOf(
  words: PageWords,
  client: Pick<OwnClient, 'id'>,
  timeZone: string,
): readonly Column<ShownClick>[] {
  const { text } = words;
  return [
    {
      label: text('clicks.link'),
      cell: ({ click, shortUrl }) =>
        shortUrl === null ? (
          <span class="quiet">{text('clicks.deletedLink', { id: click.link })}</span>
        ) : shortUrl === undefined ? (
          <span class="quiet">{text('live.linkId', { id: click.link })}</span>
        ) : (
          <a href={livePath(client, click.link)}>
            <bdi>{displayUrl(shortUrl)}</bdi>
          </a>
        ),
    },
    {
      label: text('kit.time'),
      cell: ({ click: { at, clicks } }) => (
        <time datetime={new Date(at).toISOString()} data-clicks={clicks} title={words.instant(at, timeZone)}>
          {words.time(at, timeZone)}
        </time>
      ),
    },
    { label: text('clicks.country'), align: 'words', cell: ({ click }) => nameOf(words, 'country', click.country) },
    { label: text('clicks.referrer'), cell: ({ click }) => <bdi>{nameOf(words, 'referrer', click.referrer)}</bdi> },
    { label: text('clicks.cameBy'), cell: ({ click }) => <bdi>{nameOf(words, 'via', click.via ?? null)}</bdi> },
    { label: text('clicks.device'), align: 'words', cell: ({ click }) => nameDevice(words, click) },
    {
      label: text('live.visitor'),
      align: 'words',
      cell: ({ click }) => text(`live.${click.kind}`, { clicks: click.clicks }),
    },
  ];
}

/** A row of the table as HTML. */
export async function rowOf(
  words: PageWords,
  client: Pick<OwnClient, 'id'>,
  timeZone: string,
  row: ShownClick,
): Promise<string> {
  return String(await html`${<TableRow columns={columnsOf(words, client, timeZone)} row={row} />}`);
}

function nameDevice(words: PageWords, { device, browser, os }: Counted): string {
  const known = [
    device && nameOf(words, 'device', device),
    browser && nameOf(words, 'browser', browser),
    os && nameOf(words, 'os', os),
  ];
  return known.filter(Boolean).join(', ') || words.text('clicks.unknown');
}
