import { createMcp } from '../mcp/mcp.ts';
import type { Core } from '../http/env.ts';
import { servicesOf } from './services.ts';

/** The MCP server of an isolate. */
export const openMcp = (core: Core): ReturnType<typeof createMcp> => createMcp(servicesOf(core));
