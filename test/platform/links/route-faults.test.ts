import { describe, expect, it } from 'vitest';
import { optionsOf, storedOf } from '../../support/link-pages.ts';
import { pageFieldsOf } from '../../support/page-fields.ts';
import { form, openLinks, textOf } from '../../support/platform.ts';
import { openEdit, VARIANTS } from '../../support/route-forms.ts';
import { rowsOf } from '../../support/seed.ts';

/** The errors of rules and variants in the forms of a link, and the form of a new one. */

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
      'This must differ from the names of the other rules and variants of the link, regardless of case.',
      { 'rules.1.name': 'phones' },
    ],
    [
      'variants.1.name',
      'This must differ from the names of the other rules and variants of the link, regardless of case.',
      { 'variants.1.name': 'phones' },
    ],
    ['variants.0.weight', 'This must be from 1 to 100.', { 'variants.0.weight': '0' }],
    ['variants.0.weight', 'This must be a number.', { 'variants.0.weight': 'half' }],
    [
      'variants.1.url',
      'This must be an absolute http or https URL, such as https://example.com/page.',
      { 'variants.1.url': '' },
    ],
  ])('an error in a rule or a variant is shown beside %s: %s', async (field, sentence, changed) => {
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

  it('an error in the whole list of rules is shown at its top, in a form that is open', async () => {
    const scene = await openLinks();
    const { open, press, send } = await openEdit(scene, { variants: VARIANTS });
    const page = await textOf(send(await press(await open(), 'variants.0.remove')));
    expect(page).toContain('id="fault-variants" tabindex="-1">This must contain 2 to 8 variants.</p>');
    expect(optionsOf(page)).toMatchObject({ 'A/B test': ['open', 'B 100%'], Rules: ['closed', 'None'] });
  });

  it('an error in all texts of a link together is shown at the larger list', async () => {
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
      /<p class="fault" id="fault-rules" tabindex="-1">rules and variants may take at most 16384 bytes together, but take \d+\.<\/p>/,
    );
  });
});

describe('the form of a new link', () => {
  it('the form of a new link adds rules and variants without losing anything, and creates the link with them', async () => {
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

  it('the form of a new link shows the share of each variant', async () => {
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

  it('the form of a new link says that rules and variants can lead elsewhere as soon as there is one', async () => {
    const { browse, path } = await openLinks();
    const isSaid = async (rules: number, variants: number) => {
      const rule = { 'rules.0.url': 'https://example.com/at', 'rules.0.if': '1', 'rules.0.if.0.type': 'country' };
      const fields = { url: 'https://example.com/', rules: `${rules}`, variants: `${variants}`, do: 'update' };
      Object.assign(fields, rules > 0 && { ...rule, 'rules.0.if.0.in': 'at' });
      return (await textOf(browse(`${path}/new`, form(fields)))).includes('Rules and variants can lead elsewhere.');
    };
    expect([await isSaid(0, 0), await isSaid(1, 0), await isSaid(0, 2)]).toEqual([false, true, true]);
  });

  it('the form of a new link offers one more variant up to eight, and the first two at once', async () => {
    const { browse, path } = await openLinks();
    const offer = async (variants: number) => {
      const page = await textOf(
        browse(`${path}/new`, form({ url: '', rules: '0', variants: `${variants}`, do: 'update' })),
      );
      const [button] = page.match(/<button[^>]*value="variants\.add"[^>]*>[^<]*/) ?? [null];
      return button?.replace(/^.*>/, '') ?? null;
    };
    expect([await offer(0), await offer(2), await offer(7), await offer(8)]).toEqual([
      'Add two variants',
      'Add a variant',
      'Add a variant',
      null,
    ]);
  });

  it('the form of a new link gives a script the error of a rule by the name of its input', async () => {
    const { browse, path } = await openLinks();
    const fields = { url: 'https://example.com/', rules: '1', 'rules.0.if': '1', 'rules.0.url': 'x', variants: '0' };
    const response = await browse(`${path}/check`, form({ ...fields, 'rules.0.if.0.type': 'country' }));
    expect(await response.json()).toEqual({
      faults: {
        'rules.0.if.0.in': 'This must contain 1 to 250 values.',
        'rules.0.url': 'This must be an absolute http or https URL, such as https://example.com/page.',
      },
      parts: expect.any(Object),
    });
  });

  it('the form of a new link of up to 256 KiB is read', async () => {
    const { browse, path } = await openLinks();
    const sized = (bytes: number) => form({ url: '', rules: '0', variants: '0', comments: 'x'.repeat(bytes) });
    expect((await browse(`${path}/new`, sized(200 * 1024))).status).toBe(400);
    expect((await browse(`${path}/new`, sized(256 * 1024))).status).toBe(413);
  });
});
