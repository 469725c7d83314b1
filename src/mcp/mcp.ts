import { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../errors.ts';
import { API_KEY_CHALLENGE, BEARER_CHALLENGE, readAnyCredential } from '../http/authenticate.ts';
import { acceptsJson } from '../http/accept.ts';
import type { HttpEnv, Services } from '../http/env.ts';
import { MCP_SEGMENT, RESOURCE_METADATA_PATH } from '../http/paths.ts';
import { serviceOrigin } from '../http/service-origin.ts';
import { openRequest } from '../http/open-request.ts';
import { setHeaders } from '../http/surface.ts';
import { respondToBatch } from './batch.ts';
import { respondToFailure } from './failure.ts';
import { responseTo } from './methods.ts';
import { readBody, RpcError, toMessage } from './rpc.ts';

/** The path of the endpoint, with or without a slash at its end. */
const MCP_PATH = `/${MCP_SEGMENT}`;

/**
 * `POST /mcp`: the Model Context Protocol over Streamable HTTP, without sessions and streams. Each response is one JSON
 * object, or a list of them for a batch.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function createMcp(services: Services): Hono<HttpEnv> {
  const mcp = new Hono<HttpEnv>({ strict: false, router: new TrieRouter() });
  mcp.use(openRequest(services, { setHeaders }));
  mcp.use(refuseForeignOrigins, challenge);
  mcp.post(MCP_PATH, async (c) => {
    const verify = readAnyCredential(c);
    if (!acceptsJson(c.req.header('Accept'))) throw notAcceptable();
    const body = await readBody(c.req.raw);
    if (Array.isArray(body)) return respondToBatch(c, body, verify);
    const message = toMessage(body);
    try {
      const response = await responseTo(c, message, verify);
      return response === null ? c.body(null, 202) : c.json(response);
    } catch (error) {
      return respondToFailure(c, error, message.id);
    }
  });
  mcp.all(MCP_PATH, (c) => {
    throw new AppError('method_not_allowed', `${c.req.method} is not possible here. Use POST.`, { allow: ['POST'] });
  });
  mcp.onError((error, c) => respondToFailure(c, error, error instanceof RpcError ? error.id : null));
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

// With the document by which a client finds out how to be granted access (RFC 9728, section 5.1).
const challenge = createMiddleware<HttpEnv>((c, next) => {
  const metadata = `${serviceOrigin(c.var.site)}${RESOURCE_METADATA_PATH}${MCP_PATH}`;
  c.set('refusal', {
    challenge: (error) => `${BEARER_CHALLENGE(error)}, resource_metadata="${metadata}", ${API_KEY_CHALLENGE()}`,
  });
  return next();
});

const NOT_ACCEPTABLE = 406;

function notAcceptable(): RpcError {
  const sentence = 'Accept application/json and text/event-stream.';
  return new RpcError(NOT_ACCEPTABLE, sentence, { status: NOT_ACCEPTABLE });
}
