import type { Session } from '../../accounts/sessions/session.ts';
import { Icon } from '../../design/icon.tsx';
import { Mark } from '../../http/brand.tsx';
import { Brand } from '../../http/frame.tsx';
import type { OwnClient } from '../env.ts';
import { clientPath, sectionIn, type NavLink, type NavSection } from '../nav.ts';
import { useWords } from '../words.tsx';
import { Menu } from './menu.tsx';

/** The name of the workspace; a menu that leads to the same page of another one, if the user has several. */
export function Workspaces({
  navigation,
  session: { clients, closedClients, deletedClients },
  client,
  pathname,
}: {
  navigation: readonly NavSection[];
  session: Session;
  client: OwnClient | null;
  pathname: string;
}) {
  const { text } = useWords();
  const count = clients.length + closedClients.length + deletedClients.length;
  if (count === 0) return <Brand href="/platform" />;
  if (client && count === 1) {
    return (
      <p class="client">
        <Mark />
        <bdi>{client.name}</bdi>
      </p>
    );
  }
  return (
    <Menu
      {...(client && { label: text('shell.workspace') })}
      before={<Mark />}
      summary={client ? <bdi>{client.name}</bdi> : text('shell.workspaces')}
      icon="chevrons-up-down"
    >
      <ul>
        {clients.map((own) => (
          <li>
            <a
              href={sectionIn(navigation, own, client, pathname)}
              aria-current={own.id === client?.id ? 'true' : undefined}
            >
              <bdi>{own.name}</bdi>
            </a>
          </li>
        ))}
        {closedClients.map((own) => (
          <li>
            <a href={clientPath(own)}>
              <bdi>{own.name}</bdi> <span class="quiet">{text('shell.closed')}</span>
            </a>
          </li>
        ))}
        {deletedClients.map((own) => (
          <li>
            <a href={clientPath(own)}>
              <bdi>{own.name}</bdi> <span class="quiet">{text('shell.deleted')}</span>
            </a>
          </li>
        ))}
      </ul>
    </Menu>
  );
}

/** The menu at the foot of the navigation; on phones it is called "More" and has the sections that the bar leaves out. */
export function UserMenu({
  session: { shownName: userName },
  sections,
}: {
  session: Session;
  sections: readonly NavLink[];
}) {
  const { text } = useWords();
  return (
    <Menu
      kind="user"
      label={text('shell.user')}
      before={
        <>
          <span class="face" aria-hidden="true">
            {initialsOf(userName)}
          </span>
          <span class="more" aria-hidden="true">
            <Icon name="ellipsis" />
            {text('shell.more')}
          </span>
        </>
      }
      summary={<bdi>{userName}</bdi>}
    >
      <ul>
        {sections
          .filter(({ isInBar }) => !isInBar)
          .map((link) => (
            <li class="narrow">
              <SectionLink {...link} />
            </li>
          ))}
        <li>
          <a href="/platform/account">{text('shell.account')}</a>
        </li>
        <li>
          <form method="post" action="/platform/sign-out">
            <button type="submit">{text('shell.signOut')}</button>
          </form>
        </li>
      </ul>
    </Menu>
  );
}

/** The sections of the workspace, and the button of the bar on phones that creates a link. */
export function Navigation({ sections, client }: { sections: readonly NavLink[]; client: OwnClient }) {
  const { text } = useWords();
  return (
    <nav class="nav" aria-label={text('shell.pages')}>
      <ul>
        {sections.map((link, index) => (
          <>
            {index === IN_FRONT_OF_CREATE && (
              <li class="create">
                <a href={clientPath(client, 'links/new')}>
                  <Icon name="plus" />
                  <span class="unseen">{text('shell.createLink')}</span>
                </a>
              </li>
            )}
            <li class={link.isAtFoot ? 'wide at-foot' : link.isInBar ? undefined : 'wide'}>
              <SectionLink {...link} />
            </li>
          </>
        ))}
      </ul>
    </nav>
  );
}

/** The pages of a section. */
export function SubNavigation({ label, links }: { label: string; links: readonly NavLink[] }) {
  return (
    <nav class="subnav" aria-label={label}>
      <ul>
        {links.map((link) => (
          <li>
            <SectionLink {...link} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The first letters of the first two words of a name. */
function initialsOf(name: string): string {
  const words = name.split(/[\s._@-]+/).filter((word) => word !== '');
  const letters = words.slice(0, 2).map((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? '');
  return letters.join('').toLocaleUpperCase('en');
}

/** The sections that come before the button of the bar on phones. */
const IN_FRONT_OF_CREATE = 2;

function SectionLink({ href, label, icon, current }: NavLink) {
  return (
    <a href={href} aria-current={current}>
      {icon && <Icon name={icon} />}
      {label}
    </a>
  );
}
