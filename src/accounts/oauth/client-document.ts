import { readUpTo } from '../../bounds/read-up-to.ts';
import { cleanName, isDocumentUrl, readRedirectUris, type Application } from './application.ts';
import { OAuthError } from './oauth-error.ts';

const MAX_BYTES = 5 * 1024;
const TIMEOUT_MS = 3000;

/**
 * Fetches the document whose URL is a program's `client_id` (OAuth Client ID Metadata Document). Redirects are not
 * followed, since they would lead to a host that was not checked. Throws `OAuthError`, and what `guard` throws.
 *
 * @param guard returns whether a request may be sent to a URL of others
 */
export async function fetchDocument(id: string, guard: (url: URL) => Promise<boolean>): Promise<Application> {
  if (!isDocumentUrl(id) || !(await guard(new URL(id)))) throw unusable('is not a URL that this service reads');
  const document = await readDocument(id);
  if (document['client_id'] !== id) throw unusable('has another client_id');
  const redirectUris = readRedirectUris(document['redirect_uris']);
  if (redirectUris === null) throw unusable('has no redirect_uris to which a browser can be sent');
  // A program that proves itself by a key must not be served without.
  const method = document['token_endpoint_auth_method'] ?? 'none';
  if (method !== 'none') throw unusable('asks for another token_endpoint_auth_method than none');
  return { id, name: cleanName(document['client_name']), redirectUris };
}

async function readDocument(url: string): Promise<Readonly<Record<string, unknown>>> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/json', 'User-Agent': 'Terse-OAuth/1' },
      redirect: 'manual',
      signal,
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw unusable('does not come with status 200');
    }
    const bytes = await readUpTo(response, MAX_BYTES);
    if (bytes === null) throw unusable('has more than 5 KB');
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch (cause) {
    if (cause instanceof OAuthError) throw cause;
    throw unusable(signal.aborted ? 'does not come within 3 seconds' : 'cannot be read');
  }
  throw unusable('is not a JSON object');
}

const unusable = (complaint: string) => new OAuthError('invalid_client', `The document of the client_id ${complaint}.`);
