/** The tabs of a link's page, each with an address of its own. Deleted links have only some of them. */
const TABS = {
  '': { label: 'Statistics', ofDeleted: true },
  details: { label: 'Details', ofDeleted: true },
  qr: { label: 'QR', ofDeleted: false },
  history: { label: 'History', ofDeleted: true },
  api: { label: 'API', ofDeleted: false },
} as const;

/** A tab, by the part of its path after that of the link. */
export type Tab = keyof typeof TABS;

/** A tab in the title of the window, after the short link; the first one is the link's page itself. */
export const titleOf = (shortUrl: string, tab: Tab): string =>
  tab === '' ? shortUrl : `${shortUrl} · ${TABS[tab].label}`;

/**
 * @param path the path of the link's page
 * @param current the open tab
 */
export function LinkTabs({ path, current, isDeleted }: { path: string; current: Tab; isDeleted: boolean }) {
  return (
    <nav class="subnav" aria-label="Pages of the link">
      <ul>
        {Object.entries(TABS).map(
          ([below, { label, ofDeleted }]) =>
            (ofDeleted || !isDeleted) && (
              <li>
                <a
                  href={below === '' ? path : `${path}/${below}`}
                  aria-current={below === current ? 'page' : undefined}
                >
                  {label}
                </a>
              </li>
            ),
        )}
      </ul>
    </nav>
  );
}
