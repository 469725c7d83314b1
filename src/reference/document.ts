import packageJson from '../../package.json' with { type: 'json' };
import { STATUS_BY_CODE } from '../errors.ts';
import { auditEndpoints } from './audit.ts';
import { createEndpoints } from './create.ts';
import { domainEndpoints } from './domains.ts';
import type { SharedFailures } from './failures.ts';
import { headerComponents } from './headers.ts';
import { keyEndpoints } from './keys.ts';
import { historyEndpoints } from './link-history.ts';
import { linkEndpoints } from './links.ts';
import { meEndpoints } from './me.ts';
import { toOperation, type Endpoint } from './operation.ts';
import { problemDetails } from './problem.ts';
import { peopleEndpoints } from './people.ts';
import { namedSchemas, type JsonSchema } from './schema.ts';
import { serviceEndpoints } from './service.ts';
import { statsEndpoints } from './stats.ts';
import { tokenEndpoints } from './tokens.ts';
import { transferEndpoints } from './transfer.ts';

const DESCRIPTION = `A program sends a long URL and gets a short link, on the service's host or on a customer's own domain.

A failure is \`{"result": "Failed", "error": "<code>: <sentence>"}\`, but for the 401 answers that have bodies of their own.
With \`Accept: application/problem+json\` it is problem details (RFC 9457) instead, as \`x-problem-details\` in this document
says. The codes are a closed list; each answer says which of them it may carry. A method that a path does not have is 405 with
\`Allow\`, and a path that there is not is 404. Every answer of the API lets any origin read it, takes no cookies, and names
its request in \`X-Request-Id\`.`;

const TAGS: Readonly<Record<string, string>> = {
  Tokens: 'Signing in, and what tokens say',
  Links: 'Making links, and asking about them',
  'Managing links': 'Listing, changing and deleting links',
  Statistics: 'Clicks, broken down',
  Domains: "Customers' own domains",
  Keys: 'API keys; for people, with the access token of their sign-in',
  Members: 'Who belongs to a client; for owners',
  Invites: 'The links by which people come to belong to a client',
  'Audit log': 'Who changed what; for owners',
  Redirects: 'What visitors ask for',
  Service: 'Whether it works',
  Documents: 'Files that are the same for all',
};

const ENDPOINTS: readonly Endpoint[] = [
  ...tokenEndpoints,
  ...createEndpoints,
  ...linkEndpoints,
  ...historyEndpoints,
  ...transferEndpoints,
  ...statsEndpoints,
  ...domainEndpoints,
  ...keyEndpoints,
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
      'The `access_token` of `GET /tokens/create_token`. An API key works here too wherever `X-API-Key` is taken',
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
    servers: [{ url: '/', description: 'Where this document comes from' }],
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
