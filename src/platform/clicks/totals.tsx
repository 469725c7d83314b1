import { Icon } from '../../design/icon.tsx';
import { useWords, type PageWords } from '../words.tsx';
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
  const words = useWords();
  const { icon, title: key } = GRAPH[name];
  const title = words.text(key);
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
        <bdi>{count === null ? '–' : words.count(count)}</bdi>
        {compared && <Change {...compared} />}
      </dd>
    </div>
  );
}

/** A change, such as "+12%", with the number before for screen readers. */
export function Change({ now, before }: { now: number; before: number }) {
  const words = useWords();
  const kind = now > before ? 'change up' : now < before ? 'change down' : 'change';
  return (
    <small class={kind} title={words.text('clicks.before', { before })}>
      {words.content('clicks.change', {
        change: changeOf(words, now, before),
        before,
        unseen: (inside) => <span class="unseen">{inside}</span>,
      })}
    </small>
  );
}

const MOST_PERCENT = 999;

/** A change: "+12%", "−7%", "×26", "new", "0%". */
function changeOf({ text, count }: PageWords, now: number, before: number): string {
  if (now === before) return text('clicks.same');
  if (before === 0) return text('clicks.new');
  const percent = Math.round((100 * (now - before)) / before);
  if (percent > MOST_PERCENT) return text('clicks.times', { times: Math.round(now / before) });
  const size = percent === 0 ? '<1' : count(Math.abs(percent));
  return text(now > before ? 'clicks.up' : 'clicks.down', { percent: size });
}
