import { expect, it } from 'vitest';
import { layOutBars } from '../../../src/platform/kit/bars.ts';
import { ClickChart, type ChartRow } from '../../../src/platform/kit/chart.tsx';
import { Sparkline } from '../../../src/platform/kit/sparkline.tsx';

/** The drawings of clicks, as a browser gets them. */

const markupOf = (drawing: unknown): string => String(drawing);

function rowOf(date: number, [humans, previews, bots]: readonly [number, number, number], state: ChartRow['state']) {
  const [name, tick] = [`${date} May 2026`, `${date} May`];
  return { key: name, name, tick, humans, previews, bots, total: humans + previews + bots, href: null, state };
}

it('a chart has the height of each kind at its scale, its days under the bars, and no bar for a day to come', () => {
  const rows: ChartRow[] = [
    { ...rowOf(1, [3, 1, 0], 'over'), href: '/day/1' },
    rowOf(2, [1, 0, 2], 'over'),
    rowOf(3, [0, 1, 0], 'running'),
    rowOf(4, [0, 0, 0], 'future'),
  ];
  const markup = markupOf(ClickChart({ title: 'Clicks by day', zone: 'UTC', rows }));
  const [, plot = '', legend = ''] = /^<figure class="chart">(.*<\/div><\/div>)(<figcaption.*<\/figcaption>)/.exec(
    markup,
  )!;
  expect(plot).toBe(
    [
      '<a class="skip-chart" href="#chart-data">Skip the chart</a><div class="plot">',
      '<div class="ticks" aria-hidden="true"><span>4</span><span>3</span><span>2</span><span>1</span><span>0</span></div>',
      '<div class="bars"><svg viewBox="0 0 900 220" preserveAspectRatio="none" role="img" ',
      'aria-labelledby="chart-title chart-text"><title id="chart-title">Clicks by day</title>',
      '<desc id="chart-text">From 1 May 2026 to 3 May 2026: 4 clicks by people. ',
      'Most on 1 May 2026: people 3, previews 1, bots 0.</desc>',
      '<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">',
      '<rect width="4" height="6" fill="#fff"></rect></pattern>',
      '<mask id="so-far"><rect width="900" height="220" fill="url(#hatch)"></rect></mask>',
      ...[0, 55, 110, 165, 220].map((y) => `<line class="rule" x1="0" x2="900" y1="${y}" y2="${y}"></line>`),
      '<g><rect class="humans" x="33.75" width="157.5" y="55" height="165"></rect>',
      '<rect class="previews" x="33.75" width="157.5" y="0" height="54"></rect></g>',
      '<g><rect class="humans" x="258.75" width="157.5" y="165" height="55"></rect>',
      '<rect class="bots" x="258.75" width="157.5" y="55" height="109"></rect></g>',
      '<g mask="url(#so-far)"><rect class="previews" x="483.75" width="157.5" y="165" height="55"></rect></g>',
      '<g></g></svg><ol class="hits">',
      '<li><a class="hit" href="/day/1"><span class="tip">1 May 2026: people 3, previews 1, bots 0</span></a></li>',
      hitOf('2 May 2026: people 1, previews 0, bots 2'),
      hitOf('3 May 2026 (so far): people 0, previews 1, bots 0'),
      '<li></li></ol></div>',
      '<div class="days" aria-hidden="true"><span>1 May</span><span>3 May</span><span>4 May</span></div></div>',
    ].join(''),
  );
  expect(legend).toContain('<span class="key so-far">So far</span><span class="zone">UTC</span>');
});

const hitOf = (text: string) =>
  `<li><span class="hit" role="img" tabindex="0" aria-label="${text}"><span class="tip">${text}</span></span></li>`;

it.each([
  [8, 'class="hits"'],
  [9, 'class="hits many"'],
])('a chart of %i bars has %s', (days, expected) => {
  const rows = Array.from({ length: days }, (_, index) => rowOf(index + 1, [0, 0, 0], 'over'));
  const markup = markupOf(ClickChart({ title: 'Clicks by day', zone: 'UTC', rows }));
  expect(markup).toContain(`<ol ${expected}>`);
  expect(markup).toContain(`From 1 May 2026 to ${days} May 2026: no clicks.</desc>`);
  expect(markup).not.toContain('So far');
});

it.each<[humans: number, ticks: number[]]>([
  [0, [4, 3, 2, 1, 0]],
  [5, [6, 4, 2, 0]],
  [20, [20, 15, 10, 5, 0]],
  [21, [30, 20, 10, 0]],
  [1000, [1000, 500, 0]],
])('the scale of a chart up to %i has round numbers', (humans, ticks) => {
  expect(layOutBars([{ humans, previews: 0, bots: 0 }]).ticks).toEqual(ticks);
});

it('the bars of a chart of more than 31 values are nearer to each other', () => {
  const shareOf = (count: number) => {
    const [bar] = layOutBars(Array.from({ length: count }, () => ({ humans: 1, previews: 0, bots: 0 }))).bars;
    return (bar!.width * count) / 900;
  };
  expect([shareOf(31), shareOf(32)]).toEqual([expect.closeTo(0.7, 3), expect.closeTo(0.85, 3)]);
});

it('a part of a bar is at least a pixel high', () => {
  const [bar] = layOutBars([{ humans: 100_000, previews: 1, bots: 1 }]).bars;
  expect(bar!.parts.map(({ kind, height }) => [kind, height])).toEqual([
    ['humans', expect.closeTo(146.67, 1)],
    ['previews', 1],
    ['bots', 1],
  ]);
});

it('a sparkline has each day as wide as the others, at least a pixel high if it has clicks, and none if no day has', () => {
  expect(markupOf(Sparkline({ counts: [0, 1, 3, 3, 200], label: '207 clicks' }))).toBe(
    '<svg class="spark" viewBox="0 0 5 20" preserveAspectRatio="none" role="img"><title>207 clicks</title>' +
      '<path d="M0 20V20h1V19h3V0h1V20z"></path></svg>',
  );
  expect(Sparkline({ counts: [0, 0], label: 'none' })).toBe(null);
});
