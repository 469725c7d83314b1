import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { CHROME } from './clicks.ts';
import { failD1 } from './d1.ts';
import { leastCostHash } from './least-cost.ts';
import { openIsolate, type Call } from './service.ts';

/** Visits of links, from a visitor's side. */

type Init = Parameters<Call>[1];

/** The status of a response, and where it leads. */
export const ledTo = ({ status, headers }: Response): [status: number, location: string | null] => [
  status,
  headers.get('Location'),
];

/** The headers of the small pages for visitors, in English since the visitor asks for no language. */
export const PAGE_HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  'content-language': 'en',
  'content-type': 'text/html; charset=UTF-8',
  'referrer-policy': 'no-referrer',
  vary: 'Accept-Language',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/** The headers of those with a form. */
export const FORM_HEADERS = { ...PAGE_HEADERS, 'referrer-policy': 'same-origin' };

/** A visit of a person with a browser. */
export const byPerson = (
  headers: Readonly<Record<string, string>> = {},
): { readonly headers: Record<string, string> } => ({
  headers: { 'User-Agent': CHROME, ...headers },
});

/** Sets columns of a link in the database, without an edit. */
export async function setColumns(id: string, columns: Readonly<Record<string, unknown>>): Promise<void> {
  const names = Object.keys(columns);
  await env.DB.prepare(
    `UPDATE links SET ${names.map((name, index) => `${name} = ?${index + 2}`).join(', ')} WHERE id = ?1`,
  )
    .bind(id, ...Object.values(columns))
    .run();
}

/** Gives a link a password without an edit, whose hash costs little. */
export async function lock(id: string, password: string, at = Date.now()): Promise<void> {
  await setColumns(id, { password_hash: await leastCostHash(password), password_at: at });
}

/** The response to a visit from each store, while all slower ones fail. */
export async function fromEachStore(
  url: string,
  init: Init = byPerson(),
): Promise<{ readonly database: Response; readonly kv: Response; readonly memory: Response }> {
  const forgetful = openIsolate({ MEMORY_SECONDS: '0' });
  const database = await forgetful(url, init);
  // The second look-up of an isolate fills KV.
  await forgetful(url, init);
  const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
  const error = vi.spyOn(console, 'error').mockReturnValue();
  failD1();
  const kv = await isolate(url, init);
  const get = vi.spyOn(env.LINKS, 'get').mockRejectedValue(new Error('KV GET failed'));
  const memory = await isolate(url, init);
  vi.restoreAllMocks();
  get.mockRestore();
  error.mockRestore();
  return { database, kv, memory };
}
