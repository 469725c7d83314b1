import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { atExampleTime } from '../support/examples.ts';
import { breakObjects, endFaults, OBJECT_FAULTS } from '../support/faults.ts';
import { openPage, PAGE_NAMES } from '../support/pages.ts';

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

/** Operations that only an object can do. */
const BY_THE_OBJECT = new Set([
  'GET /platform/c/:client/live/stream',
  'POST /platform/c/:client/campaigns/:name/rename',
  // A webhook for clicks is enabled once the object knows of it.
  'POST /platform/c/:client/webhooks/:id',
  'POST /platform/c/:client/webhooks/:id/enable',
]);

// The seconds of one that hangs pass at once, also for a query that a page sends beside the call.
const IN_TURN = PAGE_NAMES.filter((name) => name !== 'GET /platform/c/:client/campaigns/:name');

describe.each(OBJECT_FAULTS)('an object of a client that $name', (fault) => {
  const names = fault.name === 'hangs' ? IN_TURN : PAGE_NAMES;
  it.each(names.filter((name) => !BY_THE_OBJECT.has(name)))(
    'a fault of an object leaves %s without clicks',
    async (name) => {
      const { send, status } = await openPage(name);
      breakObjects(fault);
      const response = await send();
      expect([response.status, (await response.text()).includes(NOTICE)]).toEqual([status, OF_STATISTICS.has(name)]);
      if (!OF_STATISTICS.has(name)) return;
      endFaults();
      atExampleTime();
      const afterwards = await send();
      expect([afterwards.status, (await afterwards.text()).includes(NOTICE)]).toEqual([status, false]);
    },
  );

  it.each([...BY_THE_OBJECT])(
    'a fault of an object lets %s be a 503 that says when to try again, and work again afterwards',
    async (name) => {
      const { send, status } = await openPage(name);
      breakObjects(fault);
      const response = await send();
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
      expect(await response.text()).toContain('The click statistics are temporarily unavailable.');
      endFaults();
      atExampleTime();
      expect((await send()).status).toBe(status);
    },
  );
});
