import * as z from 'zod';
import { APP_LINK_PATHS, type AppLinkFile } from '../../src/domains/app-links.ts';
import { domainChangeFields, newDomainFields } from '../../src/domains/input.ts';
import { domainRemovalQuery } from '../../src/http/domain-query.ts';
import { ACTING, ACTOR_QUERY, OWNER, PERSON } from './acting.ts';
import { APP_LINKS, DOMAIN, domain, domainWithAppLinks, verifiedDomain } from './domain-schemas.ts';
import { DOMAIN_ID, DOMAIN_TOKEN, NONCE, NOW } from './examples.ts';
import { listEndpoint, listOf } from './list-endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { input, output } from './schema.ts';

const common = { tag: 'Domains', takes: ['bearer'], headers: ['X-Request-Id'] } as const;

const NEXT_STEPS_EXAMPLE =
  `Set the TXT record _terse.to.acme.example to terse-domain=${DOMAIN_TOKEN} and the CNAME record to.acme.example to ` +
  `terse.example, then call POST /v1/domains/${DOMAIN_ID}/verify. The operator of this service must also add the domain to the deployment: ` +
  'npm run deploy -- --domain to.acme.example';
const pathParameters = { id: { description: 'The id of the domain', example: DOMAIN_ID } };

export const domainEndpoints: readonly Endpoint[] = [
  listEndpoint({
    ...common,
    path: '/v1/domains',
    operationId: 'listDomains',
    summary: 'List custom domains, newest first',
    description: 'The domains of the client, in every status; removed ones are not listed.',
    list: listOf('DomainList', 'domains', domain, 'newest first'),
    examples: [DOMAIN],
    who: PERSON,
  }),
  {
    ...common,
    method: 'post',
    path: '/v1/domains',
    operationId: 'addDomain',
    summary: 'Add a custom domain',
    description:
      'The response has the DNS records to set. Several clients can add the same host; it belongs to the last one that verified it.',
    query: ACTOR_QUERY,
    body: {
      types: ['application/json'],
      schema: input('NewDomain', newDomainFields),
      example: { host: 'to.acme.example' },
    },
    answers: {
      201: {
        description: 'The domain',
        schema: domain,
        example: {
          ...DOMAIN,
          host: 'to.acme.example',
          status: 'pending',
          root_url: null,
          dns: {
            txt: { name: '_terse.to.acme.example', value: `terse-domain=${DOMAIN_TOKEN}` },
            cname: { name: 'to.acme.example', value: 'terse.example' },
          },
          created_at: NOW,
          verified_at: null,
          checked_at: null,
          next: NEXT_STEPS_EXAMPLE,
        },
      },
    },
    codes: [
      'invalid_idempotency_key',
      ...OWNER,
      'too_long',
      'own_host',
      'blocked_host',
      'domain_taken',
      'too_many_domains',
      'store_unavailable',
    ],
  },
  {
    ...common,
    method: 'get',
    path: '/v1/domains/{id}',
    operationId: 'getDomain',
    summary: 'Get a custom domain',
    description: 'The status of the domain, with the DNS records to set, and its app links, which lists leave out.',
    pathParameters,
    query: ACTOR_QUERY,
    answers: {
      200: { description: 'The domain', schema: domainWithAppLinks, example: { ...DOMAIN, ...APP_LINKS } },
    },
    codes: [...ACTING, 'step_up_required', 'not_found', 'store_unavailable'],
  },
  {
    ...common,
    method: 'patch',
    path: '/v1/domains/{id}',
    operationId: 'changeDomain',
    summary: 'Change the URLs, the case sensitivity, the tolerance and the app links of a domain',
    description:
      'Fields that are left out stay as they are, and null clears. `case_sensitive` can be changed until the domain has its ' +
      'first link; after that the error is `domain_in_use`. The body can have 640 KiB.',
    pathParameters,
    query: ACTOR_QUERY,
    body: {
      types: ['application/json'],
      schema: input('DomainChange', domainChangeFields),
      example: { not_found_url: 'https://acme.example/lost' },
    },
    answers: {
      200: {
        description: 'The domain',
        schema: domainWithAppLinks,
        example: { ...DOMAIN, not_found_url: 'https://acme.example/lost', ...APP_LINKS },
      },
    },
    codes: [...OWNER, 'too_long', 'own_host', 'blocked_host', 'not_found', 'domain_in_use', 'store_unavailable'],
  },
  {
    ...common,
    method: 'delete',
    path: '/v1/domains/{id}',
    operationId: 'removeDomain',
    summary: 'Remove a custom domain',
    description:
      'A domain that has links is removed only with `force=true`, which deletes them. If there are more links than one ' +
      'request can delete, the error is `domain_in_use`: send the request again until the response is 204.',
    pathParameters,
    query: { schema: domainRemovalQuery() },
    answers: { 204: { description: 'The domain is removed' } },
    codes: [...OWNER, 'invalid_force', 'not_found', 'domain_in_use', 'store_unavailable'],
  },
  {
    ...common,
    method: 'post',
    path: '/v1/domains/{id}/verify',
    operationId: 'verifyDomain',
    summary: 'Verify a custom domain',
    description:
      'Checks the TXT record in DNS, and requests `/.well-known/terse-domain` from the host. If both are right, the domain ' +
      'becomes active.',
    pathParameters,
    query: ACTOR_QUERY,
    answers: {
      200: {
        description: 'The domain, and the results of the check',
        schema: verifiedDomain,
        example: { ...DOMAIN, verified_at: NOW, checked_at: NOW, checks: { dns: 'ok', http: 'ok' }, disabled_links: 0 },
      },
    },
    codes: [...OWNER, 'not_found', 'too_many_requests', 'store_unavailable', 'resolver_unavailable'],
  },
  appLinkEndpoint('apple_app_site_association', {
    operationId: 'getAppleAppSiteAssociation',
    summary: 'Get the file by which links of a domain open in apps of Apple',
  }),
  appLinkEndpoint('asset_links', {
    operationId: 'getAssetLinks',
    summary: 'Get the file by which links of a domain open in Android apps',
  }),
  {
    method: 'get',
    path: '/.well-known/terse-domain',
    operationId: 'proveHost',
    tag: 'Domains',
    summary: 'Prove that a host is served by this service',
    description: 'Available on every host. The check of a domain requests it.',
    takes: ['none'],
    headers: [],
    query: {
      schema: z.object({
        nonce: z
          .string()
          .regex(/^[A-Za-z0-9_-]{22,64}$/)
          .optional()
          .meta({ description: 'A random value, as base64url; without one `proof` is null' }),
      }),
      example: { nonce: NONCE },
    },
    answers: {
      200: {
        description: 'The name of this service',
        schema: output('HostProof', () =>
          z.strictObject({
            service: z.literal('terse').meta({ description: 'Always `terse`' }),
            host: z.string().meta({ description: 'The host of the request' }),
            proof: z
              .string()
              .nullable()
              .meta({ description: 'An HMAC of the host and the nonce; null without a nonce' }),
          }),
        ),
        example: { service: 'terse', host: 'terse.example', proof: '2jmj7l5rSw0yVb_vlWAYkK_YBwk7WmTgN8T9pC1oXyA' },
      },
    },
    codes: [],
    earlyCodes: ['invalid_host'],
  },
];

function appLinkEndpoint(file: AppLinkFile, words: Pick<Endpoint, 'operationId' | 'summary'>): Endpoint {
  return {
    ...words,
    method: 'get',
    path: APP_LINK_PATHS[file],
    tag: 'Domains',
    description:
      `On a custom domain, the \`${file}\` of the domain; 404 if it has none. A change takes effect at once in the server ` +
      'process that wrote it, and everywhere within `MEMORY_SECONDS` (30 unless the operator has set another value).',
    takes: ['none'],
    isOfDomains: true,
    headers: ['Cache-Control'],
    answers: {
      200: { description: 'The file', schema: {}, example: JSON.parse(APP_LINKS[file]) },
    },
    codes: ['not_found', 'store_unavailable'],
    hasPages: true,
  };
}
