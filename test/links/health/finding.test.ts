import { expect, it } from 'vitest';
import { isConnectionFailure } from '../../../src/links/health/finding.ts';

/** Cloudflare has the statuses from 520 on for a server that it cannot reach. */
it.each([
  [519, false],
  [520, true],
  [530, true],
  [null, false],
])('a destination that fails with the status %s counts as one without a response: %s', (status, isOne) => {
  expect(isConnectionFailure({ kind: 'failed', reason: 'status', status })).toBe(isOne);
});
