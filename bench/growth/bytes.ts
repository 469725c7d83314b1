import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { keyOf } from '../../src/links/redirect/cache.ts';
import { keysOf } from '../../src/links/slugs/slug.ts';
import type { Target } from '../../src/links/link.ts';

/** The bytes that rows take in D1, measured in a SQLite database with the tables of schema.sql. */
export interface Bytes {
  /** A link with its address and the indexes of both. */
  readonly link: number;
  /** One edit in the history of a link that had none. */
  readonly edit: number;
  /** A client with a user, two keys, and some sign-ins and entries in the audit log. */
  readonly client: number;
  /** An entry of KV with its key. */
  readonly kvEntry: number;
  /** Of a link, by table and index. */
  readonly parts: Readonly<Record<string, number>>;
}

const LINKS_PER_CLIENT = 100;
const KEYS_PER_CLIENT = 2;
const SIGN_INS_PER_CLIENT = 5;
const ENTRIES_PER_CLIENT = 20;
const URL_LENGTH = 80;
const BEGUN_AT = Date.UTC(2026, 0, 1);

/**
 * Measures with some hundreds of links or more: each has a URL of 80 characters, a title, a campaign and a generated slug.
 */
export function measureBytes(links: number): Bytes {
  const clients = Math.ceil(links / LINKS_PER_CLIENT);
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
  try {
    db.exec(readFileSync(join(import.meta.dirname, '../../schema.sql'), 'utf8'));
    const random = openRandom();
    const owners = insertClients(db, random, clients);
    const ofClients = sizesOf(db);
    const inserted = insertLinks(db, random, owners);
    const ofLinks = differences(sizesOf(db), ofClients, inserted.length);
    const before = total(sizesOf(db));
    insertEdits(db, random, inserted);
    return {
      link: total(ofLinks),
      edit: (total(sizesOf(db)) - before) / inserted.length,
      client: total(ofClients) / clients,
      kvEntry: kvEntryOf(random),
      parts: ofLinks,
    };
  } finally {
    db.close();
  }
}

interface Owner {
  readonly clientId: string;
  readonly userId: string;
  readonly keyId: string;
}

function insertClients(db: DatabaseSync, random: Random, clients: number): Owner[] {
  return transaction(db, () => {
    const owners: Owner[] = [];
    for (let n = 0; n < clients; n++) {
      const owner = { clientId: random.text(12), userId: random.uuid(), keyId: random.text(12) };
      owners.push(owner);
      const at = BEGUN_AT + n;
      const { clientId, userId } = owner;
      insert(db, 'clients', { id: clientId, created_at: at });
      const name = `${random.text(8)}@example.com`;
      insert(db, 'users', { id: userId, name, password_hash: random.text(120), created_at: at, skeleton: name });
      insert(db, 'members', { user_id: userId, client_id: clientId, created_at: at, role: 'owner' });
      for (let key = 0; key < KEYS_PER_CLIENT; key++) {
        const id = key === 0 ? owner.keyId : random.text(12);
        const names = { id, client_id: clientId, user_id: userId, name: 'build server' };
        insert(db, 'api_keys', { ...names, secret_hash: random.text(43), created_at: at, last_used_at: at });
      }
      for (let signIn = 0; signIn < SIGN_INS_PER_CLIENT; signIn++) insertSignIn(db, random, userId, at);
      for (let entry = 0; entry < ENTRIES_PER_CLIENT; entry++) insertEntry(db, random, owner, at + entry);
    }
    return owners;
  });
}

function insertSignIn(db: DatabaseSync, random: Random, userId: string, at: number): void {
  const family = random.uuid();
  insert(db, 'token_families', { id: family, user_id: userId, started_at: at, ends_at: at });
  const browser = { browser: 'Chrome', os: 'Windows' };
  insert(db, 'sessions', { hash: random.text(43), family_id: family, seen_at: at, ...browser });
}

function insertEntry(db: DatabaseSync, random: Random, { clientId, userId, keyId }: Owner, at: number): void {
  insert(db, 'audit_entries', {
    client_id: clientId,
    created_at: at,
    id: random.text(16),
    action: 'key.created',
    subject_id: keyId,
    subject_name: 'build server',
    details: '{"scopes":["links:read","links:write"]}',
    user_id: userId,
    credential_kind: 'session',
    credential_id: random.uuid(),
  });
}

interface Inserted {
  readonly id: string;
  readonly owner: Owner;
}

// The clients take turns, since their links are not created one client after the other.
function insertLinks(db: DatabaseSync, random: Random, owners: readonly Owner[]): Inserted[] {
  return transaction(db, () => {
    const inserted: Inserted[] = [];
    for (let turn = 0; turn < LINKS_PER_CLIENT; turn++) {
      for (const owner of owners) {
        const id = random.text(8);
        insertLink(db, random, id, owner, BEGUN_AT + inserted.length * 1000);
        inserted.push({ id, owner });
      }
    }
    return inserted;
  });
}

function insertLink(db: DatabaseSync, random: Random, id: string, owner: Owner, at: number): void {
  insert(db, 'links', {
    id,
    domain_id: '',
    slug: id,
    client_id: owner.clientId,
    sec_id: random.text(8),
    url: urlOf(random),
    campaign_name: campaignOf(at / 1000),
    title: `The title of a page, ${random.text(8)}`,
    created_at: at,
    updated_at: at,
    revision: at,
    user_id: owner.userId,
    key_id: owner.keyId,
  });
  insert(db, 'addresses', { domain_id: '', folded: keysOf(id).folded, slug: id, link_id: id });
}

// The first edit of a link also writes the entry of its creation.
function insertEdits(db: DatabaseSync, random: Random, links: readonly Inserted[]): void {
  transaction(db, () => {
    for (const { id, owner } of links) {
      const [url, former] = [urlOf(random), urlOf(random)];
      const by = { link_id: id, at: BEGUN_AT, user_id: owner.userId, key_id: owner.keyId };
      insert(db, 'link_history', { ...by, n: 1, action: 'created', url: former, changes: '{}', edit_id: '' });
      const changes = JSON.stringify({ url: [former, url] });
      insert(db, 'link_history', { ...by, n: 2, action: 'edited', url, changes, edit_id: random.uuid() });
    }
  });
}

function kvEntryOf(random: Random): number {
  const [linkId, clientId] = [random.text(8), random.text(12)];
  const rest = { ending: null, extras: null, expiresAt: null, revision: BEGUN_AT };
  const target: Target = { linkId, clientId, campaignName: campaignOf(0), url: urlOf(random), ...rest };
  return keyOf({ host: '', slug: linkId }).length + JSON.stringify({ ...target, at: BEGUN_AT }).length;
}

const campaignOf = (n: number) => `campaign ${n % 50}`;

function urlOf(random: Random): string {
  const start = `https://www.example.com/products/${random.text(20)}?utm_source=`;
  return start + random.text(URL_LENGTH - start.length);
}

// node:sqlite keeps no statements, and compiling one takes longer than running it.
const statements = new WeakMap<DatabaseSync, Map<string, ReturnType<DatabaseSync['prepare']>>>();

function insert(db: DatabaseSync, table: string, row: Readonly<Record<string, SQLInputValue>>): void {
  const known = statements.get(db) ?? new Map<string, ReturnType<DatabaseSync['prepare']>>();
  statements.set(db, known);
  const names = Object.keys(row);
  const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  const statement = known.get(sql) ?? db.prepare(sql);
  known.set(sql, statement);
  statement.run(...Object.values(row));
}

function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN');
  const result = work();
  db.exec('COMMIT');
  return result;
}

type Sizes = Readonly<Record<string, number>>;

/** The bytes of each table and index that is not empty, in whole pages. */
function sizesOf(db: DatabaseSync): Sizes {
  const rows = db.prepare('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name').all();
  return Object.fromEntries(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));
}

function differences(after: Sizes, before: Sizes, rows: number): Sizes {
  const all = Object.entries(after).map(([name, bytes]): [string, number] => [
    name,
    (bytes - (before[name] ?? 0)) / rows,
  ]);
  return Object.fromEntries(all.filter(([, bytes]) => bytes > 0).toSorted(([, a], [, b]) => b - a));
}

function total(sizes: Sizes): number {
  return Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0);
}

interface Random {
  text(length: number): string;
  uuid(): string;
}

const CHARACTERS = '6789BCDFGHJKLMNPQRTWbcdfghjkmnpqrtwz';

/** Generates the same texts in each run, so that their sizes are equal too. */
function openRandom(): Random {
  let state = 1;
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const text = (length: number) => {
    let made = '';
    while (made.length < length) made += CHARACTERS[Math.floor(next() * CHARACTERS.length)];
    return made;
  };
  return { text, uuid: () => [8, 4, 4, 4, 12].map(text).join('-') };
}
