import { env } from 'cloudflare:workers';
import { newSession } from '../../src/accounts/sessions/session.ts';
import { insertSession } from '../../src/accounts/sessions/session-store.ts';
import { openLinkMemory } from '../../src/links/redirect/resolve.ts';
import { hashSecret } from '../../src/secrets/random-secrets.ts';
import { deleteClient } from '../../src/workspaces/deletion.ts';
import { DAY_MS } from '../../src/time/day.ts';
import * as example from '../../scripts/reference/examples.ts';
import { TEMPLATE_ID, VIEW_ID } from './example-presets.ts';
import { PASSWORD, passwordHash } from './example-rows.ts';
import { seedExampleRows } from './example-world.ts';
import { openDomainIsolate } from './domains.ts';
import { newAddress } from './address.ts';
import { db } from './seed.ts';
import { openCredential } from './platform.ts';
import { FIREFOX } from './sessions.ts';
import type { Fields } from './page.ts';
import { APPLICATION_PASSWORD_ID, NEW_PASSWORD, PAGES, RESET_TOKEN, SHARE_SECRET } from './page-table.ts';
import { CONNECTION_ID, oauthRows } from './oauth-pages.ts';
import { providerRows } from './provider-pages.ts';
import { RESOURCES } from './resources.ts';
import { PAGE_EVENT_ID, pageDelivery } from './webhook-pages.ts';

/** Every page and form of the platform, each with a request that succeeds with the data of the examples. */

export interface PageRequest {
  /** The method and the pattern of its route. */
  readonly name: string;
  readonly status: number;
  /** Its path and query. */
  readonly path: string;
  /** Sends it, signed in unless the page is for visitors who are not. */
  readonly send: (settings?: Readonly<Record<string, string>>) => Promise<Response>;
}

/** The method and pattern of every page. */
export const PAGE_NAMES: readonly string[] = Object.keys(PAGES);

/** Those of them that ask the database. */
export const ASKING_PAGE_NAMES = PAGE_NAMES.filter((name) => PAGES[name]?.asksNothing !== true);

/** The secrets that the requests may carry. */
export const PAGE_SECRETS = [PASSWORD, NEW_PASSWORD, RESET_TOKEN, SHARE_SECRET, example.INVITE_TOKEN];

const PASSKEY_ID = 'cGFzc2tleQ';

const ID_BY_ROOM: Readonly<Record<string, string>> = {
  keys: example.KEY_ID,
  passwords: APPLICATION_PASSWORD_ID,
  domains: example.DOMAIN_ID,
  members: example.MEMBER_ID,
  invites: example.INVITE_ID,
  links: example.LINK_ID,
  webhooks: example.WEBHOOK_ID,
  applications: CONNECTION_ID,
  passkeys: PASSKEY_ID,
  views: VIEW_ID,
  'utm-templates': TEMPLATE_ID,
  ...Object.fromEntries(RESOURCES.map(({ name, id }) => [name, id])),
};

/** Creates the data of the examples anew with a signed-in user, and returns one request and its cookie. */
export async function openPage(name: string): Promise<PageRequest & { readonly cookie: string }> {
  const { cookie, requestOf } = await openPages();
  if (PAGES[name]?.deleted) await deleteWorkspace();
  return { ...requestOf(name), cookie };
}

/** Statements that keep the examples valid, which end some days after their instant: tests of pages run on any day. */
const keepValid = () => [
  env.DB.prepare('UPDATE invites SET expires_at = ?').bind(Date.now() + DAY_MS),
  env.DB.prepare('UPDATE token_families SET ends_at = ?').bind(Date.now() + DAY_MS),
  env.DB.prepare('UPDATE links SET deleted_at = ? WHERE deleted_at IS NOT NULL').bind(Date.now() - DAY_MS),
  env.DB.prepare('UPDATE links SET expires_at = ? WHERE expires_at IS NOT NULL').bind(Date.now() + DAY_MS),
];

/** Rows that pages need besides the examples. */
const additions = () => [
  env.DB.prepare(
    'INSERT INTO password_resets (id, token_hash, user_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?)',
  ).bind('reset', hashSecret(RESET_TOKEN), example.OWNER_ID, Date.now(), Date.now() + 1e6),
  env.DB.prepare(
    `INSERT INTO statistics_shares (id, client_id, link_id, campaign_name, secret_hash, created_at)
     VALUES ('share', ?1, ?2, NULL, ?3, 1), ('other', ?1, NULL, ?4, 'other', 1),
       ('all', ?1, NULL, '', 'all', 1)`,
  ).bind(example.CLIENT_ID, example.LINK_ID, hashSecret(SHARE_SECRET), example.CAMPAIGN),
  env.DB.prepare(
    `INSERT INTO application_passwords (id, user_id, name, secret_hash, nonce, created_at, last_used_at)
     VALUES (?, ?, 'backup script', 'hash', 'nonce', 1, 2)`,
  ).bind(APPLICATION_PASSWORD_ID, example.OWNER_ID),
  env.DB.prepare(
    `INSERT INTO passkeys (id, user_id, name, public_key, counter, rp_id, transports, created_at)
     VALUES (?1, ?2, 'phone', 'key', 0, ?3, '["internal"]', 1)`,
  ).bind(PASSKEY_ID, example.OWNER_ID, new URL(example.ORIGIN).hostname),
  env.DB.prepare(
    `INSERT INTO mail_addresses (user_id, address, confirmed_at, pending, pending_hash, pending_until)
     VALUES (?, 'ann@mail.example', 1, 'ann@new.example', ?, ?)`,
  ).bind(example.OWNER_ID, hashSecret(RESET_TOKEN), Date.now() + DAY_MS),
  env.DB.prepare(`INSERT INTO recovery_codes (user_id, hash) VALUES (?, 'recovery')`).bind(example.OWNER_ID),
  ...pageDelivery(),
  ...oauthRows(),
  ...providerRows(),
];

/** Creates the data of the examples anew with a signed-in user, and returns the request of any page. */
export async function openPages(): Promise<{
  readonly cookie: string;
  readonly requestOf: (name: string) => PageRequest;
  /** Opens a path of these pages, signed in by default. */
  readonly open: (path: string, init?: RequestInit, signedIn?: boolean) => Promise<Response>;
}> {
  const newOne = () => newSession({ id: example.OWNER_ID, passwordHash }, FIREFOX);
  const [session, other] = [newOne(), newOne()];
  const insertions = [session, other].flatMap((each) => insertSession(each.session));
  await seedExampleRows(
    ...keepValid(),
    ...additions(),
    ...insertions.map(({ sql, params }) => env.DB.prepare(sql).bind(...params)),
  );
  return {
    cookie: session.value,
    requestOf: (name) => requestOf(name, session.value, other.session.familyId),
    open: (path, init = {}, signedIn = true) =>
      openDomainIsolate({ PUBLIC_URL: example.ORIGIN })(example.ORIGIN + path, {
        ...init,
        headers: {
          Origin: example.ORIGIN,
          'CF-Connecting-IP': newAddress(),
          ...(signedIn && { Cookie: `__Host-terse=${session.value}` }),
          ...Object.fromEntries(new Headers(init.headers)),
        },
      }),
  };
}

function requestOf(name: string, cookie: string, session: string): PageRequest {
  const page = PAGES[name];
  if (!page) throw new Error(`there is no page ${name}`);
  const ids = {
    client: example.CLIENT_ID,
    event: PAGE_EVENT_ID,
    n: '1',
    secret: SHARE_SECRET,
    alias: example.LINK_ID,
    name: encodeURIComponent(example.CAMPAIGN),
    token: name.includes('/invite/') ? example.INVITE_TOKEN : RESET_TOKEN,
    id: session,
    ...page.path,
  };
  const [method = '', pattern = ''] = name.split(' ');
  const path = pattern.replace(/(?:([\w-]+)\/)?:(\w+)/g, (_, room: string | undefined, parameter: keyof typeof ids) => {
    const known = parameter === 'id' ? ID_BY_ROOM[room ?? ''] : undefined;
    const value = page.path?.[parameter] ?? known ?? ids[parameter];
    return room === undefined ? value : `${room}/${value}`;
  });
  const [fields, address] = [page.fields?.(), newAddress()];
  return {
    name,
    status: page.status,
    path: `${path}${page.query === undefined ? '' : `?${page.query}`}`,
    send: async (settings = {}) => {
      const headers: Record<string, string> = { Origin: example.ORIGIN, 'CF-Connecting-IP': address };
      if (!page.isSignedOut) headers['Cookie'] = `__Host-terse=${cookie}`;
      const isolate = openDomainIsolate({ PUBLIC_URL: example.ORIGIN, ...settings });
      const url = `${example.ORIGIN}${path}${page.query === undefined ? '' : `?${page.query}`}`;
      return isolate(url, { method, headers, ...(fields && { body: bodyOf(fields) }) });
    },
  };
}

async function deleteWorkspace(): Promise<void> {
  const actor = { credential: await openCredential({ userId: example.OWNER_ID }), clientId: example.CLIENT_ID };
  await deleteClient(db, { memory: openLinkMemory(0), kv: env.LINKS }, actor, example.CLIENT_ID);
}

function bodyOf(fields: Fields): FormData | URLSearchParams {
  const texts = Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === 'string');
  if (texts.length === Object.keys(fields).length) return new URLSearchParams(texts);
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return body;
}
