import { sectionOf, STATISTICS } from '../../src/operator/statistics.ts';
import { UsageError } from '../cli-error.ts';
import { MOVER, namesOf } from '../migrations/former-clicks.ts';
import { readParts, type Checked } from './file.ts';

/**
 * Clicks that version 1.2.0 and older ones have counted, in backups up to version 1.3.0: as rows of the database and, once
 * they are moved, also in the statistics of their clients.
 */

/** The tables of the database that had them, which are left out. */
export const FORMER_TABLES: ReadonlySet<string> = new Set(['click_days', 'seen_packs', 'visitor_marks']);

/** Throws a `UsageError` if the statistics in a backup lack a copy of such clicks, or have another number of them. */
export async function refuseUnmovedIn(file: string, { rows }: Pick<Checked, 'rows'>): Promise<void> {
  if ((rows['click_days'] ?? 0) === 0) return;
  const { clients, counted, copied } = await sumClicks(file);
  const unmoved = [...counted].filter(
    ([client, clicks]) => clients.has(client) && [...clicks].some(([key, sum]) => copied.get(client)?.get(key) !== sum),
  );
  if (unmoved.length === 0) return;
  const names = namesOf(unmoved.map(([client]) => client).toSorted());
  throw new UsageError(
    `The backup has clicks that version 1.2.0 or an older one has counted, and that are not moved yet (of ${names}), and ` +
      `nothing was changed: restore it with ${MOVER}, and create another backup once they are moved.`,
  );
}

/** Clicks of each client: of the client, of each link, and of all campaigns together, since these can be renamed. */
type Sums = Map<string, Map<string, number>>;

const KINDS = ['client', 'link', 'campaign'];
const keyOf = (kind: string, name: string) => (kind === 'campaign' ? kind : `${kind} ${name}`);

async function sumClicks(file: string) {
  const clients = new Set<string>();
  const [counted, copied]: Sums[] = [new Map(), new Map()] as const;
  let [table, columns] = ['', [] as readonly string[]];
  for await (const part of readParts(file)) {
    if ('section' in part) {
      ({ table, columns } = part.section);
      continue;
    }
    const valueOf = (name: string) => part.row[columns.indexOf(name)] ?? '';
    const sumOf = (...names: readonly string[]) => names.reduce((sum, name) => sum + Number(valueOf(name)), 0);
    const client = valueOf('client_id');
    if (table === 'clients') clients.add(valueOf('id'));
    // The statistics of a client may begin again.
    else if (table === STATISTICS && valueOf('step') === 'begin') copied.delete(client);
    else if (table === 'click_days')
      add(counted, client, keyOf(valueOf('subject'), valueOf('name')), sumOf('humans', 'bots', 'previews'));
    else if (table === sectionOf('subjects')) {
      const key = keyOf(KINDS[Number(valueOf('kind'))] ?? '', valueOf('name'));
      add(copied, client, key, sumOf('carried_humans', 'carried_bots', 'carried_previews'));
    }
  }
  return { clients, counted, copied };
}

function add(sums: Sums, client: string, key: string, clicks: number): void {
  const ofClient = sums.get(client) ?? new Map<string, number>();
  ofClient.set(key, (ofClient.get(key) ?? 0) + clicks);
  sums.set(client, ofClient);
}
