import type { RecentLink } from '../../../links/list/recent-links.ts';
import { RECENT_DAYS, type RecentClicks } from '../../../clicks/recent.ts';
import type { Site } from '../../../network/hosts.ts';
import { namesOf, type TagColour } from '../../../links/tags/names.ts';
import type { ColouredTag } from '../../../links/tags/tags.ts';
import { shortUrlOf } from '../../../links/slugs/short-url.ts';
import { isSeen } from '../../../text/look-alikes.ts';
import type { OwnClient } from '../../env.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { CopyButton } from '../../kit/copy.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Badge } from '../../kit/notice.tsx';
import { formatCount } from '../../kit/numbers.ts';
import { Sparkline } from '../../kit/sparkline.tsx';
import { clientPath } from '../../nav.ts';
import { Dot } from '../../tags/dot.tsx';
import { Destination } from '../destination.tsx';
import { Avatar } from '../avatar.tsx';
import { Isolated } from '../bidi-text.tsx';
import { addressWith, type ListQuery } from './list-query.ts';
import { linkPath } from '../paths.ts';
import { displayUrl } from '../display-url.ts';
import { StateBadge, WaitingBadge } from '../page/state.tsx';

/** A word that links share, and that filters the list. */
interface Chip {
  /** The filter, and its value. */
  readonly name: string;
  readonly value: string;
  readonly text: string;
  /** Its colour, if it has one. */
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
  /** True if it has just been created here. */
  readonly isNew: boolean;
}

/** One link of the list. */
export function LinkRow({ client, site, timeZone, now, query, link, tags, isNew }: LinkRowProps) {
  const shortUrl = shortUrlOf(link, site);
  const name = displayUrl(shortUrl);
  const isDeleted = link.state === 'deleted';
  const path = clientPath(client, 'links');
  return (
    <li class={isNew ? 'link-row new' : 'link-row'}>
      <label class="tick">
        <input type="checkbox" name="id" value={link.id} aria-label={`Select ${name}`} />
      </label>
      <Avatar href={link.url} />
      <div class="link-name">
        <ShortLink name={name} href={linkPath(client, link.id)} />
        {isNew && <Badge kind="success">New</Badge>}
        {link.state !== 'active' && <StateBadge state={link.state} />}
        <WaitingBadge link={link} />
      </div>
      <div class="link-copy">{!isDeleted && <CopyButton text={shortUrl} label={`Copy ${name}`} small />}</div>
      <div class="link-target">
        {link.title !== null && isSeen(link.title) && (
          <span class="link-title cut" dir="auto" title={link.title.length > LONG ? link.title : undefined}>
            {link.title}
          </span>
        )}
        <span class="quiet cut" dir="ltr" title={link.url}>
          <Destination href={link.url} />
        </span>
      </div>
      <Chips {...{ path, query, link, tags }} href={linkPath(client, link.id)} />
      <Clicks recent={link.recent} />
      <div class="link-date">
        <RelativeTime at={link.createdAt} now={now} timeZone={timeZone} />
      </div>
      <div class="link-menu">{!isDeleted && <RowMenu name={name} href={linkPath(client, link.id)} />}</div>
    </li>
  );
}

// So that a text that may be cut can be read by pointing at it.
const LONG = 24;

/** Where there is little room, the host is cut before the slug, at its beginning, so that they stay side by side. */
function ShortLink({ name, href }: { name: string; href: string }) {
  const slash = name.indexOf('/');
  return (
    <a href={href} title={name.length > LONG ? name : undefined} aria-label={name}>
      <span class="link-host">
        <Isolated text={name.slice(0, slash)} />
      </span>
      <span class="cut">
        <Isolated text={name.slice(slash)} />
      </span>
    </a>
  );
}

/** The campaign and the tags under which a link is filed. */
function chipsOf({ campaignName, tags }: RecentLink, known: LinkRowProps['tags']): readonly Chip[] {
  const campaign = campaignName === null ? [] : [{ name: 'campaign_name', value: campaignName, text: campaignName }];
  return [
    ...campaign,
    ...namesOf(tags).map((tag) => ({ name: 'tag', value: tag, text: tag, colour: known.get(tag)?.colour })),
  ];
}

// More would make a row higher than what is said of its link: beside it two, and four in a line below it.
const MAX_BESIDE = 2;
const MAX_BELOW = 4;

function Chips({ path, query, link, tags, href }: ChipsProps) {
  const chips = chipsOf(link, tags);
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="Campaign and tags">
      {chips.slice(0, MAX_BELOW).map(({ name, value, text, colour }) => (
        <li>
          <a class="chip cut" dir="auto" href={addressWith(path, query, { [name]: value })} title={text}>
            {colour && <Dot colour={colour} />}
            {text}
          </a>
        </li>
      ))}
      <MoreChips class="beside" chips={chips.slice(MAX_BESIDE)} href={href} />
      <MoreChips class="below" chips={chips.slice(MAX_BELOW)} href={href} />
    </ul>
  );
}

function MoreChips({ class: name, chips, href }: { class: string; chips: readonly Chip[]; href: string }) {
  if (chips.length === 0) return null;
  return (
    <li class={name}>
      <a class="chip" href={href} title={chips.map(({ text }) => text).join(', ')}>
        {chips.length} more
      </a>
    </li>
  );
}

interface ChipsProps extends Pick<LinkRowProps, 'query' | 'link' | 'tags'> {
  /** The path of the list. */
  readonly path: string;
  /** The path of the link's page. */
  readonly href: string;
}

function Clicks({ recent }: { recent: RecentClicks | null }) {
  if (recent === null) return <div class="link-clicks" />;
  const { humans, previews, bots } = recent.all;
  const days = recent.people;
  const lately = days === null ? 0 : days.reduce((sum, clicks) => sum + clicks, 0);
  const others = `By people, plus ${formatCount(previews)} previews and ${formatCount(bots)} bots`;
  return (
    <div class="link-clicks" title={previews + bots > 0 ? others : undefined}>
      {days && <Sparkline counts={days} label={`${formatCount(lately)} in the last ${RECENT_DAYS} days`} />}
      <span>
        {formatCount(humans)} <span class="unit">{humans === 1 ? 'click' : 'clicks'}</span>
      </span>
    </div>
  );
}

function RowMenu({ name, href }: { name: string; href: string }) {
  return (
    <Menu label={`Actions for ${name}`} summary={<span aria-hidden="true">⋯</span>} end>
      <ul>
        <li>
          <a href={`${href}/edit`}>Edit</a>
        </li>
        <li>
          <a href={`${href}/qr.svg?download=true`} download>
            QR code, SVG
          </a>
        </li>
        <li>
          <a href={`${href}/qr.png?download=true`} download>
            QR code, PNG
          </a>
        </li>
        <li>
          <a href={`${href}/delete`} data-confirms>
            Delete
          </a>
        </li>
      </ul>
    </Menu>
  );
}
