import { env } from 'cloudflare:workers';
import { parseConfig } from '../src/config.ts';
import { RequestTargets } from '../src/http/request-target.ts';
import worker from '../src/index.ts';
import { CERTIFICATE_PATH, CertificateDesk } from './edge/certificates.ts';
import { Front, type FrontSettings } from './edge/front.ts';

// The classes of its Durable Objects.
export * from '../src/index.ts';

/** The Worker of `npm start`, and before it what Cloudflare does in production. */

const requestTargets = new RequestTargets(null);
const visitors = new Front({ ...env } as FrontSettings);
const certificates = new CertificateDesk(parseConfig({ ...env }));

/** Answers at the port that `connectToFront` opens. */
export const front = {
  fetch(request, env, ctx) {
    const target = requestTargets.of(request.url);
    // The Worker refuses a malformed Host, even at the path of a file.
    if (target === null) return worker.fetch(request, env, ctx);
    if (target.pathname === CERTIFICATE_PATH && visitors.isFromOperator(request))
      return certificates.answer(request, env);
    return worker.fetch(visitors.identify(request), env, ctx);
  },
} satisfies ExportedHandler<Env>;

/** Answers nothing at Miniflare's own port, which only this program uses. */
export default {
  ...worker,
  fetch: () => new Response(null, { status: 404 }),
} satisfies ExportedHandler<Env>;
