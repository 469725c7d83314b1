import * as z from 'zod';
import { UsageError } from '../cli-error.ts';
import { faultOf, runWrangler } from '../wrangler.ts';

/**
 * Cloudflare's API, as far as a deploy needs it beside wrangler. Their SDK would double the size of an installation.
 * Source: https://developers.cloudflare.com/api/
 */

/** A request that Cloudflare refused. */
export class CloudflareError extends UsageError {
  readonly code: number;

  constructor(message: string, code: number, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface Cloudflare {
  readonly accountId: string;
  readonly accountName: string;
  /** Throws `CloudflareError`, or a `UsageError` if there is no answer. */
  readonly get: <Schema extends z.ZodType>(path: string, schema: Schema) => Promise<z.output<Schema>>;
  /** All pages of a list. */
  readonly list: <Schema extends z.ZodType>(path: string, item: Schema) => Promise<z.output<Schema>[]>;
  readonly send: <Schema extends z.ZodType>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body: unknown,
    schema: Schema,
  ) => Promise<z.output<Schema>>;
}

const envelope = z.looseObject({
  success: z.boolean(),
  errors: z.array(z.looseObject({ code: z.number(), message: z.string() })).default([]),
  result: z.unknown(),
  result_info: z.looseObject({ total_pages: z.number().optional() }).nullish(),
});

const PER_PAGE = 50;
const TRIES = 3;

/**
 * Signs in as wrangler does. Throws `UsageError`, which says how to sign in.
 *
 * @param configured the id of the account, if the configuration names one
 */
export async function openCloudflare(configured?: string): Promise<Cloudflare> {
  const token = readToken();
  const base = process.env['CLOUDFLARE_API_BASE_URL'] ?? 'https://api.cloudflare.com/client/v4';

  async function request(method: string, path: string, body?: unknown): Promise<z.output<typeof envelope>> {
    // A question may be asked again; of a change it is not known whether it was done.
    const tries = method === 'GET' ? TRIES : 1;
    for (let count = 1; ; count++) {
      try {
        return await attempt(method, path, body);
      } catch (error) {
        const isRefused = error instanceof CloudflareError && error.code !== 0;
        if (isRefused || count >= tries) throw error;
      }
    }
  }

  async function attempt(method: string, path: string, body: unknown): Promise<z.output<typeof envelope>> {
    const what = `${method} ${path.replace(/\?.*/, '')}`;
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    let response;
    let text;
    try {
      response = await fetch(`${base}${path}`, init);
      text = await response.text();
    } catch (cause) {
      throw new CloudflareError(
        `Cloudflare's API did not answer (${what}): check the connection, then run the same command again to continue.`,
        0,
        { cause },
      );
    }
    const parsed = envelope.safeParse(parseJson(text));
    if (parsed.success && parsed.data.success) return parsed.data;
    const [error] = parsed.data?.errors ?? [];
    const reason = error ? `${error.message.replace(/\.$/, '')} (code ${error.code})` : `status ${response.status}`;
    throw new CloudflareError(
      `Cloudflare refused ${what}: ${reason}. Nothing after it was done; run the same command again to continue.`,
      response.status >= 500 ? 0 : (error?.code ?? 0),
    );
  }

  const get: Cloudflare['get'] = async (path, schema) => schema.parse((await request('GET', path)).result);
  const list: Cloudflare['list'] = async (path, item) => {
    const items = [];
    let before = '';
    for (let page = 1; ; page++) {
      const separator = path.includes('?') ? '&' : '?';
      const { result, result_info } = await request('GET', `${path}${separator}page=${page}&per_page=${PER_PAGE}`);
      const found = z.array(item).parse(result ?? []);
      // Some lists have no pages, and repeat themselves.
      const text = JSON.stringify(found);
      if (text === before) return items;
      before = text;
      items.push(...found);
      if (found.length < PER_PAGE || page >= (result_info?.total_pages ?? Infinity)) return items;
    }
  };
  const send: Cloudflare['send'] = async (method, path, body, schema) =>
    schema.parse((await request(method, path, body)).result);

  const account = await findAccount(list, process.env['CLOUDFLARE_ACCOUNT_ID'] ?? configured);
  return { accountId: account.id, accountName: account.name, get, list, send };
}

const credentials = z.object({ token: z.string() });

function readToken(): string {
  const fromEnvironment = process.env['CLOUDFLARE_API_TOKEN'];
  if (fromEnvironment) return fromEnvironment;
  const outcome = runWrangler(['auth', 'token', '--json']);
  const found = credentials.safeParse(parseJson(outcome.stdout));
  if (outcome.status === 0 && found.success) return found.data.token;
  throw new UsageError(
    `You are not signed in to Cloudflare (${faultOf(outcome) ?? 'wrangler did not say why'}): run "npm run login", or set CLOUDFLARE_API_TOKEN.`,
  );
}

const accountItem = z.looseObject({ id: z.string(), name: z.string() });

async function findAccount(
  list: Cloudflare['list'],
  wanted: string | undefined,
): Promise<z.output<typeof accountItem>> {
  const accounts = await list('/accounts', accountItem);
  if (wanted) return accounts.find(({ id }) => id === wanted) ?? { id: wanted, name: wanted };
  const [only, ...others] = accounts;
  if (only && others.length === 0) return only;
  if (!only)
    throw new UsageError('This sign-in has no account: set CLOUDFLARE_ACCOUNT_ID, or sign in as another user.');
  const names = accounts.map(({ id, name }) => `\n  CLOUDFLARE_ACCOUNT_ID=${id}  (${name})`);
  throw new UsageError(`This sign-in has several accounts: set one of them, then try again.${names.join('')}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
