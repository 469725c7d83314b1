import type { BulkAction } from '../../../links/edit/many-rules.ts';
import type { Site } from '../../../network/hosts.ts';
import type { RecentLink } from '../../../links/list/recent-links.ts';
import type { ColouredTag } from '../../../links/tags/tags.ts';
import { RECENT_DAYS } from '../../../clicks/recent.ts';
import type { IconName } from '../../../design/icon-names.ts';
import { Icon } from '../../../design/icon.tsx';
import type { OwnClient } from '../../env.ts';
import { Actions } from '../../kit/button.tsx';
import { Hidden } from '../../kit/form.tsx';
import { clientPath } from '../../nav.ts';
import { useWords } from '../../words.tsx';
import { MANY_LABELS } from './confirm-many.tsx';
import { LinkRow } from './link-row.tsx';
import type { ListQuery } from './list-query.ts';

/** Links, to copy and to select, and the actions for the selected ones, which stay in sight while there are some. */
export function LinkTable({
  client,
  site,
  timeZone,
  query,
  links,
  created,
  tags,
}: {
  client: OwnClient;
  site: Site;
  timeZone: string;
  /** The query of the list. */
  query: ListQuery;
  links: readonly RecentLink[];
  /** The id of the link that has just been created here. */
  created: string | undefined;
  /** The tags of the workspace. */
  tags: readonly ColouredTag[];
}) {
  const { text } = useWords();
  const now = Date.now();
  const most = Math.max(0, ...links.flatMap(({ recent }) => recent?.people ?? []));
  const byName = new Map(tags.map((tag) => [tag.name, tag]));
  return (
    <form class="links" method="get" action={clientPath(client, 'links/selected')} data-confirms>
      <Hidden name="back" value={new URLSearchParams(query).toString()} />
      <div class="cols">
        <label class="pick" hidden>
          <input type="checkbox" data-select-all aria-label={text('linkList.selectAll')} />
        </label>
        <span class="col-link">{text('linkList.link')}</span>
        <span class="col-filed">{text('linkList.filed')}</span>
        <span class="col-days">{text('linkList.lastDays', { days: RECENT_DAYS })}</span>
        <span class="col-clicks">{text('linkList.clicks')}</span>
      </div>
      <ul aria-label={text('linkList.title')}>
        {links.map((link) => (
          <LinkRow {...{ client, site, timeZone, now, query, link, most }} tags={byName} isNew={link.id === created} />
        ))}
      </ul>
      <div class="bulk">
        <span>
          {text('linkList.selected')}
          <b data-selected></b>
        </span>
        <Actions>
          {actionsFor(links).map((action) => (
            <button type="submit" name="do" value={action}>
              <Icon name={MANY_ICONS[action]} />
              {text(MANY_LABELS[action])}
            </button>
          ))}
          <button type="submit" formaction={clientPath(client, 'links/codes')}>
            <Icon name="qr-code" />
            {text('linkList.print')}
          </button>
          <button type="reset" aria-label={text('linkList.selectNone')}>
            <Icon name="x" />
          </button>
        </Actions>
      </div>
    </form>
  );
}

const MANY_ICONS: Readonly<Record<BulkAction, IconName>> = {
  campaign: 'megaphone',
  tag: 'tag',
  untag: 'tag',
  expiry: 'hourglass',
  disable: 'ban',
  enable: 'circle-check',
  delete: 'trash-2',
  restore: 'history',
};

// What can be done with some of the links. The filters of a list do not say it: several states come together.
function actionsFor(links: readonly RecentLink[]): readonly BulkAction[] {
  const live = links.filter(({ state }) => state !== 'deleted');
  if (live.length === 0) return ['restore'];
  const [disabled, others] = [live.some((link) => link.disabled), live.some((link) => !link.disabled)];
  const switches = [...(others ? (['disable'] as const) : []), ...(disabled ? (['enable'] as const) : [])];
  const tagged = live.some(({ tags }) => tags !== null);
  return ['campaign', 'tag', ...(tagged ? (['untag'] as const) : []), 'expiry', ...switches, 'delete'];
}
