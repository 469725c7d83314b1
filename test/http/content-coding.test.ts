import { expect, it } from 'vitest';
import { JSON_TYPE } from '../../src/http/json.ts';
import { MULTIPART, bearerOf, expectFailure, multipart, seedCaller, smallestForm } from '../support/forms.ts';
import { ORIGIN, call } from '../support/service.ts';

const REFUSED = 'unsupported_media_type: Send the body as it is, without a Content-Encoding such as gzip.';

async function gzip(body: string | Uint8Array): Promise<ArrayBuffer> {
  const stream = new Response(body).body!.pipeThrough(new CompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

const BODIES: readonly [
  method: string,
  path: string,
  type: string,
  bodyFor: (clientId: string) => string | Uint8Array,
][] = [
  ['POST', '/v1/links', JSON_TYPE, (client_id) => JSON.stringify({ url: 'https://example.com/', client_id })],
  ['POST', '/v1/links', MULTIPART, (clientId) => multipart(smallestForm(clientId))],
  ['POST', '/shortener/encode', MULTIPART, (clientId) => multipart(smallestForm(clientId))],
  [
    'POST',
    '/v1/links/batch',
    JSON_TYPE,
    (client_id) => JSON.stringify({ links: [{ url: 'https://example.com/', client_id }] }),
  ],
  ['POST', '/v1/links/import', 'text/csv', () => 'url\nhttps://example.com/\n'],
  ['PATCH', '/v1/links/x', JSON_TYPE, () => '{"disabled":true}'],
  ['POST', '/v1/keys', JSON_TYPE, () => '{"name":"a","scopes":["links:read"]}'],
  ['POST', '/tokens/revoke_token', 'application/x-www-form-urlencoded', () => 'token=x'],
];

it.each(BODIES)('the request %s %s refuses %s in a content coding', async (method, path, type, bodyFor) => {
  const caller = await seedCaller();
  const headers = { ...bearerOf(caller), 'Content-Type': type };
  const body = await gzip(bodyFor(caller.clientId));
  for (const coding of ['gzip', 'br', 'GZIP, identity'])
    await expectFailure(
      await call(path, { method, headers: { ...headers, 'Content-Encoding': coding }, body }),
      415,
      REFUSED,
    );
  const plain = await call(path, {
    method,
    headers: { ...headers, 'Content-Encoding': 'Identity' },
    body: bodyFor(caller.clientId),
  });
  expect(plain.status).not.toBe(415);
});

it('refuses the form of a page in a content coding', async () => {
  const headers = {
    Origin: ORIGIN,
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Encoding': 'gzip',
  };
  const response = await call('/platform/sign-in', { method: 'POST', headers, body: await gzip('name=a&password=b') });
  expect(response.status).toBe(415);
  expect(await response.text()).toContain('without a Content-Encoding such as gzip.');
});
