import type { ResourcePath } from '../accounts/oauth/resources.ts';
import { KEY_SCOPES } from '../accounts/scopes.ts';
import { CONSENT_PATH } from '../http/paths.ts';

/** The metadata of the service that grants access (RFC 8414). @param origin that of the service, which is its issuer */
export const serverMetadata = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}${CONSENT_PATH}`,
  token_endpoint: `${origin}/oauth/token`,
  registration_endpoint: `${origin}/oauth/register`,
  revocation_endpoint: `${origin}/oauth/revoke`,
  scopes_supported: KEY_SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${origin}/docs/mcp`,
});

/** The metadata of a resource (RFC 9728): the service grants access to itself. */
export const resourceMetadata = (origin: string, path: ResourcePath) => ({
  resource: `${origin}${path}`,
  authorization_servers: [origin],
  scopes_supported: KEY_SCOPES,
  bearer_methods_supported: ['header'],
  resource_documentation: `${origin}${path === '/mcp' ? '/docs/mcp' : '/docs/api'}`,
});
