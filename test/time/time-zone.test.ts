import { expect, it } from 'vitest';
import { openClock, openHours } from '../../src/time/time-zone.ts';

const INSTANTS = [
  '2000-01-01T00:00:00.000Z',
  '2024-02-29T12:34:56.789Z',
  '2026-03-29T01:00:00.000Z',
  '2026-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999Z',
].map((text) => Date.parse(text));

// The platform reads the tables of this zone, which is the same under another name.
it('the clock of UTC gives the times that the tables of the platform give', () => {
  expect(INSTANTS.map(openClock('UTC'))).toEqual(INSTANTS.map(openClock('Etc/UTC')));
});

it.each(['2026-02-28', '9999-12-31'])(
  'the hours of %s in UTC are those that the tables of the platform give',
  (day) => {
    expect(openHours('UTC')(day)).toEqual(openHours('Etc/UTC')(day));
  },
);

it('clocks of several zones give the times of their own zones, again and again', () => {
  const [at] = INSTANTS as [number];
  const textIn = (zone: string) => openClock(zone)(at).text;
  const zones = ['Europe/Vienna', 'Asia/Kolkata', 'Europe/Vienna', 'America/St_Johns'];
  expect(zones.map(textIn)).toEqual([
    '2000-01-01T01:00:00+01:00',
    '2000-01-01T05:30:00+05:30',
    '2000-01-01T01:00:00+01:00',
    '1999-12-31T20:30:00-03:30',
  ]);
});
