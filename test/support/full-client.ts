import { env } from 'cloudflare:workers';
import { CHROME, deliver, packOf } from './clicks.ts';
import { seedCaller, type Caller } from './forms.ts';
import { invite } from './invites.ts';
import { RESOURCES } from './resources.ts';
import { seedDomain, seedLink, type LinkRecord } from './seed.ts';
import { call } from './service.ts';

/** A client with rows in every table that can have some, an entry in KV, and objects with clicks and a limit. */
export interface FullClient {
  readonly caller: Caller;
  readonly host: string;
  readonly links: readonly LinkRecord[];
  /** Words that stand only in what belongs to it. */
  readonly words: readonly string[];
}

/** Rows that requests of tests do not write, by table; `?1` is the client, `?2` its user, `?3` a link. */
const RARE: readonly string[] = [
  // A sign-in of a program that opens this client alone.
  `INSERT INTO token_families (id, user_id, started_at, ends_at, client_id) VALUES ('family ' || ?1, ?2, 1, 9e15, ?1)`,
  `INSERT INTO application_passwords (id, user_id, name, secret_hash, nonce, client_id, created_at)
    VALUES ('application ' || ?1, ?2, 'n', 'application ' || ?1, 'application ' || ?1, ?1, 1)`,
  `INSERT INTO providers (id, kind, client_id, issuer, application, name, created_at, updated_at)
    VALUES ('provider ' || ?1, 'openid', ?1, 'i', 'a', 'n', 1, 1)`,
  `INSERT INTO identities (provider_id, subject, user_id, created_at, confirmed_at)
    VALUES ('provider ' || ?1, 'subject ' || ?1, ?2, 1, 9e12)`,
  `INSERT INTO provider_domains (client_id, domain, challenge, created_at) VALUES (?1, ?1 || '.example', 'c', 1)`,
  `INSERT INTO refresh_tokens (hash, family_id, status) VALUES ('refresh ' || ?1, 'family ' || ?1, 'live')`,
  `INSERT INTO sessions (hash, family_id, seen_at) VALUES ('session ' || ?1, 'family ' || ?1, 1)`,
  `INSERT INTO oauth_grants (family_id, application, name, host, resource, used_at)
    VALUES ('family ' || ?1, 'a', 'n', 'h', 'r', 1)`,
  `INSERT INTO oauth_codes (hash, user_id, session_id, client_id, scopes, application, name, host, redirect_uri, resource,
    challenge, expires_at) VALUES ('code ' || ?1, ?2, 's', ?1, 'links:read', 'a', 'n', 'h', 'u', 'r', 'c', 1)`,
  `INSERT INTO mails (id, kind, client_id, address, created_at, expires_at, next_try_at, failed_at)
    VALUES ('mail ' || ?1, 'invite', ?1, 'a@b.example', 1, 2, 3, 4)`,
  `INSERT INTO password_resets (id, token_hash, user_id, client_id, made_by, created_at, expires_at)
    VALUES ('r' || ?1, 't' || ?1, ?2, ?1, ?2, 1, 2)`,
  `INSERT INTO spent_forms (client_id, nonce, subject_id, secret_hash, created_at) VALUES (?1, 'n', 's', 'h', 1)`,
  `INSERT INTO encode_days (client_id, day, user_id, made, refused) VALUES (?1, '2026-11-20', ?2, 1, 0)`,
  `INSERT INTO idempotency_keys (client_id, key, fingerprint, answer, created_at) VALUES (?1, 'k', '', '', 1)`,
  `INSERT INTO statistics_shares (id, client_id, link_id, campaign_name, secret_hash, created_at)
    VALUES ('l' || ?1, ?1, ?3, NULL, 'l' || ?1, 1), ('c' || ?1, ?1, NULL, 'A campaign', 'c' || ?1, 1),
      ('a' || ?1, ?1, NULL, '', 'a' || ?1, 1)`,
  `INSERT INTO presets (client_id, kind, name, folded, content, created_at) VALUES (?1, 'view', 'V', 'v', '{}', 1)`,
  `INSERT INTO logos (client_id, domain, type, file, updated_at) VALUES (?1, '', 'image/png', 'AA==', 1)`,
  `INSERT INTO webhooks (id, client_id, url, events, secret, created_at, updated_at)
    VALUES ('w' || ?1, ?1, 'https://example.com/', '[]', 's', 1, 1)`,
  `INSERT INTO events (id, client_id, type, happened_at, data) VALUES ('e' || ?1, ?1, 'link.created', 1, '{}')`,
  `INSERT INTO deliveries (webhook_id, event_id, created_at) VALUES ('w' || ?1, 'e' || ?1, 1)`,
  `INSERT INTO delivery_tries (webhook_id, event_id, number, tried_at, ms) VALUES ('w' || ?1, 'e' || ?1, 1, 1, 1)`,
  `INSERT INTO check_sweeps (client_id, is_whole, ended_at) VALUES (?1, 1, 9000000000000)`,
  `INSERT INTO destination_checks (client_id, url_hash, url, host, due_at)
    VALUES (?1, 'h', 'https://example.com/', 'example.com', 9000000000000)`,
  `INSERT INTO link_checks (link_id, client_id, url_hash) VALUES (?3, ?1, 'h')`,
  `INSERT INTO domain_files (domain_id, name, body) SELECT id, 'asset_links', '[]' FROM domains WHERE client_id = ?1`,
];

/** A statement with as many of the parameters as it names, from `?1` on. */
export function prepareWith(sql: string, params: readonly unknown[]): D1PreparedStatement {
  const used = Math.max(...[...sql.matchAll(/\?(\d)/g)].map(([, number]) => Number(number)));
  return env.DB.prepare(sql).bind(...params.slice(0, used));
}

export async function seedFullClient(): Promise<FullClient> {
  const caller = await seedCaller();
  const host = await seedDomain(caller);
  const plain = await seedLink(caller, { tags: 'One,Two', expired_url: 'https://end.example/' });
  const limited = await seedLink(caller, { max_clicks: '5' });
  const ended = await seedLink(caller);
  const removed = await seedLink(caller);
  const links = [plain, limited, ended, removed, await seedLink(caller, { custom_domain: host })];
  const headers = { 'X-API-Key': caller.apiKey };
  const edit = { 'Content-Type': 'application/json', ...headers };
  await call(`/v1/links/${plain.id}`, { method: 'PATCH', headers: edit, body: '{"title":"A title"}' });
  await call(`/v1/links/${ended.id}`, { method: 'DELETE', headers });
  // As after 30 days.
  await env.DB.prepare(`UPDATE links SET deleted_at = 1, url = '' WHERE id = ?`).bind(removed.id).run();
  await call(`/${limited.id}`, { headers: { 'User-Agent': CHROME } });
  await invite(caller);
  const ofResources = await Promise.all(RESOURCES.map(({ seed }) => seed(caller)));
  await deliver([packOf(plain, 3)]);
  const params = [caller.clientId, caller.userId, plain.id];
  await env.DB.batch(RARE.map((sql) => prepareWith(sql, params)));
  const ids = await env.DB.prepare(
    `SELECT id FROM domains WHERE client_id = ?1 UNION ALL SELECT id FROM api_keys WHERE client_id = ?1
      UNION ALL SELECT id FROM tags WHERE client_id = ?1`,
  )
    .bind(caller.clientId)
    .all<{ readonly id: string }>();
  const words = [
    caller.clientId,
    host,
    ...links.map(({ id }) => id),
    ...ids.results.map(({ id }) => id),
    ...ofResources,
  ];
  return { caller, host, links, words };
}
