import { openClock } from '../../time/time-zone.ts';
import { formatDay } from '../kit/numbers.ts';
import type { Pin, PinEvent } from './pins.ts';
import { titleOfEvent } from './said-words.ts';

/** The events of the numbered pins of a chart. */
export function PinKeys({ pins, tz }: { pins: readonly Pin[]; tz: string }) {
  if (pins.length === 0) return null;
  const clock = openClock(tz);
  return (
    <ol class="pin-keys" aria-label="What changed">
      {pins.map(({ events }, index) => (
        <li>
          <span class="pin-number">{index + 1}</span>
          <span>
            {events.map((event, place) => (
              <>
                {place > 0 && '; '}
                <Named {...event} /> <span class="quiet">{formatDay(clock(event.at).day)}</span>
              </>
            ))}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Named(event: PinEvent) {
  const { name, href, by } = event;
  const title = (
    <>
      {titleOfEvent(event)}
      {name !== null && (
        <>
          {': '}
          <bdi>{name}</bdi>
        </>
      )}
    </>
  );
  return (
    <>
      {href === null ? title : <a href={href}>{title}</a>}
      {by !== null && (
        <span class="quiet">
          {' by '}
          <bdi>{by}</bdi>
        </span>
      )}
    </>
  );
}
