import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { form, openLinks } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';
import { loadSurfaces, openIsolate } from '../../support/service.ts';

afterEach(() => void vi.restoreAllMocks());

const CONNECTIONS = 6;

it('many links that are changed together are written to KV over as many connections as a request has', async () => {
  await loadSurfaces();
  const { caller, browse, path } = await openLinks();
  const links = await Promise.all(Array.from({ length: 3 * CONNECTIONS }, () => seedLink(caller)));
  const put = env.LINKS.put.bind(env.LINKS) as (key: string, value: string) => Promise<void>;
  let [open, most] = [0, 0];
  vi.spyOn(env.LINKS, 'put').mockImplementation((async (key: string, value: string) => {
    open += 1;
    most = Math.max(most, open);
    await put(key, value);
    open -= 1;
  }) as never);
  const chosen = form({ do: 'disable', back: '' });
  for (const { id } of links) (chosen.body as URLSearchParams).append('id', id);
  expect((await browse(`${path}/selected`, chosen)).status).toBe(303);
  expect([open, most]).toEqual([0, CONNECTIONS]);
  // The database does not respond, so the response comes from KV.
  vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1_ERROR: Network connection lost.'));
  const isolate = openIsolate();
  for (const { id } of links) expect((await isolate(`/${id}`)).status).toBe(410);
});
