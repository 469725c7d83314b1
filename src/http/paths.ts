/** The paths of surfaces that are distinguished before they are loaded. */

/** The first segment of the path of MCP. */
export const MCP_SEGMENT = 'mcp';
/** The beginning of the paths of the operator's surface. */
export const OPERATOR_PATHS = '/operator/';
/** The path of the metadata of what tokens of OAuth are for (RFC 9728); that of a resource follows it. */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';
/** The path of the metadata of the service that grants access (RFC 8414). */
export const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server';
/** The paths of OAuth, except those of its metadata. */
export const OAUTH_PATHS = '/oauth/';
/** The page that asks for consent, which is one of the platform. */
export const CONSENT_PATH = '/oauth/authorize';

/** The page at which people sign in at the provider of the service. */
export const SERVICE_PROVIDER = '/platform/sign-in/provider';

/** The page at which people sign in at a provider: of a workspace, or that of the service. */
export const pathOfProvider = ({ clientId }: { readonly clientId: string | null }): string =>
  clientId === null ? SERVICE_PROVIDER : `/platform/sso/${clientId}`;

/** The page at which people find the provider of their workspace by their address. */
export const BY_MAIL = '/platform/sso';
