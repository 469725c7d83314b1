import { Validator, type Schema } from '@cfworker/json-schema';
import { beforeAll, expect, it } from 'vitest';
import { DAY_MS, dayOf } from '../../src/time/day.ts';
import { seedCaller, type Caller } from '../support/forms.ts';
import { ask, callTool, keyOf, type Result } from '../support/mcp.ts';
import { call } from '../support/service.ts';
import { seedClicks } from '../support/stats.ts';
import results from './task-results.json' with { type: 'json' };

/**
 * Tasks for an assistant, each done by calls whose arguments can be known from `tools/list` alone: they fit the schemas of
 * the list, as clients check them before they send a call. `task-results.json` has the results that the tools gave when
 * the list had all limits and all fields of results; a result may have further fields since.
 */

let caller: Caller;
let key: Record<string, string>;
let schemas: ReadonlyMap<string, Schema>;
const ids = new Map<string, string>();

beforeAll(async () => {
  caller = await seedCaller();
  key = keyOf(caller);
  const response = await ask(key, 'tools/list');
  const { result } = await response.json<{ result: { tools: readonly { name: string; inputSchema: Schema }[] } }>();
  schemas = new Map(result.tools.map(({ name, inputSchema }) => [name, inputSchema]));
});

type Args = Readonly<Record<string, unknown>>;
type Calls = (id: (slug: string) => string) => readonly (readonly [tool: string, args: Args])[];

const idOf = (slug: string) => [...ids].find(([, name]) => name === `the link ${slug}`)?.[0] ?? '';

const day = (daysAgo: number) => dayOf(Date.now() - daysAgo * DAY_MS);

const TASKS: readonly (readonly [task: keyof typeof results, calls: Calls])[] = [
  [
    'Shorten a page of a mailing, with UTM parameters, tags and a campaign',
    () => [
      [
        'create_link',
        {
          url: 'https://example.com/sale?utm_source=mail&utm_medium=email&utm_campaign=spring',
          slug: 'task-sale',
          title: 'Spring sale',
          tags: ['Print', 'Sale'],
          campaign_name: 'Spring 2026',
          comments: 'For the letter.\nAnd the poster.',
          metadata: { team: 'web', ids: [1, 2] },
        },
      ],
      ['list_tags', {}],
      ['list_campaigns', { limit: 5 }],
    ],
  ],
  [
    'Send Austrians and phones to other pages, and others elsewhere at night',
    () => [
      [
        'create_link',
        {
          url: 'https://example.com/',
          slug: 'task-rules',
          rules: [
            { name: 'Austria', if: [{ type: 'country', in: ['AT'] }], url: 'https://example.com/at' },
            {
              if: [
                { type: 'device', in: ['mobile', 'tablet'] },
                { type: 'visitor', in: ['bot'], not: true },
                { type: 'query', name: 'app' },
              ],
              url: 'https://example.com/app',
            },
            {
              name: 'Night',
              if: [
                { type: 'hours', from: '22:00', until: '06:00', tz: 'Europe/Vienna', days: ['fri', 'sat'] },
                { type: 'date', from: '2099-01-01T00:00:00Z' },
                { type: 'language', in: ['de'] },
              ],
              url: 'https://example.com/night',
            },
          ],
        },
      ],
    ],
  ],
  [
    'Divide visitors among two pages',
    () => [
      [
        'create_link',
        {
          url: 'https://example.com/',
          slug: 'task-variants',
          variants: [
            { name: 'Old', url: 'https://example.com/old', weight: 70 },
            { url: 'https://example.com/new', weight: 30 },
          ],
        },
      ],
    ],
  ],
  [
    'Protect a link with a password, for a while and for some visits',
    () => [
      [
        'create_link',
        {
          url: 'https://example.com/secret',
          slug: 'task-secret',
          password: 'open sesame',
          starts_at: '2098-01-01T09:00:00+01:00',
          expires_at: '2099-12-31T00:00:00Z',
          max_clicks: 100,
          expired_url: 'https://example.com/over',
        },
      ],
    ],
  ],
  [
    'Choose how a link redirects, and what messengers show of it',
    () => [
      [
        'create_link',
        {
          url: 'https://example.com/page',
          slug: 'task-options',
          redirect_status: 301,
          forward_query: 'override',
          inspectable: false,
          external_id: 'product-4712',
          sec_id: 'print-2026',
          preview: { title: 'A page', description: 'About it.', image: 'https://example.com/a.png' },
        },
      ],
    ],
  ],
  [
    'Find the link of a mailing by what is known of it',
    () => [
      ['find_links', { q: 'sale' }],
      ['find_links', { tag: ['sale', 'print'], campaign_name: 'Spring 2026', sort: 'clicks', limit: 1 }],
      ['find_links', { external_id: 'product-4712', state: 'active' }],
      ['find_links', { url: 'https://example.com/secret' }],
    ],
  ],
  [
    'Send the visitors of a link elsewhere, and remove what it no longer needs',
    (id) => [
      [
        'update_link',
        {
          link: id('task-sale'),
          url: 'https://example.com/summer',
          title: null,
          tags: ['Summer'],
          metadata: null,
          campaign_name: 'Summer 2026',
          slug: 'task-summer',
        },
      ],
      ['update_link', { link: id('task-secret'), password: null, expires_at: null, max_clicks: 5 }],
      [
        'update_link',
        {
          link: id('task-rules'),
          rules: [{ name: 'Bots', if: [{ type: 'visitor', in: ['bot'] }], url: 'https://example.com/bots' }],
        },
      ],
      ['update_link', { link: id('task-variants'), variants: null, preview: { title: 'One page' } }],
      ['get_link', { link: id('task-variants') }],
    ],
  ],
  [
    'Report the clicks of a campaign, without programs, against the days before',
    (id) => [
      ['link_stats', { campaign_name: 'Summer 2026', by: 'country', visitor: ['human'], compare: 'previous' }],
      ['link_stats', { link: id('task-options'), by: 'browser', country: ['AT', 'DE'], from: day(6), to: day(0) }],
      ['link_stats', { tag: 'summer', by: 'link', limit: 3 }],
      ['link_stats', { by: 'country', tz: 'Europe/Vienna' }],
    ],
  ],
  [
    'Compare the clicks of three links in a week',
    (id) => [
      [
        'compare_links',
        {
          links: ['task-sale', 'task-options', 'task-rules'].map((slug) => id(slug)),
          from: day(6),
          to: day(0),
          compare: day(13),
        },
      ],
    ],
  ],
  [
    'Take a link offline, and draw the QR code of another one',
    (id) => [
      ['update_link', { link: id('task-rules'), disabled: true }],
      ['find_links', { state: 'disabled' }],
      ['qr_code', { link: id('task-options'), format: 'svg', size: 256, level: 'H', colour: '1d4f91' }],
    ],
  ],
];

/** A result in which ids, times and other things that differ between runs have names. */
function settled({ content, structuredContent, isError }: Result): unknown {
  const names = [...ids, [caller.clientId, 'the client']] as const;
  const shown = structuredContent ?? content.map(({ text }) => text?.slice(0, 200));
  const text = names.reduce((sum, [id, name]) => sum.replaceAll(id, name), JSON.stringify({ shown, isError }));
  return JSON.parse(
    text
      .replaceAll(/"20[2-8]\d-\d\d-\d\dT[\d:.]+Z"/g, '"an instant"')
      .replaceAll(/"sec_id":"[\w-]{8}"/g, '"sec_id":"generated"')
      .replaceAll(/"id":"[0-9a-f]{16}"/g, '"id":"generated"')
      .replaceAll(/"by_day":\[[^\]]*\]/g, '"by_day":[]')
      .replaceAll(/"20[2-8]\d-\d\d-\d\d"/g, '"a day"'),
  );
}

it.each(TASKS)('%s', async (task, calls) => {
  if (task.startsWith('Report')) await click();
  const given: unknown[] = [];
  for (const [tool, args] of calls(idOf)) {
    expect([tool, new Validator(schemas.get(tool)!, '2020-12', false).validate(args).errors]).toEqual([tool, []]);
    const result = await callTool(key, tool, args);
    const { id, slug } = { ...result.structuredContent };
    if (tool === 'create_link') ids.set(String(id), `the link ${String(slug)}`);
    given.push(settled(result));
  }
  expect(given).toMatchObject(results[task].map(withUntrusted));
});

/** A result that may list further fields as untrusted, such as a new field of links. */
function withUntrusted(result: object): object {
  if (!('shown' in result) || !('untrusted' in Object(result.shown))) return result;
  const { untrusted, ...shown } = Object(result.shown);
  return { ...result, shown: { ...shown, untrusted: expect.arrayContaining(untrusted) } };
}

async function click() {
  const linkOf = (slug: string) => ({ id: idOf(slug), client_id: caller.clientId, short_url: '', url: '', sec_id: '' });
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  await seedClicks({ ...linkOf('task-sale'), campaign_name: 'Summer 2026' }, [
    { at: at(1), country: 'AT' },
    { at: at(2), country: 'DE' },
    { at: at(2), country: 'AT', agent: 'curl/8.5.0' },
    { at: at(40), country: 'FR' },
  ]);
  await seedClicks(linkOf('task-options'), [
    { at: at(1), country: 'DE' },
    { at: at(10), country: 'IT' },
  ]);
}

it('leaves links that redirect as the tasks said', async () => {
  const at = async (path: string, country?: string) => {
    const response = await call(path, { ...(country && { headers: { 'CF-IPCountry': country } }) });
    return [response.status, response.headers.get('Location')];
  };
  expect(await at('/task-summer')).toEqual([302, 'https://example.com/summer']);
  expect(await at('/task-sale')).toEqual([302, 'https://example.com/summer']);
  expect(await at('/task-options?a=1')).toEqual([301, 'https://example.com/page?a=1']);
  expect(await at('/task-variants')).toEqual([302, 'https://example.com/']);
  expect((await at('/task-rules'))[0]).toBe(410);
});
