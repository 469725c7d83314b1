import * as z from 'zod';
import { CLIENT_ID, DOMAIN_ID, DOMAIN_TOKEN } from './examples.ts';
import { instant, ownClientId, whole } from './link-schemas.ts';
import { output } from './schema.ts';

const dnsRecord = output('DnsRecord', () =>
  z.strictObject({
    name: z.string().meta({ description: 'The name that the record is set for' }),
    value: z.string().meta({ description: 'What the record says' }),
  }),
);
const dnsRecords = output('DomainDns', () =>
  z.strictObject({
    txt: dnsRecord().meta({ description: 'The TXT record that proves who the domain belongs to' }),
    cname: dnsRecord().meta({ description: 'The CNAME record that leads visitors here' }),
  }),
);
const domainChecks = output('DomainChecks', () =>
  z.strictObject({
    dns: z
      .enum(['ok', 'other_value', 'no_record', 'no_such_name', 'server_failure'])
      .meta({ description: 'What DNS answered for the TXT record' }),
    http: z
      .enum(['ok', 'unreachable', 'redirected', 'other_service'])
      .meta({ description: 'What answered at the host itself' }),
  }),
);
const fields = () => ({
  id: z.string().meta({ description: 'The id of the domain' }),
  client_id: ownClientId(),
  host: z.string().meta({ description: 'The host name of the domain, in lower case and punycode' }),
  status: z
    .enum(['pending', 'active', 'lost'])
    .meta({ description: 'active: it takes links; lost: its proof is gone, and it serves the links that it has' }),
  root_url: z.string().nullable().meta({ description: 'Where its root leads; null for a 404 page' }),
  not_found_url: z.string().nullable().meta({ description: 'Where an unknown slug leads; null for a 404 page' }),
  case_sensitive: z.boolean().meta({ description: 'Whether its slugs may differ in capital letters alone' }),
  dns: dnsRecords().meta({ description: 'What is to be set in DNS' }),
  created_at: instant('When the domain was added'),
  verified_at: instant('When the domain was proved first; null before').nullable(),
  checked_at: instant('When the domain was last looked at; null before').nullable(),
  failures: whole('Daily checks in a row that found no proof'),
  next: z.string().nullable().meta({ description: 'What there is to do, in words; null where there is nothing' }),
});
export const domain = output('Domain', () => z.strictObject(fields()));
export const verifiedDomain = output('VerifiedDomain', () =>
  z.strictObject({
    ...fields(),
    checks: domainChecks().meta({ description: 'What was found just now' }),
  }),
);

/** The domain that examples show. */
export const DOMAIN = {
  id: DOMAIN_ID,
  client_id: CLIENT_ID,
  host: 'go.acme.example',
  status: 'active',
  root_url: 'https://acme.example/',
  not_found_url: null,
  case_sensitive: false,
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
