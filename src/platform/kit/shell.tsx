import type { PropsWithChildren } from 'hono/jsx';
import type { Session } from '../../accounts/sessions/session.ts';
import { assetPath } from '../../http/assets.ts';
import { Brand, Head, SkipLink } from '../../http/frame.tsx';
import type { OwnClient } from '../env.ts';
import type { FlashMessage } from '../flash.ts';
import { clientPath, navigationOf, sectionIn, type NavLink, type NavSection } from '../nav.ts';
import { Hidden } from './form.tsx';
import { Menu } from './menu.tsx';
import { Notice } from './notice.tsx';
import { shortcutsOf } from './shortcuts.ts';

interface ShellProps {
  /** The title of the window, before the product's name. */
  readonly title: string;
  readonly navigation: readonly NavSection[];
  /** The path of the page, and its query. */
  readonly pathname: string;
  readonly search: string;
  /** The sentence that is shown once, or null. */
  readonly flash: FlashMessage | null;
  /** The user, if known, and the client. */
  readonly viewer: { readonly session: Session; readonly client: OwnClient | null } | undefined;
  /** For pages with little content: one narrow column in the middle. */
  readonly narrow?: boolean;
  /** Files of scripts besides those of all pages. */
  readonly scripts?: readonly string[];
}

/** The frame around every page: head, skip link, header, navigation, main. */
export function Shell({
  title,
  navigation,
  pathname,
  search,
  flash,
  viewer,
  narrow = false,
  scripts = [],
  children,
}: PropsWithChildren<ShellProps>) {
  return (
    <html lang="en">
      <Head title={`${title} · Terse`} styles={['platform.css']}>
        <meta name="robots" content="noindex" />
        {['platform.js', ...scripts].map((name) => (
          <script type="module" src={assetPath(name)}></script>
        ))}
      </Head>
      <body>
        <SkipLink />
        <header class="header" {...shortcutsOf(viewer?.client)}>
          <div class="bar">
            <Brand href="/platform" />
            {viewer && <ClientSwitcher {...{ navigation, pathname }} session={viewer.session} client={viewer.client} />}
            {viewer && <UserMenu session={viewer.session} />}
          </div>
          {viewer?.client && <Navigation {...{ navigation, pathname }} client={viewer.client} />}
        </header>
        <main id="main" class={narrow ? 'main narrow' : 'main'} tabindex={-1}>
          {flash !== null && (
            <Notice kind={flash.kind}>
              {flash.sentence}
              {viewer?.client && <Ways client={viewer.client} ways={flash.ways} />}
              {flash.undo && viewer?.client && (
                <Undo client={viewer.client} undo={flash.undo} here={pathname + search} />
              )}
            </Notice>
          )}
          {children}
        </main>
      </body>
    </html>
  );
}

function Ways({ client, ways }: { client: OwnClient; ways: FlashMessage['ways'] }) {
  return ways.map(({ path, label }) => (
    <>
      {' '}
      <a href={clientPath(client, path)}>{label}</a>
    </>
  ));
}

function Undo({
  client,
  undo: { path, fields, link },
  here,
}: {
  client: OwnClient;
  undo: NonNullable<FlashMessage['undo']>;
  here: string;
}) {
  return (
    <form method="post" action={clientPath(client, path)}>
      <Hidden name="to" value={link === null ? here : clientPath(client, `links/${encodeURIComponent(link)}`)} />
      {fields.map(([name, value]) => (
        <Hidden name={name} value={value} />
      ))}
      <button type="submit" class="as-link">
        Undo
      </button>
    </form>
  );
}

function ClientSwitcher({
  navigation,
  session,
  client,
  pathname,
}: {
  navigation: readonly NavSection[];
  session: Session;
  client: OwnClient | null;
  pathname: string;
}) {
  const { clients, deletedClients } = session;
  if (clients.length + deletedClients.length === 0) return null;
  if (client && clients.length + deletedClients.length === 1) {
    return (
      <p class="client">
        <bdi>{client.name}</bdi>
      </p>
    );
  }
  return (
    <Menu {...(client && { label: 'Workspace' })} summary={client ? <bdi>{client.name}</bdi> : 'Workspaces'}>
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
        {deletedClients.map((own) => (
          <li>
            <a href={clientPath(own)}>
              <bdi>{own.name}</bdi> <span class="quiet">deleted</span>
            </a>
          </li>
        ))}
      </ul>
    </Menu>
  );
}

function UserMenu({ session }: { session: Session }) {
  return (
    <Menu label="User" summary={<bdi>{session.userName}</bdi>} end>
      <ul>
        <li>
          <a href="/platform/account">Account</a>
        </li>
        <li>
          <form method="post" action="/platform/sign-out">
            <button type="submit">Sign out</button>
          </form>
        </li>
      </ul>
    </Menu>
  );
}

function Navigation({
  navigation,
  client,
  pathname,
}: {
  navigation: readonly NavSection[];
  client: OwnClient;
  pathname: string;
}) {
  const { sections, pages } = navigationOf(navigation, client, pathname);
  return (
    <>
      <NavLine label="Pages of the workspace" links={sections} />
      {pages && <NavLine label={pages.label} links={pages.links} />}
    </>
  );
}

/** One line of links, which scrolls where it has no room. */
function NavLine({ label, links }: { label: string; links: readonly NavLink[] }) {
  return (
    <nav class="nav" aria-label={label}>
      <ul>
        {links.map(({ href, label, current }) => (
          <li>
            <a href={href} aria-current={current}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
