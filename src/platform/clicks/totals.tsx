import { Icon } from '../../design/icon.tsx';
import { formatCount } from '../kit/numbers.ts';
import { GRAPH, totalsOf, type GraphName, type Total } from './graphs.ts';
import type { Statistics } from './read-statistics.ts';
import { addressOf } from './view.ts';

/** The number of each kind, and how it differs from that of the days before. Each leads to its graph. */
export function Totals({ scope, view, report, shown }: Statistics & { shown: GraphName }) {
  return (
    <dl class="totals">
      {totalsOf(report).map((total) => (
        <Tile {...total} isShown={total.name === shown} href={addressOf(scope.path, { ...view, graph: total.name })} />
      ))}
    </dl>
  );
}

function Tile({ name, count, compared, hasGraph, isShown, href }: Total & { isShown: boolean; href: string }) {
  const { title, icon } = GRAPH[name];
  return (
    <div class={isShown ? 'total shown' : 'total'}>
      <dt>
        <Icon name={icon} />
        {hasGraph ? (
          <a href={href} aria-current={isShown ? 'true' : undefined}>
            {title}
          </a>
        ) : (
          title
        )}
      </dt>
      <dd>
        <bdi>{count === null ? '–' : formatCount(count)}</bdi>
        {compared && <Change {...compared} />}
      </dd>
    </div>
  );
}

/** A change, such as "+12%", with the number before for screen readers. */
export function Change({ now, before }: { now: number; before: number }) {
  const kind = now > before ? 'change up' : now < before ? 'change down' : 'change';
  return (
    <small class={kind} title={`Before: ${formatCount(before)}`}>
      <bdi>{changeOf(now, before)}</bdi>
      <span class="unseen"> from {formatCount(before)}</span>
    </small>
  );
}

const MOST_PERCENT = 999;

/** A change: "+12%", "−7%", "×26", "new", "0%". */
function changeOf(now: number, before: number): string {
  if (now === before) return '0%';
  if (before === 0) return 'new';
  const percent = Math.round((100 * (now - before)) / before);
  if (percent > MOST_PERCENT) return `×${formatCount(Math.round(now / before))}`;
  const sign = now > before ? '+' : '−';
  return `${sign}${percent === 0 ? '<1' : Math.abs(percent)}%`;
}
