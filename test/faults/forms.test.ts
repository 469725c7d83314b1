import { afterEach, beforeEach, expect, it } from 'vitest';
import * as example from '../../scripts/reference/examples.ts';
import { newNonce } from '../../src/secrets/random-secrets.ts';
import { atExampleTime } from '../support/examples.ts';
import { D1_FAULTS, D1_REFUSALS, endFaults, loseResponses, refuseD1Writes } from '../support/faults.ts';
import { pageFieldsOf } from '../support/page-fields.ts';
import { openPages } from '../support/pages.ts';
import { contentOfTables } from '../support/seed.ts';

/** The forms of members, keys, webhooks and domains in an outage of D1 that begins after the session has been read. */

beforeEach(atExampleTime);
afterEach(endFaults);

const CLIENT = '/platform/c/:client';
const SECRET = /tk_\w{12}_\w{43}|whsec_[\w+/=]{8}|\/platform\/invite\/[\w-]{20}/;

// An address needs no question to DNS.
const WEBHOOK = {
  url: 'https://8.8.8.8/hooks',
  description: 'Kept & typed',
  events: 'link.clicked',
  // Refused, if the stores respond.
  tag: 'a-tag-that-was-chosen',
  campaign_name: 'Kept & typed',
};
const URLS = { root_url: 'https://acme.example/kept', not_found_url: '' };
const KEY = { name: 'Kept & typed', scopes: 'stats:read', expires_at: '2099-01-01T00:00' };

/** What is typed into each form. */
const FORMS: readonly (readonly [name: string, typed: Readonly<Record<string, string>>])[] = [
  [`POST ${CLIENT}/members/invite`, { role: 'owner' }],
  [`POST ${CLIENT}/members/:id`, { role: 'owner' }],
  [`POST ${CLIENT}/keys/new`, KEY],
  [`POST ${CLIENT}/keys/:id`, { name: 'Kept & typed' }],
  [`POST ${CLIENT}/webhooks/new`, WEBHOOK],
  [`POST ${CLIENT}/webhooks/:id`, WEBHOOK],
  [`POST ${CLIENT}/domains/new`, { host: 'kept.acme.example', ...URLS, case_sensitive: 'on' }],
  [`POST ${CLIENT}/domains/:id`, URLS],
  [`POST ${CLIENT}/domains/:id/slugs`, { slug_length: '9' }],
  [`POST ${CLIENT}/domains/:id/app-links`, { apple_app_site_association: '{"applinks":{}}', asset_links: '' }],
];

const hasNonce = (name: string) => /(?:keys|webhooks)\/new$|invite$/.test(name);

/** Creates the data of the examples anew, and returns what sends a form. */
async function openForm(name: string, typed: Readonly<Record<string, string>>): Promise<() => Promise<Response>> {
  const { requestOf, open } = await openPages();
  const fields = { ...typed, ...(hasNonce(name) && { nonce: newNonce() }), typed_by: example.OWNER_ID };
  return () => open(requestOf(name).path, { method: 'POST', body: new URLSearchParams(fields) });
}

/** The form is there with what was typed, below a sentence about the outage, and no secret is. */
async function expectShownAgain(response: Response, typed: Readonly<Record<string, string>>, at: object) {
  const page = await response.text();
  const [, sentence = ''] = /<div class="notice danger[^>]* role="alert">(?:<p>)?([^<]+)/.exec(page) ?? [];
  expect({ ...at, status: response.status, retry: response.headers.get('Retry-After') }).toEqual({
    ...at,
    status: 503,
    retry: expect.stringMatching(/^[1-9]\d*$/),
  });
  expect({ ...at, sentence }).toEqual({ ...at, sentence: expect.stringContaining('database') });
  expect({ ...at, ...pageFieldsOf(page) }).toMatchObject({ ...at, ...typed });
  expect(page).not.toMatch(SECRET);
}

it.each(FORMS)('%s is shown again with what was typed, whichever query of D1 fails first', async (name, typed) => {
  // The first one reads the session, without which no page of a workspace is shown.
  for (let trip = 2; ; trip++) {
    const send = await openForm(name, typed);
    const trips = loseResponses(D1_FAULTS[0]!, trip);
    const response = await send();
    if (trips() < trip) return expect([name, trip > 2]).toEqual([name, true]);
    await expectShownAgain(response, typed, { name, trip });
    endFaults();
    atExampleTime();
  }
});

it.each(FORMS)(
  '%s is shown again with what was typed while D1 takes no writes, and changes nothing',
  async (name, typed) => {
    const send = await openForm(name, typed);
    const before = await contentOfTables();
    refuseD1Writes(D1_REFUSALS[0]!);
    await expectShownAgain(await send(), typed, { name });
    expect(await contentOfTables()).toEqual(before);
  },
);
