import * as z from 'zod';
import { APP_LINK_PATHS } from '../../src/domains/app-links.ts';
import { CLIENT_ID, DOMAIN_ID, DOMAIN_TOKEN } from './examples.ts';
import { instant, ownClientId, whole } from './link-schemas.ts';
import { output } from './schema.ts';

const dnsRecord = output('DnsRecord', () =>
  z.strictObject({
    name: z.string().meta({ description: 'The name of the record' }),
    value: z.string().meta({ description: 'The value of the record' }),
  }),
);
const dnsRecords = output('DomainDns', () =>
  z.strictObject({
    txt: dnsRecord().meta({ description: 'The TXT record that proves that you own the domain' }),
    cname: dnsRecord().meta({ description: 'The CNAME record that sends visitors to this service' }),
  }),
);
const domainChecks = output('DomainChecks', () =>
  z.strictObject({
    dns: z
      .enum(['ok', 'other_value', 'no_record', 'no_such_name', 'server_failure'])
      .meta({ description: 'The result of the TXT lookup' }),
    http: z
      .enum(['ok', 'unreachable', 'redirected', 'other_service'])
      .meta({ description: 'The result of the request to the host' }),
  }),
);
const fields = () => ({
  id: z.string().meta({ description: 'The id of the domain' }),
  client_id: ownClientId(),
  host: z.string().meta({ description: 'The host name of the domain, in lower case and punycode' }),
  status: z.enum(['pending', 'active', 'lost']).meta({
    description:
      'pending: not verified yet; active: links can be created on it; lost: verification failed, and only existing links work',
  }),
  root_url: z
    .string()
    .nullable()
    .meta({ description: 'Where the root of the domain redirects to; null for a 404 page' }),
  not_found_url: z.string().nullable().meta({ description: 'Where an unknown slug redirects to; null for a 404 page' }),
  case_sensitive: z.boolean().meta({ description: 'Whether two slugs can differ only in case' }),
  tolerant: z
    .boolean()
    .meta({ description: 'Whether a path that has no link is followed without what text programs add to it' }),
  slug_length: whole('How many characters the slugs of links without a chosen one have'),
  dns: dnsRecords().meta({ description: 'The DNS records to set' }),
  created_at: instant('When the domain was added'),
  verified_at: instant('When the domain was first verified; null before').nullable(),
  checked_at: instant('When the domain was last checked; null before').nullable(),
  failures: whole('How many daily checks in a row failed'),
  next: z.string().nullable().meta({ description: 'The next step, as a sentence; null if there is none' }),
});
export const domain = output('Domain', () => z.strictObject(fields()));
const appLink = (path: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `The JSON text that the domain serves at \`${path}\`, byte for byte; null if there is none` });
export const domainWithAppLinks = output('DomainWithAppLinks', () =>
  z.strictObject({
    ...fields(),
    apple_app_site_association: appLink(APP_LINK_PATHS.apple_app_site_association),
    asset_links: appLink(APP_LINK_PATHS.asset_links),
  }),
);
export const verifiedDomain = output('VerifiedDomain', () =>
  z.strictObject({
    ...fields(),
    checks: domainChecks().meta({ description: 'The results of this check' }),
    disabled_links: whole(
      'How many links of an import that waited for the domain were disabled, since they lead to a host of this service or to a blocked one',
    ),
  }),
);

/** The domain of the examples. */
export const DOMAIN = {
  id: DOMAIN_ID,
  client_id: CLIENT_ID,
  host: 'go.acme.example',
  status: 'active',
  root_url: 'https://acme.example/',
  not_found_url: null,
  case_sensitive: false,
  tolerant: true,
  slug_length: 8,
  dns: {
    txt: { name: '_terse.go.acme.example', value: `terse-domain=${DOMAIN_TOKEN}` },
    cname: { name: 'go.acme.example', value: 'terse.example' },
  },
  created_at: '2026-05-19T16:20:00.000Z',
  verified_at: '2026-05-20T10:00:00.000Z',
  checked_at: '2026-11-21T04:17:00.000Z',
  failures: 0,
  next: null,
};

/** Its app links. */
export const APP_LINKS = {
  apple_app_site_association:
    '{"applinks":{"details":[{"appIDs":["ABCDE12345.com.acme.app"],"components":[{"/":"/*"}]}]}}',
  asset_links:
    '[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app",' +
    '"package_name":"com.acme.app","sha256_cert_fingerprints":["14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16"]}}]',
};
