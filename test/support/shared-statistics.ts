import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { seedCaller, type Caller } from './forms.ts';
import { form, openBrowser, type Browse } from './platform.ts';
import { seedLink } from './seed.ts';
import { call } from './service.ts';

/** Public statistics pages, as members and visitors see them. */

/** The public pages of a client. */
export const sharesOf = async ({ clientId }: Caller) =>
  (await env.DB.prepare('SELECT * FROM statistics_shares WHERE client_id = ?').bind(clientId).all()).results;

/** Reads the audit log of a client. */
export const auditedOf = async ({ clientId }: Caller) => {
  const found = env.DB.prepare(
    'SELECT action, subject_name, details FROM audit_entries WHERE client_id = ? ORDER BY created_at, id',
  );
  return (await found.bind(clientId).all()).results;
};

/** The path of the public page, as the member's page shows it. */
export async function addressOf(browse: Browse, path: string): Promise<string> {
  const page = await (await browse(`${path}/share`)).text();
  return /value="https?:\/\/[^/"]+(\/platform\/shared\/[\w-]{43})"/.exec(page)?.[1] ?? '';
}

/** A signed-in user with a link that has no public page. */
export async function openUnshared(fields: Readonly<Record<string, string>> = {}) {
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  const link = await seedLink(caller, {
    title: 'All <b>must</b> go',
    comments: 'secret comment',
    tags: 'secret tag',
    campaign_name: 'Secret & campaign',
    url: 'https://secret.example/',
    ...fields,
  });
  return { caller, browse, link, path: `/platform/c/${caller.clientId}/links/${link.id}` };
}

/** Opens a link with a public page. */
export async function openShared(password = '') {
  const scene = await openUnshared();
  expect((await scene.browse(`${scene.path}/share`, form({ password }))).status).toBe(303);
  return { ...scene, address: await addressOf(scene.browse, scene.path) };
}

/** Requests an address without a session. */
export const visitor = (address: string, init?: RequestInit) => call(address, init);
