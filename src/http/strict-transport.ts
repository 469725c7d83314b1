import { isLoopback } from '../network/hosts.ts';

type Answer = Response | Promise<Response>;

// A year is the shortest time that browsers' preload lists accept. Subdomains are left out, since they may belong to
// others.
const POLICY = 'max-age=31536000';

/**
 * Adds HSTS (RFC 6797), which makes browsers use https only, to every answer on the host of `PUBLIC_URL` if that is
 * https. Custom domains get none, since their owners decide.
 *
 * @param publicUrl `PUBLIC_URL`, or null if it is not set
 */
export function strictTransport(publicUrl: URL | null): (request: Request, answer: Answer) => Answer {
  if (publicUrl?.protocol !== 'https:' || isLoopback(publicUrl)) return (_, answer) => answer;
  const begin = `${publicUrl.origin}/`;
  return (request, answer) => {
    if (!request.url.startsWith(begin)) return answer;
    // A hot redirect is answered synchronously, which is faster than a promise.
    return answer instanceof Promise ? answer.then(withPolicy) : withPolicy(answer);
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
