import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/time/day.ts';
import { deliveryOf, openStatistics, TODAY } from '../support/statistics.ts';

/** The marks of so many visitors. */
const marksOf = (count: number) =>
  Array.from({ length: count }, (_, index) => String(index).padStart(8, 'visitors')).join('');

it('the marks of hours with few visitors share a row, and the visitors of the day are the same', async () => {
  const { stub, fold, rows } = openStatistics();
  const at = (hour: number) => (TODAY - 1) * DAY_MS + hour * HOUR_MS;
  const clicks = [0, 1, 5, 6, 23].map((hour) => ({ at: at(hour), marks: marksOf(3) }));
  await stub.append(deliveryOf(...clicks, { at: at(2), marks: marksOf(150) }));
  const visitors = () => stub.visitors('link-1', TODAY - 1);
  expect(await visitors()).toBe(150);
  await fold();
  expect(await visitors()).toBe(150);
  const first = (TODAY - 1) * 24;
  expect(await rows('SELECT hour - ?1 AS hour, length(marks) / 6 AS marks FROM visitor_marks', first)).toEqual([
    { hour: 0, marks: 3 },
    { hour: 2, marks: 150 },
    { hour: 6, marks: 3 },
    { hour: 18, marks: 3 },
  ]);
});
