import { env } from 'cloudflare:workers';
import { createApp, type App } from './app/app.ts';
import { parseConfig } from './config/config.ts';
import { strictTransport } from './http/strict-transport.ts';
import { ClientStatistics as StatisticsObject } from './statistics/object.ts';

export { LinkLimit } from './link-limit/object.ts';

// Settings are read when the Worker loads: a malformed one stops it here with an error sentence, not in a later
// request.
const config = parseConfig({ ...env });
const app = createApp(config);
const strict = strictTransport(config.publicUrl);

/** The object with the statistics of a client. */
export class ClientStatistics extends StatisticsObject {
  constructor(ctx: DurableObjectState, bindings: Env) {
    super(ctx, bindings, config.statisticsDetailDays);
  }
}

export default {
  fetch: (request, bindings, ctx) => strict(request, app.fetch(request, bindings, ctx)),
  queue: (batch, bindings, ctx) => app.queue(batch, bindings, ctx),
  scheduled: (controller, bindings) => app.scheduled(controller, bindings),
  // Not a handler: the Worker of `npm start` calls it before it ends.
  drain: (bindings, withinMs) => app.drain(bindings, withinMs),
} satisfies ExportedHandler<Env> & Pick<App, 'drain'>;
