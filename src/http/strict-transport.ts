import { isLoopback } from '../network/hosts.ts';

type Result = Response | Promise<Response>;

// A year is the shortest time that browsers' preload lists accept. Subdomains are left out, since they may belong to
// others.
const POLICY = 'max-age=31536000';

/**
 * Adds HSTS (RFC 6797), which makes browsers use https only, to every answer on the host of `PUBLIC_URL` if that is
 * https. Custom domains get none, since their owners decide.
 *
 * @param publicUrl `PUBLIC_URL`, or null if it is not set
 */
export function strictTransport(publicUrl: URL | null): (request: Request, response: Result) => Result {
  if (publicUrl?.protocol !== 'https:' || isLoopback(publicUrl)) return (_, response) => response;
  const begin = `${publicUrl.origin}/`;
  return (request, response) => {
    if (!request.url.startsWith(begin)) return response;
    // A hot redirect is answered synchronously, which is faster than a promise.
    return response instanceof Promise ? response.then(withPolicy) : withPolicy(response);
  };
}

function withPolicy(response: Response): Response {
  try {
    response.headers.set('Strict-Transport-Security', POLICY);
    return response;
  } catch {
    // Headers of an answer from the asset server are immutable.
    const copy = new Response(response.body, response);
    copy.headers.set('Strict-Transport-Security', POLICY);
    return copy;
  }
}
