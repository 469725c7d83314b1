import { describe, expect, it } from 'vitest';
import { packGroups, type Group } from '../../../src/statistics/append/deliveries.ts';
import { SubjectClicks, subjectsOf } from '../../../src/statistics/questions/subject-clicks.ts';
import { Unfolded } from '../../../src/statistics/days/unfolded.ts';

const HOUR = 24 * 20_000;

const GROUPS: readonly Group[] = Array.from({ length: 500 }, (_, i) => ({
  link: 2 + (i % 7),
  campaign: i % 3 === 0 ? 0 : 300 + (i % 2),
  hour: HOUR + (i % 30),
  fact: [(HOUR + (i % 30)) % 24, i % 3, i, 0, 1, 2, 3, 4, 5, 6, 2 + (i % 3), i % 2, i % 5, 1 + (i % 200)],
  lastAt: (HOUR + (i % 30)) * 3_600_000 + i,
  marks: new Uint8Array(i % 2 ? 6 : 0).fill(i % 256),
}));

const shown = ({ totals, days, marks }: SubjectClicks) => ({
  totals,
  days: [...days].map(([day, { facts, links }]) => [day, facts.list(), links]),
  marks: [...marks].map(([hour, list]) => [hour, list.map((each) => [...each])]),
});

describe('deliveries that are being folded', () => {
  it('deliveries that are being folded give the groups of each subject, in parts as well', () => {
    const unfolded = new Unfolded();
    for (const from of [0, 100, 300])
      for (const { body, sources } of packGroups(GROUPS.slice(from, from === 0 ? 100 : from + 200)))
        unfolded.add({ body: body.slice().buffer, sources: sources.slice().buffer });
    expect(unfolded.subjects).toEqual([0, 2, 3, 4, 5, 6, 7, 8, 300, 301]);
    for (const subject of unfolded.subjects) {
      const expected = new SubjectClicks();
      const own = GROUPS.filter((group) => subjectsOf(group).includes(subject));
      for (const group of own) expected.add(subject, group);
      const gathered = new SubjectClicks();
      expect(unfolded.sizeOf(subject)).toBe(own.length);
      for (let from = 0; from < own.length; from += 30) unfolded.gather(subject, gathered, from, from + 30);
      expect(shown(gathered)).toEqual(shown(expected));
    }
    expect(unfolded.sizeOf(9)).toBe(0);
  });
});
