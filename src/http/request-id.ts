import { createMiddleware } from 'hono/factory';
import type { HttpEnv } from './env.ts';

// The id goes into the logs. A caller can put no secret into it: neither our secrets nor private texts are UUIDs.
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Gives each request an id in its answer and in the logs: the UUID that the request brings, or a new one. */
export const nameRequest = createMiddleware<HttpEnv>(async (c, next) => {
  const given = c.req.header('X-Request-Id') ?? '';
  const requestId = UUID.test(given) ? given : crypto.randomUUID();
  c.set('requestId', requestId);
  c.header('X-Request-Id', requestId);
  await next();
});
