import packageJson from '../../package.json' with { type: 'json' };
import { campaignEndpoints } from './campaigns.ts';
import { STATUS_BY_CODE } from '../../src/errors.ts';
import { auditEndpoints } from './audit.ts';
import { deliveryEndpoints } from './deliveries.ts';
import { clickStreamEndpoints } from './click-stream.ts';
import { createEndpoints } from './create.ts';
import { infoEndpoints } from './info.ts';
import { domainEndpoints } from './domains.ts';
import { externalLinkEndpoints } from './external-links.ts';
import type { SharedFailures } from './failures.ts';
import { headerComponents } from './headers.ts';
import { keyEndpoints } from './keys.ts';
import { historyEndpoints } from './link-history.ts';
import { linkEndpoints } from './links.ts';
import { visitEndpoints } from './link-visit.ts';
import { lookupEndpoints } from './lookup.ts';
import { meEndpoints } from './me.ts';
import type { Endpoint } from './endpoint.ts';
import { toOperation } from './operation.ts';
import { problemDetails } from './problem.ts';
import { peopleEndpoints } from './people.ts';
import { nameParts } from './route-schemas.ts';
import { namedSchemas, type JsonSchema } from './schema.ts';
import { serviceEndpoints } from './service.ts';
import { statsEndpoints } from './stats.ts';
import { tagEndpoints } from './tags.ts';
import { webhookEndpoints } from './webhooks.ts';
import { tokenEndpoints } from './tokens.ts';
import { transferEndpoints } from './transfer.ts';

const DESCRIPTION = `A program sends a long URL and gets a short link, on the service's host or on a customer's own domain.

An error is \`{"result": "Failed", "error": "<code>: <sentence>"}\`, except for some 401 responses, which have their own bodies.
With \`Accept: application/problem+json\` it is problem details (RFC 9457) instead; \`x-problem-details\` in this document has
their schema. The codes are a closed list, and each response lists those that it can have. A method that a path does not
support is 405 with \`Allow\`; an unknown path is 404. Web pages of any origin can read the responses of the API. It uses no
cookies. Every response has the id of its request in \`X-Request-Id\`.

Assistants and agents connect to \`POST /mcp\`, which speaks the Model Context Protocol and has tools for links and statistics.`;

const TAGS: Readonly<Record<string, string>> = {
  Tokens: 'Sign in, and read, refresh and revoke tokens',
  Links: 'Create links, and look them up',
  'Managing links': 'List, edit and delete links',
  Tags: 'The tags of links',
  Campaigns: 'The campaigns of links',
  'Import and export': 'Links as files',
  'QR codes': 'Short links as pictures',
  Statistics: 'Click statistics',
  Domains: 'Custom domains',
  Keys: 'API keys; for people, with the access token of their sign-in',
  Webhooks: 'Where events are sent; for owners, with the access token of their sign-in',
  Members: 'The users of a client; for owners',
  Invites: 'Invite links to join a client',
  'Audit log': 'The history of administrative changes; for owners',
  Redirects: 'What visitors request',
  Service: 'Whether the service works',
  Documents: 'Files that are the same for all callers',
};

/** All endpoints, in the order of the document. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...tokenEndpoints,
  ...createEndpoints,
  ...lookupEndpoints,
  ...infoEndpoints,
  ...linkEndpoints,
  ...externalLinkEndpoints,
  ...visitEndpoints,
  ...historyEndpoints,
  ...tagEndpoints,
  ...transferEndpoints,
  ...campaignEndpoints,
  ...statsEndpoints,
  ...clickStreamEndpoints,
  ...domainEndpoints,
  ...keyEndpoints,
  ...webhookEndpoints,
  ...deliveryEndpoints,
  ...peopleEndpoints,
  ...auditEndpoints,
  ...meEndpoints,
  ...serviceEndpoints,
];

const SECURITY_SCHEMES = {
  basic: { type: 'http', scheme: 'basic', description: 'A user name and a password (RFC 7617, UTF-8)' },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The `access_token` of `GET /tokens/create_token`. An API key works here too, at endpoints that accept `X-API-Key`',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key, or the `api_token` of `GET /tokens/create_token`',
  },
};

/** The API of this service, as OpenAPI 3.1. `x-error-codes` are all error codes, with their statuses. */
export function openApiDocument(): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const responses: SharedFailures = {};
  nameParts();
  for (const endpoint of ENDPOINTS) (paths[endpoint.path] ??= {})[endpoint.method] = toOperation(endpoint, responses);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Terse',
      version: packageJson.version,
      summary: 'Short links',
      description: DESCRIPTION,
      contact: { name: 'The operator of this service' },
      license: { name: packageJson.license, identifier: packageJson.license },
    },
    servers: [{ url: '/', description: 'The origin that serves this document' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: headerComponents(),
      responses,
      schemas: namedSchemas(),
    },
    'x-error-codes': STATUS_BY_CODE,
    'x-problem-details': problemDetails(),
  };
}
