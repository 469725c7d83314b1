import { expect, it } from 'vitest';
import { makeFolder } from '../scripts/support/processes.ts';
import { copyProject, printedAccount } from '../scripts/support/project.ts';
import { startServer } from '../scripts/support/server.ts';

/** The first requests of an isolate, which load what they need at the same moment. */

const AT_ONCE = 8;

it('the first requests of each surface are served although they load it at the same moment', async () => {
  const server = await startServer({ folder: copyProject(), persistTo: makeFolder() });
  const { apiKey, clientId } = printedAccount(server.output());
  const key = { 'X-API-Key': apiKey };
  const create = (fields: object) => ({
    method: 'POST',
    headers: { ...key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_id: clientId, url: 'https://example.com/', ...fields }),
  });
  const statusOf = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${server.origin}${path}`, { redirect: 'manual', ...init });
    await response.arrayBuffer();
    return [path, response.status] as const;
  };
  const requests = [
    ['/platform/sign-in', 200],
    ['/docs', 200],
    ['/robots.txt', 200],
    ['/no-such-link', 404],
    ['/no-such-link+', 404],
    ['/mcp', 401, { method: 'POST', body: '{}' }],
    ['/v1/links', 200, { headers: key }],
    ['/v1/links', 200, create({ max_clicks: 5 })],
  ] as const;
  const all = requests.flatMap(([path, status, init]) =>
    Array.from({ length: AT_ONCE }, () => ({ expected: [path, status], response: statusOf(path, init) })),
  );
  expect(await Promise.all(all.map(({ response }) => response))).toEqual(all.map(({ expected }) => expected));

  const rules = [{ if: [{ type: 'visitor', in: ['human'] }], url: 'https://example.com/people' }];
  const created = await fetch(`${server.origin}/v1/links`, create({ rules }));
  const { result } = (await created.json()) as { readonly result: string };
  const { id } = JSON.parse(result) as { readonly id: string };
  const visits = Array.from({ length: AT_ONCE }, () =>
    fetch(`${server.origin}/${id}`, { redirect: 'manual', headers: { 'User-Agent': 'Mozilla/5.0 Firefox/140.0' } }),
  );
  const places = (await Promise.all(visits)).map(({ headers }) => headers.get('Location'));
  expect(places).toEqual(Array.from({ length: AT_ONCE }, () => 'https://example.com/people'));
  const clicks = async () => {
    const response = await fetch(`${server.origin}/v1/links/${id}/stats`, { headers: key });
    return ((await response.json()) as { readonly total: number }).total;
  };
  await expect.poll(clicks).toBe(AT_ONCE);
});
