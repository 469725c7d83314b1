import type { Context } from 'hono';
import { getMe } from '../accounts/users/me.ts';
import type { Credential } from '../accounts/grants.ts';
import { AppError } from '../errors.ts';
import type { HttpEnv } from '../http/env.ts';
import { logFailure } from '../http/failure.ts';
import type { ToolName } from '../http/tool-inputs.ts';
import { type Fields } from '../input/validation.ts';
import { quote } from '../text/quote.ts';
import { failed, type ToolResult } from './result.ts';
import { RPC_CODES, RpcError } from './rpc.ts';
import { createLinkTool, updateLinkTool } from './tools/change.ts';
import { compareLinksTool, linkStatsTool } from './tools/clicks.ts';
import { findLinksTool, getLinkTool, listCampaignsTool, listTagsTool } from './tools/find.ts';
import { qrCodeTool } from './tools/qr-code.ts';
import type { Tool } from './tools/tool.ts';

const TOOLS: Readonly<Record<ToolName, Tool>> = {
  create_link: createLinkTool,
  update_link: updateLinkTool,
  find_links: findLinksTool,
  get_link: getLinkTool,
  link_stats: linkStatsTool,
  compare_links: compareLinksTool,
  list_campaigns: listCampaignsTool,
  list_tags: listTagsTool,
  qr_code: qrCodeTool,
};

const isTool = (name: string): name is ToolName => Object.hasOwn(TOOLS, name);

/**
 * Runs a tool. What the caller can correct is a result with `isError`, since clients show only results to the model. Throws
 * `RpcError` for an unknown tool, `invalid_credential`, and bugs.
 */
export async function callTool(
  c: Context<HttpEnv>,
  name: string,
  given: Fields,
  verify: () => Promise<Credential>,
): Promise<ToolResult> {
  if (!isTool(name)) throw new RpcError(RPC_CODES.invalid_params, `Unknown tool: ${quote(name)}`, { status: 200 });
  try {
    return await TOOLS[name]({ c, verify }, given);
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 401 || error.status === 500) throw error;
    c.set('failure', error.code);
    logFailure(error, { request_id: c.var.requestId });
    return failed(await withClients(c, error, verify));
  }
}

const MAX_NAMED = 20;

// The sentence of the API names the query, or an endpoint, neither of which a tool has.
async function withClients(c: Context<HttpEnv>, error: AppError, verify: () => Promise<Credential>): Promise<AppError> {
  if (error.code !== 'missing_field' || !error.message.startsWith('client_id is required')) return error;
  const { clients } = await getMe(c.var.db, await verify());
  const names = clients.slice(0, MAX_NAMED).map(({ id }) => id);
  return new AppError(
    error.code,
    `client_id is required, since the user belongs to several clients. Send one of: ${names.join(', ')}.`,
    { faults: [{ field: 'client_id', sentence: 'This is required.' }] },
  );
}
