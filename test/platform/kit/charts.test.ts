import { expect, it } from 'vitest';
import { LineChart, type ChartRow } from '../../../src/platform/kit/chart.tsx';
import { layOutLine } from '../../../src/platform/kit/line.ts';
import { Sparkline } from '../../../src/platform/kit/sparkline.tsx';
import '../../support/in-english.ts';

/** The drawings of clicks, as a browser gets them. */

const markupOf = (drawing: unknown): string => String(drawing);

function rowOf(
  date: number,
  [humans, previews, bots]: readonly [number, number, number],
  state: ChartRow['state'],
  before: number | null = null,
): ChartRow {
  return {
    name: `${date} May 2026`,
    tick: `${date} May`,
    href: `/day/${date}`,
    state,
    humans,
    previews,
    bots,
    total: humans + previews + bots,
    count: humans,
    before: before === null ? null : { count: before, name: `${date} April 2026` },
  };
}

const LEGEND = { now: '1 to 4 May', before: null, zone: 'Days in UTC' };

const chartOf = (rows: readonly ChartRow[], { pins = [] as number[], before = null as string | null } = {}) =>
  markupOf(
    LineChart({ title: 'Clicks by day', label: 'Visits', rows, pins, legend: { ...LEGEND, before }, children: null }),
  );

it('a chart has its values at its scale as a line, the unfinished day dotted, and nothing of a day to come', () => {
  const markup = chartOf([
    rowOf(1, [3, 1, 0], 'over'),
    rowOf(2, [1, 0, 2], 'over'),
    rowOf(3, [2, 1, 0], 'running'),
    rowOf(4, [0, 0, 0], 'future'),
  ]);
  expect(/<div class="ticks".*?<\/div>/.exec(markup)?.[0]).toBe(
    `<div class="ticks" aria-hidden="true">${[4, 3, 2, 1, 0].map((tick) => `<span>${tick}</span>`).join('')}</div>`,
  );
  expect(/<svg viewBox.*?<\/svg>/.exec(markup)?.[0]).toBe(
    [
      '<svg viewBox="0 0 1000 1000" preserveAspectRatio="none">',
      '<path class="area" d="M0 250L333 750L667 500L667 1000L0 1000z"></path>',
      '<path class="now" d="M0 250L333 750"></path>',
      '<path class="now so-far" d="M333 750L667 500"></path></svg>',
    ].join(''),
  );
  expect(markup).toContain('<circle class="best" cx="0%" cy="25%" r="4.5"></circle>');
  expect(markup).toContain(
    '<title id="chart-title">Clicks by day</title><desc id="chart-text">Visits from 1 May 2026 to 3 May 2026: 6. Most on 1 May 2026: 3.</desc>',
  );
  expect(markup).toContain('<span class="key so-far">So far</span>');
  expect(markup).toContain('<a href="/day/3">3 May 2026 (so far)</a>');
  expect(markup).not.toContain('4 May 2026');
  expect(markup).not.toContain('style=');
});

it('a chart has the days before as a dashed line on the same scale, and in its table', () => {
  const markup = chartOf([rowOf(1, [3, 1, 0], 'over', 8), rowOf(2, [1, 0, 2], 'over', 0)], { before: '1 to 2 April' });
  expect(markup).toContain('<path class="was" d="M0 0L1000 1000"></path>');
  expect(markup).toContain('<path class="now" d="M0 625L1000 875"></path>');
  expect(markup).toContain('<span class="key was">1 to 2 April</span>');
  expect(markup).toContain('<td>3</td><td>1</td><td>0</td><td>8<span class="unseen"> on 1 April 2026</span></td>');
});

it('a chart has numbered pins at their places, and labels of which a phone shows every second one', () => {
  const rows = Array.from({ length: 11 }, (_, index) => rowOf(index + 1, [0, 0, 0], 'over'));
  const markup = chartOf(rows, { pins: [0, 5] });
  expect(markup).toContain('<line class="pin" x1="50%" x2="50%" y2="100%"></line>');
  expect(markup).toContain(
    '<circle class="pin-dot" cx="50%" cy="-12" r="9"></circle><text class="pin-n" x="50%" y="-8">2</text>',
  );
  const [days = ''] = /<svg class="days".*?<\/svg>/.exec(markup) ?? [];
  expect(
    [...days.matchAll(/<text([^>]*)>([^<]*)/g)].map(([, attributes = '', text]) => [
      attributes.includes('minor'),
      text,
    ]),
  ).toEqual([
    [false, '1 May'],
    [true, '4 May'],
    [false, '6 May'],
    [true, '9 May'],
    [false, '11 May'],
  ]);
  expect(markup).not.toContain('class="best"');
});

it('a line is interrupted where a value is not known, and one value alone is a dot', () => {
  const line = layOutLine([null, 4, null, 2, 0], [], { places: 5, isRunning: false });
  expect(line).toMatchObject({ now: 'M250 0h0M750 500L1000 1000', before: '', soFar: '' });
  expect(layOutLine([4], [], { places: 1, isRunning: true }).now).toBe('M500 0h0');
  expect(layOutLine([], [], { places: 0, isRunning: false })).toMatchObject({
    now: '',
    area: '',
    ticks: [4, 3, 2, 1, 0],
  });
});

it.each<[count: number, ticks: number[]]>([
  [0, [4, 3, 2, 1, 0]],
  [5, [6, 4, 2, 0]],
  [20, [20, 15, 10, 5, 0]],
  [21, [30, 20, 10, 0]],
  [1000, [1000, 500, 0]],
])('the scale of a chart up to %i has round numbers', (count, ticks) => {
  expect(layOutLine([count], [], { places: 1, isRunning: false }).ticks).toEqual(ticks);
});

it('a sparkline has each day at the same distance, a day with clicks above the base, and all on the scale of the page', () => {
  expect(markupOf(Sparkline({ counts: [0, 1, 3, 3, 200], most: 400, label: '207 clicks' }))).toBe(
    '<svg class="spark" viewBox="0 0 128 36" preserveAspectRatio="none" role="img"><title>207 clicks</title>' +
      '<path class="spark-base" d="M0 34.5H128"></path>' +
      '<path class="spark-line" d="M-4 40V34.5L0 34.5L32 33.5L64 33.5L96 33.5L128 18.8H132V40z"></path></svg>',
  );
  expect(Sparkline({ counts: [0, 0], most: 9, label: 'none' })).toBe(null);
});
