import type { Context } from 'hono';
import type { Credential } from '../accounts/grants.ts';
import type { HttpEnv } from '../http/env.ts';
import { refusalOf } from './failure.ts';
import { responseTo } from './methods.ts';
import { hasBatches } from './revisions.ts';
import { invalid, RpcError, toMessage, type Message } from './rpc.ts';

/**
 * Several messages in one request: https://www.jsonrpc.org/specification#batch. Revision 2025-03-26 has them, and no other:
 * https://modelcontextprotocol.io/specification/2025-03-26/basic/transports#sending-messages-to-the-server
 */

// Each can be a tool with some ten queries to the database.
const MAX_MESSAGES = 10;

/**
 * Answers the messages of a batch, one after the other, with a list of responses; notifications have none. Throws `RpcError`
 * if there can be no batch, and what refuses the credential, which all of them share.
 */
export async function respondToBatch(
  c: Context<HttpEnv>,
  batch: readonly unknown[],
  verify: () => Promise<Credential>,
): Promise<Response> {
  if (!hasBatches(c.req.raw.headers))
    throw invalid('Send one message in a request: only revision 2025-03-26 has batches.');
  if (batch.length === 0) throw invalid('A batch must have at least one message.');
  if (batch.length > MAX_MESSAGES)
    throw invalid(`A batch may have at most ${MAX_MESSAGES} messages. Send the others in another request.`);
  await verify();
  const responses: object[] = [];
  for (const value of batch) {
    const response = await responseOf(c, value, verify);
    if (response !== null) responses.push(response);
  }
  return responses.length === 0 ? c.body(null, 202) : c.json(responses);
}

async function responseOf(
  c: Context<HttpEnv>,
  value: unknown,
  verify: () => Promise<Credential>,
): Promise<object | null> {
  let message: Message | null = null;
  try {
    message = toMessage(value);
    if (message.method === 'initialize') throw invalid('initialize cannot be part of a batch. Send it alone.');
    return await responseTo(c, message, verify);
  } catch (failure) {
    const { status, error } = refusalOf(c, failure);
    if (status === 401) throw failure;
    // What is no message has a response with the id that could be read, or null. A notification has none.
    const id = message === null ? idOf(failure) : message.id;
    return message?.id === null ? null : { jsonrpc: '2.0', id, error };
  }
}

const idOf = (failure: unknown) => (failure instanceof RpcError ? failure.id : null);
