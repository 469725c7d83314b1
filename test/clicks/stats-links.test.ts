import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seedCaller } from '../support/forms.ts';
import { manyLinks } from '../support/link-lists.ts';
import { seedLink, seedTenant, type LinkRecord } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { ask, clicked, foldClicks, humans, seedClicks } from '../support/stats.ts';

beforeEach(() => void vi.setSystemTime('2026-03-31T12:00:00Z'));
afterEach(() => void vi.useRealTimers());

const at = '2026-03-30T10:00:00Z';
const RANGE = 'from=2026-03-29&to=2026-03-30';

/** Three links with one, two and four clicks; the last two had the campaign, and half of each one's clicks are German. */
async function seedThree() {
  const tenant = await seedTenant();
  const links = [await seedLink(tenant), await seedLink(tenant), await seedLink(tenant)] as const;
  const [one, two, four] = links;
  const campaign_name = 'Spring';
  await seedClicks(one, [{ at }]);
  await seedClicks({ ...two, campaign_name }, [{ at }, { at, country: 'DE' }]);
  await seedClicks({ ...four, campaign_name }, [
    { at, clicks: 2 },
    { at, country: 'DE', clicks: 2 },
  ]);
  return { tenant, one, two, four };
}

const naming = (...links: readonly Pick<LinkRecord, 'id'>[]) => links.map(({ id }) => `link=${id}`).join('&');

const refused = (error: string) => ({ status: 400, body: { result: 'Failed', error } });
const isNone = (id: string) =>
  refused(`invalid_link: link must be the id of a link of the client, and ${JSON.stringify(id)} is not.`);

/** Swaps the case of each letter. */
const inOtherCase = (id: string) =>
  id.replaceAll(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

describe('a list of links', () => {
  it('a list of links has the clicks of these links, each counted once', async () => {
    const { tenant, one, four } = await seedThree();
    for (const query of [naming(one, four), naming(four, one, four)]) {
      expect(await ask(tenant, `/v1/stats?${RANGE}&${query}`)).toEqual({
        status: 200,
        body: {
          by: 'day',
          tz: 'UTC',
          from: '2026-03-29',
          to: '2026-03-30',
          filtered_from: null,
          visitors: null,
          ...humans(5),
          rows: [
            { key: '2026-03-29', ...humans(0) },
            { key: '2026-03-30', ...humans(5) },
          ],
          compare: null,
          cursor: null,
        },
      });
    }
  });

  it.each(['folded', 'not folded'])(
    'a list of links combines with filters, campaigns and breakdowns: %s',
    async (state) => {
      const { tenant, one, two, four } = await seedThree();
      if (state === 'folded') await foldClicks(tenant.clientId);
      const rows = async (path: string) => clicked(await ask(tenant, path));
      const both = naming(one, four);
      expect(await rows(`/v1/stats?${both}&country=DE`)).toEqual([['2026-03-30', 2]]);
      expect(await rows(`/v1/stats?${both}&by=country`)).toEqual([
        [null, 3],
        ['DE', 2],
      ]);
      expect(await rows(`/v1/stats?${both}&by=campaign`)).toEqual([
        ['Spring', 4],
        [null, 1],
      ]);
      expect(await rows(`/v1/stats?${both}&by=link`)).toEqual([
        [four.id, 4],
        [one.id, 1],
      ]);
      for (const path of ['/v1/campaigns/Spring/stats?', '/v1/stats?campaign_name=Spring&']) {
        expect(await rows(`${path}${both}`)).toEqual([['2026-03-30', 4]]);
        expect(await rows(`${path}${both}&by=link`)).toEqual([[four.id, 4]]);
        expect(await rows(`${path}${naming(two)}&country=DE&by=hour`)).toEqual([['2026-03-30T10:00:00Z', 1]]);
        expect(await rows(`${path}${naming(two)}&campaign=Autumn`)).toEqual([]);
      }
    },
  );

  it('a list of links has at most 100 links', async () => {
    const caller = await seedCaller();
    const ids = await manyLinks(caller, 101, () => 'https://example.com/');
    const links = ids.map((id) => ({ id, client_id: caller.clientId }) as LinkRecord);
    for (const link of [links[0]!, links[99]!, links[100]!]) await seedClicks(link, [{ at }]);
    const hundred = naming(...links.slice(0, 100));
    const query = `${hundred}&${RANGE}&by=link&tz=UTC&compare=previous&limit=100&visitor=human&country=null`;
    expect(clicked(await ask(caller, `/v1/stats?${query}`))).toEqual([
      [ids[0], 1],
      [ids[99], 1],
    ]);
    expect(await ask(caller, `/v1/stats?${naming(...links)}`)).toEqual(
      refused('invalid_link: link must be given at most 100 times.'),
    );
    expect(await ask(caller, `/v1/stats?${naming(...Array.from({ length: 101 }, () => links[0]!))}`)).toEqual(
      refused('invalid_link: link must be given at most 100 times.'),
    );
  });

  it('a list of links has only links of the client that are not deleted, and the first other one is named', async () => {
    const [{ tenant, one, two }, other] = [await seedThree(), await seedTenant()];
    const theirs = await seedLink(other);
    await call(`/v1/links/${two.id}`, { method: 'DELETE', headers: { 'X-API-Key': tenant.apiKey } });
    for (const id of [theirs.id, two.id, 'nosuchid', 'other', inOtherCase(one.id), '1e5', 'null'])
      expect(await ask(tenant, `/v1/stats?${naming(one, { id })}`)).toEqual(isNone(id));
    expect(await ask(tenant, `/v1/stats?link=${'x'.repeat(8000)}`)).toEqual(isNone(`${'x'.repeat(64)}…`));
    expect(await ask(tenant, '/v1/stats?link=%00%1b')).toEqual(isNone('  '));
    expect(await ask(tenant, `/v1/campaigns/Spring/stats?${naming(theirs)}`)).toEqual(isNone(theirs.id));
  });

  it('a list of links goes with a client and a campaign, not with a link', async () => {
    const { tenant, one } = await seedThree();
    const cannot = refused('unknown_field: link goes with the statistics of a client or a campaign. Leave it out.');
    expect(await ask(tenant, `/v1/links/${one.id}/stats?${naming(one)}`)).toEqual(cannot);
    expect(await ask(tenant, `/v1/links/${one.id}/stats.csv?${naming(one)}`)).toEqual(cannot);
    expect(await ask(tenant, `/v1/campaigns/Spring/stats?campaign_name=Spring`)).toEqual(
      refused('unknown_field: campaign_name goes with the statistics of a client only. Leave it out.'),
    );
  });
});

describe('clicks by link', () => {
  it.each(['folded', 'not folded'])('clicks by link are those of each link of the subject: %s', async (state) => {
    const { tenant, one, two, four } = await seedThree();
    if (state === 'folded') await foldClicks(tenant.clientId);
    const rows = async (path: string) => clicked(await ask(tenant, `${path}by=link`));
    const [all, ofCampaign] = [
      [
        [four.id, 4],
        [two.id, 2],
        [one.id, 1],
      ],
      [
        [four.id, 4],
        [two.id, 2],
      ],
    ];
    const german = [
      [four.id, 2],
      [two.id, 1],
    ];
    expect(await rows('/v1/stats?')).toEqual(all);
    expect(await rows('/v1/stats?visitor=human&')).toEqual(all);
    expect(await rows('/v1/stats?visitor=bot&')).toEqual([]);
    expect(await rows('/v1/stats?country=DE&')).toEqual(german);
    expect(await rows('/v1/stats?campaign=Spring&')).toEqual(ofCampaign);
    expect(await rows('/v1/campaigns/Spring/stats?')).toEqual(ofCampaign);
    expect(await rows('/v1/campaigns/Spring/stats?country=DE&')).toEqual(german);
    expect(await rows('/v1/campaigns/Spring/stats?campaign=null&')).toEqual([]);
    expect(await rows('/v1/campaigns/Autumn/stats?')).toEqual([]);
    expect(await rows(`/v1/links/${two.id}/stats?`)).toEqual([[two.id, 2]]);
    expect(await rows(`/v1/links/${two.id}/stats?country=DE&`)).toEqual([[two.id, 1]]);
    expect(await rows(`/v1/links/${two.id}/stats?from=2026-03-31&`)).toEqual([]);
  });

  it('clicks by link name a deleted link, and have as other the clicks of links that are removed', async () => {
    const { tenant, one, two, four } = await seedThree();
    await call(`/v1/links/${four.id}`, { method: 'DELETE', headers: { 'X-API-Key': tenant.apiKey } });
    await foldClicks(tenant.clientId);
    expect(clicked(await ask(tenant, '/v1/stats?by=link&country=DE'))).toEqual([
      [four.id, 2],
      [two.id, 1],
    ]);
    await runInDurableObject(env.STATISTICS.getByName(tenant.clientId), (object) => object.purge([four.id]));
    await foldClicks(tenant.clientId);
    const rows = async (path: string) => {
      const response = await ask(tenant, path);
      const total = (await ask(tenant, path.replace('by=link', 'by=day'))).body['total'];
      expect([path, response.body['total']]).toEqual([path, total]);
      return clicked(response);
    };
    expect(await rows('/v1/stats?by=link')).toEqual([
      ['other', 4],
      [two.id, 2],
      [one.id, 1],
    ]);
    expect(await rows('/v1/stats?by=link&country=DE')).toEqual([
      ['other', 2],
      [two.id, 1],
    ]);
    expect(await rows('/v1/campaigns/Spring/stats?by=link')).toEqual([
      ['other', 4],
      [two.id, 2],
    ]);
    expect(await rows(`/v1/stats?by=link&${naming(one, two)}`)).toEqual([
      [two.id, 2],
      [one.id, 1],
    ]);
  });
});
