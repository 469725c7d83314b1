import { describe, expect, it } from 'vitest';
import type { Pin, PinEvent } from '../../../src/platform/clicks/pins.ts';
import { factsOf, type Figures } from '../../../src/platform/clicks/said.ts';
import { sentenceOf } from '../../../src/platform/clicks/said-words.ts';
import { wordsIn } from '../../../src/platform/words.tsx';

/** What a chart says of its figures. */

const words = await wordsIn('en');

const COMPARED = { days: 30, span: 'whole' } as const;

function said(
  figures: Partial<Figures> & { counts?: readonly (number | null)[] },
  graph: 'visitors' | 'bots' = 'visitors',
) {
  const { counts = [], ...others } = figures;
  const rows = counts.map((count, index) => ({ name: `${index + 1} May`, count }));
  return factsOf({ unit: 'day', rows, compared: null, pins: [], ...others })
    .map((fact) => sentenceOf(words, fact, graph).replaceAll(/[\u2066-\u2069]/g, ''))
    .join(' ');
}

const pinAt = (index: number, event: Partial<PinEvent> = {}): Pin => ({
  index,
  events: [{ at: 0, kind: 'destination', name: null, href: null, by: null, ...event }],
});

describe('the change', () => {
  it.each([
    [150, 100, '50% more daily visitors than in the 30 days before.'],
    [104, 100, '4% more daily visitors than in the 30 days before.'],
    [199, 100, '99% more daily visitors than in the 30 days before.'],
    [200, 100, '2 times as many daily visitors as in the 30 days before.'],
    [259, 100, '2.5 times as many daily visitors as in the 30 days before.'],
    [150_000, 100, '1,500 times as many daily visitors as in the 30 days before.'],
    [70, 100, '30% fewer daily visitors than in the 30 days before.'],
    [1, 100_000, '99% fewer daily visitors than in the 30 days before.'],
    [102, 100, 'About as many daily visitors as in the 30 days before.'],
    [98, 100, 'About as many daily visitors as in the 30 days before.'],
    [100, 100, 'About as many daily visitors as in the 30 days before.'],
    [20, 0, 'There were no daily visitors in the 30 days before.'],
    [0, 1234, 'No daily visitors, and 1,234 in the 30 days before.'],
    [19, 3, ''],
    [0, 19, ''],
    [0, 0, ''],
  ])('the change of %i from %i is said as: %s', (now, before, sentence) => {
    expect(said({ compared: { now, before, ...COMPARED } })).toBe(sentence);
  });

  it.each([
    [1, 'whole', '50% more visits by bots than in the day before.'],
    [1, 'same hour', '50% more visits by bots than in the day before, up to the same hour.'],
    [30, 'same hour', '50% more visits by bots than in the 30 days before, up to the same hour.'],
    [7, 'without today', '50% more visits by bots than in the 7 days before, without today.'],
  ] as const)('the change of %i days, %s, is said as: %s', (days, span, sentence) => {
    expect(said({ compared: { now: 150, before: 100, days, span } }, 'bots')).toBe(sentence);
  });

  it('the change is not said where nothing is compared', () => {
    expect(said({ counts: [5, 5, 5, 5, 5] })).toBe('');
  });
});

describe('the best day', () => {
  it.each([
    [[2, 3, 30, 4, 3], '30 daily visitors on 3 May, the most of any day.'],
    [[2, 3, 30, 4, 30], ''],
    [[10, 10, 10, 10, 11], ''],
    [[9, 9, 9, 9, 14], ''],
    [[0, 0, 19, 0, 0], ''],
    [[30, 1, 1], ''],
    [[null, 3, 30, 4, 3], ''],
    [[], ''],
  ])('the best day of %j is said as: %s', (counts, sentence) => {
    expect(said({ counts })).toBe(sentence);
  });

  it('the best day is said to be a week or an hour where the rows are', () => {
    const counts = [2, 3, 1_500, 4, 3];
    expect(said({ counts, unit: 'week' })).toBe('1,500 daily visitors from 3 May, the most of any week.');
    expect(said({ counts, unit: 'hour' })).toBe('1,500 daily visitors at 3 May, the most of any hour.');
  });

  it('the best day is said with what happened on it or on the day before, and not with what happened later', () => {
    const counts = [2, 3, 30, 4, 3];
    expect(said({ counts, pins: [pinAt(2)] })).toBe(
      '30 daily visitors on 3 May, the day on which the destination changed.',
    );
    expect(said({ counts, pins: [pinAt(1, { kind: 'campaign', name: 'Spring' })] })).toBe(
      '30 daily visitors on 3 May, the day after the campaign “Spring” began.',
    );
    expect(said({ counts, pins: [pinAt(3)] })).not.toContain('destination');
  });
});

describe('the share since a change', () => {
  it('the share since a change is said if it is larger than that of the time, and follows the change', () => {
    const counts = [5, 5, 5, 5, 5, 5, 20, 20, 20, 20];
    expect(said({ counts, pins: [pinAt(6, { kind: 'created' })] })).toBe(
      '73% of all came since 7 May, when the link was created.',
    );
    expect(said({ counts, pins: [pinAt(6)], compared: { now: 110, before: 90, ...COMPARED } })).toBe(
      '22% more daily visitors than in the 30 days before. 73% of all came since 7 May, when the destination changed.',
    );
  });

  it('the share since a change is not said where it fell, stands still, or is at the beginning', () => {
    expect(said({ counts: [20, 20, 20, 20, 5, 5], pins: [pinAt(4)] })).toBe('');
    expect(said({ counts: [9, 9, 9, 9, 9, 9], pins: [pinAt(4)] })).toBe('');
    expect(said({ counts: [9, 9, 10, 12, 12, 12], pins: [pinAt(1)] })).toBe('');
  });

  it('the share since a change is that of the change after which it grew the most', () => {
    const counts = [1, 1, 1, 1, 8, 9, 20, 20, 20, 20];
    expect(said({ counts, pins: [pinAt(4), pinAt(6, { kind: 'edited' })] })).toBe(
      '79% of all came since 7 May, when the link was changed.',
    );
  });
});
