import type { Site } from '../../hosts.ts';
import type { ManyAction } from '../../links/edit/edit-many.ts';
import type { ManagedLink } from '../../links/managed.ts';
import { shortUrlOf } from '../../links/short-url.ts';
import { isSeen } from '../../look-alikes.ts';
import type { OwnClient } from '../env.ts';
import { Actions, Button } from '../kit/button.tsx';
import { CopyButton } from '../kit/copy.tsx';
import { Hidden } from '../kit/form.tsx';
import { Menu } from '../kit/menu.tsx';
import { Table, type Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';
import { MANY_LABELS } from './confirm-many.tsx';
import { linkPath } from './paths.ts';
import { shown } from './shown.ts';
import { StateBadge } from './state.tsx';

/** A table of links, to copy and to select, and the actions for the selected ones. */
export function LinkTable({
  client,
  site,
  timeZone,
  query,
  links,
}: {
  client: OwnClient;
  site: Site;
  timeZone: string;
  /** The query of the list. */
  query: Readonly<Record<string, string>>;
  links: readonly ManagedLink[];
}) {
  return (
    <form class="panel" method="get" action={clientPath(client, 'links/selected')} data-confirms>
      <Hidden name="back" value={new URLSearchParams(query).toString()} />
      <Table caption="Links" columns={columnsOf(client, site, timeZone)} rows={links} />
      <div class="with-selected">
        <label class="checkbox" hidden>
          <input type="checkbox" data-select-all />
          <span>Select all</span>
        </label>
        <span class="quiet">Selected links:</span>
        <Actions>
          {actionsFor(links).map((action) => (
            <Button kind="quiet" small name="do" value={action}>
              {MANY_LABELS[action]}
            </Button>
          ))}
        </Actions>
      </div>
    </form>
  );
}

// What can be done with some of the links. The filters of a list do not say it: several states come together.
function actionsFor(links: readonly ManagedLink[]): readonly ManyAction[] {
  const live = links.filter(({ state }) => state !== 'deleted');
  if (live.length === 0) return ['restore'];
  const [disabled, others] = [live.some((link) => link.disabled), live.some((link) => !link.disabled)];
  return [...(others ? (['disable'] as const) : []), ...(disabled ? (['enable'] as const) : []), 'delete'];
}

function columnsOf(client: OwnClient, site: Site, timeZone: string): readonly Column<ManagedLink>[] {
  return [
    {
      label: 'Link',
      isWide: true,
      cell: (link) => {
        const shortUrl = shown(shortUrlOf(link, site));
        return (
          <div class="choice">
            <label class="tick">
              <input type="checkbox" name="id" value={link.id} aria-label={`Select ${shortUrl}`} />
            </label>
            <a class="two-lines" href={linkPath(client, link.id)}>
              <span class="cut">{shortUrl}</span>
              {link.title !== null && isSeen(link.title) && <span class="cut">{link.title}</span>}
              <span class="quiet cut">{link.url}</span>
            </a>
          </div>
        );
      },
    },
    { label: 'Campaign', cell: ({ campaignName }) => campaignName && <span class="campaign">{campaignName}</span> },
    { label: 'Status', cell: ({ state }) => <StateBadge state={state} /> },
    { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} timeZone={timeZone} /> },
    {
      label: 'Actions',
      isActions: true,
      cell: (link) => {
        const shortUrl = shortUrlOf(link, site);
        if (link.state === 'deleted') return null;
        return (
          <div class="row-actions">
            <CopyButton text={shortUrl} label={`Copy ${shown(shortUrl)}`} small />
            <Menu label={`QR code of ${shown(shortUrl)}`} summary="QR" end>
              <ul>
                <li>
                  <a href={linkPath(client, link.id, 'qr.svg?download=true')}>Download SVG</a>
                </li>
                <li>
                  <a href={linkPath(client, link.id, 'qr.png?download=true')}>Download PNG</a>
                </li>
              </ul>
            </Menu>
          </div>
        );
      },
    },
  ];
}
