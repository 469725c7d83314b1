import type { HistoryEntry } from '../../../links/edit/history.ts';
import { Section } from '../../kit/section.tsx';
import { Pager } from '../../kit/table.tsx';
import { History } from './history.tsx';
import { LinkFrame, type OfLink } from './link-frame.tsx';
import { linkPath } from '../paths.ts';

/**
 * The changes of a link.
 *
 * @param isOlder whether these are older entries, not the newest
 */
export function LinkHistory({
  history,
  cursor,
  isOlder,
  ...props
}: OfLink & { history: readonly HistoryEntry[]; cursor: string | null; isOlder: boolean }) {
  const { client, link, timeZone } = props;
  const path = linkPath(client, link.id);
  const own = linkPath(client, link.id, 'history');
  return (
    <LinkFrame {...props} tab="history">
      <Section id="history" title="History" hint="All changes to this link. You can restore a previous destination.">
        <History {...{ history, link, path, timeZone }} />
        <Pager
          next={cursor === null ? null : `${own}?${String(new URLSearchParams({ older: cursor }))}`}
          first={isOlder ? own : null}
          nextLabel="Older changes"
        />
      </Section>
    </LinkFrame>
  );
}
