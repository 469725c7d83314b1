import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectAsDocumented, OPERATIONS, type Documented } from '../support/documented.ts';
import { breakTogether, eachWithRequest, isRead, UNSEEN } from '../support/each-fault.ts';
import { expectUsual, openExample } from '../support/example-operations.ts';
import { atExampleTime } from '../support/examples.ts';
import { RESOURCES } from '../support/resources.ts';
import { contentOfTables } from '../support/seed.ts';
import { shareOf } from '../support/share.ts';
import {
  breakD1,
  breakLimiters,
  breakObjects,
  D1_FAULTS,
  LIMITER_FAULTS,
  loseResponses,
  endFaults,
  OBJECT_FAULTS,
} from '../support/faults.ts';

/** Every operation of the API document, documents and redirects among them, with each fault of each store. */

beforeEach(atExampleTime);
afterEach(endFaults);

const ALL = OPERATIONS.map((documented) => [documented.name, documented] as const);
const EVERY = shareOf(ALL);

/** Operations that read no store. */
const STORELESS = new Set([
  'getTokenInfo',
  'getPublicKeys',
  'getOpenApi',
  'getChangelog',
  'getChangelogFeed',
  'getHealth',
  'getRobots',
  'proveHost',
]);

/** Operations with passwords, which must not be guessed without a limit. */
const LIMITED = new Set(['createToken', 'acceptInvite']);

it.each(EVERY)(
  'every fault of D1 lets %s say when to try again, and work again afterwards',
  async (_name, documented) => {
    const send = await openExample(documented);
    for (const fault of D1_FAULTS) {
      breakD1(fault);
      const response = await send();
      if (STORELESS.has(documented.operation.operationId)) await expectUsual(documented, response);
      else await expectOutage(documented, response);
      endFaults();
      atExampleTime();
    }
    await expectUsual(documented, await send());
  },
);

async function expectOutage(documented: Documented, response: Response): Promise<void> {
  await expectAsDocumented(documented, response);
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
  const { result, error } = await response.json<{ result: string; error: string }>();
  expect(result).toBe('Failed');
  expect(error).toMatch(
    /^store_unavailable: The database (is temporarily unavailable|did not confirm whether this was saved)\. /,
  );
}

/** The status of a request that is sent again though it was done: there is nothing left to do it to, or with. */
const DONE_ALREADY: Readonly<Record<string, number>> = {
  'DELETE /v1/domains/{id}': 404,
  'DELETE /v1/invites/{id}': 404,
  'DELETE /v1/members/{local_id}': 404,
  'DELETE /v1/webhooks/{id}': 404,
  'PATCH /v1/campaigns/{name}': 404,
  'PATCH /v1/links/{id}': 412,
  'POST /v1/domains': 409,
  'POST /v1/invites/accept': 410,
  ...Object.assign({}, ...RESOURCES.map(({ repeated }) => repeated)),
};

it.each(EVERY)(
  '%s says that the write may have been done in all cases in which it is, if D1 fails after any of its queries',
  async (name, documented) => {
    const readsNothing = STORELESS.has(documented.operation.operationId);
    let send: Awaited<ReturnType<typeof openExample>> | undefined;
    for (let trip = 1; ; trip++) {
      send = isRead(name) ? (send ?? (await openExample(documented))) : await openExample(documented);
      const before = await contentOfTables();
      const trips = loseResponses(D1_FAULTS[0]!, trip);
      const response = await send();
      // The visitor does not see errors of what a redirect asks after its response.
      const isAfterwards = name === 'GET /{slug}' && trip > 1;
      if (trips() < trip || isAfterwards) {
        expect(trip).toBeGreaterThan(readsNothing ? 0 : 1);
        return expectUsual(documented, response);
      }
      await expectAsDocumented(documented, response);
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
      const { error } = await response.json<{ error: string }>();
      endFaults();
      if (error.includes('is temporarily unavailable')) expect(await contentOfTables()).toEqual(before);
      else expect(error).toContain('did not confirm whether this was saved');
      atExampleTime();
      const usual = Number(Object.keys(documented.operation.responses)[0]);
      const isDone = JSON.stringify(await contentOfTables()) !== JSON.stringify(before);
      expect((await send()).status).toBe(isDone ? (DONE_ALREADY[name] ?? usual) : usual);
    }
  },
);

/** Operations that return clicks. */
const OF_STATISTICS = new Set([
  'getLinkInfo',
  'getLink',
  'getLinkByExternalId',
  'getLinkStats',
  'getLinkStatsCsv',
  'getClientStatsCsv',
  'getCampaignStats',
  'getClientStats',
  'streamClicks',
  'renameCampaign',
]);

/** The stores whose faults an operation shows. */
const shownBy = ({ operation: { operationId } }: Documented) =>
  new Set([
    ...(LIMITED.has(operationId) ? (['limiters'] as const) : []),
    ...(OF_STATISTICS.has(operationId) ? (['objects'] as const) : []),
  ]);

it.each(EVERY)(
  'every fault of a store leaves the response of %s as it is, if it needs none of it',
  async (name, documented) => {
    for await (const [faults, send] of eachWithRequest(UNSEEN, name, () => openExample(documented))) {
      breakTogether(faults, shownBy(documented));
      await expectUsual(documented, await send());
    }
  },
);

const named = (ids: ReadonlySet<string>) => ALL.filter(([, { operation }]) => ids.has(operation.operationId));

it.each(named(OF_STATISTICS))(
  'every fault of an object lets %s say when to try again, and work again afterwards',
  async (_name, documented) => {
    const send = await openExample(documented);
    for (const fault of OBJECT_FAULTS) {
      breakObjects(fault);
      const response = await send();
      await expectAsDocumented(documented, response);
      expect([response.status, response.headers.get('Retry-After'), await response.json()]).toEqual([
        503,
        '5',
        {
          result: 'Failed',
          error: 'store_unavailable: The click statistics are temporarily unavailable. Try again in a few seconds.',
        },
      ]);
      endFaults();
      atExampleTime();
    }
    await expectUsual(documented, await send());
  },
);

it.each(named(LIMITED))(
  'every fault of a rate limiter lets %s say when to try again, and work again afterwards',
  async (_name, documented) => {
    const send = await openExample(documented);
    for (const fault of LIMITER_FAULTS) {
      breakLimiters(fault);
      const response = await send();
      const retryAfter = expect.stringMatching(/^[1-9]\d*$/);
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, retryAfter]);
      endFaults();
      atExampleTime();
    }
    await expectUsual(documented, await send());
  },
);
