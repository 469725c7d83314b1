import type { OwnClient } from '../accounts/sessions/session.ts';
import { CONSENT_PATH } from '../http/paths.ts';
import type { PageWords, PlainKey } from './words.tsx';
import type { IconName } from '../design/icon-names.ts';

/** A page of a client that the navigation leads to. */
interface NavPage {
  /** The part of the path after the client's; '' for the first page. */
  readonly path: string;
  readonly label: PlainKey;
  /** True if only owners see it; the page itself must refuse others. */
  readonly ownersOnly?: boolean;
}

/** An entry of the navigation: a page, or several that have a second line of their own. */
export interface NavSection {
  readonly label: PlainKey;
  readonly icon: IconName;
  /** On phones, where the bar has room for three; the others are in the menu beside it. */
  readonly isInBar?: boolean;
  /** At the foot of the navigation, away from the daily work. */
  readonly isAtFoot?: boolean;
  /** In the order of that line. The section leads to the first one that the user can open. */
  readonly pages: readonly NavPage[];
}

/** The path of a client's page, such as `links/new`. Client ids need no escaping: RFC 3986 unreserved characters. */
export function clientPath({ id }: Pick<OwnClient, 'id'>, path = ''): string {
  return path === '' ? `/platform/c/${id}` : `/platform/c/${id}/${path}`;
}

/** A link of the navigation. */
export interface NavLink {
  readonly href: string;
  readonly label: string;
  /** The value of its `aria-current`: `page` if it leads to the page that is shown, `true` if that is below it. */
  readonly current: 'page' | 'true' | undefined;
  readonly icon?: IconName;
  readonly isInBar?: boolean | undefined;
  readonly isAtFoot?: boolean | undefined;
}

/** The navigation of a client for its user at a path; the second line belongs to the current section, if that has one. */
export function navigationOf(
  { text }: PageWords,
  navigation: readonly NavSection[],
  client: OwnClient,
  pathname: string,
): { readonly sections: readonly NavLink[]; readonly pages: { label: string; links: readonly NavLink[] } | null } {
  const sections = sectionsFor(navigation, client);
  const here = placeIn(sections, client, pathname);
  const linkTo = (label: PlainKey, path: string, isHere: boolean, isSeveral: boolean): NavLink => {
    const href = clientPath(client, path);
    return {
      href,
      label: text(label),
      current: isHere ? (href === pathname && !isSeveral ? 'page' : 'true') : undefined,
    };
  };
  return {
    sections: sections.map((section) => {
      const { label, pages, icon, isInBar, isAtFoot } = section;
      const link = linkTo(label, pages[0]!.path, section === here?.section, pages.length > 1);
      return { ...link, icon, isInBar, isAtFoot };
    }),
    pages:
      here && here.section.pages.length > 1
        ? {
            label: text(here.section.label),
            links: here.section.pages.map((page) => linkTo(page.label, page.path, page === here.page, false)),
          }
        : null,
  };
}

/** The page of another client for a user who is at a path of one: the same page, or else the first of its section. */
export function sectionIn(
  navigation: readonly NavSection[],
  other: OwnClient,
  client: OwnClient | null,
  pathname: string,
): string {
  const here = client && placeIn(sectionsFor(navigation, client), client, pathname);
  const there = sectionsFor(navigation, other).find(({ label }) => label === here?.section.label);
  return clientPath(other, (there?.pages.find(({ path }) => path === here?.page.path) ?? there?.pages[0])?.path);
}

/** The pages of all sections that a user of a client can open, each with the label of its section. */
export const pagesFor = (
  navigation: readonly NavSection[],
  client: OwnClient,
): readonly { readonly path: string; readonly label: PlainKey; readonly section: PlainKey }[] =>
  sectionsFor(navigation, client).flatMap(({ label: section, pages }) =>
    pages.map(({ path, label }) => ({ path, label, section })),
  );

const sectionsFor = (navigation: readonly NavSection[], { role }: OwnClient): readonly NavSection[] =>
  navigation.map((section) => ({
    ...section,
    pages: section.pages.filter(({ ownersOnly }) => !ownersOnly || role === 'owner'),
  }));

// The longest path that fits, since that of a page of another section can begin with the path of the links.
function placeIn(sections: readonly NavSection[], client: OwnClient, pathname: string) {
  const [place] = sections
    .flatMap((section) => section.pages.map((page) => ({ section, page, href: clientPath(client, page.path) })))
    .filter(({ page, href }) => pathname === href || (page.path !== '' && pathname.startsWith(`${href}/`)))
    .toSorted((a, b) => b.href.length - a.href.length);
  return place ?? null;
}

/**
 * Where a sign-in leads: only to a page of this service, whatever the URL asks for.
 *
 * @param next the `next` of the URL
 */
export function ownPath(next: string | undefined, { origin }: URL): string {
  const url = next?.startsWith('/') ? URL.parse(next, origin) : null;
  if (url?.origin !== origin || !(/^\/platform(\/|$)/.test(url.pathname) || url.pathname === CONSENT_PATH))
    return '/platform';
  return url.pathname + url.search;
}
