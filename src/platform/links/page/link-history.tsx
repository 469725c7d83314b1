import type { HistoryEntry } from '../../../links/edit/history.ts';
import { Section } from '../../kit/section.tsx';
import { Pager } from '../../kit/table.tsx';
import { History } from './history.tsx';
import { LinkFrame, type OfLink } from './link-frame.tsx';
import { useWords } from '../../words.tsx';
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
  const { text } = useWords();
  const { client, link, timeZone } = props;
  const path = linkPath(client, link.id);
  const own = linkPath(client, link.id, 'history');
  return (
    <LinkFrame {...props} tab="history">
      <Section id="history" title={text('linkPage.history')} hint={text('linkPage.historyHint')}>
        <History {...{ history, link, path, timeZone }} />
        <Pager
          next={cursor === null ? null : `${own}?${String(new URLSearchParams({ older: cursor }))}`}
          first={isOlder ? own : null}
          nextLabel={text('linkPage.older')}
        />
      </Section>
    </LinkFrame>
  );
}
