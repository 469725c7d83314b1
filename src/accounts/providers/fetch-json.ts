import { readUpTo } from '../../bounds/read-up-to.ts';
import type { ProviderReach } from './provider.ts';
import { ProviderError } from './provider-error.ts';

// The largest that are known are lists of keys, and claims of people in many groups.
const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 5000;
const MAX_URL = 2048;

interface JsonResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Sends a request to a provider, and reads its JSON. Redirects are not followed, since they would lead to a host that was
 * not checked. Throws `ProviderError`, and what the guard throws.
 */
export async function fetchJson(
  { guard }: Pick<ProviderReach, 'guard'>,
  url: string,
  init: Pick<RequestInit, 'method' | 'body'> & { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<JsonResponse> {
  const parsed = url.length <= MAX_URL ? URL.parse(url) : null;
  if (parsed === null || !(await guard(parsed)))
    throw new ProviderError('misconfigured', `This service sends no requests to ${url.slice(0, 200)}.`);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(parsed, {
      ...init,
      headers: { Accept: 'application/json', 'User-Agent': 'Terse-Sign-In/1', ...init.headers },
      redirect: 'manual',
      signal,
    });
    const bytes = await readUpTo(response, MAX_BYTES);
    if (bytes === null) throw new ProviderError('unavailable', `${parsed.host} sent more than 256 KB.`);
    if (response.status >= 500 || response.status === 429)
      throw new ProviderError('unavailable', `${parsed.host} responded with status ${response.status}.`);
    return { status: response.status, body: readObject(bytes) ?? notJson(parsed, response.status) };
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    const complaint = signal.aborted ? 'did not respond within 5 seconds' : 'could not be reached';
    throw new ProviderError('unavailable', `${parsed.host} ${complaint}.`, { cause });
  }
}

function readObject(bytes: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function notJson({ host, pathname }: URL, status: number): never {
  const complaint = status === 200 ? 'sent something else than a JSON object' : `responded with status ${status}`;
  // Nothing is there, and waiting would not help.
  throw new ProviderError(status === 404 ? 'misconfigured' : 'unavailable', `${host}${pathname} ${complaint}.`);
}
