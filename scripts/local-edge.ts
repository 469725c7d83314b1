import { RequestTargets } from '../src/http/request-target.ts';
import worker from '../src/index.ts';

// The classes of its Durable Objects.
export * from '../src/index.ts';

/**
 * The Worker of `npm start`, and before it what Cloudflare does in production: it adds the addresses of visitors, and
 * their countries where a proxy names them.
 */

const requestTargets = new RequestTargets(null);

/** Answers at the port that `connectToFront` opens. */
export const front = {
  fetch(request, env, ctx) {
    const target = requestTargets.of(request.url);
    // The Worker refuses a malformed Host, even at the path of a file.
    if (target === null) return worker.fetch(request, env, ctx);
    return worker.fetch(asFromCloudflare(request), env, ctx);
  },
} satisfies ExportedHandler<Env>;

/** Answers nothing at Miniflare's own port, which only this program uses. */
export default {
  ...worker,
  fetch: () => new Response(null, { status: 404 }),
} satisfies ExportedHandler<Env>;

type Incoming = Parameters<typeof worker.fetch>[0];

function asFromCloudflare(request: Incoming): Incoming {
  // A proxy in front of this server may speak HTTPS.
  const isSecure = request.headers.get('X-Forwarded-Proto') === 'https';
  const url = request.url.replace(/^http:/, 'https:');
  const seen: Incoming = isSecure ? new Request(url, request) : new Request(request);
  if (!seen.headers.has('CF-Connecting-IP')) seen.headers.set('CF-Connecting-IP', peerOf(request));
  const country = request.headers.get('CF-IPCountry');
  return country === null ? seen : (new Request(seen, { cf: { ...request.cf, country } }) as Incoming);
}

// workerd gives `192.0.2.1:1234` or `[2001:db8::1]:1234`.
function peerOf({ cf }: Incoming): string {
  return String(cf?.['clientIp'])
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}
