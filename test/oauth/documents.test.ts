import { afterEach, describe, expect, it, vi } from 'vitest';
import { newHost, serveHosts, setDns } from '../support/domains.ts';
import { seedCaller } from '../support/forms.ts';
import { consent, queryOf, REDIRECT } from '../support/oauth.ts';
import { browse, openBrowser, placeOf } from '../support/platform.ts';
import { openWebhookIsolate } from '../support/webhook-owners.ts';

/** Programs whose client_id is the URL of a document (OAuth Client ID Metadata Document). */

afterEach(() => void vi.restoreAllMocks());

/** The response of a host to a request for a document with these changes. */
type Answer = (text: string, request: Request) => Response | Promise<Response>;

const json: Answer = (text) => new Response(text, { headers: { 'Content-Type': 'application/json' } });

/** A document on a host of the public internet, and the requests for it. */
async function serveDocument(changes: object = {}, answer: Answer = json) {
  const host = newHost();
  await setDns(host, { a: ['93.184.215.14'] });
  const id = `https://${host}/oauth/client.json`;
  const document = {
    client_id: id,
    client_name: 'Assistant',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'none',
    ...changes,
  };
  const requests = serveHosts((asked) =>
    asked === host ? (request) => answer(JSON.stringify(document), request) : undefined,
  );
  return { id, host, requests };
}

/** What a signed-in user sees of a request of a program with a document. */
async function open(id: string, settings: Readonly<Record<string, string>> = { WEBHOOK_LOOPBACK: 'off' }) {
  const caller = await seedCaller();
  const { cookie } = await openBrowser(caller);
  const asUser = browse(cookie, openWebhookIsolate(settings));
  const response = await asUser(`/oauth/authorize?${queryOf(id)}`);
  return { caller, asUser, response, html: await response.text() };
}

it('a program with a document is named with the host of the document, and is given access', async () => {
  const { id, host, requests } = await serveDocument();
  const { caller, asUser, response, html } = await open(id);
  expect(response.status).toBe(200);
  expect(html).toContain(`Assistant (${host})`);
  const [status, location] = placeOf(await consent(asUser, queryOf(id), caller));
  expect([status, location?.startsWith(`${REDIRECT}?code=`)]).toEqual([303, true]);
  expect(requests.map(({ url, method, redirect, headers }) => [url, method, redirect, headers.get('Cookie')])).toEqual([
    [id, 'GET', 'manual', null],
    [id, 'GET', 'manual', null],
  ]);
});

const untilAborted = ({ signal }: Request) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

describe('documents that are refused', () => {
  it.each<[string, object, Answer?]>([
    ['with another client_id', { client_id: 'https://other.example/client' }],
    ['without a client_id', { client_id: undefined }],
    ['without redirect_uris', { redirect_uris: undefined }],
    ['with other redirect_uris', { redirect_uris: ['https://assistant.example/other'] }],
    ['with a script as a URI', { redirect_uris: [REDIRECT, 'javascript:alert(1)'] }],
    ['that asks for a secret', { token_endpoint_auth_method: 'client_secret_post' }],
    ['that proves itself by a key', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['of more than 5 KB', { note: 'x'.repeat(5 * 1024) }],
    ['that leads elsewhere', {}, () => Response.redirect('https://assistant.example/client', 302)],
    ['that is not found', {}, (text) => new Response(text, { status: 404 })],
    ['that is no JSON', {}, () => new Response('<html>')],
    ['that is no object', {}, () => new Response('[]')],
    ['that breaks off', {}, () => Promise.reject(new TypeError('Network connection lost.'))],
    ['that never comes', {}, (_, request) => untilAborted(request)],
  ])('a document %s', async (_what, changes, answer = json) => {
    const { id, requests } = await serveDocument(changes, answer);
    const { response, html } = await open(id);
    expect([response.status, response.headers.get('Location')]).toEqual([400, null]);
    expect(html).toContain('The application is not known');
    expect(requests.map(({ url }) => url)).toEqual([id]);
  });

  it.each([
    'https://10.0.0.1/client',
    'https://169.254.169.254/client',
    'https://127.0.0.1/client',
    'https://[::1]/client',
    'https://[fd00::1]/client',
    'https://localhost/client',
    'https://terse.test/client',
    'https://assistant.example:22/client',
    'http://assistant.example/client',
    'http://localhost:4711/client',
    'https://assistant.example',
    'https://assistant.example/',
    'https://a@assistant.example/client',
    'https://assistant.example/a/../client',
    'https://assistant.example/client#a',
  ])('nothing is fetched for the client_id %s', async (id) => {
    const requests = serveHosts();
    expect((await open(id)).response.status).toBe(400);
    expect(requests).toEqual([]);
  });

  it('nothing is fetched from a name whose address is an inner one', async () => {
    const { id, host, requests } = await serveDocument();
    await setDns(host, { a: ['93.184.215.14', '10.0.0.1'] });
    expect((await open(id)).response.status).toBe(400);
    expect(requests).toEqual([]);
  });

  it('a user opens at most ten such requests in a minute', async () => {
    const { id, requests } = await serveDocument();
    const { asUser } = await open(id);
    const statuses: number[] = [];
    for (let at = 0; at < 11; at++) statuses.push((await asUser(`/oauth/authorize?${queryOf(id)}`)).status);
    expect(statuses.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 200));
    expect(statuses.at(-1)).toBe(429);
    expect(requests.length).toBeLessThanOrEqual(10);
  });
});

it('on the own machine of a developer, a document there is read if the operator allows it', async () => {
  const id = 'http://localhost:4711/client.json';
  serveHosts(() => () => Response.json({ client_id: id, redirect_uris: [REDIRECT] }));
  const { response, html } = await open(id, { WEBHOOK_LOOPBACK: 'on' });
  expect([response.status, html.includes('Application at localhost:4711')]).toEqual([200, true]);
});
