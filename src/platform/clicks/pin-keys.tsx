import type { Child } from 'hono/jsx';
import { openClock } from '../../time/time-zone.ts';
import { personName } from '../person-name.ts';
import { useWords } from '../words.tsx';
import type { Pin, PinEvent } from './pins.ts';
import { titleOfEvent } from './said-words.ts';

/** The events of the numbered pins of a chart. */
export function PinKeys({ pins, tz }: { pins: readonly Pin[]; tz: string }) {
  const words = useWords();
  if (pins.length === 0) return null;
  const clock = openClock(tz);
  return (
    <ol class="pin-keys" aria-label={words.text('clicks.whatChanged')}>
      {pins.map(({ events }, index) => (
        <li>
          <span class="pin-number">{index + 1}</span>
          <span>
            {events.map((event, place) => (
              <>
                {place > 0 && '; '}
                <Happened event={event} day={words.day(clock(event.at).day)} />
              </>
            ))}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** An event with its day and, if known, the user. */
function Happened({ event, day }: { event: PinEvent; day: string }) {
  const words = useWords();
  const { href, by } = event;
  const title = titleOfEvent(words, event);
  const values = {
    day,
    event: () => (href === null ? <>{title}</> : <a href={href}>{title}</a>),
    quiet: (inside: Child[]) => <span class="quiet">{inside}</span>,
  };
  if (by === null) return <>{words.content('clicks.eventOn', values)}</>;
  return <>{words.content('clicks.eventBy', { ...values, by: personName(words, by.name, by.given) })}</>;
}
