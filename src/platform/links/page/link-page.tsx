import type { ManagedLink } from '../../../links/managed-link.ts';
import type { ShownStatistics, Statistics } from '../../clicks/read-statistics.ts';
import { ClickStatistics } from '../../clicks/statistics.tsx';
import { EmptyState } from '../../kit/notice.tsx';
import { useWords } from '../../words.tsx';
import { LinkFrame, type OfLink } from './link-frame.tsx';

/**
 * The clicks of a link.
 *
 * @param statistics null for a deleted link
 */
export function LinkPage({ statistics, ...props }: OfLink & { statistics: ShownStatistics | null }) {
  const { text } = useWords();
  return (
    <LinkFrame {...props} tab="">
      {statistics === null ? (
        <EmptyState title={text('linkPage.noStatistics')}>{text('linkPage.noStatisticsHint')}</EmptyState>
      ) : (
        <>
          {props.link.importedClicks !== null && (
            <p class="quiet">{text('linkPage.imported', { count: props.link.importedClicks })}</p>
          )}
          <ClickStatistics
            client={props.client}
            statistics={statistics === 'unavailable' ? statistics : ofLink(props.link, statistics)}
            empty={{ text: text('linkPage.shareHint') }}
          />
        </>
      )}
    </LinkFrame>
  );
}

const ofLink = (link: ManagedLink, statistics: Statistics): Statistics => ({
  ...statistics,
  scope: { ...statistics.scope, breakdowns: breakdownsOf(link, statistics) },
});

/** All visitors of a link without rules and variants have one destination, unless it had some before. */
function breakdownsOf(
  { rules, variants }: ManagedLink,
  { scope, view }: Statistics,
): Statistics['scope']['breakdowns'] {
  const isRouted = rules !== null || variants !== null || view.filters.destination !== undefined;
  const { cards, more } = scope.breakdowns;
  return { cards: cards.filter((card) => card !== 'destination' || isRouted), more };
}
