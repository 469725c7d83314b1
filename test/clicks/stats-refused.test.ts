import { afterEach, expect, it, vi } from 'vitest';
import { TOO_MANY_QUESTIONS } from '../../src/statistics/questions/turns.ts';
import { replaceInObjects } from '../support/objects.ts';
import { addressOf, openUnshared } from '../support/shared-statistics.ts';
import { form } from '../support/platform.ts';
import { seedLink, seedTenant, signIn } from '../support/seed.ts';
import { call } from '../support/service.ts';

/** Responses while an object has as many questions of its client as it takes. */

afterEach(() => void vi.restoreAllMocks());

function refuseQuestions() {
  const refuse = () => () => Promise.reject(new Error(TOO_MANY_QUESTIONS));
  replaceInObjects('ask', refuse);
}

it.each(['/v1/stats', '/v1/stats.csv', '/v1/links/ID/stats', '/v1/campaigns/spring/stats', '/info/ID/CLIENT/SEC'])(
  'gives 429 with the seconds to wait at %s',
  async (path) => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant, { sec_id: 'SEC' });
    refuseQuestions();
    const named = path.replace('ID', link.id).replace('CLIENT', tenant.clientId);
    const { access_token } = await signIn(tenant);
    const response = await call(named, { headers: { Authorization: `Bearer ${access_token}` } });
    expect([response.status, response.headers.get('Retry-After'), await response.json()]).toEqual([
      429,
      '5',
      { result: 'Failed', error: `too_many_requests: ${TOO_MANY_QUESTIONS}` },
    ]);
  },
);

it('gives 429 for a public page, and the pages of a workspace', async () => {
  const { browse, path } = await openUnshared();
  await browse(`${path}/share`, form({ password: '' }));
  const address = await addressOf(browse, path);
  refuseQuestions();
  for (const response of [await call(address), await browse(path)])
    expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '5']);
});
