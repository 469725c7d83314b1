import { createHash } from 'node:crypto';
import { APP_LINKS } from '../../scripts/reference/domain-schemas.ts';
import * as example from '../../scripts/reference/examples.ts';
import { hashSecret } from '../../src/secrets/random-secrets.ts';
import { dayNumberOf } from '../../src/time/day.ts';
import type { CarriedDay } from '../statistics/support/carried-days.ts';
import { EXAMPLE_PRESETS } from './example-presets.ts';
import { EXAMPLE_DELIVERIES, EXAMPLE_WEBHOOKS } from './example-webhooks.ts';
import { leastCostHash } from './least-cost.ts';
import { RESOURCES } from './resources.ts';

/** The customer of the API document's examples, as rows, and the secrets of its owner. */
export const PASSWORD = 'correct horse battery';
export const passwordHash = await leastCostHash(PASSWORD);
export const KEY_SECRET = 'Q2wE4rT6yU8iO0pA1sD3fG5hJ7kL9zX2cV4bN6mQ8wE';

export type Row = Readonly<Record<string, string | number | null>>;

const at = (instant: string) => Date.parse(instant);
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

const { CLIENT_ID: client_id, OWNER_ID: user_id, LINK_ID, DELETED_LINK_ID } = example;
const LINK = {
  domain_id: '',
  client_id,
  user_id,
  key_id: example.KEY_ID,
  campaign_name: null,
  metadata: null,
  expires_at: null,
  deleted_at: null,
};

/** The rows of the API document's examples, by table. */
export const ROWS: Readonly<Record<string, readonly Row[]>> = {
  users: [
    { id: user_id, name: 'ann', password_hash: passwordHash, created_at: at('2026-01-05T08:00:00Z') },
    { id: example.MEMBER_ID, name: 'bob', password_hash: 'none', created_at: at('2026-02-10T08:30:00Z') },
  ],
  clients: [{ id: client_id, created_at: at('2026-01-05T08:00:00Z') }],
  members: [
    { user_id, client_id, created_at: at('2026-01-05T08:00:00Z'), role: 'owner' },
    { user_id: example.MEMBER_ID, client_id, created_at: at('2026-02-10T08:30:00Z'), role: 'member' },
  ],
  api_keys: [
    {
      id: example.KEY_ID,
      client_id,
      user_id,
      name: 'build server',
      secret_hash: sha256(KEY_SECRET),
      created_at: at('2026-03-01T12:00:00Z'),
      last_used_at: at('2026-11-20T09:00:00Z'),
    },
  ],
  invites: [
    {
      id: example.INVITE_ID,
      client_id,
      user_id,
      token_hash: hashSecret(example.INVITE_TOKEN),
      role: 'member',
      created_at: at('2026-11-21T09:00:00Z'),
      expires_at: at('2026-11-24T09:00:00Z'),
    },
  ],
  audit_entries: [
    {
      client_id,
      created_at: at('2026-03-01T12:00:00Z'),
      id: '9a0b1c2d3e4f5061',
      action: 'key.created',
      subject_id: example.KEY_ID,
      subject_name: 'build server',
      details: '{"scopes":["links:read","links:write","stats:read"],"expires_at":null}',
      user_id,
      credential_kind: 'access_token',
      credential_id: example.SIGN_IN_ID,
    },
  ],
  token_families: [
    { id: example.SIGN_IN_ID, user_id, started_at: at('2026-11-21T08:00:00Z'), ends_at: at('2026-12-21T08:00:00Z') },
  ],
  refresh_tokens: [{ hash: sha256(example.REFRESH_TOKEN), family_id: example.SIGN_IN_ID, status: 'live' }],
  domains: [
    {
      id: example.DOMAIN_ID,
      client_id,
      host: 'go.acme.example',
      status: 'active',
      created_at: at('2026-05-19T16:20:00Z'),
      token: example.DOMAIN_TOKEN,
      root_url: 'https://acme.example/',
      verified_at: at('2026-05-20T10:00:00Z'),
      checked_at: at('2026-11-21T04:17:00Z'),
    },
  ],
  domain_files: Object.entries(APP_LINKS).map(([name, body]) => ({ domain_id: example.DOMAIN_ID, name, body })),
  links: [
    {
      ...LINK,
      id: LINK_ID,
      slug: 'spring-sale',
      sec_id: example.SEC_ID,
      external_id: example.EXTERNAL_ID,
      url: example.RECORD.url,
      campaign_name: example.CAMPAIGN,
      metadata: example.RECORD.metadata,
      created_at: at(example.RECORD.created_at),
      updated_at: at(example.MANAGED_LINK.updated_at),
      expires_at: at(example.MANAGED_LINK.expires_at),
      revision: 2,
    },
    {
      ...LINK,
      id: DELETED_LINK_ID,
      slug: DELETED_LINK_ID,
      sec_id: 'web',
      url: 'https://example.com/winter',
      created_at: at('2026-11-19T09:00:00Z'),
      updated_at: at('2026-11-20T16:00:00Z'),
      deleted_at: at('2026-11-20T16:00:00Z'),
      revision: 2,
    },
    {
      ...LINK,
      id: example.ROUTED_LINK_ID,
      key_id: null,
      slug: example.ROUTED_LINK_ID,
      sec_id: 'web',
      url: 'https://example.com/',
      rules: JSON.stringify(example.RULES),
      created_at: at('2026-11-18T09:00:00Z'),
      updated_at: at('2026-11-18T09:00:00Z'),
      revision: 1,
    },
  ],
  ...Object.assign({}, ...RESOURCES.map(({ rows }) => rows)),
  webhooks: EXAMPLE_WEBHOOKS,
  ...EXAMPLE_DELIVERIES,
  presets: EXAMPLE_PRESETS,
  link_tags: [{ link_id: LINK_ID, tag_id: example.TAG_ID, created_at: at(example.RECORD.created_at) }],
  addresses: [LINK_ID, 'spring-sale', DELETED_LINK_ID].map((slug) => ({
    domain_id: '',
    folded: slug.toLowerCase(),
    slug,
    link_id: slug === DELETED_LINK_ID ? DELETED_LINK_ID : LINK_ID,
  })),
  link_history: [
    {
      link_id: LINK_ID,
      n: 1,
      at: at(example.RECORD.created_at),
      user_id,
      action: 'created',
      url: 'https://example.com/page',
      changes: '{}',
      edit_id: 'first',
    },
    {
      link_id: LINK_ID,
      n: 2,
      at: at(example.MANAGED_LINK.updated_at),
      user_id,
      action: 'edited',
      url: example.RECORD.url,
      changes: JSON.stringify({
        slug: [LINK_ID, 'spring-sale'],
        url: ['https://example.com/page', example.RECORD.url],
      }),
      edit_id: 'second',
    },
  ],
};

/** The clicks of the examples, as in the object of their client. */
export const CARRIED_DAYS: readonly CarriedDay[] = (
  [{ kind: 'link', name: LINK_ID }, { kind: 'campaign', name: example.CAMPAIGN }, { kind: 'client' }] as const
).map((subject) => {
  const { humans, bots, previews } = example.COUNTS;
  const lastAt = at(example.CLICKS.last_at);
  const hour = [{ value: String(new Date(lastAt).getUTCHours()), humans, bots, previews }];
  return { subject, day: dayNumberOf(example.CLICKED_DAY), humans, bots, previews, lastAt, by: { hour } };
});
