import type { ManagedLink } from '../../../links/managed-link.ts';
import type { ShownStatistics, Statistics } from '../../clicks/read-statistics.ts';
import { ClickStatistics } from '../../clicks/statistics.tsx';
import { EmptyState } from '../../kit/notice.tsx';
import { formatCount } from '../../kit/numbers.ts';
import { LinkFrame, type OfLink } from './link-frame.tsx';

/**
 * The clicks of a link.
 *
 * @param statistics null for a deleted link
 */
export function LinkPage({ statistics, ...props }: OfLink & { statistics: ShownStatistics | null }) {
  return (
    <LinkFrame {...props} tab="">
      {statistics === null ? (
        <EmptyState title="No click statistics">
          The click statistics of a deleted link are not shown. Restore the link to see them.
        </EmptyState>
      ) : (
        <>
          {props.link.importedClicks !== null && (
            <p class="quiet">
              Imported clicks: {formatCount(props.link.importedClicks)}. They were counted before the link was imported,
              and are not part of these statistics.
            </p>
          )}
          <ClickStatistics
            client={props.client}
            statistics={statistics === 'unavailable' ? statistics : ofLink(props.link, statistics)}
            empty={{ text: 'Share the short link. Clicks appear here within seconds.' }}
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
