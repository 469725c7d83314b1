import { describe, expect, it } from 'vitest';
import { answer, ask } from '../../support/management.ts';
import { pageFieldsOf } from '../../support/page-fields.ts';
import { form, openLinks, textOf, type LinksScene } from '../../support/platform.ts';
import { rowsOf, seedLink } from '../../support/seed.ts';

/** The editors of rules and variants without scripts: each button shows the form again, with what was typed. */

const RULES = [
  { name: 'Phones', if: [{ type: 'device', in: ['mobile'] }], url: 'https://example.com/app' },
  {
    name: 'Berlin by day',
    if: [
      { type: 'hours', days: ['mon', 'fri'], from: '09:00', until: '17:00', tz: 'Europe/Berlin' },
      { type: 'country', in: ['DE', 'AT'], not: true },
    ],
    url: 'https://example.com/de',
  },
];
const VARIANTS = [
  { name: 'A', url: 'https://example.com/a', weight: 30 },
  { name: 'B', url: 'https://example.com/b', weight: 70 },
];

const storedOf = async (id: string) => (await rowsOf('links')).find((row) => row['id'] === id);

/** Opens the form of a link with rules and variants. */
async function openEdit(scene: LinksScene, fields: object = { rules: RULES, variants: VARIANTS }) {
  const { id } = await seedLink(scene.caller);
  await answer(await ask(scene.caller, 'PATCH', `/v1/links/${id}`, fields));
  const path = `${scene.path}/${id}/edit`;
  const open = async () => pageFieldsOf(await textOf(scene.browse(path)));
  const send = (sent: Record<string, string>) => scene.browse(path, form(sent));
  /** Presses a button, and returns what the form then has. */
  const press = async (sent: Record<string, string>, button: string) => {
    const response = await send({ ...sent, do: button });
    expect(response.status).toBe(200);
    return pageFieldsOf(await response.text());
  };
  return { id, path, open, send, press };
}

describe('the form of an edit', () => {
  it('has the rules and the variants, and changes nothing if it is sent unchanged', async () => {
    const scene = await openLinks();
    const { id, open, send } = await openEdit(scene);
    const before = await storedOf(id);
    const fields = await open();
    expect(fields).toMatchObject({
      rules: '2',
      'rules.0.name': 'Phones',
      'rules.0.url': 'https://example.com/app',
      'rules.0.if': '1',
      'rules.0.if.0.type': 'device',
      'rules.0.if.0.not': '',
      'rules.0.if.0.in': 'mobile',
      'rules.1.if': '2',
      'rules.1.if.0.from': '09:00',
      'rules.1.if.0.tz': 'Europe/Berlin',
      'rules.1.if.0.days.mon': 'on',
      'rules.1.if.0.days.fri': 'on',
      'rules.1.if.1.not': 'true',
      'rules.1.if.1.in': 'DE, AT',
      variants: '2',
      'variants.1.weight': '70',
    });
    expect(fields).not.toHaveProperty(['rules.1.if.0.days.tue']);
    expect((await send(fields)).status).toBe(303);
    expect(await storedOf(id)).toEqual(before);
  });

  it.each<[string, string, (texts: Record<string, string>) => object]>([
    ['rules.1.up', 'moves a rule up', () => ({ 'rules.0.name': 'Berlin by day', 'rules.1.name': 'Phones' })],
    ['rules.0.down', 'moves a rule down', () => ({ 'rules.0.name': 'Berlin by day', 'rules.1.if.0.in': 'mobile' })],
    ['rules.0.up', 'leaves the first rule first', (texts) => texts],
    ['rules.1.down', 'leaves the last rule last', (texts) => texts],
    ['rules.0.remove', 'removes a rule', () => ({ rules: '1', 'rules.0.name': 'Berlin by day' })],
    [
      'rules.add',
      'adds a rule',
      () => ({ rules: '3', 'rules.2.url': '', 'rules.2.if': '1', 'rules.2.if.0.type': 'country' }),
    ],
    ['rules.0.if.add', 'adds a condition', () => ({ 'rules.0.if': '2', 'rules.0.if.1.type': 'country' })],
    ['rules.1.if.0.remove', 'removes a condition', () => ({ 'rules.1.if': '1', 'rules.1.if.0.in': 'DE, AT' })],
    ['variants.add', 'adds a variant', () => ({ variants: '3', 'variants.2.weight': '50' })],
    ['variants.0.remove', 'removes a variant', () => ({ variants: '1', 'variants.0.name': 'B' })],
    ['update', 'shows the form again', (texts) => texts],
    ['rules.7.up', 'leaves a rule that is not there', (texts) => texts],
    ['rules.7.if.add', 'adds no condition to no rule', (texts) => texts],
    ['toString', 'ignores what it does not know', (texts) => texts],
  ])('by the button %s %s, keeps what was typed, and saves nothing', async (button, _, expected) => {
    const scene = await openLinks();
    const { id, open, press } = await openEdit(scene);
    const before = await storedOf(id);
    const fields = { ...(await open()), url: 'typed', comments: 'a\r\nb', 'preview.title': '<b>', slug: 'x y' };
    const after = await press(fields, button);
    expect(after).toMatchObject(expected(fields));
    const others = Object.entries(fields).filter(([name]) => !/^(?:rules|variants)/.test(name));
    expect(after).toMatchObject(Object.fromEntries(others));
    expect(await storedOf(id)).toEqual(before);
  });

  it('saves what the buttons have changed', async () => {
    const scene = await openLinks();
    const { id, open, press, send } = await openEdit(scene, { rules: RULES });
    const moved = await press(await press(await open(), 'rules.1.up'), 'rules.add');
    const typed = {
      ...moved,
      'rules.2.url': 'https://example.com/ref',
      'rules.2.if.0.type': 'query',
      'rules.2.if.0.name': 'ref',
      'rules.2.if.0.in': 'a, "b, c"',
      'rules.2.if.0.not': 'true',
    };
    expect((await send(typed)).status).toBe(303);
    expect(JSON.parse(String((await storedOf(id))?.['rules']))).toEqual([
      RULES[1],
      RULES[0],
      {
        name: 'Rule 1',
        if: [{ type: 'query', name: 'ref', in: ['a', 'b, c'], not: true }],
        url: 'https://example.com/ref',
      },
    ]);
  });

  it('takes all rules and variants away', async () => {
    const scene = await openLinks();
    const { id, open, press, send } = await openEdit(scene);
    let fields = await open();
    for (const button of ['rules.0.remove', 'rules.0.remove', 'variants.0.remove', 'variants.0.remove'])
      fields = await press(fields, button);
    expect((await send(fields)).status).toBe(303);
    expect(await storedOf(id)).toMatchObject({ rules: null, variants: null });
  });

  it('keeps them if it is of a page without them', async () => {
    const scene = await openLinks();
    const { id, open, send } = await openEdit(scene);
    const { revision = '' } = await open();
    expect((await send({ revision, url: 'https://example.com/new' })).status).toBe(303);
    const row = await storedOf(id);
    expect(row).toMatchObject({ url: 'https://example.com/new' });
    expect([row?.['rules'], row?.['variants']].map((text) => JSON.parse(String(text)))).toEqual([RULES, VARIANTS]);
  });

  it('keeps the seconds of a date that was not changed, and all of the rest', async () => {
    const scene = await openLinks();
    const until = '2030-01-01T00:00:59.999Z';
    const rules = [{ ...RULES[0], if: [{ type: 'date', until }] }, RULES[1]];
    const { id, open, press, send } = await openEdit(scene, { rules });
    const fields = await press(await open(), 'rules.0.down');
    expect(fields).toMatchObject({ 'rules.1.if.0.until': '2030-01-01T00:00' });
    expect((await send({ ...fields, 'rules.1.name': 'New year' })).status).toBe(303);
    expect(JSON.parse(String((await storedOf(id))?.['rules']))).toEqual([RULES[1], { ...rules[0], name: 'New year' }]);
  });

  it('shows the inputs of another type after Update, and no more than 20 rules', async () => {
    const scene = await openLinks();
    const { open, press } = await openEdit(scene, { rules: RULES });
    const chosen = await press({ ...(await open()), 'rules.0.if.0.type': 'hours' }, 'update');
    expect(chosen).toMatchObject({ 'rules.0.if.0.from': '', 'rules.0.if.0.tz': 'UTC' });
    expect(chosen).not.toHaveProperty(['rules.0.if.0.in']);
    let fields = chosen;
    for (let rules = 2; rules < 22; rules += 1) fields = await press(fields, 'rules.add');
    expect(fields['rules']).toBe('20');
  });

  it('refuses numbers of rules that no page has', async () => {
    const scene = await openLinks();
    const { id, open, send } = await openEdit(scene);
    const before = await storedOf(id);
    for (const more of [{ rules: '21' }, { rules: 'x' }, { 'rules.0.if': '21' }, { variants: '9', do: 'update' }])
      expect((await send({ ...(await open()), ...more })).status).toBe(400);
    expect(await storedOf(id)).toEqual(before);
  });
});

describe('an error in a rule or a variant', () => {
  it.each<[field: string, sentence: string, changed: Record<string, string>]>([
    [
      'rules.1.if.1.in',
      'This must be the code of a country (ISO 3166-1 alpha-2) such as DE.',
      { 'rules.1.if.1.in': 'DE, XX' },
    ],
    ['rules.1.if.1.in', 'This must contain 1 to 250 values.', { 'rules.1.if.1.in': ' , ' }],
    [
      'rules.0.url',
      'This must be an absolute http or https URL, such as https://example.com/page.',
      { 'rules.0.url': 'x' },
    ],
    [
      'rules.0.url',
      'This leads to a host of this service, which would create a redirect loop. Use another URL.',
      { 'rules.0.url': 'https://terse.test/a' },
    ],
    ['rules.1.if.0.until', 'This must not be the same as from.', { 'rules.1.if.0.until': '09:00' }],
    ['rules.1.if.0.tz', 'This must be an IANA time zone such as Europe/Berlin.', { 'rules.1.if.0.tz': 'Mars' }],
    ['rules.0.if.0.from', 'This must be a time from 00:00 to 23:59.', { 'rules.0.if.0.type': 'hours' }],
    [
      'rules.1.name',
      'This must differ from the names of the other rules and variants of the link, in any case.',
      { 'rules.1.name': 'phones' },
    ],
    [
      'variants.1.name',
      'This must differ from the names of the other rules and variants of the link, in any case.',
      { 'variants.1.name': 'phones' },
    ],
    ['variants.0.weight', 'This must be from 1 to 100.', { 'variants.0.weight': '0' }],
    ['variants.0.weight', 'This must be a number.', { 'variants.0.weight': 'half' }],
    [
      'variants.1.url',
      'This must be an absolute http or https URL, such as https://example.com/page.',
      { 'variants.1.url': '' },
    ],
  ])('is shown beside %s: %s', async (field, sentence, changed) => {
    const scene = await openLinks();
    const { id, open, send } = await openEdit(scene);
    const before = await storedOf(id);
    const response = await send({ ...(await open()), ...changed });
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain(`id="fault-${field}">${sentence}</p>`);
    expect(page).toContain(`aria-describedby="fault-${field}`);
    const [list, index] = field.split('.');
    const word = list === 'rules' ? 'rule' : 'variant';
    const item = page.indexOf(`<fieldset class="route" id="${list}.${index}">`);
    expect(page.indexOf(`This ${word} has an error.`)).toBeGreaterThan(item);
    expect(page.match(new RegExp(`This ${word} has an error.`, 'g'))).toHaveLength(1);
    expect(await storedOf(id)).toEqual(before);
  });

  it('of the whole list is shown at its top, in a form that is open', async () => {
    const scene = await openLinks();
    const { open, press, send } = await openEdit(scene, { variants: VARIANTS });
    const page = await textOf(send(await press(await open(), 'variants.0.remove')));
    expect(page).toContain('<p class="fault">This must contain 2 to 8 variants.</p>');
    expect(page).toMatch(/<details class="fold" open=""><summary>Variants/);
    expect(page).toContain('<details class="fold"><summary>Rules');
  });

  it('of all texts together is shown at the larger list', async () => {
    const scene = await openLinks();
    const { open, send } = await openEdit(scene);
    const long = (letter: string) => `https://example.com/${letter.repeat(2000)}`;
    let fields = await open();
    const { press } = await openEdit(scene);
    for (let rules = 2; rules < 9; rules += 1) fields = await press(fields, 'rules.add');
    for (let rule = 0; rule < 9; rule += 1)
      Object.assign(fields, { [`rules.${rule}.url`]: long(String(rule)), [`rules.${rule}.if.0.in`]: 'DE' });
    Object.assign(fields, { 'rules.0.if.0.type': 'country', 'rules.1.if.0.type': 'country', 'rules.1.if.1.in': 'DE' });
    const page = await textOf(send(fields));
    expect(page).toMatch(
      /<p class="fault">rules and variants may take at most 16384 bytes together, but take \d+\.<\/p>/,
    );
  });
});

describe('the form of a new link', () => {
  it('adds rules and variants without losing anything, and creates the link with them', async () => {
    const { browse, path } = await openLinks();
    const press = async (fields: Record<string, string>, button: string) =>
      pageFieldsOf(await textOf(browse(`${path}/new`, form({ ...fields, do: button }))));
    const empty = pageFieldsOf(await textOf(browse(`${path}/new`)));
    expect(empty).toMatchObject({ rules: '0', variants: '0' });
    const before = (await rowsOf('links')).length;
    const added = await press({ ...empty, url: 'https://example.com/', utm_source: 'news' }, 'rules.add');
    expect(added).toMatchObject({ url: 'https://example.com/', utm_source: 'news', rules: '1' });
    const both = await press(
      { ...added, 'rules.0.url': 'https://example.com/at', 'rules.0.if.0.in': 'at' },
      'variants.add',
    );
    expect(both).toMatchObject({ variants: '2', 'variants.0.weight': '50', 'rules.0.if.0.in': 'at' });
    expect((await rowsOf('links')).length).toBe(before);
    const filled = { ...both, 'variants.0.url': 'https://example.com/a', 'variants.1.url': 'https://example.com/b' };
    const response = await browse(`${path}/new`, form(filled));
    expect(response.status).toBe(303);
    const row = await storedOf(response.headers.get('Location')?.split('/').at(-1) ?? '');
    expect(row).toMatchObject({ url: 'https://example.com/?utm_source=news' });
    expect([row?.['rules'], row?.['variants']].map((text) => JSON.parse(String(text)))).toEqual([
      [{ name: 'Rule 1', if: [{ type: 'country', in: ['AT'] }], url: 'https://example.com/at' }],
      [
        { name: 'Variant A', url: 'https://example.com/a', weight: 50 },
        { name: 'Variant B', url: 'https://example.com/b', weight: 50 },
      ],
    ]);
  });

  it('shows the share of each variant', async () => {
    const { browse, path } = await openLinks();
    const fields = { url: '', rules: '0', variants: '3' };
    const weights = { 'variants.0.weight': '1', 'variants.1.weight': '1', 'variants.2.weight': '1' };
    const shares = async (more: Record<string, string>) => {
      const page = await textOf(browse(`${path}/new`, form({ ...fields, ...weights, ...more, do: 'update' })));
      return [...page.matchAll(/<output id="variants\.\d\.share">([^<]*)</g)].map(([, share]) => share);
    };
    expect(await shares({})).toEqual(['33.3%', '33.3%', '33.3%']);
    expect(await shares({ 'variants.2.weight': '2' })).toEqual(['25%', '25%', '50%']);
    expect(await shares({ 'variants.2.weight': '' })).toEqual(['', '', '']);
  });

  it('answers a script with the error of a rule by the name of its input', async () => {
    const { browse, path } = await openLinks();
    const fields = { url: 'https://example.com/', rules: '1', 'rules.0.if': '1', 'rules.0.url': 'x', variants: '0' };
    const response = await browse(`${path}/check`, form({ ...fields, 'rules.0.if.0.type': 'country' }));
    expect(await response.json()).toEqual({
      faults: {
        'rules.0.if.0.in': 'This must contain 1 to 250 values.',
        'rules.0.url': 'This must be an absolute http or https URL, such as https://example.com/page.',
      },
      target: '',
    });
  });

  it('of up to 256 KiB is read', async () => {
    const { browse, path } = await openLinks();
    const sized = (bytes: number) => form({ url: '', rules: '0', variants: '0', comments: 'x'.repeat(bytes) });
    expect((await browse(`${path}/new`, sized(200 * 1024))).status).toBe(400);
    expect((await browse(`${path}/new`, sized(256 * 1024))).status).toBe(413);
  });
});
