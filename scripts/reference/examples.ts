import { MANAGED_ONLY } from '../../src/links/record.ts';

/** The customer of all examples: what one example creates exists in the others. */

export const ORIGIN = 'https://terse.example';
export const CLIENT_ID = 'acme';
export const LINK_ID = 'kQ7WRn9d';
export const DELETED_LINK_ID = 'mH8JpT6w';
export const ROUTED_LINK_ID = 'dF3vXs8n';
export const SEC_ID = 'print-2026';
export const EXTERNAL_ID = 'product-4711';
export const TAG_ID = '0cc175b9c0f1b6a8';
export const TAG = 'Summer';
export const WEBHOOK_ID = '92eb5ffee6ae2fec';
export const EVENT_ID = 'evt_4a8a08f09d37b73795649038408b5f33';
export const CAMPAIGN = 'Spring 2026';
export const DOMAIN_ID = '5d41402abc4b2a76';
export const KEY_ID = 'h4Tq8ZrW2mKx';
export const INVITE_ID = 'v5NcYb7LsE2q';
export const INVITE_TOKEN = 'Xk3vQ9bT6mZr1WcY8nLd5HpJ2sGf7aRtE4uKo0iBqVx';
export const OWNER_ID = '3f6c1f0e-52a4-4f0b-9d0e-6a1f2b7c8d90';
export const MEMBER_ID = 'b7e2a9c4-1d3f-4a68-8c5b-0f9e7d6c5b4a';
export const SIGN_IN_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
export const REFRESH_TOKEN = 'V1StGXR8_Z5jdHi6B-myT9qLw3KcNf7PoaEuYx2RbDs';
export const DOMAIN_TOKEN = '9e107d9d372bb6826bd81d3542a419d6';
export const NONCE = 'q83vEjRWeJCrze8SNFZ4kA';

/** The time in all examples. */
export const NOW = '2026-11-21T10:00:00.000Z';

/** Clicks of the day before. */
export const COUNTS = { total: 4, humans: 3, bots: 1, previews: 0 };
export const NO_COUNTS = { total: 0, humans: 0, bots: 0, previews: 0 };
export const CLICKED_DAY = '2026-11-20';
export const TODAY = '2026-11-21';

const DAY_MS = 24 * 3600 * 1000;
const lastDays = Array.from({ length: 30 }, (_, index) =>
  new Date(Date.parse(NOW) - (29 - index) * DAY_MS).toISOString().slice(0, 10),
);

export const CLICKS = {
  ...COUNTS,
  visitors_today: 0,
  last_at: '2026-11-20T18:42:00.000Z',
  by_day: lastDays.map((day) => ({ day, ...(day === CLICKED_DAY ? COUNTS : NO_COUNTS) })),
};

/** The link in the examples of creating. */
export const NEW_LINK = {
  url: 'https://example.com/page',
  client_id: CLIENT_ID,
  campaign_name: CAMPAIGN,
  metadata: '{"team":"web"}',
  sec_id: SEC_ID,
};

export const NEW_RECORD = {
  id: 'bR6wGt9K',
  short_url: `${ORIGIN}/bR6wGt9K`,
  url: 'https://example.com/page',
  client_id: CLIENT_ID,
  sec_id: SEC_ID,
  campaign_name: CAMPAIGN,
  custom_domain: null,
  metadata: '{"team":"web"}',
  created_at: NOW,
};

export const RECORD = {
  id: LINK_ID,
  short_url: `${ORIGIN}/spring-sale`,
  url: 'https://example.com/sale',
  client_id: CLIENT_ID,
  sec_id: SEC_ID,
  campaign_name: CAMPAIGN,
  custom_domain: null,
  metadata: '{"team":"web"}',
  created_at: '2026-11-20T09:00:00.000Z',
};

/** The fields of a managed link that the links of the examples do not have. */
export const UNSET_FIELDS = {
  ...Object.fromEntries(MANAGED_ONLY.map((name) => [name, name === 'tags' ? [] : null])),
  has_password: false,
};

/** The fields of a managed link that was just created, besides its slug and the fields that were sent. */
export const NEW_STATE = {
  aliases: [],
  ...UNSET_FIELDS,
  disabled: false,
  state: 'active',
  waits_for: null,
  unhealthy: null,
  updated_at: NOW,
};

export const MANAGED_LINK = {
  ...RECORD,
  slug: 'spring-sale',
  aliases: [LINK_ID],
  ...UNSET_FIELDS,
  external_id: EXTERNAL_ID,
  tags: [TAG],
  expires_at: '2027-06-30T22:00:00.000Z',
  disabled: false,
  state: 'active',
  waits_for: null,
  unhealthy: null,
  updated_at: '2026-11-20T15:30:00.000Z',
};

export const RESTORED_LINK = {
  ...RECORD,
  id: DELETED_LINK_ID,
  short_url: `${ORIGIN}/${DELETED_LINK_ID}`,
  url: 'https://example.com/winter',
  sec_id: 'web',
  campaign_name: null,
  metadata: null,
  created_at: '2026-11-19T09:00:00.000Z',
  slug: DELETED_LINK_ID,
  ...NEW_STATE,
};

/** The rules of the link that leads visitors to several destinations. */
export const RULES = [
  {
    name: 'German',
    if: [
      { type: 'language', in: ['de'] },
      { type: 'country', in: ['CH'], not: true },
    ],
    url: 'https://example.com/de',
  },
];
