import { randomBytes } from 'node:crypto';
import { addMember, createKey } from '../../../src/accounts/operator.ts';
import { generateApiKey } from '../../../src/accounts/keys/api-key.ts';
import { make, seedClicks } from './links.ts';
import { onDatabase, seedAccount, type Account } from './seed.ts';

/** A workspace with what is difficult to show: long and wide texts, other scripts, many things, large numbers. */

/** So many further links, all of one kind: each check of the list takes as long as it has rows. */
const ROWS = 6;
const CLICKS = 10;
const DAY_MS = 24 * 3600 * 1000;
const unique = () => randomBytes(4).toString('hex');

const LONG_PATH = 'a-rather-long-path/'.repeat(100);
const LONG_URL = `https://shop.example/${LONG_PATH}`.slice(0, 2000);
const WORD = 'Donaudampfschifffahrtsgesellschaftskapitän';
const HEBREW = 'מבצע אביב ארוך מאוד עם שם שלא נגמר';
const LONG_TAG = `${WORD}-${'x'.repeat(7)}`;
const CAMPAIGN = `${WORD} ${HEBREW} ${'y'.repeat(50)}`;

const RULES = [
  { name: `${WORD} phone`, if: [{ type: 'device', in: ['mobile', 'tablet'] }], url: LONG_URL },
  {
    name: HEBREW,
    if: [
      { type: 'hours', days: ['mon', 'fri'], from: '09:00', until: '17:00', tz: 'America/Argentina/ComodRivadavia' },
      { type: 'query', name: 'ref', in: ['a', 'b, c', 'x'.repeat(60)], not: true },
      { type: 'date', from: '2027-01-01T00:00:00Z', until: '2027-02-01T00:00:00Z' },
    ],
    url: 'https://münchen.example/straße',
  },
  { name: 'C', if: [{ type: 'country', in: ['DE', 'AT', 'CH', 'LI', 'LU', 'BE'] }], url: 'https://example.com/c' },
];
const VARIANTS = [
  { name: 'A', url: 'https://example.com/a', weight: 1 },
  { name: `${HEBREW} 2`, url: LONG_URL, weight: 99 },
  { name: 'z'.repeat(50), url: 'https://xn--mnchen-3ya.example/', weight: 100 },
];

interface Difficult {
  /** The id of the link that has most: rules, variants, tags, limits, texts. */
  readonly full: string;
  /** The ids of links that each are difficult in one way. */
  readonly others: readonly string[];
}

/** Adds it to the workspace of an account. */
export async function seedDifficult(account: Account): Promise<Difficult> {
  const host = await seedDomains(account);
  for (let row = 0; row < ROWS; row++) await make(account, { url: `https://example.com/${row}`, title: `Row ${row}` });
  const end = account.clientId.slice(-8);
  const others = [
    await make(account, { title: 'm'.repeat(200), url: LONG_URL, slug: `s${'o'.repeat(50)}-${end}` }),
    await make(account, {
      title: HEBREW,
      campaign_name: HEBREW,
      tags: ['עברית', LONG_TAG],
      comments: HEBREW.repeat(9),
    }),
    await make(account, {
      custom_domain: host,
      slug: `straße-${'ü'.repeat(40)}`,
      url: 'https://münchen.example/straße',
    }),
    await make(account, { comments: `${'c'.repeat(300)}\n${'Words\n'.repeat(20)}`, external_id: 'o'.repeat(60) }),
    await make(account, { expires_at: '2099-01-01T00:00:00Z', tags: ['one', 'two', 'three', 'four', 'five', 'six'] }),
  ];
  const full = await make(account, {
    url: LONG_URL,
    title: `${WORD} ${HEBREW}`,
    campaign_name: CAMPAIGN,
    tags: [LONG_TAG, 'print', 'Zürich', 'עברית', 'four', 'five', 'a-tag-of-some-length'],
    comments: `First line.\n\n${WORD.repeat(5)}`,
    rules: RULES,
    variants: VARIANTS,
    custom_domain: host,
    slug: 'r'.repeat(50),
    forward_path: true,
    starts_at: '2099-01-01T00:00:00Z',
    expires_at: '2100-01-01T00:00:00Z',
    max_clicks: 1_000_000_000,
    password: 'open sesame',
    redirect_status: 301,
    metadata: { key: 'v'.repeat(200) },
    external_id: 'order-1138',
    expired_url: LONG_URL,
    preview: {
      title: WORD,
      description: 'All of it. '.repeat(15),
      image: `https://example.com/${'i'.repeat(150)}.png`,
    },
  });
  seedClicks(account, [full, ...others], 60, CLICKS);
  await seedPeople(account);
  await seedSettings(account);
  return { full, others };
}

/** An active domain with a long name in another script, and one of each other state. Gives the active one's host. */
async function seedDomains({ clientId }: Account): Promise<string> {
  const { hostname } = new URL(`https://go.${'donaudampfschifffahrt'.repeat(2)}.münchen-${unique()}.example`);
  const hosts = [
    [hostname, 'active', Date.now()],
    [`lost-${unique()}.example`, 'lost', 1_700_000_000_000],
    [`${'x'.repeat(60)}.${'y'.repeat(60)}.${unique()}.example`, 'pending', null],
  ] as const;
  await onDatabase((db) =>
    db.batch(
      hosts.map(([host, status, at]) => ({
        sql: `INSERT INTO domains (client_id, host, status, token, root_url, verified_at, checked_at)
              VALUES (?1, ?2, ?3, 'token', ?4, ?5, ?5)`,
        params: [clientId, host, status, LONG_URL, at],
      })),
    ),
  );
  return hostname;
}

async function seedPeople({ clientId }: Account): Promise<void> {
  const [member, owner] = [await seedAccount(), await seedAccount()];
  await onDatabase(async (db) => {
    await addMember(db, member.userName, clientId, 'member');
    await addMember(db, owner.userName, clientId);
    await db.batch([
      {
        sql: 'UPDATE users SET name = ?2 WHERE name = ?1',
        params: [member.userName, `${'long name '.repeat(5)}${unique()}${'x'.repeat(60)}`.slice(0, 128)],
      },
      {
        sql: 'UPDATE clients SET name = ?2 WHERE id = ?1',
        params: [clientId, `${WORD} ${HEBREW}`],
      },
    ]);
    await createKey(db, clientId, `${WORD} ${'k'.repeat(60)}`, 30 * DAY_MS, generateApiKey());
  });
}

/** A webhook with a delivery that has failed, a view and a UTM template, with long names. */
async function seedSettings({ clientId }: Account): Promise<void> {
  const [event, webhook, now] = [`evt_${unique()}`, unique(), Date.now()];
  const events = ['link.created', 'link.updated', 'link.deleted'];
  const preset = (kind: string, name: string, content: string) => ({
    sql: `INSERT INTO presets (client_id, kind, name, folded, content, created_at) VALUES (?1, ?2, ?3, lower(?3), ?4, ?5)`,
    params: [clientId, kind, name, content, now],
  });
  await onDatabase((db) =>
    db.batch([
      preset('view', `${WORD} ${HEBREW}`, 'sort=clicks&tag=print'),
      preset('utm', `${WORD} ${'u'.repeat(60)}`, `utm_campaign=${'c'.repeat(100)}&utm_source=newsletter`),
      {
        sql: `INSERT INTO webhooks (id, client_id, url, description, events, secret, created_at, updated_at, failing_since)
              VALUES (?1, ?2, ?3, ?4, ?5, '', ?6, ?6, ?6)`,
        params: [webhook, clientId, `https://hooks.example/${LONG_PATH}`, WORD.repeat(4), JSON.stringify(events), now],
      },
      {
        sql: `INSERT INTO events (id, client_id, type, happened_at, data, dispatched_at)
              VALUES (?1, ?2, 'link.created', ?3, ?4, ?3)`,
        params: [event, clientId, now, JSON.stringify({ url: LONG_URL })],
      },
      {
        sql: 'INSERT INTO deliveries (webhook_id, event_id, created_at, tries) VALUES (?1, ?2, ?3, 1)',
        params: [webhook, event, now],
      },
      {
        sql: `INSERT INTO delivery_tries (webhook_id, event_id, number, tried_at, ms, status, answer)
              VALUES (?1, ?2, 1, ?3, 15000, 500, ?4)`,
        params: [webhook, event, now, 'e'.repeat(1000)],
      },
    ]),
  );
}
