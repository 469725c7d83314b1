import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectAsDocumented, OPERATIONS } from '../support/documented.ts';
import { eachWithRequest, isRead } from '../support/each-fault.ts';
import { expectUsual, openExample } from '../support/example-operations.ts';
import { atExampleTime } from '../support/examples.ts';
import { D1_REFUSALS, endFaults, refuseD1Writes } from '../support/faults.ts';
import { openPage, PAGE_NAMES } from '../support/pages.ts';
import { shareOf } from '../support/share.ts';
import { contentOfTables } from '../support/seed.ts';

/** Every operation and page while D1 takes no writes, and answers reads. */

beforeEach(atExampleTime);
afterEach(endFaults);

const EVERY = OPERATIONS.map((documented) => [documented.name, documented] as const);

/** GETs that write what they respond with. */
const WRITING = new Set(['GET /tokens/create_token']);

it.each(shareOf(PAGE_NAMES.filter(isRead)))(
  'a D1 that takes no writes shows %s to those who are signed in',
  async (name) => {
    for await (const [fault, { send, status }] of eachWithRequest(D1_REFUSALS, name, () => openPage(name))) {
      refuseD1Writes(fault);
      expect([fault.name, (await send()).status]).toEqual([fault.name, status]);
    }
  },
);

it.each(shareOf(EVERY.filter(([name]) => isRead(name) && !WRITING.has(name))))(
  'a D1 that takes no writes leaves the response of %s',
  async (name, documented) => {
    for await (const [fault, send] of eachWithRequest(D1_REFUSALS, name, () => openExample(documented))) {
      refuseD1Writes(fault);
      await expectUsual(documented, await send());
    }
  },
);

describe('a full D1', () => {
  const [full] = D1_REFUSALS;

  it.each(shareOf(EVERY.filter(([name]) => !isRead(name) || WRITING.has(name))))(
    'a full D1 lets %s be a 503 that says so, or the usual response, change nothing, and work again afterwards',
    async (_name, documented) => {
      const send = await openExample(documented);
      const before = await contentOfTables();
      refuseD1Writes(full!);
      const response = await send();
      const { status } = response;
      if (status < 400) await expectUsual(documented, response);
      else {
        await expectAsDocumented(documented, response);
        expect([status, response.headers.get('Retry-After')]).toEqual([503, '60']);
        expect(await response.text()).toContain(
          'store_unavailable: Nothing can be saved at the moment, not even a sign-in, since the database is full. ',
        );
      }
      expect(await contentOfTables()).toEqual(before);
      endFaults();
      atExampleTime();
      await expectUsual(documented, await send());
    },
  );
});
