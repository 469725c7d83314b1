import { afterEach, beforeEach, expect, it } from 'vitest';
import { isRead } from '../support/each-fault.ts';
import { atExampleTime } from '../support/examples.ts';
import { breakObjects, BY_THE_OBJECT, endFaults, OBJECT_FAULTS } from '../support/faults.ts';
import { openPage, PAGE_NAMES } from '../support/pages.ts';
import { shareOf } from '../support/share.ts';

/** The pages of the platform while the objects with the statistics fail: what else they have is shown. */

beforeEach(atExampleTime);
afterEach(endFaults);

const NOTICE = 'The clicks are temporarily unavailable. Reload the page in a few seconds.';

/** Pages whose figures come from the object. */
const OF_STATISTICS = new Set([
  'GET /platform/c/:client',
  'GET /platform/c/:client/live',
  'GET /platform/c/:client/links/:id',
  'GET /platform/c/:client/campaigns/:name',
  'GET /platform/c/:client/tags/:id',
  'GET /platform/c/:client/domains/:id',
  'GET /platform/shared/:secret',
]);

// The seconds of one that hangs pass at once, also for a query that a page sends beside the call.
const BESIDE_A_QUERY = 'GET /platform/c/:client/campaigns/:name';
const faultsFor = (name: string) => OBJECT_FAULTS.filter((fault) => name !== BESIDE_A_QUERY || fault.name !== 'hangs');

it.each(shareOf(PAGE_NAMES.filter((name) => isRead(name) && !BY_THE_OBJECT.has(name))))(
  'every fault of an object leaves %s without clicks',
  async (name) => {
    const { send, status } = await openPage(name);
    for (const fault of faultsFor(name)) {
      breakObjects(fault);
      const response = await send();
      const hasNotice = (await response.text()).includes(NOTICE);
      expect([fault.name, response.status, hasNotice]).toEqual([fault.name, status, OF_STATISTICS.has(name)]);
      endFaults();
      atExampleTime();
    }
    const afterwards = await send();
    expect([afterwards.status, (await afterwards.text()).includes(NOTICE)]).toEqual([status, false]);
  },
);

it.each([...BY_THE_OBJECT])(
  'every fault of an object lets %s be a 503 that says when to try again, and work again afterwards',
  async (name) => {
    const { send, status } = await openPage(name);
    for (const fault of OBJECT_FAULTS) {
      breakObjects(fault);
      const response = await send();
      const retryAfter = response.headers.get('Retry-After');
      expect([fault.name, response.status, retryAfter]).toEqual([fault.name, 503, '5']);
      expect(await response.text()).toContain('The click statistics are temporarily unavailable.');
      endFaults();
      atExampleTime();
    }
    expect((await send()).status).toBe(status);
  },
);
