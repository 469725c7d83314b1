import type { PropsWithChildren } from 'hono/jsx';
import type { ManagedLink } from '../../../links/managed-link.ts';
import type { OwnClient } from '../../env.ts';
import { Button, ButtonLink } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy.tsx';
import { Hidden } from '../../kit/form.tsx';
import { Badge, Notice } from '../../kit/notice.tsx';
import { PageHeader } from '../../kit/section.tsx';
import { nameInstant } from '../../kit/time.tsx';
import { livePath } from '../../live/paths.ts';
import { clientPath } from '../../nav.ts';
import { Destination } from '../destination.tsx';
import { linkPath } from '../paths.ts';
import { displayUrl } from '../display-url.ts';
import { StateBadge, WaitingBadge } from './state.tsx';
import { LinkTabs, type Tab } from './tabs.tsx';

/** The input of each tab of a link's page. */
export interface OfLink {
  readonly client: OwnClient;
  readonly link: ManagedLink;
  readonly shortUrl: string;
  readonly timeZone: string;
}

/** The head of a link's page, which all of its tabs have, and the tabs. */
export function LinkFrame({
  client,
  link,
  shortUrl,
  timeZone,
  tab,
  children,
}: PropsWithChildren<OfLink & { tab: Tab }>) {
  const path = linkPath(client, link.id);
  const isDeleted = link.state === 'deleted';
  return (
    <>
      <PageHeader
        title={displayUrl(shortUrl)}
        crumb={{ href: clientPath(client, 'links'), label: 'Links' }}
        lead={
          <>
            <StateBadge state={link.state} /> <WaitingBadge link={link} />{' '}
            {link.state === 'active' && link.startsAt !== null && link.startsAt > Date.now() && (
              <Badge kind="warning">Starts on {nameInstant(link.startsAt, timeZone)}</Badge>
            )}{' '}
            Leads to{' '}
            <a href={link.url} rel="noreferrer" dir="ltr" title={link.url}>
              <Destination href={link.url} whole />
            </a>
          </>
        }
        actions={
          <>
            {!isDeleted && <CopyButton text={shortUrl} label={`Copy ${displayUrl(shortUrl)}`} />}
            {!isDeleted && tab === '' && <ButtonLink href={livePath(client, link.id)}>Live</ButtonLink>}
            {!isDeleted && tab === '' && <ButtonLink href={`${path}/share`}>Public statistics</ButtonLink>}
            {!isDeleted && <ButtonLink href={`${path}/edit`}>Edit</ButtonLink>}
            <Switches {...{ link, path, tab }} />
          </>
        }
      />
      {isDeleted && (
        <Notice>
          This link has been deleted. You can restore it within 30 days of its deletion. After that its content is
          removed, and its address stays reserved.
        </Notice>
      )}
      <LinkTabs {...{ path, isDeleted }} current={tab} />
      {children}
    </>
  );
}

/** The field that says on which tab a link was enabled or disabled. */
export const FROM_TAB = 'to';

/** The buttons that enable, disable or delete a link. */
function Switches({ link, path, tab }: { link: ManagedLink; path: string; tab: Tab }) {
  const here = <Hidden name={FROM_TAB} value={tab === '' ? path : `${path}/${tab}`} />;
  if (link.state === 'deleted') {
    return (
      <form method="post" action={`${path}/restore`}>
        {here}
        <Button>Restore</Button>
      </form>
    );
  }
  return (
    <>
      <form method="post" action={`${path}/${link.disabled ? 'enable' : 'disable'}`}>
        {here}
        <Button kind="quiet">{link.disabled ? 'Enable' : 'Disable'}</Button>
      </form>
      <ButtonLink href={`${path}/delete`} confirms>
        Delete
      </ButtonLink>
    </>
  );
}
