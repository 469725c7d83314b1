export * from './objects.ts';

/** The floor for a first request: a Worker that asks D1 once, and has nothing to load. */
export default {
  fetch: async (_request, env) => Response.json(await env.DB.prepare('SELECT 1').first()),
} satisfies ExportedHandler<Env>;
