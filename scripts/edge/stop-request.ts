import type { Stop } from './stop.ts';

/**
 * The line by which this program says that the Worker must stop, and gets the report: a WebSocket at Miniflare's own port.
 * It is open all the time, since workerd, when it gets a SIGTERM itself, accepts no further connections, and ends once
 * the open ones have ended.
 */

/** The name of the Worker's binding that has the key of the line. Another program of this machine does not know it. */
export const STOP_KEY = 'STOP_KEY';

/** Answers a request at Miniflare's own port. */
export function respondToStopRequest(request: Request, env: Env, ctx: ExecutionContext, stop: Stop): Response {
  const key = (env as unknown as Record<string, unknown>)[STOP_KEY];
  if (typeof key !== 'string' || request.headers.get('Authorization') !== key)
    return new Response(null, { status: 404 });
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  server.addEventListener('message', () => {
    const work = stop.run(env, ctx).then((report) => server.send(JSON.stringify(report)));
    ctx.waitUntil(work);
  });
  return new Response(null, { status: 101, webSocket: client });
}
