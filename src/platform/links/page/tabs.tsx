import { useWords, type PageWords, type PlainKey } from '../../words.tsx';

/** The tabs of a link's page, each with an address of its own. Deleted links have only some of them. */
const TABS = {
  '': { label: 'linkPage.statistics', ofDeleted: true },
  details: { label: 'linkPage.details', ofDeleted: true },
  qr: { label: 'linkPage.qr', ofDeleted: false },
  history: { label: 'linkPage.history', ofDeleted: true },
  api: { label: 'linkPage.api', ofDeleted: false },
} as const satisfies Readonly<Record<string, { readonly label: PlainKey; readonly ofDeleted: boolean }>>;

/** A tab, by the part of its path after that of the link. */
export type Tab = keyof typeof TABS;

/** A tab in the title of the window, after the short link; the first one is the link's page itself. */
export const titleOf = ({ text }: PageWords, link: string, tab: Tab): string =>
  tab === '' ? link : text('linkPage.tabOf', { link, tab: text(TABS[tab].label) });

/**
 * @param path the path of the link's page
 * @param current the open tab
 */
export function LinkTabs({ path, current, isDeleted }: { path: string; current: Tab; isDeleted: boolean }) {
  const { text } = useWords();
  return (
    <nav class="subnav" aria-label={text('linkPage.pages')}>
      <ul>
        {Object.entries(TABS).map(
          ([below, { label, ofDeleted }]) =>
            (ofDeleted || !isDeleted) && (
              <li>
                <a
                  href={below === '' ? path : `${path}/${below}`}
                  aria-current={below === current ? 'page' : undefined}
                >
                  {text(label)}
                </a>
              </li>
            ),
        )}
      </ul>
    </nav>
  );
}
