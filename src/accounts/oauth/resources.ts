/** The resources that a token of OAuth can be for (RFC 8707), each by its path on the service's own origin. */
export const RESOURCE_PATHS = ['/mcp', '/v1'] as const;
export type ResourcePath = (typeof RESOURCE_PATHS)[number];

/**
 * The resource that a request names, as tokens name it. Without one it is MCP, since clients of its revision 2025-03-26
 * name none, and MCP can do less than the API. Null for anything else.
 *
 * @param origin that of the service, for programs
 */
export function resourceOf(given: string | null, origin: string): string | null {
  if (given === null) return `${origin}${RESOURCE_PATHS[0]}`;
  const asked = given.replace(/\/$/, '');
  return RESOURCE_PATHS.map((path) => `${origin}${path}`).find((resource) => resource === asked) ?? null;
}
