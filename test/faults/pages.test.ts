import { afterEach, beforeEach, expect, it } from 'vitest';
import { breakTogether, eachWithRequest, isRead, UNSEEN } from '../support/each-fault.ts';
import {
  breakD1,
  breakLimiters,
  BY_THE_OBJECT,
  D1_FAULTS,
  LIMITER_FAULTS,
  loseResponses,
  endFaults,
  type Fault,
} from '../support/faults.ts';
import { atExampleTime } from '../support/examples.ts';
import { ASKING_PAGE_NAMES, openPage, PAGE_NAMES, type PageRequest } from '../support/pages.ts';
import { shareOf } from '../support/share.ts';
import { pageHeadersAt, pageHeadersOf } from '../support/platform.ts';
import { RESOURCES } from '../support/resources.ts';
import { contentOfTables } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';

/** The pages and forms of the platform, all of them, on the bad days. */

beforeEach(atExampleTime);
afterEach(endFaults);

const OF_THE_STORE = shareOf(ASKING_PAGE_NAMES);

/** Forms that take or hash passwords, which need a limit. */
const LIMITED = new Set([
  'POST /platform/sign-in',
  'POST /platform/account/password',
  'POST /platform/account/delete',
  'POST /platform/confirm',
  'POST /platform/invite/:token',
  'POST /platform/reset/:token',
  'POST /platform/forgot',
  'POST /platform/shared/:secret',
]);

async function expectOutage(response: Response, name: string, fault: string): Promise<string> {
  const [status, retryAfter] = [response.status, response.headers.get('Retry-After')];
  expect([fault, status, retryAfter]).toEqual([fault, 503, expect.stringMatching(/^[1-9]\d*$/)]);
  // The address of a public page is a secret.
  const ofVisitors = name.includes('/shared/') ? { 'referrer-policy': 'no-referrer' } : {};
  // The forms of a consent and of a provider redirect elsewhere, so that their policies have more addresses, no scripts.
  const ofConsent = /\/oauth\/|\/sso\b|sign-in\/provider/.test(name)
    ? { 'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'/) as string }
    : {};
  expect(pageHeadersOf(response)).toEqual({ ...pageHeadersAt(name.split(' ')[1] ?? ''), ...ofVisitors, ...ofConsent });
  // No user is only half signed in or out.
  expect(response.headers.getSetCookie()).toEqual([]);
  const text = await response.text();
  // A form that can be shown without the store says it at its top, with what was typed.
  expect(text).toMatch(/<h1>The service is temporarily unavailable<\/h1>|<div class="notice danger[^>]* role="alert">/);
  expect(text).not.toMatch(/No changes yet|D1_ERROR/);
  return text;
}

/** Sends the request in each fault of a store without which nothing is done, and once more when they are over. */
async function expectOutages(name: string, faults: readonly Fault[], begin: (fault: Fault) => void): Promise<void> {
  const { send, status } = await openPage(name);
  for (const fault of faults) {
    begin(fault);
    await expectOutage(await send(), name, fault.name);
    endFaults();
    atExampleTime();
  }
  expect((await send()).status).toBe(status);
}

it.each(OF_THE_STORE)('every fault of D1 lets %s be a page that says so, and work again afterwards', async (name) => {
  await expectOutages(name, D1_FAULTS, breakD1);
});

it.each(D1_FAULTS)('a D1 that $name leaves the form to sign in without a cookie', async (fault) => {
  breakD1(fault);
  expect((await openIsolate()('/platform/sign-in')).status).toBe(200);
});

/** The status of a request that is sent again though it was done: there is nothing left to do it to, or with. */
const DONE_ALREADY: Readonly<Record<string, number>> = {
  'POST /platform/c/:client/settings/delete': 410,
  'POST /platform/c/:client/restore': 404,
  'POST /platform/account/passwords/new': 200,
  'POST /platform/c/:client/keys/new': 200,
  'POST /platform/c/:client/webhooks/new': 200,
  'POST /platform/c/:client/webhooks/:id/delete': 404,
  'POST /platform/c/:client/members/invite': 200,
  'POST /platform/c/:client/domains/new': 409,
  'POST /platform/c/:client/domains/:id/remove': 404,
  'POST /platform/c/:client/members/:id/remove': 404,
  'POST /platform/c/:client/members/invites/:id/revoke': 404,
  'POST /platform/c/:client/links/:id/aliases/:alias/remove': 404,
  'POST /platform/c/:client/links/:id/edit': 412,
  'POST /platform/c/:client/links/:id/share/revoke': 404,
  'POST /platform/c/:client/campaigns/:name/share/revoke': 404,
  'POST /platform/c/:client/share/revoke': 404,
  'POST /platform/c/:client/campaigns/:name/rename': 404,
  'POST /platform/c/:client/links/views/new': 409,
  'POST /platform/c/:client/links/views/:id/delete': 404,
  'POST /platform/c/:client/links/utm-templates/new': 409,
  'POST /platform/c/:client/links/utm-templates/:id/delete': 404,
  'POST /platform/invite/:token': 410,
  'POST /platform/reset/:token': 410,
  'POST /platform/account/mail/confirm/:token': 410,
  ...Object.assign({}, ...RESOURCES.map(({ repeated }) => repeated)),
};

/**
 * The first round trip whose failure is not the visitor's: what was asked for is done, and the rest of the service
 * works.
 */
const DONE_BEFORE: Readonly<Record<string, number>> = {
  'POST /platform/invite/:token': 3,
  'POST /platform/c/:client/settings/delete': 3,
  'POST /platform/c/:client/restore': 4,
  'POST /platform/c/:client/links/new': 3,
  // It is shown without its clicks.
  'GET /platform/c/:client/domains/:id': 5,
};

it.each(OF_THE_STORE)(
  '%s says that the write may have been done in all cases in which it is, if D1 fails after any of its queries',
  async (name) => {
    let opened: PageRequest | undefined;
    for (let trip = 1; ; trip++) {
      opened = isRead(name) ? (opened ?? (await openPage(name))) : await openPage(name);
      const { send, status } = opened;
      const before = await contentOfTables();
      const trips = loseResponses(D1_FAULTS[0]!, trip);
      const response = await send();
      if (trips() < trip || trip === DONE_BEFORE[name])
        return expect([trip > 1, response.status]).toEqual([true, status]);
      const text = await expectOutage(response, name, `fails after trip ${trip}`);
      endFaults();
      const isDone = JSON.stringify(await contentOfTables()) !== JSON.stringify(before);
      const mayBeDone = text.includes('Check in a few seconds, and repeat it only if it was not.');
      expect([mayBeDone, text.includes('The database is temporarily unavailable.')]).toEqual([mayBeDone, !mayBeDone]);
      if (isDone || isRead(name)) expect([name, mayBeDone]).toEqual([name, isDone]);
      atExampleTime();
      expect((await send()).status).toBe(isDone ? (DONE_ALREADY[name] ?? status) : status);
    }
  },
);

it('a user who has joined and cannot be signed in without D1 is sent to the sign-in', async () => {
  const { send } = await openPage('POST /platform/invite/:token');
  loseResponses(D1_FAULTS[0]!, 3);
  const response = await send();
  expect([response.status, response.headers.get('Location')]).toEqual([303, '/platform/sign-in']);
  expect(response.headers.getSetCookie().filter((cookie) => cookie.startsWith('__Host-terse='))).toEqual([]);
});

/** The stores whose faults a page shows. */
const shownBy = (name: string) =>
  new Set([
    ...(LIMITED.has(name) ? (['limiters'] as const) : []),
    // A page says that it has no clicks, and a form works without them.
    ...(isRead(name) || BY_THE_OBJECT.has(name) ? (['objects'] as const) : []),
  ]);

it.each(shareOf(PAGE_NAMES))(
  'every fault of a store leaves the page of %s as it is, if it needs none of it',
  async (name) => {
    for await (const [faults, { send, status }] of eachWithRequest(UNSEEN, name, () => openPage(name))) {
      breakTogether(faults, shownBy(name));
      expect([faults, (await send()).status]).toEqual([faults, status]);
    }
  },
);

it.each([...LIMITED])('every fault of a rate limiter lets %s be a page that says so, and work again', async (name) => {
  await expectOutages(name, LIMITER_FAULTS, breakLimiters);
});
