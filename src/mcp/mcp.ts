import { Hono, type Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../errors.ts';
import { ANY_CHALLENGE, readAnyCredential, refuseWith } from '../http/authenticate.ts';
import { acceptsJson } from '../http/accept.ts';
import type { HttpEnv, Services } from '../http/env.ts';
import { asAppError, failureHeaders, logFailure } from '../http/failure.ts';
import { countOutcomes } from '../http/rate-limits.ts';
import { nameRequest } from '../http/request-id.ts';
import { answerHeaders, logAnswers, provideApi } from '../http/surface.ts';
import { resultOf } from './methods.ts';
import { eraOf } from './revisions.ts';
import { readMessage, RPC_CODES, RpcError, type RequestId } from './rpc.ts';

export const MCP_PATH = '/mcp';

/**
 * `POST /mcp`: the Model Context Protocol over Streamable HTTP, without sessions and streams. Each response is one JSON
 * object. https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function createMcp(services: Services): Hono<HttpEnv> {
  const mcp = new Hono<HttpEnv>();
  mcp.use(nameRequest, logAnswers(services.config.accessLog), countOutcomes, answerHeaders);
  mcp.use(provideApi(services), refuseForeignOrigins, refuseWith({ challenge: ANY_CHALLENGE }));
  mcp.post(MCP_PATH, async (c) => {
    const verify = readAnyCredential(c);
    if (!acceptsJson(c.req.header('Accept'))) throw notAcceptable();
    const message = await readMessage(c.req.raw);
    try {
      const era = eraOf(message, c.req.raw.headers);
      if (message.id !== null) {
        const result = await resultOf(c, era, message, verify);
        return c.json({ jsonrpc: '2.0', id: message.id, result });
      }
      await verify();
      return c.body(null, 202);
    } catch (error) {
      return answerFailure(c, error, message.id);
    }
  });
  mcp.all(MCP_PATH, (c) => {
    throw new AppError('method_not_allowed', `${c.req.method} is not possible here. Use POST.`, { allow: ['POST'] });
  });
  mcp.onError((error, c) => answerFailure(c, error, error instanceof RpcError ? error.id : null));
  return mcp;
}

// A page of another origin could use a browser that reaches a local server (DNS rebinding).
const refuseForeignOrigins = createMiddleware<HttpEnv>(async (c, next) => {
  const origin = c.req.header('Origin');
  const { requestUrl, publicUrl } = c.var.site;
  if (origin !== undefined && origin !== requestUrl.origin && origin !== publicUrl?.origin)
    throw new AppError('wrong_origin', 'Pages of other origins cannot use this endpoint. Call it from a program.');
  await next();
});

const NOT_ACCEPTABLE = 406;

function notAcceptable(): RpcError {
  const sentence = 'Accept application/json and text/event-stream.';
  return new RpcError(NOT_ACCEPTABLE, sentence, { status: NOT_ACCEPTABLE });
}

function answerFailure(c: Context<HttpEnv>, failure: unknown, id: RequestId | null): Response {
  const body = (error: object) => ({ jsonrpc: '2.0', ...(id !== null && { id }), error });
  if (failure instanceof RpcError) {
    const { code, message, data, status } = failure;
    return c.json(body({ code, message, ...(data && { data }) }), status);
  }
  const error = asAppError(failure);
  c.set('failure', error.code);
  logFailure(error, { request_id: c.var.requestId });
  for (const [name, value] of Object.entries(failureHeaders(error))) c.header(name, value);
  if (error.status === 401 && c.var.refusal) c.header('WWW-Authenticate', c.var.refusal.challenge(error));
  return c.json(
    body({ code: rpcCodeOf(error), message: `${error.code}: ${error.message}`, data: { code: error.code } }),
    error.status,
  );
}

/** Failures that JSON-RPC does not know have their HTTP status as code, which is outside of the codes that it reserves. */
function rpcCodeOf({ code, status }: AppError): number {
  if (code === 'malformed_body') return RPC_CODES.parse_error;
  return status === 500 ? RPC_CODES.internal_error : status;
}
