import { afterEach, beforeEach } from 'vitest';
import { TIMEOUT_MS } from '../../src/bounds/timeouts.ts';
import { openManager, type JsonResponse, type Manager } from './manage.ts';
import { openOrigin, type Page } from './origins.ts';
import { seedTenant, type Tenant } from './seed.ts';
import { openWebhookIsolate } from './webhook-owners.ts';

/** Look-ups of destinations on this machine. */

/** A caller in an isolate that allows requests to this machine. */
export const openLookups = async (tenant?: Tenant, settings: Readonly<Record<string, string>> = {}): Promise<Manager> =>
  openManager(tenant ?? (await seedTenant()), openWebhookIsolate(settings));

/** Gives the look-ups of each test of a file a minute, since the machine of the tests can be slow. */
export function lookUpPatiently(): void {
  const usual = TIMEOUT_MS.lookup;
  beforeEach(() => setLookupTimeout(60_000));
  afterEach(() => setLookupTimeout(usual));
}

export const setLookupTimeout = (milliseconds: number): void =>
  void Object.assign(TIMEOUT_MS, { lookup: milliseconds });

export const lookUp = (
  { ask }: Manager,
  url: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<JsonResponse<Record<string, unknown>>> => ask('POST', '/v1/links/lookup', { url }, headers);

export const HTML = { 'Content-Type': 'text/html; charset=utf-8' };

/** The result of a look-up of one page at `/a` of a new server, by a new caller. */
export async function foundIn(page: Page): Promise<Record<string, unknown>> {
  const [caller, origin] = [await openLookups(), await openOrigin({ '/a': page })];
  const { status, body } = await lookUp(caller, `${origin.url}/a`);
  if (status !== 200) throw new Error(`the look-up answered ${status} ${JSON.stringify(body)}`);
  return body;
}

/** The result for an HTML page with these elements in its head. */
export const foundInHead = (elements: string): Promise<Record<string, unknown>> =>
  foundIn({ headers: HTML, body: `<!doctype html><html><head>${elements}</head><body>text</body></html>` });
