import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { UsageError } from '../cli-error.ts';
import { OPERATOR_HEADER, VERSION_HEADER } from '../../src/operator/operator.ts';
import type { TokenKey } from '../../src/secrets/jwks.ts';
import { openService, type Service } from '../operator-service.ts';
import { withProgress } from '../progress.ts';
import type { Account } from './first-account.ts';

/** The checks of a deploy at the deployed service itself. */

/** A version of the service. */
export interface Target {
  readonly origin: string;
  /** Its id. */
  readonly version: string;
  /** Headers of each request, which may pin a version. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Source: https://developers.cloudflare.com/workers/configuration/versions-and-deployments/gradual-deployments/ */
export const pinTo = (worker: string, version: string): Record<string, string> => ({
  'Cloudflare-Workers-Version-Overrides': `${worker}="${version}"`,
});

const LONGEST_WAIT_MS = 15 * 60 * 1000;
const LONGEST_ROLLOUT_MS = 60 * 1000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
// A rollout takes seconds, and certificates take minutes.
const LONGEST_ROLLOUT_PAUSE_MS = 1000;

/** Resolves once a host answers by https: a certificate takes minutes. Throws a `UsageError` after a quarter of an hour. */
export async function waitForHost(host: string): Promise<void> {
  await poll(`Waiting for the certificate of ${host}`, LONGEST_WAIT_MS, async () => {
    const { status } = await request(`https://${host}/robots.txt`, { redirect: 'manual' });
    if (status >= 500) throw new UsageError(`${host} answered ${status}.`);
  });
}

async function waitForService({ origin, headers }: Target): Promise<void> {
  await poll(`Waiting for ${origin}`, LONGEST_WAIT_MS, async () => {
    const { status } = await request(`${origin}/health`, { headers });
    if (status !== 200) throw new UsageError(`${origin}/health answered ${status}.`);
  });
}

/**
 * The operator's surface of a version, once it answers. The service may have no certificate yet, which takes minutes. A
 * new version, or a pin to it, needs some seconds to be in force; the version before may have no such surface, or not
 * accept this key. Throws a `UsageError` after a quarter of an hour, or after a minute in which only the version did
 * not answer.
 */
export async function openDeployed(target: Target, key: TokenKey): Promise<Service> {
  await waitForService(target);
  const { origin, version, headers } = target;
  const send = async (signed: Request) => {
    for (const [name, value] of Object.entries(headers)) signed.headers.set(name, value);
    const response = await request(signed);
    if (!response.headers.has(OPERATOR_HEADER))
      throw failed("answer the operator's tools", response, await response.text());
    if (response.ok && response.headers.get(VERSION_HEADER) !== version)
      throw new UsageError(`Version ${version} does not get the requests to ${origin}.`);
    return response;
  };
  const service = openService({ origin, key, send, isStarting: async () => false });
  await poll(
    `Waiting for the new version at ${origin}`,
    LONGEST_ROLLOUT_MS,
    async () => {
      await service.ask('list-users', {}, z.unknown());
    },
    LONGEST_ROLLOUT_PAUSE_MS,
  );
  return service;
}

/** Repeats a check until it throws no `UsageError`, or throws the last one. */
async function poll(
  doing: string,
  longestMs: number,
  check: () => Promise<void>,
  longestPauseMs = LONGEST_PAUSE_MS,
): Promise<void> {
  const end = Date.now() + longestMs;
  await withProgress(
    () => doing,
    async () => {
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, longestPauseMs)) {
        try {
          return await check();
        } catch (error) {
          if (!(error instanceof UsageError) || Date.now() > end) throw error;
        }
        await setTimeout(pause);
      }
    },
  );
}

/** A link that was created and followed. */
export interface TriedLink {
  readonly shortUrl: string;
  readonly destination: string;
}

const created = z.object({ result: z.string() });
const link = z.looseObject({ id: z.string(), short_url: z.string() });
const DESTINATION = 'https://example.com/';

/**
 * Creates a link and follows it. Throws a `UsageError` that says what failed.
 *
 * @param repeats headers that let a second attempt create no second link
 */
export async function createLink(
  { origin, headers }: Target,
  account: Account,
  repeats: Readonly<Record<string, string>> = {},
): Promise<TriedLink & { id: string }> {
  const form = new FormData();
  form.set('client_id', account.clientId);
  form.set('url', DESTINATION);
  const response = await request(`${origin}/v1/links`, {
    method: 'POST',
    headers: { ...headers, ...repeats, 'X-API-Key': account.apiKey },
    body: form,
  });
  const text = await response.text();
  if (response.status !== 200) throw failed('create a link', response, text);
  const { id, short_url } = link.parse(JSON.parse(created.parse(JSON.parse(text)).result));
  const followed = await request(short_url, { headers, redirect: 'manual' });
  const destination = followed.headers.get('Location');
  if (followed.status !== 302 || destination !== DESTINATION)
    throw failed('follow a link', followed, await followed.text());
  return { id, shortUrl: short_url, destination };
}

/** Creates a link, follows it, and deletes it. Throws a `UsageError` that says what failed. */
export async function tryLink(target: Target, account: Account): Promise<TriedLink> {
  const tried = await createLink(target, account);
  const headers = { ...target.headers, 'X-API-Key': account.apiKey };
  const deleted = await request(`${target.origin}/v1/links/${tried.id}`, { method: 'DELETE', headers });
  if (deleted.status !== 204) throw failed('delete a link', deleted, await deleted.text());
  return tried;
}

async function request(what: Request | string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(what, init);
  } catch (cause) {
    const { host } = new URL(typeof what === 'string' ? what : what.url);
    throw new UsageError(`${host} did not answer (${reasonOf(cause)}).`, { cause });
  }
}

// The error of `fetch` itself only says that it failed.
function reasonOf(error: unknown): string {
  const { cause, message = String(error) } = error instanceof Error ? error : {};
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}

function failed(what: string, { status, url }: Response, text: string): UsageError {
  return new UsageError(
    `The new version does not ${what}: ${new URL(url).pathname} answered ${status} (${text.slice(0, 200).trim() || 'no body'}).`,
  );
}
