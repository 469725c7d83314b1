/** The paths of surfaces that are distinguished before they are loaded. */

/** The first segment of the path of MCP. */
export const MCP_SEGMENT = 'mcp';
/** The beginning of the paths of the operator's surface. */
export const OPERATOR_PATHS = '/operator/';
