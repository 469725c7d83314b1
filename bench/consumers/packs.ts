import { MARK_LENGTH } from '../../src/clicks/lengths.ts';
import type { Pack } from '../../src/clicks/read-pack.ts';
import { HOUR_MS } from '../../src/time/day.ts';

/** Clicks to be made up, on links that are all clicked equally often. */
export interface PackLoad {
  readonly clients: number;
  readonly linksPerClient: number;
  readonly packs: number;
  readonly clicksPerPack: number;
}

const numbered = (length: number, name: (index: number) => string): string[] =>
  Array.from({ length }, (_, index) => name(index));
const COUNTRIES = numbered(60, (index) => `C${index}`);
const REFERRERS = numbered(200, (index) => `referrer-${index}.example`);
const LANGUAGES = numbered(11, (index) => `l${index}`);
const SYSTEMS = ['Windows NT 10.0', 'Macintosh; Intel Mac OS X 10_15_7', 'X11; Linux x86_64', 'Linux; Android 15'];
const BROWSERS = [
  'Chrome/140.0.0.0 Safari/537.36',
  'Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
  'Gecko/20100101 Firefox/140.0',
];
const AGENTS = SYSTEMS.flatMap((system) =>
  BROWSERS.map((browser) => `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${browser}`),
);

/** Packs as isolates send them, each with clicks on random links. */
export function randomPacks(load: PackLoad): Pack[] {
  return Array.from({ length: load.packs }, () => randomPack(load));
}

function randomPack({ clients, linksPerClient, clicksPerPack }: PackLoad): Pack {
  const at = Date.now();
  const [links, profiles, agents] = [new Listed<string>(), new Listed<string>(), new Listed<string>()];
  const groups = new Map<string, Pack['groups'][number]>();
  for (let click = 0; click < clicksPerPack; click++) {
    const client = below(clients);
    const link = below(linksPerClient);
    const campaign = link % 2 === 0 ? null : `campaign ${link}`;
    const linkIndex = links.indexOf(JSON.stringify([`link-${client}-${link}`, clientOf(client), campaign]));
    const agent = agents.indexOf(oneOf(AGENTS));
    const values = [oneOf(COUNTRIES), oneOf(REFERRERS), agent, oneOf(LANGUAGES)];
    const profile = profiles.indexOf(JSON.stringify([Math.floor(at / HOUR_MS), ...values]));
    const key = `${linkIndex} ${profile}`;
    const [, , clicks = 0, , marks = ''] = groups.get(key) ?? [];
    const mark = crypto.randomUUID().slice(-MARK_LENGTH);
    groups.set(key, [linkIndex, profile, clicks + 1, 0, marks + mark]);
  }
  return {
    id: crypto.randomUUID(),
    at,
    links: links.list.map((text) => JSON.parse(text) as Pack['links'][number]),
    agents: agents.list,
    profiles: profiles.list.map((text) => JSON.parse(text) as Pack['profiles'][number]),
    groups: [...groups.values()],
  };
}

/** The id of a client, by its number. */
export function clientOf(client: number): string {
  return `client-${client}`;
}

function oneOf(list: readonly string[]): string {
  return list[below(list.length)] ?? '';
}

function below(end: number): number {
  return Math.floor(Math.random() * end);
}

class Listed<T> {
  readonly list: T[] = [];
  readonly #indexes = new Map<T, number>();

  indexOf(value: T): number {
    const index = this.#indexes.get(value) ?? this.list.push(value) - 1;
    this.#indexes.set(value, index);
    return index;
  }
}
