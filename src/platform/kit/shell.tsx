import { html } from 'hono/html';
import { useContext, type Child, type PropsWithChildren } from 'hono/jsx';
import type { Session } from '../../accounts/sessions/session.ts';
import type { PlatformLanguage } from '../../languages/list.ts';
import { assetPath } from '../../http/assets.ts';
import { BrandOfPage } from '../../http/brand.tsx';
import { Card } from '../../http/card.tsx';
import { Brand, Head, SkipLink } from '../../http/frame.tsx';
import type { OwnClient } from '../env.ts';
import type { FlashMessage } from '../flash.ts';
import { clientPath, navigationOf, type NavSection } from '../nav.ts';
import { Finder } from './find.tsx';
import { Hidden } from './form.tsx';
import { Navigation, SubNavigation, UserMenu, Workspaces } from './navigation.tsx';
import { Notice } from './notice.tsx';
import { shortcutsOf } from './shortcuts.ts';
import { useWords } from '../words.tsx';

/**
 * A page is painted once its content is there: one that is painted in parts moves, by what is above or beside its end. As a
 * text, since Hono's JSX leaves `blocking` out. https://html.spec.whatwg.org/multipage/links.html#link-type-expect
 */
const PAINTED_WHOLE = html`<link rel="expect" href="#main" blocking="render" />`;

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
  /** Beside the page of a user who is not signed in, on wide screens. */
  readonly beside?: Child;
  /** Files of scripts. */
  readonly scripts?: readonly string[];
  /** Style sheets besides that of all pages. */
  readonly styles?: readonly string[];
  /** Of a page that everyone can open: what it is about, and the public origin. */
  readonly about?: { readonly description: string; readonly origin: string } | undefined;
}

/** The file of a script in a language. */
const scriptIn = (language: PlatformLanguage, name: string): string =>
  language === 'en' ? name : name.replace('.', `-${language}.`);

/** The frame around every page: head, skip link, navigation, main. */
export function Shell({
  title,
  navigation,
  pathname,
  search,
  flash,
  viewer,
  narrow = false,
  beside = null,
  scripts = [],
  styles = [],
  about,
  children,
}: PropsWithChildren<ShellProps>) {
  const words = useWords();
  const client = viewer?.client ?? null;
  const isDoor = !viewer && beside !== null;
  const nav = client && navigationOf(words, navigation, client, pathname);
  const fullTitle = `${title} · ${useContext(BrandOfPage).name}`;
  return (
    <html lang={words.language}>
      <Head title={fullTitle} styles={isDoor ? ['platform.css', 'door.css'] : ['platform.css']}>
        {PAINTED_WHOLE}
        {about === undefined ? (
          <meta name="robots" content="noindex" />
        ) : (
          <Card title={fullTitle} {...about} pathname={pathname} />
        )}
        {styles.map((name) => (
          <link rel="stylesheet" href={assetPath(name)} data-own />
        ))}
        {scripts.map((name) => (
          <script type="module" src={assetPath(scriptIn(words.language, name))}></script>
        ))}
      </Head>
      <body class={viewer ? 'app' : isDoor ? 'plain door' : 'plain'}>
        <SkipLink>{words.text('shell.skip')}</SkipLink>
        <header class="side" {...shortcutsOf(client)}>
          {viewer ? (
            <Workspaces {...{ navigation, pathname, client }} session={viewer.session} />
          ) : (
            <Brand href="/platform" />
          )}
          {client && <Finder navigation={navigation} client={client} />}
          {nav && client && <Navigation sections={nav.sections} client={client} />}
          {viewer && <UserMenu session={viewer.session} sections={nav?.sections ?? []} />}
        </header>
        <main id="main" class={narrow ? 'page narrow' : 'page'} tabindex={-1}>
          {nav?.pages && <SubNavigation {...nav.pages} />}
          {flash !== null && (
            <Notice kind={flash.kind}>
              {flash.sentence}
              {client && <Ways client={client} ways={flash.ways} />}
              {flash.undo && client && <Undo client={client} undo={flash.undo} here={pathname + search} />}
            </Notice>
          )}
          {children}
        </main>
        {isDoor && beside}
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
        {useWords().text('shell.undo')}
      </button>
    </form>
  );
}
