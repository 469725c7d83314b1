import type { GivenName } from '../../accounts/members/given-name.ts';
import type { Report } from '../../clicks/report.ts';
import { DAY_MS } from '../../time/day.ts';
import { openClock } from '../../time/time-zone.ts';

/** The events of links in the days of a chart, as numbered pins in it. */

export interface PinEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: 'campaign' | 'destination' | 'created' | 'imported' | 'edited';
  /** The name of the campaign; null for a link. */
  readonly name: string | null;
  /** The page that says more. */
  readonly href: string | null;
  /** The user; null if not known or not shown. */
  readonly by: { readonly name: string; readonly given: GivenName | null } | null;
}

/** Events of one row of a chart, or of rows that are too near to each other for two pins. */
export interface Pin {
  readonly index: number;
  /** The most important first. */
  readonly events: readonly PinEvent[];
}

const MAX_PINS = 5;
const MAX_EVENTS = 3;
/** The least distance of two pins, as a part of the width. */
const NEAREST = 0.06;
const WEIGHT = { campaign: 0, destination: 0, created: 1, imported: 1, edited: 2 } as const satisfies Record<
  PinEvent['kind'],
  number
>;

/** The pins of a report, from left to right: at most 5, where destinations and campaigns come before other changes. */
export function pinsOf({ rows, from, to, tz }: Report, events: readonly PinEvent[]): readonly Pin[] {
  const clock = openClock(tz);
  const isByHour = rows[0]?.key?.includes('T') ?? false;
  const placed = events.flatMap((event) => {
    const { day } = clock(event.at);
    if (day < from || day > to) return [];
    const index = rows.findLastIndex(({ key }) => (isByHour ? Date.parse(key ?? '') <= event.at : (key ?? '') <= day));
    return index === -1 ? [] : [{ index, event }];
  });
  const pins: { index: number; events: PinEvent[] }[] = [];
  for (const { index, event } of placed.toSorted(compare)) {
    const near = pins.find((pin) => Math.abs(pin.index - index) <= NEAREST * rows.length);
    if (near?.events.length === MAX_EVENTS || (!near && pins.length === MAX_PINS)) continue;
    if (near) near.events.push(event);
    else pins.push({ index, events: [event] });
  }
  return pins.toSorted((a, b) => a.index - b.index);
}

/** Two instants between which are all events in the days of a report, whatever its zone. */
export const instantsAround = ({ from, to }: Pick<Report, 'from' | 'to'>) => ({
  from: Date.parse(from) - DAY_MS,
  to: Date.parse(to) + 2 * DAY_MS,
});

const compare = (a: { readonly event: PinEvent }, b: { readonly event: PinEvent }): number =>
  WEIGHT[a.event.kind] - WEIGHT[b.event.kind] || b.event.at - a.event.at;
