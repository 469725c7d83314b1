import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OPERATIONS } from '../support/documented.ts';
import { seedExamples } from '../support/example-world.ts';
import { atExampleTime, sendExample } from '../support/examples.ts';
import { expectFailure } from '../support/forms.ts';
import { contentOfTables } from '../support/seed.ts';

beforeEach(atExampleTime);
afterEach(() => {
  vi.useRealTimers();
});

/** Requests that may be repeated: they create nothing, and do the same again or are refused. */
const REPEATABLE = new Set([
  'refreshToken',
  'revokeToken',
  'restoreLink',
  'restoreLinkTarget',
  'resolveVisit',
  'lookUpDestination',
  'verifyDomain',
]);

/** Why an operation refuses the header. */
const WHY: Readonly<Record<string, RegExp>> = {
  createKey: /contains a secret, so it is not stored/,
  rollKey: /contains a secret, so it is not stored/,
  createWebhook: /contains a secret, so it is not stored/,
  rollWebhook: /contains a secret, so it is not stored/,
  redeliver: /has the same id/,
  redeliverFailed: /has the same id/,
  testWebhook: /each request sends another event/,
  createInvite: /contains a secret, so it is not stored/,
  acceptInvite: /accepted only once/,
  addDomain: /can be added once/,
  createTag: /exists once/,
  importLinks: /creates only the missing links/,
};

/** The operations by POST that do not support the header. */
const REFUSING = OPERATIONS.filter(
  ({ method, operation: { operationId, parameters = [] } }) =>
    method === 'POST' && !REPEATABLE.has(operationId) && !parameters.some(({ name }) => name === 'Idempotency-Key'),
);

it.each(REFUSING.map((documented) => [documented.name, documented] as const))(
  '%s refuses an Idempotency-Key, says why, and creates nothing',
  async (_name, documented) => {
    const { bearer } = await seedExamples();
    const before = await contentOfTables();
    const response = await sendExample(documented, { headers: { ...bearer, 'Idempotency-Key': 'k' } });
    const why = WHY[documented.operation.operationId] ?? /Leave the header out/;
    await expectFailure(response, 400, expect.stringMatching(new RegExp(`^invalid_idempotency_key: .*${why.source}`)));
    expect(await contentOfTables()).toEqual(before);
  },
);
