import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { checkBackup } from '../../../scripts/backup/file.ts';
import { migrateDatabase, withDatabase } from '../../../scripts/database.ts';
import { createStateFolder } from '../../../scripts/state.ts';
import { openStoredObjects, type StoredObjects } from '../../../scripts/stored-objects.ts';
import type { Count } from '../../../src/link-limit/object.ts';
import type { Section } from '../../../src/statistics/backup/export.ts';
import { rowsIn } from './data.ts';
import { makeFolder, type Outcome } from './processes.ts';
import { callBackup, callRestore } from './tools.ts';

/** Backups and restores of a database in which no table is empty. */

export const ODD = `\0 " ' \\ \u2028 ü 😀 \r\n line; DROP TABLE links --`;
export const LARGE = '9007199254740993';

export const backup = (persistTo: string, ...args: string[]): Promise<Outcome> =>
  callBackup([...args, '--persist-to', persistTo]);
export const restore = (persistTo: string, ...args: string[]): Promise<Outcome> =>
  callRestore([...args, '--persist-to', persistTo]);
export const all = (persistTo: string) => rowsIn(persistTo, { bigInts: true });

/** A folder with a database in which no table is empty, some values are odd, and one table takes several pages. */
export async function seedFolder(name: 'Ann' | 'Bob' = 'Ann'): Promise<string> {
  const persistTo = makeFolder();
  cpSync(await (seeded[name] ??= seed(name)), persistTo, { recursive: true });
  return persistTo;
}

// Created once in a file, since the others are copies.
const seeded: { [name: string]: Promise<string> } = {};

async function seed(name: string): Promise<string> {
  const persistTo = makeFolder();
  await withDatabase(persistTo, async (db) => {
    await migrateDatabase(db);
    await db.batch(SEED.map((sql) => ({ sql, params: [name, ODD, LARGE].slice(0, Number(/\?3/.test(sql)) * 3) })));
  });
  return persistTo;
}

// A statement that has ?3 takes the three of them.
const SEED = [
  `INSERT INTO users (id, name, password_hash, created_at) VALUES ('u', ?1 || ?2, 'hash', CAST(?3 AS INTEGER))`,
  `INSERT INTO clients (id, created_at) VALUES ('c', -1)`,
  `INSERT INTO members (user_id, client_id, created_at) VALUES ('u', 'c', 1)`,
  `INSERT INTO deletions (client_id, user_id, requested_at, ends_at) VALUES ('c', 'u', 1, 2)`,
  `INSERT INTO suspended_members (user_id, client_id, created_at, role) VALUES ('u', 'c', 1, 'owner')`,
  `INSERT INTO api_keys (id, client_id, user_id, name, secret_hash, created_at) VALUES ('k', 'c', 'u', ?2 || ?1, 'h', CAST(?3 AS INTEGER))`,
  `INSERT INTO invites (id, client_id, user_id, token_hash, role, created_at, expires_at) VALUES ('i', 'c', 'u', 't', 'member', 1, 2)`,
  `INSERT INTO audit_entries (client_id, created_at, id, action, subject_id, subject_name, details, user_id, credential_kind, credential_id) VALUES ('c', 1, 'e', 'key.created', 'k', NULL, NULL, 'u', 'x', 'y')`,
  `INSERT INTO token_families (id, user_id, started_at, ends_at) VALUES ('f', 'u', 1, 2)`,
  `INSERT INTO refresh_tokens (hash, family_id, status) VALUES ('r', 'f', 'live')`,
  `INSERT INTO sessions (hash, family_id, seen_at) VALUES ('s', 'f', 1)`,
  `INSERT INTO totp_seeds (user_id, seed, created_at) VALUES ('u', ?1 || ?2 || ?3, 1)`,
  `INSERT INTO recovery_codes (user_id, hash) VALUES ('u', 'h')`,
  `INSERT INTO code_tries (user_id, tried_at, id, address) VALUES ('u', 1, 't', ?1 || ?2 || ?3)`,
  `INSERT INTO application_passwords (id, user_id, name, secret_hash, nonce, created_at) VALUES ('a', 'u', ?1 || ?2 || ?3, 'h', 'n', 1)`,
  `INSERT INTO sign_ins (user_id, at, id, way, outcome) VALUES ('u', 1, 's', 'password', 'success')`,
  `INSERT INTO oauth_applications (id, name, redirect_uris, created_at) VALUES ('o', ?1 || ?2 || ?3, '[]', 1)`,
  `INSERT INTO oauth_codes (hash, user_id, session_id, client_id, scopes, application, name, host, redirect_uri, resource, challenge, expires_at)
    VALUES ('h', 'u', 'f', 'c', 'links:read', 'o', ?1 || ?2 || ?3, '', '', '', '', 1)`,
  `INSERT INTO oauth_grants (family_id, application, name, host, resource, used_at) VALUES ('f', 'o', ?1 || ?2 || ?3, '', '', 1)`,
  `INSERT INTO passkeys (id, user_id, name, public_key, counter, rp_id, transports, created_at) VALUES ('pk', 'u', ?1 || ?2 || ?3, '', 0, '', '[]', 1)`,
  `INSERT INTO mail_addresses (user_id, address, confirmed_at) VALUES ('u', ?1 || ?2 || ?3, 1)`,
  `INSERT INTO mails (id, kind, user_id, client_id, details, created_at, expires_at, next_try_at) VALUES ('m', 'reset', 'u', 'c', ?1 || ?2 || ?3, 1, 2, 3)`,
  `INSERT INTO spent_challenges (hash, spent_by, ends_at) VALUES ('h', 's', 1)`,
  `INSERT INTO providers (id, kind, client_id, issuer, application, name, secret, created_at, updated_at)
    VALUES ('pr', 'openid', 'c', 'https://id.example', 'a', ?1 || ?2 || ?3, 's', 1, 1)`,
  `INSERT INTO identities (provider_id, subject, user_id, name, created_at, confirmed_at) VALUES ('pr', 's', 'u', ?1 || ?2 || ?3, 1, 1)`,
  `INSERT INTO provider_domains (client_id, domain, challenge, created_at) VALUES ('c', 'mail.example', 'ch', 1)`,
  `INSERT INTO domains (id, client_id, host) VALUES ('d', 'c', 'go.example')`,
  `INSERT INTO domain_files (domain_id, name, body) VALUES ('d', 'asset_links', ?1 || ?2 || ?3)`,
  `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 300)
    INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, created_at, updated_at, revision)
    SELECT 'l' || n, '', 'l' || n, 'c', 's', 'https://example.com/' || n, 1, 1, 1 FROM n`,
  `INSERT INTO addresses (domain_id, folded, slug, link_id) SELECT '', id, id, id FROM links`,
  `INSERT INTO tags (id, client_id, name, folded, colour, created_at) VALUES ('t', 'c', ?1 || ?2 || ?3, 't', 'blue', 1)`,
  `INSERT INTO link_tags (link_id, tag_id, created_at) VALUES ('l1', 't', 1)`,
  `INSERT INTO statistics_shares (id, client_id, link_id, secret_hash, created_at) VALUES ('sh', 'c', 'l1', ?1 || ?2 || ?3, 1)`,
  `INSERT INTO presets (id, client_id, kind, name, folded, content, created_at) VALUES ('v', 'c', 'view', ?1 || ?2 || ?3, 'v', 'q=a', 1)`,
  `INSERT INTO logos (client_id, domain, type, file, updated_at) VALUES ('c', '', 'image/png', ?1 || ?2 || ?3, 1)`,
  `INSERT INTO webhooks (id, client_id, url, events, secret, created_at, updated_at) VALUES ('w', 'c', ?1 || ?2 || ?3, '[]', 's', 1, 1)`,
  `INSERT INTO events (id, client_id, type, happened_at, data) VALUES ('e', 'c', 'link.created', 1, ?1 || ?2 || ?3)`,
  `INSERT INTO deliveries (webhook_id, event_id, created_at) VALUES ('w', 'e', 1)`,
  `INSERT INTO delivery_tries (webhook_id, event_id, number, tried_at, ms) VALUES ('w', 'e', 1, 1, 1)`,
  `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 300)
    INSERT INTO link_history (link_id, n, at, action, url, changes, edit_id)
    SELECT 'l1', n, 1, 'edited', 'https://example.com/', '{}', n FROM n`,
  `INSERT INTO idempotency_keys (client_id, key, fingerprint, answer, created_at) VALUES ('c', 'key', '', '', 0)`,
  `INSERT INTO spent_forms (client_id, nonce, subject_id, secret_hash, created_at) VALUES ('c', 'n', 'k', 'h', 1)`,
  `INSERT INTO password_resets (id, token_hash, user_id, created_at, expires_at) VALUES ('p', 'h', 'u', 1, 2)`,
  `INSERT INTO encode_days (client_id, day, user_id, made, refused) VALUES ('c', '2026-01-01', 'u', 1, 0)`,
  `INSERT INTO check_sweeps (client_id, is_whole, after_id) VALUES ('c', 1, ?1 || ?2 || ?3)`,
  `INSERT INTO destination_checks (client_id, url_hash, url, host, due_at) VALUES ('c', 'h', ?1 || ?2 || ?3, 'a.example', 1)`,
  `INSERT INTO link_checks (link_id, client_id, url_hash) VALUES ('l1', 'c', 'h')`,
  `INSERT INTO checked_hosts (host, due_at, not_before_at) VALUES ('a.example', 1, 2)`,
  `INSERT INTO blocked_hosts (host, blocked_at) VALUES ('evil.example', 1)`,
  `INSERT INTO visitor_salts (day, salt) VALUES ('2026-01-01', 'salt')`,
];

/** Works with the Durable Objects of a folder, which nothing else works on. */
async function withObjects<T>(persistTo: string, work: (objects: StoredObjects) => Promise<T>): Promise<T> {
  const objects = openStoredObjects(createStateFolder(persistTo));
  try {
    return await work(objects);
  } finally {
    await objects.close();
  }
}

/** Puts click statistics of a client into a folder. */
export function seedStatistics(persistTo: string, client = 'c', link = `link-7${ODD}`): Promise<void> {
  return withObjects(persistTo, async ({ statistics }) => {
    const object = statistics.getByName(client);
    expect(await object.beginLoad(1)).toBe(true);
    expect(await object.load(statisticsOf(link))).toBeNull();
    await object.endLoad();
  });
}

type Counts = Readonly<Record<string, Count | null>>;

/** Limits links of a folder, some of which have redirected visitors. */
export async function seedLimits(persistTo: string, counts: Counts): Promise<void> {
  await withDatabase(persistTo, async (db) => {
    const limit = 'UPDATE links SET max_clicks = 9 WHERE id IN (SELECT value FROM json_each(?1))';
    const ids = JSON.stringify(Object.keys(counts));
    await db.batch([{ sql: limit, params: [ids] }]);
  });
  await withObjects(persistTo, async ({ limits }) => {
    for (const [link, count] of Object.entries(counts)) await limits.getByName(link).load(count);
  });
}

/** Reads the number of visitors that limited links of a folder have redirected. */
export function readLimits(persistTo: string, links: readonly string[]): Promise<Counts> {
  return withObjects(persistTo, async ({ limits }) => {
    const counts: Record<string, Count | null> = {};
    for (const link of links) counts[link] = await limits.getByName(link).count();
    return counts;
  });
}

const statisticsOf = (link: string): Section[] => [
  { table: 'subjects', columns: ['id', 'kind', 'name', 'humans'], rows: [['7', '1', link, String(2 ** 52)]] },
  { table: 'days', columns: ['id', 'clicks'], rows: [[String(2 ** 50), bytes(0, 255, 10, 13, 34)]] },
  { table: 'words', columns: ['dimension', 'id', 'word', 'day'], rows: [['1', '2', ODD, '20000']] },
  { table: 'deliveries', columns: ['id', 'at', 'groups', 'packs', 'body'], rows: [['9', '1', '3', '', bytes(1)]] },
];

const bytes = (...values: readonly number[]): string => Buffer.from(values).toString('base64');

/** Writes a backup with other lines between its head and its foot, and a foot that fits them. */
export async function rewrite(file: string, edit: (lines: string[]) => string[]): Promise<string> {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const kept = [...lines.slice(0, 1), ...edit(lines.slice(1, -1))];
  const counts = new Map<string, number>();
  let table = '';
  for (const line of kept.slice(1)) {
    const value: unknown[] | { readonly table: string } = JSON.parse(line);
    const isRow = Array.isArray(value);
    if (!isRow) table = value.table;
    counts.set(table, (counts.get(table) ?? 0) + Number(isRow));
  }
  const rows = Object.fromEntries(counts);
  const text = kept.map((line) => `${line}\n`).join('');
  const other = join(makeFolder(), 'rewritten.backup');
  writeFileSync(other, `${text}${JSON.stringify({ rows, sha256: createHash('sha256').update(text).digest('hex') })}\n`);
  await checkBackup(other);
  return other;
}

let sampled: Promise<string> | undefined;

/** Returns an example of a backup. */
export const sample = () => (sampled ??= makeSample());

async function makeSample(): Promise<string> {
  const file = join(makeFolder(), 'terse.backup');
  await backup(await seedFolder(), file);
  return readFileSync(file, 'utf8');
}

/** Expects a refusal: exit code 2, nothing on stdout, and one line on stderr, which it gives. */
export function sentenceOf(outcome: Outcome): string {
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr).toMatch(/^[^\n]+\n$/);
  return outcome.stderr.trimEnd();
}
