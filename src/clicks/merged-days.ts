import type { Filters } from '../statistics/questions/filters.ts';
import type { AnsweredDay } from '../statistics/questions/questions.ts';
import { SUMMED, type AnsweredValue, type Clicks } from '../statistics/days/sums.ts';

/**
 * Adds days that were counted in D1, which know no filters but that of the kinds of visitors, to those of the object. The
 * result is in order.
 */
export function mergeDays(
  former: readonly AnsweredDay[],
  own: readonly AnsweredDay[],
  { visitor, ...filters }: Filters,
): AnsweredDay[] {
  const isPlain = Object.keys(filters).length === 0;
  const keep = <Counted extends Clicks>(clicks: Counted): Counted => ({
    ...clicks,
    ...(visitor?.includes('human') === false && { humans: 0 }),
    ...(visitor?.includes('bot') === false && { bots: 0 }),
    ...(visitor?.includes('preview') === false && { previews: 0 }),
  });
  const kept = former.map((day) => ({
    ...keep(day),
    isKnown: isPlain && day.isKnown,
    by: mapValues(day.by, (values) => values.map(keep).filter(isClicked)),
  }));
  const days = new Map<number, AnsweredDay>();
  for (const day of [...kept, ...own]) {
    const known = days.get(day.day);
    days.set(day.day, known === undefined ? day : addDay(known, day));
  }
  return [...days.values()].toSorted((a, b) => a.day - b.day);
}

function addDay(one: AnsweredDay, other: AnsweredDay): AnsweredDay {
  return {
    day: one.day,
    ...addClicks(one, other),
    by: mapValues(other.by, (values, by) => addValues(one.by[by] ?? [], values)),
    isKnown: one.isKnown && other.isKnown,
    hasHours: one.hasHours && other.hasHours,
  };
}

function addValues(one: readonly AnsweredValue[], other: readonly AnsweredValue[]): AnsweredValue[] {
  const values = new Map(one.map((each) => [each.value, each]));
  for (const each of other) {
    const known = values.get(each.value);
    values.set(each.value, known === undefined ? each : { value: each.value, ...addClicks(known, each) });
  }
  return [...values.values()];
}

function addClicks(one: Clicks, other: Clicks): Clicks {
  return {
    humans: one.humans + other.humans,
    bots: one.bots + other.bots,
    previews: one.previews + other.previews,
  };
}

const isClicked = ({ humans, bots, previews }: Clicks): boolean => humans + bots + previews > 0;

type By = AnsweredDay['by'];

function mapValues(by: By, map: (values: readonly AnsweredValue[], by: keyof By) => readonly AnsweredValue[]): By {
  return Object.fromEntries(
    SUMMED.flatMap((each) => {
      const values = by[each];
      return values === undefined ? [] : [[each, map(values, each)]];
    }),
  );
}
