import { expect, it } from 'vitest';
import { expectFailure, bearerOf, seedCaller } from '../support/forms.ts';
import { call } from '../support/service.ts';

const ADVICE = 'Leave out parameters that this endpoint does not accept.';

it.each<[what: string, query: string, error: string]>([
  [
    '20,000 parameters',
    Array.from({ length: 20_000 }, (_, index) => `p${index}`).join('&'),
    `too_long: The query may have at most 8192 characters. ${ADVICE}`,
  ],
  ['a long text', `q=${'x'.repeat(8192)}`, `too_long: The query may have at most 8192 characters. ${ADVICE}`],
  [
    '111 parameters',
    Array.from({ length: 111 }, (_, index) => `p${index}`).join('&'),
    `too_long: The query may have at most 110 parameters. ${ADVICE}`,
  ],
  ['a parameter twice', 'q=a&limit=1&q=b', 'repeated_field: The parameter "q" is given more than once.'],
  ['an unknown parameter', 'limit=1&colour=red', 'unknown_field: There is no field "colour" here. Leave it out.'],
])('refuses a query with %s', async (_what, query, error) => {
  const headers = bearerOf(await seedCaller());
  await expectFailure(await call(`/v1/links?${query}`, { headers }), 400, error);
});

it('shows on a page that the query is too long', async () => {
  const response = await call(`/platform/sign-in?next=${'x'.repeat(8192)}`);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('The query may have at most 8192 characters.');
});
