import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { createApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/config/config.ts';
import { newAddress } from './address.ts';
import { PARTS } from '../../src/platform/parts.ts';
import { expectAsDocumented, OPERATIONS, operationOf } from './documented.ts';

/** The public origin of the service under test. */
export const ORIGIN = 'https://terse.test';

const ADDRESS = 'CF-Connecting-IP';

type Init = RequestInit & { readonly form?: Readonly<Record<string, string>> };

/** Answers requests like the service. */
export type Call = (path: string, init?: Init) => Promise<Response>;

/**
 * Loads all parts of the API and the pages, for a test whose first requests come at the same moment: the test runner's
 * imports are work of the request that begins them, for which another one cannot wait. workerd's own are not, as
 * test/system/first-requests.test.ts shows.
 */
export async function loadSurfaces(): Promise<void> {
  const patterns = [...PARTS.flatMap(({ paths }) => paths), ...OPERATIONS.map(({ path }) => path)];
  const paths = new Set(patterns.map((pattern) => pattern.replaceAll(/:\w+|\{\w+\}|\*/g, 'x')));
  // A session that does not exist, so that the pages read it.
  const headers = { Cookie: `__Host-terse=${'x'.repeat(43)}` };
  for (const path of ['/platform/none', ...paths])
    await (await exports.default.fetch(toRequest(path, { headers }))).body?.cancel();
}

/** Calls the Worker as it is deployed; a path without a host goes to the service's own host. */
export const call: Call = (path, init) => {
  const request = toRequest(path, init);
  return asDocumented(request, exports.default.fetch(request));
};

// Checks every answer of a documented operation against the document, whatever the test is about.
async function asDocumented({ method, url }: Request, answered: Response | Promise<Response>): Promise<Response> {
  const response = await answered;
  const { origin, pathname } = new URL(url);
  const documented = origin === ORIGIN ? operationOf(method, pathname) : undefined;
  if (documented) await expectAsDocumented(documented, response);
  return response;
}

/**
 * Another isolate of the same service, with the same stores and its own settings. Its answer comes when all deferred
 * work is done.
 */
export function openIsolate(settings: Readonly<Record<string, string>> = {}): Call {
  // Clicks are sent at once, since the answer would wait for deferred ones.
  const app = createApp(parseConfig({ ...env, CLICK_PACK_SECONDS: '0', ...settings }));
  return async (path, init) => {
    const ctx = createExecutionContext();
    const request = toRequest(path, init);
    const response = await asDocumented(request, app.fetch(request, env, ctx));
    await waitOnExecutionContext(ctx);
    return response;
  };
}

function toRequest(path: string, { form, ...init }: Init = {}): Request {
  const request = form ? { ...init, method: 'POST', body: toFormData(form) } : init;
  const headers = new Headers(init.headers);
  // Each request has its own address, since the limits of one address would depend on how many tests run in a minute.
  // Visitors have none, since a click with an address needs the salt of the day.
  if (request.method === 'POST' || request.method === 'PATCH' || request.method === 'DELETE') {
    if (!headers.has(ADDRESS)) headers.set(ADDRESS, newAddress());
  }
  return new Request(new URL(path, ORIGIN), { redirect: 'manual', ...request, headers });
}

function toFormData(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
