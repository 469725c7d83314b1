import { classifyVisitor } from '../../src/clicks/visitor.ts';
import { isWithin } from '../../scripts/edge/networks.ts';
import { parseAddress, parseNetwork } from '../../src/network/networks.ts';
import { continentOf } from '../../src/text/countries.ts';
import type { Condition } from '../../src/links/routes/conditions/table.ts';
import type { Rule } from '../../src/links/routes/stored-routes.ts';
import type { VisitorSource } from '../../src/links/routes/visitor.ts';

/** The rules of a link as the contract words them, without any thought of speed. */

/** The name of the first rule that holds, or null. */
export function naiveRule(rules: readonly Rule[], visitor: VisitorSource): string | null {
  return rules.find((rule) => rule.if.every((condition) => naivelyHolds(condition, visitor)))?.name ?? null;
}

export function naivelyHolds(condition: Condition, visitor: VisitorSource): boolean {
  return fits(condition, visitor) !== (condition.not === true);
}

function fits(condition: Condition, visitor: VisitorSource): boolean {
  const agent = classifyVisitor(visitor.userAgent);
  switch (condition.type) {
    case 'country':
      return condition.in.some((code) => code === visitor.country);
    case 'continent': {
      const continent = visitor.continent ?? continentOf(visitor.country ?? '');
      return condition.in.some((code) => code === continent);
    }
    case 'region':
      return condition.in.some((code) => code === `${visitor.country}-${visitor.regionCode?.toUpperCase()}`);
    case 'address': {
      const address = parseAddress(visitor.address ?? '');
      return (
        address !== null &&
        isWithin(
          address,
          condition.in.map((network) => parseNetwork(network)!),
        )
      );
    }
    case 'device':
      return condition.in.some((device) => device === agent.device);
    case 'os':
      return condition.in.some((os) => os === agent.os);
    case 'browser':
      return condition.in.some((browser) => browser === agent.browser);
    case 'visitor':
      return condition.in.some((kind) => kind === agent.kind);
    case 'language': {
      const tag = naiveLanguage(visitor.languages ?? '');
      return tag !== null && condition.in.some((range) => range === '*' || isInRange(tag, range.toLowerCase()));
    }
    case 'referrer': {
      const { protocol = '', hostname = '' } = URL.parse(visitor.referrer ?? '') ?? {};
      return protocol.startsWith('http') && condition.in.some((host) => `.${hostname}`.endsWith(`.${host}`));
    }
    case 'query': {
      const values = new URLSearchParams(visitor.search).getAll(condition.name);
      return values.some((value) => condition.in === undefined || condition.in.includes(value));
    }
    case 'date':
      return (
        visitor.at >= Date.parse(condition.from ?? '1970-01-01') &&
        visitor.at < Date.parse(condition.until ?? '9999-12-31')
      );
    default:
      return isInHours(condition, visitor.at);
  }
}

function naiveLanguage(header: string): string | null {
  const choices = header
    .split(',')
    .map((choice) => choice.split(';').map((part) => part.trim()))
    .map(([tag = '', weight = 'q=1']) => ({ tag: tag.toLowerCase(), weight: Number(weight.replace('q=', '')) }))
    .filter(({ tag, weight }) => tag !== '' && tag !== '*' && weight > 0);
  const highest = Math.max(...choices.map(({ weight }) => weight));
  return choices.find(({ weight }) => weight === highest)?.tag ?? null;
}

const isInRange = (tag: string, range: string): boolean => tag === range || tag.startsWith(`${range}-`);

const WEEK = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

function isInHours(condition: Extract<Condition, { readonly type: 'hours' }>, at: number): boolean {
  const { from, until, tz, days = WEEK } = condition;
  const { day, time } = shownAt(at, tz);
  const isOn = (index: number) => days.some((each) => each === WEEK.at(index));
  if (from < until) return isOn(day) && time >= from && time < until;
  return (isOn(day) && time >= from) || (isOn(day - 1) && time < until);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The day of the week, from Sunday, and the time as HH:MM on the clocks of a zone. */
function shownAt(at: number, timeZone: string): { readonly day: number; readonly time: string } {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' });
  formats.set(timeZone, format);
  const [date = '', time = ''] = format.format(at).split(' ');
  return { day: new Date(`${date}T00:00:00Z`).getUTCDay(), time: time.slice(0, 5) };
}
