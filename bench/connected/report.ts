import { table } from '../table.ts';
import type { Interval } from '../pairs/interval.ts';
import { CONNECTED_GOAL, type ConnectedFigures } from './measure.ts';

export function describeConnected({ own, all, delivered, streamedBytes }: ConnectedFigures): string {
  const isMet = own.high <= CONNECTED_GOAL.most;
  return [
    `CPU of a hot redirect with a webhook on every link and a live view over that without, alternating pairs`,
    table([
      ['figure', 'pairs', 'median', '95% interval', 'goal', 'met', 'what'],
      row(
        'own',
        own,
        `excludes > ${CONNECTED_GOAL.most}`,
        isMet ? 'yes' : 'no',
        'redirects alone, as in an isolate of visitors',
      ),
      row('all', all, '-', '-', 'with consumers, objects, the database, deliveries and the stream, in one process'),
    ]),
    `${delivered} deliveries were received, and ${streamedBytes} bytes streamed, while all was measured`,
  ].join('\n\n');
}

function row(name: string, { values, median, low, high }: Interval, goal: string, met: string, what: string): string[] {
  return [name, String(values.length), median.toFixed(3), `${low.toFixed(3)} to ${high.toFixed(3)}`, goal, met, what];
}
