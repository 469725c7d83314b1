import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { migrateDatabase, withDatabase } from '../../scripts/database.ts';
import { rowsIn } from '../scripts/support/data.ts';
import { makeFolder } from '../scripts/support/processes.ts';

/** The tables that have changed since, as the first version made them, with a row each. */
const FIRST_VERSION = [
  `CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, password_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL, disabled_at INTEGER) STRICT, WITHOUT ROWID`,
  `CREATE TABLE clients (id TEXT PRIMARY KEY, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE members (user_id TEXT NOT NULL REFERENCES users (id), client_id TEXT NOT NULL REFERENCES clients (id),
    created_at INTEGER NOT NULL, PRIMARY KEY (user_id, client_id)) STRICT, WITHOUT ROWID`,
  `CREATE TABLE api_keys (id TEXT PRIMARY KEY, client_id TEXT NOT NULL REFERENCES clients (id),
    user_id TEXT NOT NULL REFERENCES users (id), name TEXT NOT NULL, secret_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER, last_used_at INTEGER) STRICT, WITHOUT ROWID`,
  `CREATE TABLE links (id TEXT PRIMARY KEY, domain_id TEXT NOT NULL, slug TEXT NOT NULL,
    client_id TEXT NOT NULL REFERENCES clients (id), sec_id TEXT NOT NULL, url TEXT NOT NULL, campaign_name TEXT,
    metadata TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, expires_at INTEGER, disabled_at INTEGER,
    deleted_at INTEGER, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE addresses (domain_id TEXT NOT NULL, slug TEXT NOT NULL,
    link_id TEXT NOT NULL REFERENCES links (id) DEFERRABLE INITIALLY DEFERRED,
    PRIMARY KEY (domain_id, slug)) STRICT, WITHOUT ROWID`,
  `CREATE INDEX addresses_by_link ON addresses (link_id)`,
  `CREATE TABLE click_days (client_id TEXT NOT NULL,
    subject TEXT NOT NULL CHECK (subject IN ('link', 'campaign', 'client')), name TEXT NOT NULL, day TEXT NOT NULL,
    humans INTEGER NOT NULL, bots INTEGER NOT NULL, previews INTEGER NOT NULL, last_at INTEGER NOT NULL,
    hours TEXT NOT NULL, countries TEXT NOT NULL, referrers TEXT NOT NULL, browsers TEXT NOT NULL, systems TEXT NOT NULL,
    devices TEXT NOT NULL, languages TEXT NOT NULL, PRIMARY KEY (client_id, subject, name, day)) STRICT, WITHOUT ROWID`,
  `INSERT INTO users VALUES ('u', 'ann', 'hash', 1, NULL)`,
  `INSERT INTO clients VALUES ('acme', 1)`,
  `INSERT INTO members VALUES ('u', 'acme', 1)`,
  `INSERT INTO api_keys VALUES ('k', 'acme', 'u', 'first', 'hash', 1, NULL, NULL, NULL)`,
  `INSERT INTO links VALUES ('bcdFGHJK', '', 'bcdFGHJK', 'acme', 's', 'https://example.com/', NULL, NULL, 1, 1, NULL, NULL, NULL, 1)`,
  `INSERT INTO addresses VALUES ('', 'bcdFGHJK', 'bcdFGHJK')`,
];

/** A day of clicks. */
const CLICKED = `INSERT INTO click_days VALUES ('acme', 'client', '', '2026-05-20', 1, 0, 0, 1,
  '{"h:0":1}', '{}', '{}', '{}', '{}', '{}', '{}')`;

const QUESTIONS = [
  `SELECT name FROM sqlite_master WHERE name IN ('addresses_by_link', 'links_by_client', 'links_of_client', 'links_live', 'links_of_url') ORDER BY name`,
  `SELECT name, time_zone FROM users`,
  `SELECT role FROM members`,
  `SELECT scopes, former_until_at FROM api_keys`,
  `SELECT id, url, user_id FROM links`,
  `SELECT * FROM addresses`,
];

const UP_TO_DATE = [
  [{ name: 'addresses_by_link' }, { name: 'links_live' }, { name: 'links_of_url' }],
  [{ name: 'ann', time_zone: 'UTC' }],
  [{ role: 'owner' }],
  [{ scopes: 'links:read links:write stats:read', former_until_at: null }],
  [{ id: 'bcdFGHJK', url: 'https://example.com/', user_id: null }],
  [{ domain_id: '', folded: 'bcdfghjk', slug: 'bcdFGHJK', link_id: 'bcdFGHJK' }],
];

const toStatement = (sql: string) => ({ sql, params: [] });

/** The columns of the migration `link_rules`. */
const RULE_COLUMNS = Array.from(
  readFileSync('migrations/0004_link_rules.sql', 'utf8').matchAll(/^ALTER TABLE links ADD COLUMN (\w+)/gm),
  ([, name = '']) => name,
);

describe('a database of an earlier version', () => {
  it('a database of an earlier version is brought up to date with all that is in it, and is left alone the second time', async () => {
    const persistTo = makeFolder();
    const rows = await withDatabase(persistTo, async (db) => {
      await db.batch(FIRST_VERSION.map(toStatement));
      await migrateDatabase(db);
      await migrateDatabase(db);
      return db.batch(QUESTIONS.map(toStatement));
    });
    expect(rows).toEqual(UP_TO_DATE);
  });

  it('a database of an earlier version stays as it was where a step fails', async () => {
    const persistTo = makeFolder();
    // Two addresses that the new key of the table would take for one.
    const twins = `INSERT INTO addresses VALUES ('', 'BCDfghjk', 'bcdFGHJK')`;
    await withDatabase(persistTo, (db) => db.batch([...FIRST_VERSION, twins].map(toStatement)));
    const tables = () =>
      withDatabase(persistTo, (db) => db.batch([toStatement(`SELECT name, sql FROM sqlite_master ORDER BY name`)]));
    const before = await tables();
    await expect(withDatabase(persistTo, migrateDatabase)).rejects.toThrow(/UNIQUE constraint failed/);
    expect(await tables()).toEqual(before);
  });

  it('a database of an earlier version with clicks is refused, and stays as it was', async () => {
    const persistTo = makeFolder();
    await withDatabase(persistTo, (db) => db.batch([...FIRST_VERSION, CLICKED].map(toStatement)));
    const before = rowsIn(persistTo);
    expect(before['click_days']).toHaveLength(1);
    await expect(withDatabase(persistTo, migrateDatabase)).rejects.toThrow(
      'The clicks that version 1.2.0 or an older one has counted are not moved yet (of acme), and nothing was changed: ',
    );
    expect(rowsIn(persistTo)).toEqual(before);
  });

  it('a database of an earlier version has a skeleton of each ASCII name, and keeps two names that look alike', async () => {
    const persistTo = makeFolder();
    const rows = await withDatabase(persistTo, async (db) => {
      const more = `INSERT INTO users VALUES ('v', 'ANN', 'hash', 1, NULL), ('w', 'bob 2', 'hash', 1, NULL), ('x', 'Zoë', 'hash', 1, NULL)`;
      await db.batch([...FIRST_VERSION, more].map(toStatement));
      await migrateDatabase(db);
      const [users] = await db.batch([toStatement('SELECT name, skeleton FROM users ORDER BY id')]);
      return users;
    });
    expect(rows).toEqual([
      { name: 'ann', skeleton: null },
      { name: 'ANN', skeleton: 'ann' },
      { name: 'bob 2', skeleton: 'bob 2' },
      { name: 'Zoë', skeleton: null },
    ]);
  });

  it('a database of an earlier version keeps a slug with ẞ, and does not give it out again as ss', async () => {
    const persistTo = makeFolder();
    const rows = await withDatabase(persistTo, async (db) => {
      await db.batch(FIRST_VERSION.map(toStatement));
      await migrateDatabase(db);
      await db.batch(
        [
          `DROP TABLE d1_migrations`,
          ...['updated', 'deleted'].map((event) => `DROP TRIGGER link_checks_${event}`),
          ...['link_checks', 'checked_hosts', 'destination_checks', 'check_sweeps'].map((name) => `DROP TABLE ${name}`),
          `DROP INDEX links_checked`,
          ...['clients', 'domains'].map((name) => `ALTER TABLE ${name} DROP COLUMN slug_length`),
          ...['check_destination', 'ask_first', 'language'].map((name) => `ALTER TABLE links DROP COLUMN ${name}`),
          ...['totp_seeds', 'recovery_codes', 'code_tries', 'application_passwords', 'sign_ins', 'oauth_grants'].map(
            (name) => `DROP TABLE ${name}`,
          ),
          ...['oauth_codes', 'oauth_applications', 'passkeys', 'spent_challenges', 'mails', 'mail_addresses'].map(
            (name) => `DROP TABLE ${name}`,
          ),
          `ALTER TABLE sessions DROP COLUMN country`,
          `DROP INDEX token_families_by_client`,
          ...['began_by', 'begun_with', 'client_id', 'scopes', 'confirmed_at', 'provider_id'].map(
            (name) => `ALTER TABLE token_families DROP COLUMN ${name}`,
          ),
          ...[
            'language',
            'factor_since',
            'factor_version',
            'factors_reset_at',
            'basic_used_at',
            'passkeys_are_factor',
          ].map((name) => `ALTER TABLE users DROP COLUMN ${name}`),
          ...['identities', 'provider_domains', 'providers'].map((name) => `DROP TABLE ${name}`),
          ...['factors_from', 'required_provider', 'break_glass_id', 'required_since'].map(
            (name) => `ALTER TABLE clients DROP COLUMN ${name}`,
          ),
          `ALTER TABLE members DROP COLUMN role_by_claims`,
          `DROP TABLE schema_support`,
          `DROP TABLE suspended_members`,
          `DROP TABLE deletions`,
          `DROP INDEX audit_entries_of_member`,
          `ALTER TABLE clients DROP COLUMN first_steps_ended_at`,
          `ALTER TABLE clients DROP COLUMN name`,
          `ALTER TABLE domains DROP COLUMN former_status`,
          `DROP TABLE domain_files`,
          `DROP TABLE statistics_shares`,
          `DROP TABLE presets`,
          `DROP TABLE logos`,
          ...['delivery_tries', 'deliveries', 'events', 'webhooks'].map((name) => `DROP TABLE ${name}`),
          `DROP INDEX links_by_end`,
          `ALTER TABLE links DROP COLUMN imported_clicks`,
          `DROP TABLE link_tags`,
          `DROP TABLE tags`,
          `DROP INDEX links_by_external_id`,
          `ALTER TABLE links DROP COLUMN external_id`,
          ...['inserted', 'updated', 'deleted'].map((event) => `DROP TRIGGER link_hosts_${event}`),
          `DROP TABLE link_hosts`,
          `ALTER TABLE links DROP COLUMN fallback`,
          ...RULE_COLUMNS.map((name) => `ALTER TABLE links DROP COLUMN ${name}`),
          `ALTER TABLE domains DROP COLUMN tolerant`,
          `ALTER TABLE domains DROP COLUMN case_sensitive`,
          `DROP INDEX domains_by_check`,
          `ALTER TABLE api_keys DROP COLUMN adopted_at`,
          ...['write_checks', 'unwritten_entries', 'operator_log', 'kept_packs'].map((name) => `DROP TABLE ${name}`),
          `INSERT INTO addresses VALUES ('', 'xß', 'xẞ', 'bcdFGHJK'), ('', 'yß', 'yẞ', 'bcdFGHJK'), ('', 'yss', 'yß', 'bcdFGHJK')`,
        ].map(toStatement),
      );
      await migrateDatabase(db);
      const [addresses] = await db.batch([toStatement(`SELECT folded, slug FROM addresses WHERE slug <> 'bcdFGHJK'`)]);
      return addresses;
    });
    expect(rows).toEqual([
      { folded: 'xss', slug: 'xẞ' },
      { folded: 'xß', slug: 'xẞ' },
      { folded: 'yss', slug: 'yß' },
      { folded: 'yß', slug: 'yẞ' },
    ]);
  });
});
