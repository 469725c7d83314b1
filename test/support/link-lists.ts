import { env } from 'cloudflare:workers';
import type { Caller } from './forms.ts';
import { form } from './platform.ts';
import { call } from './service.ts';

/** The pages that list links. */

/** The ids of the links that a list shows, in its order. */
export const listed = (page: string) => [...page.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id);

export const statusesOf = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await call(`/${id}`)).status));

/** A form with a field that comes several times. */
export const formOfMany = (action: string, ids: readonly string[], back = ''): RequestInit => {
  const init = form({ do: action, back });
  const body = init.body as URLSearchParams;
  for (const id of ids) body.append('id', id);
  return init;
};

/** Links `many0000`, `many0001` and so on, each made a millisecond after the one before. */
export async function manyLinks(
  caller: Pick<Caller, 'clientId'>,
  count: number,
  urlOf: (i: number) => string,
): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, i) => `many${String(i).padStart(4, '0')}`);
  const links = JSON.stringify(ids.map((id, i) => ({ id, url: urlOf(i), at: Date.parse('2026-01-01T00:00:00Z') + i })));
  await env.DB.batch([
    env.DB.prepare(`DELETE FROM addresses WHERE link_id LIKE 'many%'`),
    env.DB.prepare(`DELETE FROM link_history WHERE link_id LIKE 'many%'`),
    env.DB.prepare(`DELETE FROM links WHERE id LIKE 'many%'`),
    env.DB.prepare(
      `INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, created_at, updated_at, revision)
       SELECT value ->> 'id', '', value ->> 'id', ?1, 's', value ->> 'url', value ->> 'at', value ->> 'at', 1 FROM json_each(?2)`,
    ).bind(caller.clientId, links),
    env.DB.prepare(
      `INSERT INTO addresses (domain_id, folded, slug, link_id)
       SELECT '', value ->> 'id', value ->> 'id', value ->> 'id' FROM json_each(?1)`,
    ).bind(links),
  ]);
  return ids;
}
