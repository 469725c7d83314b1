import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  breakD1,
  breakKv,
  breakLimiters,
  D1_FAULTS,
  KV_FAULTS,
  LIMITER_FAULTS,
  loseResponses,
  endFaults,
} from '../support/faults.ts';
import { atExampleTime } from '../support/examples.ts';
import { openPage, PAGE_NAMES } from '../support/pages.ts';
import { PAGE_HEADERS, pageHeadersOf } from '../support/platform.ts';
import { RESOURCES } from '../support/resources.ts';
import { contentOfTables } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';

/** The pages and forms of the platform, all of them, on the bad days. */

beforeEach(atExampleTime);
afterEach(endFaults);

/** Forms that take or hash passwords, which need a limit. */
const LIMITED = new Set([
  'POST /platform/sign-in',
  'POST /platform/account/password',
  'POST /platform/account/delete',
  'POST /platform/invite/:token',
  'POST /platform/reset/:token',
  'POST /platform/shared/:secret',
]);

async function expectOutage(response: Response, name: string): Promise<string> {
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)]);
  // The address of a public page is a secret.
  const ofVisitors = name.includes('/shared/') ? { 'referrer-policy': 'no-referrer' } : {};
  expect(pageHeadersOf(response)).toEqual({ ...PAGE_HEADERS, ...ofVisitors });
  // No user is only half signed in or out.
  expect(response.headers.getSetCookie()).toEqual([]);
  const text = await response.text();
  // A form that can be shown without the store says it at its top, with what was typed.
  expect(text).toMatch(/<h1>The service is temporarily unavailable<\/h1>|<div class="notice danger[^>]* role="alert">/);
  expect(text).not.toMatch(/No changes yet|D1_ERROR/);
  return text;
}

describe.each(D1_FAULTS)('a D1 that $name', (fault) => {
  it.each(PAGE_NAMES)('a fault of D1 lets %s be a page that says so, and work again afterwards', async (name) => {
    const { send, status } = await openPage(name);
    breakD1(fault);
    const response = await send();
    await expectOutage(response, name);
    endFaults();
    atExampleTime();
    expect((await send()).status).toBe(status);
  });

  it('a fault of D1 leaves the form to sign in without a cookie', async () => {
    breakD1(fault);
    expect((await openIsolate()('/platform/sign-in')).status).toBe(200);
  });
});

/** The status of a request that is sent again though it was done: there is nothing left to do it to, or with. */
const DONE_ALREADY: Readonly<Record<string, number>> = {
  'POST /platform/c/:client/settings/delete': 410,
  'POST /platform/c/:client/restore': 404,
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
  'POST /platform/c/:client/campaigns/:name/rename': 404,
  'POST /platform/c/:client/links/views/new': 409,
  'POST /platform/c/:client/links/views/:id/delete': 404,
  'POST /platform/c/:client/links/utm-templates/new': 409,
  'POST /platform/c/:client/links/utm-templates/:id/delete': 404,
  'POST /platform/invite/:token': 410,
  'POST /platform/reset/:token': 410,
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
  'GET /platform/c/:client/domains/:id': 4,
};

it.each(PAGE_NAMES)(
  '%s says that the write may have been done in all cases in which it is, if D1 fails after any of its queries',
  async (name) => {
    for (let trip = 1; ; trip++) {
      const { send, status } = await openPage(name);
      const before = await contentOfTables();
      const trips = loseResponses(D1_FAULTS[0]!, trip);
      const response = await send();
      if (trips() < trip || trip === DONE_BEFORE[name])
        return expect([trip > 1, response.status]).toEqual([true, status]);
      const text = await expectOutage(response, name);
      endFaults();
      const isDone = JSON.stringify(await contentOfTables()) !== JSON.stringify(before);
      const mayBeDone = text.includes('Check in a few seconds, and repeat it only if it was not.');
      expect([mayBeDone, text.includes('The database is temporarily unavailable.')]).toEqual([mayBeDone, !mayBeDone]);
      if (isDone || name.startsWith('GET ')) expect([name, mayBeDone]).toEqual([name, isDone]);
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

describe.each(KV_FAULTS)('a KV that $name', (fault) => {
  it.each(PAGE_NAMES)('a fault of KV leaves the page of %s as it is', async (name) => {
    const { send, status } = await openPage(name);
    breakKv(fault);
    expect((await send()).status).toBe(status);
  });
});

describe.each(LIMITER_FAULTS)('a rate limiter that $name', (fault) => {
  it.each(PAGE_NAMES)('a fault of a rate limiter leaves the page of %s as it is, but for passwords', async (name) => {
    const { send, status } = await openPage(name);
    breakLimiters(fault);
    const response = await send();
    if (!LIMITED.has(name)) return expect(response.status).toBe(status);
    await expectOutage(response, name);
    endFaults();
    atExampleTime();
    expect((await send()).status).toBe(status);
  });
});
