import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { startTokenFamily, type Issuer } from '../../src/accounts/tokens/refresh-tokens.ts';
import { parseConfig } from '../../src/config/config.ts';
import * as example from '../../scripts/reference/examples.ts';
import { dayNumberOf } from '../../src/time/day.ts';
import { openKeyRing } from '../../src/tokens/keys.ts';
import { carryDays } from '../statistics/support/carried-days.ts';
import { emptyTables } from './all-rows.ts';
import { setDns } from './domains.ts';
import { CARRIED_DAYS, KEY_SECRET, PASSWORD, passwordHash, ROWS, type Row } from './example-rows.ts';
import { setWebhookDns } from './example-webhooks.ts';
import { basicOf, db } from './seed.ts';

/** The database and the stores with the rows of the API document's examples, and the credentials of their owner. */

/**
 * Creates the data of the examples anew, without anything of an earlier run. Returns the headers for each kind of
 * credential.
 */
export async function seedExamples(): Promise<Readonly<Record<string, Record<string, string>>>> {
  await seedExampleRows();
  const { accessToken } = await startTokenFamily(db, await issuer(), { id: example.OWNER_ID, passwordHash });
  return {
    basic: { Authorization: basicOf('ann', PASSWORD) },
    bearer: { Authorization: `Bearer ${accessToken}` },
    apiKey: { 'X-API-Key': `tk_${example.KEY_ID}_${KEY_SECRET}` },
  };
}

/** Seeds the examples without credentials, and further rows. One batch, since thousands of tests begin so. */
export async function seedExampleRows(...more: readonly D1PreparedStatement[]): Promise<void> {
  await env.DB.batch([await emptyTables(), env.DB.prepare(INSERTS), ...more]);
  await renewStatistics();
  await (dns ??= setExampleDns());
}

// No test changes these records.
let dns: Promise<unknown> | undefined;

const setExampleDns = () =>
  Promise.all([
    setDns('_terse.go.acme.example', { txt: [`terse-domain=${example.DOMAIN_TOKEN}`] }),
    setDns(LOOKED_UP_HOST, { a: ['8.8.8.8'] }),
    setWebhookDns(),
  ]);

/** The host of the destination that the example of a look-up has. */
export const LOOKED_UP_HOST = 'shop.example.com';

/** The web server there. */
export const lookedUpPage = ({ url }: Request): Response =>
  url.endsWith('/spring')
    ? new Response(
        '<title>Spring sale</title><meta name="description" content="All of it must go.">' +
          '<meta property="og:image" content="/a.png">',
        { headers: { 'Content-Type': 'text/html' } },
      )
    : new Response(null, { status: 404 });

let renewed: string | undefined;

// Erasing takes as long as all else here, and hardly any test counts clicks.
async function renewStatistics(): Promise<void> {
  const object = env.STATISTICS.getByName(example.CLIENT_ID);
  const content = async () => JSON.stringify(await object.exportPage(null));
  if (renewed !== undefined && (await content()) === renewed) return;
  await object.erase();
  await runInDurableObject(object, (_object, { storage }) =>
    carryDays(storage, CARRIED_DAYS, dayNumberOf(example.CLICKED_DAY)),
  );
  renewed = await content();
}

// As one text without parameters, since D1 takes longer to receive a statement than to execute it.
const INSERTS = Object.entries(ROWS)
  .flatMap(([table, rows]) => rows.map((row) => insertionOf(table, row)))
  .join(';\n');

function insertionOf(table: string, row: Row): string {
  return `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(literalOf).join(', ')})`;
}

function literalOf(value: Row[string]): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value ?? 'NULL');
}

function insert(table: string, row: Row): D1PreparedStatement {
  const names = Object.keys(row);
  const marks = names.map(() => '?').join(', ');
  return env.DB.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`).bind(...Object.values(row));
}

/** A user of another client, who owns nothing of the examples. */
export async function seedStranger(): Promise<{ bearer: Record<string, string>; apiKey: Record<string, string> }> {
  const id = crypto.randomUUID();
  await env.DB.batch([
    insert('users', { id, name: 'zoe', password_hash: 'none', created_at: 1 }),
    insert('clients', { id: 'globex', created_at: 1 }),
    insert('members', { user_id: id, client_id: 'globex', created_at: 1 }),
  ]);
  const { accessToken, apiToken } = await startTokenFamily(db, await issuer(), { id, passwordHash: 'none' });
  return { bearer: { Authorization: `Bearer ${accessToken}` }, apiKey: { 'X-API-Key': apiToken } };
}

async function issuer(): Promise<Issuer> {
  const ring = await openKeyRing(parseConfig({ ...env }).tokenKeys)();
  return { name: example.ORIGIN, ring, lifetimeSeconds: 3600 };
}
