import type { PropsWithChildren } from 'hono/jsx';
import type { RecentLink } from '../../../links/list/recent-links.ts';
import { RECENT_DAYS, type RecentClicks } from '../../../clicks/recent.ts';
import type { Site } from '../../../network/hosts.ts';
import { namesOf, type TagColour } from '../../../links/tags/names.ts';
import type { ColouredTag } from '../../../links/tags/tags.ts';
import { shortUrlOf } from '../../../links/slugs/short-url.ts';
import { isSeen } from '../../../text/look-alikes.ts';
import { Icon } from '../../../design/icon.tsx';
import type { OwnClient } from '../../env.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Badge } from '../../kit/notice.tsx';
import { Sparkline } from '../../kit/sparkline.tsx';
import { clientPath } from '../../nav.ts';
import { Dot } from '../../tags/dot.tsx';
import { useWords } from '../../words.tsx';
import { Avatar } from '../avatar.tsx';
import { Destination } from '../destination.tsx';
import { displayUrl } from '../display-url.ts';
import { StateBadge, UnhealthyBadge, WaitingBadge } from '../page/state.tsx';
import { linkPath } from '../paths.ts';
import { Fade, Tape } from '../tape.tsx';
import { addressWith, type ListQuery } from './list-query.ts';
import { LinkMenu } from './link-menu.tsx';

/** A word that links share, and that filters the list. */
interface Filed {
  /** The filter, and its value. */
  readonly name: string;
  readonly value: string;
  /** The colour of a tag; a campaign has none. */
  readonly colour?: TagColour | undefined;
}

interface LinkRowProps {
  readonly client: OwnClient;
  readonly site: Site;
  readonly timeZone: string;
  readonly now: number;
  readonly query: ListQuery;
  readonly link: RecentLink;
  /** The tags of the workspace by name. */
  readonly tags: ReadonlyMap<string, ColouredTag>;
  /** The most clicks of a day on this page. */
  readonly most: number;
  /** True if it has just been created here. */
  readonly isNew: boolean;
}

/** One link of the list: its title, the short link and where it leads, the words under which it is filed, its clicks. */
export function LinkRow({ client, site, timeZone, now, query, link, tags, most, isNew }: LinkRowProps) {
  const { text } = useWords();
  const shortUrl = shortUrlOf(link, site);
  const name = displayUrl(shortUrl);
  const href = linkPath(client, link.id);
  const isStopped = link.state !== 'active';
  const title = link.title !== null && isSeen(link.title) ? link.title : null;
  return (
    <li class={`link-row${isNew ? ' new' : ''}${isStopped ? ' dim' : ''}`}>
      <label class="pick">
        <input type="checkbox" name="id" value={link.id} aria-label={text('linkList.select', { name })} />
        <Avatar href={link.url} />
      </label>
      <div class="row-main">
        <div class="row-title">
          {title === null ? (
            <a class="cut" dir="ltr" href={href} title={link.url}>
              <Destination href={link.url} />
            </a>
          ) : (
            <a class="cut" dir="auto" href={href} title={title.length > LONG ? title : undefined}>
              {title}
            </a>
          )}
          {isNew && <Badge kind="success">{text('linkList.new')}</Badge>}
        </div>
        <div class="row-sub">
          <Tape {...{ shortUrl, href }} state={link.state} isLocked={link.hasPassword} />
          {isStopped && <StateBadge state={link.state} />}
          <WaitingBadge link={link} />
          <UnhealthyBadge link={link} timeZone={timeZone} />
          {title !== null && <Fade href={link.url} />}
        </div>
      </div>
      <FiledUnder path={clientPath(client, 'links')} {...{ query, link, tags, href }} />
      <Clicks recent={link.recent} most={most}>
        <RelativeTime at={link.createdAt} now={now} timeZone={timeZone} />
      </Clicks>
      {link.state !== 'deleted' && <LinkMenu {...{ client, link, shortUrl, name, query }} />}
    </li>
  );
}

// So that a text that may be cut can be read by pointing at it.
const LONG = 24;

/** The campaign and the tags under which a link is filed. */
function filedUnder({ campaignName, tags }: RecentLink, known: LinkRowProps['tags']): readonly Filed[] {
  const campaign = campaignName === null ? [] : [{ name: 'campaign_name', value: campaignName }];
  return [
    ...campaign,
    ...namesOf(tags).map((tag) => ({ name: 'tag', value: tag, colour: known.get(tag)?.colour ?? 'gray' })),
  ];
}

// What one line has room for.
const MAX_SHOWN = 2;

const unseen = (inside: string[]) => <span class="unseen">{inside}</span>;

function FiledUnder({ path, query, link, tags, href }: FiledUnderProps) {
  const { text, content } = useWords();
  const all = filedUnder(link, tags);
  if (all.length === 0) return <div class="filed" />;
  const others = all.slice(MAX_SHOWN);
  return (
    <ul class="filed" aria-label={text('linkList.filed')}>
      {all.slice(0, MAX_SHOWN).map(({ name, value, colour }) => (
        <li>
          <a dir="auto" href={addressWith(path, query, { [name]: value })} title={value}>
            {colour === undefined ? <Icon name="megaphone" /> : <Dot colour={colour} />}
            <span class="cut">{value}</span>
          </a>
        </li>
      ))}
      {others.length > 0 && (
        <li class="more">
          <a href={href} title={others.map(({ value }) => value).join(', ')}>
            {content('linkList.moreFiled', { count: others.length, unseen })}
          </a>
        </li>
      )}
    </ul>
  );
}

interface FiledUnderProps extends Pick<LinkRowProps, 'query' | 'link' | 'tags'> {
  /** The path of the list. */
  readonly path: string;
  /** The path of the link's page. */
  readonly href: string;
}

/**
 * The visits of people: those of the last days as a line, and those of all time as a number above the age of the link. The
 * page of the link begins with the visits of thirty days, so the number says that it has all days.
 */
function Clicks({ recent, most, children }: PropsWithChildren<{ recent: RecentClicks | null; most: number }>) {
  const { text, content } = useWords();
  if (recent === null) {
    return (
      <>
        <div class="row-days" />
        <div class="row-clicks">
          <small class="age">{children}</small>
        </div>
      </>
    );
  }
  const { humans, previews, bots } = recent.all;
  const days = recent.people ?? [];
  const lately = days.reduce((sum, clicks) => sum + clicks, 0);
  return (
    <>
      <div class="row-days">
        <Sparkline counts={days} most={most} label={text('linkList.lately', { count: lately, days: RECENT_DAYS })} />
      </div>
      <div
        class="row-clicks"
        title={previews + bots > 0 ? text('linkList.plusOthers', { previews, bots }) : text('linkList.sinceCreated')}
      >
        <b>{content('linkList.clicksOf', { count: humans, unseen })}</b>
        <small class="all-time">{text('linkList.allTime')}</small>
        <small class="age">{children}</small>
      </div>
    </>
  );
}
