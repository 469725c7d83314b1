import { env } from 'cloudflare:workers';
import { parseConfig } from '../src/config/config.ts';
import { RequestTargets } from '../src/http/request-target.ts';
import worker from '../src/index.ts';
import { CERTIFICATE_PATH, CertificateDesk } from './edge/certificates.ts';
import { Front, type FrontSettings } from './edge/front.ts';
import { QueuedClicks } from './edge/queued-clicks.ts';
import { respondToStopRequest } from './edge/stop-request.ts';
import { Stop } from './edge/stop.ts';

// The classes of its Durable Objects.
export * from '../src/index.ts';

/** The Worker of `npm start`, and before it what Cloudflare does in production. */

const requestTargets = new RequestTargets(null);
const visitors = new Front({ ...env } as FrontSettings);
const certificates = new CertificateDesk(parseConfig({ ...env }));
const queued = new QueuedClicks();
const stop = new Stop(queued);

/** Answers at the port that `connectToFront` opens. */
export const front = {
  fetch(request, env, ctx) {
    const target = requestTargets.of(request.url);
    // The Worker refuses a malformed Host, even at the path of a file.
    return stop.answer(request, () => {
      if (target === null) return worker.fetch(request, queued.over(env), ctx);
      if (target.pathname === CERTIFICATE_PATH && visitors.isFromOperator(request))
        return certificates.answer(request, env);
      return worker.fetch(visitors.identify(request), queued.over(env), ctx);
    });
  },
} satisfies ExportedHandler<Env>;

/** Answers only the line of this program at Miniflare's own port. */
export default {
  fetch: (request, env, ctx) => respondToStopRequest(request, env, ctx, stop),
  queue: (batch, env, ctx) => stop.consume(batch, env, ctx),
  scheduled: (controller, env) => worker.scheduled(controller, queued.over(env)),
} satisfies ExportedHandler<Env>;
