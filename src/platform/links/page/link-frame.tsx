import type { PropsWithChildren } from 'hono/jsx';
import type { Unhealthy } from '../../../links/health/unhealthy.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import { namesOf, type TagColour } from '../../../links/tags/names.ts';
import { isSeen } from '../../../text/look-alikes.ts';
import { Icon } from '../../../design/icon.tsx';
import type { OwnClient } from '../../env.ts';
import { Actions, Button, ButtonLink } from '../../kit/button.tsx';
import { Hidden } from '../../kit/form.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Badge, Notice } from '../../kit/notice.tsx';
import { livePath } from '../../live/paths.ts';
import { clientPath } from '../../nav.ts';
import { Dot } from '../../tags/dot.tsx';
import { useWords } from '../../words.tsx';
import { Destination } from '../destination.tsx';
import { linkPath } from '../paths.ts';
import { displayUrl } from '../display-url.ts';
import { addressWith } from '../list/list-query.ts';
import { Tape } from '../tape.tsx';
import { StateBadge, UnhealthyBadge, WaitingBadge, wordsOf } from './state.tsx';
import { LinkTabs, type Tab } from './tabs.tsx';

/** The input of each tab of a link's page. */
export interface OfLink {
  readonly client: OwnClient;
  readonly link: ManagedLink;
  /** The colours of its tags, by their names. */
  readonly tagColours: ReadonlyMap<string, TagColour>;
  readonly shortUrl: string;
  readonly timeZone: string;
}

/** The head of a link's page, which all of its tabs have, and the tabs. */
export function LinkFrame({
  client,
  link,
  tagColours,
  shortUrl,
  timeZone,
  tab,
  children,
}: PropsWithChildren<OfLink & { tab: Tab }>) {
  const { text, content, instant } = useWords();
  const path = linkPath(client, link.id);
  const links = clientPath(client, 'links');
  const title = link.title !== null && isSeen(link.title) ? link.title : displayUrl(shortUrl);
  const isDeleted = link.state === 'deleted';
  return (
    <>
      <div class="link-head" data-link={path}>
        <div class="link-head-main">
          <p class="crumb">
            <a href={links}>{text('linkPage.back')}</a>
          </p>
          <h1>
            <bdi>{title}</bdi>
          </h1>
          <p class="link-ways">
            <Tape {...{ shortUrl }} state={link.state} isLocked={link.hasPassword} big />
            <a class="link-target" href={link.url} rel="noreferrer" title={link.url}>
              <Icon name="corner-down-right" />
              <span dir="ltr">
                {content('linkPage.leadsTo', {
                  url: link.url,
                  unseen: (inside) => <span class="unseen">{inside}</span>,
                  to: () => <Destination href={link.url} whole />,
                })}
              </span>
            </a>
          </p>
          <p class="link-words">
            <StateBadge state={link.state} /> <WaitingBadge link={link} /> <UnhealthyBadge {...{ link, timeZone }} />
            {link.state === 'active' && link.startsAt !== null && link.startsAt > Date.now() && (
              <Badge kind="warning">{text('linkPage.startsOn', { time: instant(link.startsAt, timeZone) })}</Badge>
            )}
            {link.campaignName !== null && (
              <a dir="auto" href={addressWith(links, {}, { campaign_name: link.campaignName })}>
                <Icon name="megaphone" />
                {link.campaignName}
              </a>
            )}
            {namesOf(link.tags).map((tag) => (
              <a dir="auto" href={addressWith(links, {}, { tag })}>
                <Dot colour={tagColours.get(tag) ?? 'gray'} />
                {tag}
              </a>
            ))}
          </p>
        </div>
        <Actions>
          {!isDeleted && (
            <>
              <ButtonLink href={`${path}/share`}>
                <Icon name="share-2" />
                {text('linkPage.share')}
              </ButtonLink>
              <ButtonLink href={`${path}/edit`} kind="primary">
                <Icon name="pencil" />
                {text('kit.edit')}
              </ButtonLink>
            </>
          )}
          <Switches {...{ client, link, path, tab }} />
        </Actions>
      </div>
      {isDeleted && <Notice>{text('linkPage.deletedNotice')}</Notice>}
      {link.unhealthy && <UnhealthyNotice unhealthy={link.unhealthy} timeZone={timeZone} />}
      <LinkTabs {...{ path, isDeleted }} current={tab} />
      {children}
    </>
  );
}

/** The result of the checks of the destinations. */
function UnhealthyNotice({ unhealthy, timeZone }: { unhealthy: Unhealthy; timeZone: string }) {
  const words = useWords();
  const { since, url } = unhealthy;
  return (
    <Notice>
      {words.content('linkPage.unhealthyNotice', {
        time: words.instant(since, timeZone),
        reason: wordsOf(words, unhealthy),
        url,
        a: () => (
          <a class="broken" href={url} rel="noreferrer" dir="ltr">
            <Destination href={url} whole />
          </a>
        ),
      })}
    </Notice>
  );
}

/** The field that says on which tab a link was enabled or disabled. */
export const FROM_TAB = 'to';

/** The menu of what is done less often: enabling, disabling and deleting a link; a button that restores a deleted one. */
function Switches({ client, link, path, tab }: { client: OwnClient; link: ManagedLink; path: string; tab: Tab }) {
  const { text } = useWords();
  const here = <Hidden name={FROM_TAB} value={tab === '' ? path : `${path}/${tab}`} />;
  if (link.state === 'deleted') {
    return (
      <form method="post" action={`${path}/restore`}>
        {here}
        <Button>{text('linkPage.restore')}</Button>
      </form>
    );
  }
  return (
    <Menu label={text('shell.more')} summary="" icon="ellipsis" kind="row-menu link-menu for-screen" end>
      <ul>
        <li>
          <a href={livePath(client, link.id)}>
            <Icon name="eye" />
            {text('kit.live')}
          </a>
        </li>
        <li>
          <a href={`${clientPath(client, 'links/new')}?from=${link.id}`}>
            <Icon name="plus" />
            {text('linkPage.duplicate')}
          </a>
        </li>
        <li>
          <form method="post" action={`${path}/${link.disabled ? 'enable' : 'disable'}`}>
            {here}
            <button type="submit">
              <Icon name={link.disabled ? 'circle-check' : 'ban'} />
              {text(link.disabled ? 'linkPage.enable' : 'linkPage.disable')}
            </button>
          </form>
        </li>
        <li>
          <a href={`${path}/delete`} data-confirms>
            <Icon name="trash-2" />
            {text('kit.delete')}
          </a>
        </li>
      </ul>
    </Menu>
  );
}
