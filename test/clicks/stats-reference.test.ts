import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CHROME, FIREFOX, GOOGLEBOT, SLACK } from '../support/clicks.ts';
import { seedLink, seedTenant, type LinkRecord, type Tenant } from '../support/seed.ts';
import { shareOf } from '../support/share.ts';
import { ask, cursorIn, foldClicks, seedClicks } from '../support/stats.ts';

/** Answers to random questions about random clicks, beside what a person would count by hand. */

beforeEach(() => void vi.setSystemTime('2026-03-31T12:00:00Z'));
afterEach(() => void vi.useRealTimers());

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const VISITORS = [
  { agent: CHROME, visitor: 'human', browser: 'Chrome', os: 'Windows', device: 'desktop' },
  { agent: FIREFOX, visitor: 'human', browser: 'Firefox', os: 'Linux', device: 'desktop' },
  { agent: IPHONE, visitor: 'human', browser: 'Safari', os: 'iOS', device: 'mobile' },
  { agent: GOOGLEBOT, visitor: 'bot', browser: null, os: null, device: null },
  { agent: SLACK, visitor: 'preview', browser: null, os: null, device: null },
] as const;

/** Numbers that look random and are the same in each run. */
function openDice(seed: number) {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return { below, pick: <T>(values: readonly T[]): T => values[below(values.length)]! };
}
type Dice = ReturnType<typeof openDice>;

const HOUR = 3_600_000;
const FIRST = Date.parse('2026-03-24T00:00:00Z');

function throwClick({ below, pick }: Dice, links: readonly LinkRecord[]) {
  return {
    at: FIRST + below(7 * 24 * 4) * (HOUR / 4),
    link: pick(links),
    campaign: pick([null, 'Spring', 'null']),
    country: pick([null, 'DE', 'AT', 'CH']),
    referrer: pick([null, 't.co', 'news.example', 'other']),
    language: pick([null, 'de', 'en']),
    ...pick(VISITORS),
  };
}
type Thrown = ReturnType<typeof throwClick>;

async function seedThrown(clicks: readonly Thrown[]): Promise<void> {
  for (const [half, some] of [clicks.slice(0, 200), clicks.slice(200)].entries()) {
    const groups = Map.groupBy(some, ({ link, campaign }) => JSON.stringify([link.id, campaign]));
    for (const group of groups.values()) {
      const [{ link, campaign }] = group as [Thrown];
      const sent = group.map(({ at, agent, country, referrer, language }) => {
        return { at: new Date(at).toISOString(), agent, country, referrer, language };
      });
      await seedClicks({ ...link, ...(campaign !== null && { campaign_name: campaign }) }, sent);
    }
    // Half of the clicks are folded, and half are not.
    if (half === 0) await foldClicks(clicks[0]!.link.client_id);
  }
}

const FILTERS = ['country', 'referrer', 'language', 'visitor', 'browser', 'os', 'device', 'campaign'] as const;
const BY_VALUE = ['country', 'referrer', 'language', 'browser', 'os', 'device', 'campaign', 'link'] as const;
const ZONES = ['UTC', 'Europe/Vienna', 'Asia/Kolkata', 'America/New_York', 'Pacific/Kiritimati'];

interface Question {
  readonly by: string;
  readonly tz: string;
  readonly from: string;
  readonly to: string;
  readonly filters: readonly (readonly [name: (typeof FILTERS)[number], values: readonly (string | null)[]])[];
  readonly links: readonly string[];
  readonly campaign: string | null;
}

function throwQuestion({ below, pick }: Dice, clicks: readonly Thrown[]): Question {
  const chosen = FILTERS.filter(() => below(4) === 0);
  const [first, last] = [below(7), below(7)].toSorted((a, b) => a - b);
  const dayOf = (index: number) => new Date(FIRST + index * 24 * HOUR).toISOString().slice(0, 10);
  return {
    by: pick([...BY_VALUE, 'day', 'day', 'hour', 'weekday']),
    tz: pick(ZONES),
    from: dayOf(first!),
    to: dayOf(last!),
    // No filter can name the campaign `null`, since the word stands for none.
    filters: chosen.map((name) => [
      name,
      Array.from({ length: 1 + below(2) }, () => pick(clicks)[name]).map((value) => (value === 'null' ? null : value)),
    ]),
    links: below(3) === 0 ? [pick(clicks).link.id, pick(clicks).link.id] : [],
    campaign: below(5) === 0 ? pick(['Spring', 'null']) : null,
  };
}

/** The key of a click, or null where it is not within the question. Instants stand for hours. */
function keyOf(click: Thrown, { by, tz, from, to, filters, links, campaign }: Question): { key: unknown } | null {
  const hour = Math.floor(click.at / HOUR) * HOUR;
  const isInTime = ['day', 'hour', 'weekday'].includes(by);
  const timeZone = isInTime ? tz : 'UTC';
  const day = new Date(hour).toLocaleDateString('sv-SE', { timeZone });
  if (day < from || day > to) return null;
  if (links.length > 0 && !links.includes(click.link.id)) return null;
  if (campaign !== null && click.campaign !== campaign) return null;
  if (!filters.every(([name, values]) => values.includes(click[name]))) return null;
  if (by === 'day') return { key: day };
  if (by === 'hour') return { key: hour };
  if (by === 'weekday')
    return { key: new Date(hour).toLocaleDateString('en', { timeZone, weekday: 'short' }).toLowerCase() };
  return { key: by === 'link' ? click.link.id : click[by as Exclude<(typeof BY_VALUE)[number], 'link'>] };
}

function countByHand(clicks: readonly Thrown[], question: Question): Map<unknown, number[]> {
  const counts = new Map<unknown, number[]>();
  for (const click of clicks) {
    const found = keyOf(click, question);
    if (found === null) continue;
    const row = counts.get(found.key) ?? [0, 0, 0];
    row[['human', 'bot', 'preview'].indexOf(click.visitor)]! += 1;
    counts.set(found.key, row);
  }
  return counts;
}

function pathOf({ by, tz, from, to, filters, links, campaign }: Question): string {
  const query = new URLSearchParams({ by, tz, from, to, ...(campaign !== null && { campaign_name: campaign }) });
  for (const [name, values] of filters) for (const value of values) query.append(name, value ?? 'null');
  for (const link of links) query.append('link', link);
  return `/v1/stats?${query.toString()}`;
}

interface Row {
  readonly key: string | null;
  readonly total: number;
  readonly humans: number;
  readonly bots: number;
  readonly previews: number;
}

async function readRows(tenant: Tenant, path: string, limit: number): Promise<{ rows: Row[]; total: unknown }> {
  const rows: Row[] = [];
  for (let cursor = ''; ;) {
    const { status, body } = await ask(tenant, `${path}&limit=${limit}&cursor=${cursor}`);
    expect([path, status, body['filtered_from']]).toEqual([path, 200, null]);
    rows.push(...(body['rows'] as Row[]));
    const next = cursorIn(body);
    if (next === null) return { rows, total: body['total'] };
    cursor = next;
  }
}

it.each(shareOf([1, 2, 3, 4]))(
  '400 random clicks are counted as by hand, for 40 random questions: %i',
  async (seed) => {
    const dice = openDice(seed);
    const tenant = await seedTenant();
    const links = [await seedLink(tenant), await seedLink(tenant), await seedLink(tenant)];
    const clicks = Array.from({ length: 400 }, () => throwClick(dice, links));
    await seedThrown(clicks);
    let counted = 0;
    for (let asked = 0; asked < 40; asked++) {
      const question = throwQuestion(dice, clicks);
      const path = pathOf(question);
      const { rows, total } = await readRows(tenant, path, 1 + dice.below(60));
      const expected = countByHand(clicks, question);
      const isClicked = rows.filter((row) => row.total > 0);
      const keyIn = ({ key }: Row) => (question.by === 'hour' ? Date.parse(key ?? '') : key);
      const given = new Map(isClicked.map((row) => [keyIn(row), [row.humans, row.bots, row.previews]]));
      expect([path, given, isClicked.length]).toEqual([path, expected, expected.size]);
      const all = [...expected.values()].flat().reduce((sum, each) => sum + each, 0);
      expect([path, total]).toEqual([path, all]);
      counted += all;
    }
    // So that most questions are not about nothing.
    expect(counted).toBeGreaterThan(400);
  },
);
