import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import { bearerOf, seedCaller } from '../support/forms.ts';
import { seedKey, send } from '../support/management.ts';
import { OBJECT_FAILURE, replaceInObjects } from '../support/objects.ts';
import { db, seedLink } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { ask, clicked, humans, seedClicked, seedClicks } from '../support/stats.ts';

/** Permissions for statistics, and the effects of an object that fails. */

beforeEach(() => void vi.setSystemTime('2026-03-31T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const at = '2026-03-30T10:00:00Z';
const QUESTIONS = [
  '',
  'country=DE',
  'by=link',
  'by=link&country=DE',
  'by=campaign&compare=previous',
  'by=hour&limit=2',
];

async function seed() {
  const caller = await seedCaller();
  const link = await seedLink(caller, { campaign_name: 'Spring' });
  await seedClicks({ ...link, campaign_name: 'Spring' }, [{ at, country: 'DE' }]);
  return { caller, link, paths: ['/v1/stats', '/v1/campaigns/Spring/stats', `/v1/links/${link.id}/stats`] };
}

async function outcomeOf(response: Response) {
  return [response.status, response.headers.get('Retry-After'), await response.json()];
}

describe('statistics', () => {
  it('statistics are refused to a key without stats:read, for any query', async () => {
    const { caller, link, paths } = await seed();
    const { key } = await seedKey(caller, ['links:read', 'links:write']);
    const refused = {
      result: 'Failed',
      error: 'insufficient_scope: The credential does not have the scope stats:read. Use another one.',
    };
    for (const path of [...paths, `/v1/links/${link.id}/stats.csv`]) {
      for (const question of QUESTIONS) {
        const response = await call(`${path}?${question}`, { headers: { 'X-API-Key': key } });
        expect([path, question, ...(await outcomeOf(response))]).toEqual([path, question, 403, null, refused]);
      }
    }
    const naming = await call(`/v1/stats?link=${link.id}&link=nosuchid`, { headers: { 'X-API-Key': key } });
    expect(await outcomeOf(naming)).toEqual([403, null, refused]);
  });

  it('statistics of a client say nothing about another one with a campaign of the same name', async () => {
    const [one, two] = [await seed(), await seed()];
    await seedClicks({ ...two.link, campaign_name: 'Spring' }, [{ at, country: 'FR', clicks: 5 }]);
    expect(clicked(await ask(one.caller, '/v1/stats?campaign=Spring&by=country'))).toEqual([['DE', 1]]);
    expect(clicked(await ask(one.caller, '/v1/campaigns/Spring/stats?by=link'))).toEqual([[one.link.id, 1]]);
    expect(clicked(await ask(two.caller, '/v1/stats?by=link&country=FR'))).toEqual([[two.link.id, 5]]);
    expect((await ask(one.caller, `/v1/stats?link=${two.link.id}`)).status).toBe(400);
    expect((await ask(one.caller, `/v1/links/${two.link.id}/stats?country=FR`)).status).toBe(404);
    expect((await ask(one.caller, `/v1/stats?client_id=${two.caller.clientId}&by=link`)).status).toBe(403);
  });

  it('statistics are requested by a user of several clients with the client, whose links alone can be named', async () => {
    const [{ caller, link }, second] = [await seed(), await seed()];
    await addMember(db, caller.userName, second.caller.clientId);
    const request = (query: string) => send(bearerOf(caller), 'GET', `/v1/stats?${query}`);
    const unnamed = await request(`link=${second.link.id}&country=DE`);
    expect(await outcomeOf(unnamed)).toEqual([
      400,
      null,
      {
        result: 'Failed',
        error:
          'missing_field: client_id is required, since the user belongs to several clients: send one in the query.',
      },
    ]);
    const named = await request(`link=${second.link.id}&country=DE&client_id=${second.caller.clientId}&by=link`);
    expect(await named.json()).toMatchObject({ ...humans(1), rows: [{ key: second.link.id, ...humans(1) }] });
    const mixed = await request(`link=${link.id}&client_id=${second.caller.clientId}`);
    expect(await outcomeOf(mixed)).toEqual([
      400,
      null,
      {
        result: 'Failed',
        error: `invalid_link: link must be the id of a link of the client, and "${link.id}" is not.`,
      },
    ]);
  });
});

describe('the object of a client that fails', () => {
  const UNAVAILABLE = {
    result: 'Failed',
    error: 'store_unavailable: The click statistics are temporarily unavailable. Try again in a few seconds.',
  };

  it.each(['ask', 'askByLink'] as const)(
    'the object of a client that fails is 503 with Retry-After, and holds up no other client: %s',
    async (method) => {
      vi.spyOn(console, 'error').mockReturnValue();
      const [{ caller, link, paths }, other] = [await seed(), await seed()];
      replaceInObjects(method, () => () => Promise.reject(OBJECT_FAILURE), caller.clientId);
      const questions = QUESTIONS.filter((question) => method === 'ask' || question === 'by=link&country=DE');
      for (const path of [...paths, `/v1/links/${link.id}/stats.csv`]) {
        for (const question of questions) {
          const response = await call(`${path}?${question}`, { headers: { 'X-API-Key': caller.apiKey } });
          expect([path, question, ...(await outcomeOf(response))]).toEqual([path, question, 503, '5', UNAVAILABLE]);
        }
      }
      expect(clicked(await ask(other.caller, '/v1/stats?country=DE&by=link'))).toEqual([[other.link.id, 1]]);
    },
  );

  it('the object of a client that fails in one of the two ranges of a comparison leaves no half of a response', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const { tenant } = await seedClicked([{ at }]);
    let calls = 0;
    replaceInObjects(
      'ask',
      (whole) =>
        (...args) =>
          ++calls === 2 ? Promise.reject(OBJECT_FAILURE) : whole(...args),
    );
    const { status, body } = await ask(tenant, '/v1/stats?compare=previous');
    expect([status, body]).toEqual([503, UNAVAILABLE]);
  });

  it('the object of a client that fails is not asked where the question is invalid anyway', async () => {
    const { caller, paths } = await seed();
    const asked = replaceInObjects('ask', () => () => Promise.reject(OBJECT_FAILURE), caller.clientId);
    const statuses = async (query: string) =>
      Promise.all(paths.map(async (path) => (await ask(caller, path + query)).status));
    expect(await statuses('?country=Germany')).toEqual([400, 400, 400]);
    expect(await statuses('?cursor=x')).toEqual([400, 400, 400]);
    expect((await ask(caller, '/v1/stats?link=nosuchid')).status).toBe(400);
    expect((await ask(caller, '/v1/links/nosuchid/stats')).status).toBe(404);
    expect(asked).not.toHaveBeenCalled();
  });
});
