import type { Child } from 'hono/jsx';
import { Icon } from '../../design/icon.tsx';

/** Three pictures of what a link can do. */
export function Reasons() {
  return (
    <div class="trio">
      <Reason picture={<Moved />} title="Change it after printing">
        The poster stays, and the page behind it can be another one. Every change has a name beside it, and an undo.
      </Reason>
      <Reason picture={<Countries />} title="People, counted as people">
        Link previews and bots stand apart, so that 3,912 means 3,912. Visitors get no cookie for it, and their address
        is not stored.
      </Reason>
      <Reason picture={<Rules />} title="One link, the right place">
        By country, by device, by date, or half and half to see what works. In sentences, not in code.
      </Reason>
    </div>
  );
}

function Reason({ picture, title, children }: { picture: Child; title: string; children: Child }) {
  return (
    <article>
      <div class="pic">{picture}</div>
      <div class="txt">
        <h3>{title}</h3>
        <p>{children}</p>
      </div>
    </article>
  );
}

function Moved() {
  return (
    <div class="moved">
      <span class="strip" dir="ltr">
        acme.example/<b>spring</b>
      </span>
      <p>
        <s dir="ltr">/spring/waitlist</s>
      </p>
      <p>
        <b dir="ltr">/spring/tents</b>{' '}
        <span class="since">
          <Icon name="check" />
          since 8 Feb
        </span>
      </p>
    </div>
  );
}

const COUNTRIES = [
  ['Germany', 1486],
  ['Austria', 742],
  ['Switzerland', 611],
] as const;

function Countries() {
  return (
    <ul class="lengths">
      {COUNTRIES.map(([country, people]) => (
        <li>
          <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <path d={`M0 0H${((100 * people) / COUNTRIES[0][1]).toFixed(1)}l-1.4 1H0z`} />
          </svg>
          <span>{country}</span>
          <b>{people.toLocaleString('en')}</b>
        </li>
      ))}
    </ul>
  );
}

function Rules() {
  return (
    <ul class="rules">
      {(
        [
          ['globe', 'Germany', 'acme-outdoor.de'],
          ['smartphone', 'iPhone', 'the Acme app'],
          ['calendar', 'After 28 Feb', 'all tents'],
        ] as const
      ).map(([icon, when, where]) => (
        <li>
          <Icon name={icon} />
          <b>{when}</b>
          <Icon name="arrow-right" />
          <span>{where}</span>
        </li>
      ))}
    </ul>
  );
}
