import { isLoopback } from '../domains/host.ts';

type Answer = Response | Promise<Response>;

// A year, as browsers' preload lists want it at least. Hosts below the service's own may be somebody else's.
const POLICY = 'max-age=31536000';

/**
 * Has browsers come by https alone from now on (HSTS, RFC 6797), in every answer on the host of `PUBLIC_URL` where that is
 * https. Custom domains are their owners' to decide.
 *
 * @param publicUrl `PUBLIC_URL`, or null where it is unset
 */
export function strictTransport(publicUrl: URL | null): (request: Request, answer: Answer) => Answer {
  if (publicUrl?.protocol !== 'https:' || isLoopback(publicUrl)) return (_, answer) => answer;
  const begin = `${publicUrl.origin}/`;
  return (request, answer) => {
    if (!request.url.startsWith(begin)) return answer;
    // A hot redirect is no promise, and stays none.
    return answer instanceof Promise ? answer.then(withPolicy) : withPolicy(answer);
  };
}

function withPolicy(response: Response): Response {
  try {
    response.headers.set('Strict-Transport-Security', POLICY);
    return response;
  } catch {
    // What came from the asset server cannot be changed.
    const copy = new Response(response.body, response);
    copy.headers.set('Strict-Transport-Security', POLICY);
    return copy;
  }
}
