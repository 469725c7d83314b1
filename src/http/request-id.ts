import { createMiddleware } from 'hono/factory';
import type { HttpEnv } from './env.ts';

// What a caller sends goes into the logs: none of our secrets is a UUID, nor is anything that a caller would keep to itself.
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Names each request in its answer and in the logs: by the UUID that it came with, or by one of ours. */
export const nameRequest = createMiddleware<HttpEnv>(async (c, next) => {
  const given = c.req.header('X-Request-Id') ?? '';
  const requestId = UUID.test(given) ? given : crypto.randomUUID();
  c.set('requestId', requestId);
  c.header('X-Request-Id', requestId);
  await next();
});
