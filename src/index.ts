import { env } from 'cloudflare:workers';
import { createApp, type App } from './app/app.ts';
import { parseConfig } from './config/config.ts';
import { strictTransport } from './http/strict-transport.ts';
import { LIMIT_METHODS } from './link-limit/object-methods.ts';
import { objectShell } from './objects/object-shell.ts';
import { STATISTICS_METHODS } from './statistics/object-methods.ts';

// Settings are read when the Worker loads: a malformed one stops it here with an error sentence, not in a later
// request.
const config = parseConfig({ ...env });
const app = createApp(config);
const strict = strictTransport(config.publicUrl);

/** The object with the statistics of a client. */
export class ClientStatistics extends objectShell(STATISTICS_METHODS, async (ctx, bindings) => {
  const { ClientStatistics } = await import('./statistics/object.ts');
  return new ClientStatistics(ctx, bindings, config.statisticsDetailDays);
}) {}

/** The object that counts the visitors of a link with a limit. */
export class LinkLimit extends objectShell(LIMIT_METHODS, async (ctx, bindings) => {
  const { LinkLimit } = await import('./link-limit/object.ts');
  return new LinkLimit(ctx, bindings);
}) {}

export default {
  fetch: (request, bindings, ctx) => strict(request, app.fetch(request, bindings, ctx)),
  queue: (batch, bindings, ctx) => app.queue(batch, bindings, ctx),
  scheduled: (controller, bindings) => app.scheduled(controller, bindings),
  // Not a handler: the Worker of `npm start` calls it before it ends.
  drain: (bindings, withinMs) => app.drain(bindings, withinMs),
} satisfies ExportedHandler<Env> & Pick<App, 'drain'>;
