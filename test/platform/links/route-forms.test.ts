import { describe, expect, it } from 'vitest';
import { storedOf } from '../../support/link-pages.ts';
import { openLinks, textOf } from '../../support/platform.ts';
import { openEdit, RULES, VARIANTS } from '../../support/route-forms.ts';

/** The editors of rules and variants without scripts: each button shows the form again, with what was typed. */

describe('the form of an edit', () => {
  it('the form of an edit has the rules and the variants, and changes nothing if it is sent unchanged', async () => {
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
      'rules.1.if.1.in': 'Germany, Austria',
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
    [
      'rules.1.if.0.remove',
      'removes a condition',
      () => ({ 'rules.1.if': '1', 'rules.1.if.0.in': 'Germany, Austria' }),
    ],
    ['variants.add', 'adds a variant', () => ({ variants: '3', 'variants.2.weight': '50' })],
    ['variants.0.remove', 'removes a variant', () => ({ variants: '1', 'variants.0.name': 'B' })],
    ['update', 'shows the form again', (texts) => texts],
    ['rules.7.up', 'leaves a rule that is not there', (texts) => texts],
    ['rules.7.if.add', 'adds no condition to no rule', (texts) => texts],
    ['toString', 'ignores what it does not know', (texts) => texts],
  ])(
    'the form of an edit that is sent by the button %s %s keeps what was typed, and saves nothing',
    async (button, _, expected) => {
      const scene = await openLinks();
      const { id, open, press } = await openEdit(scene);
      const before = await storedOf(id);
      const fields = { ...(await open()), url: 'typed', comments: 'a\r\nb', 'preview.title': '<b>', slug: 'x y' };
      const after = await press(fields, button);
      expect(after).toMatchObject(expected(fields));
      const others = Object.entries(fields).filter(([name]) => !/^(?:rules|variants)/.test(name));
      expect(after).toMatchObject(Object.fromEntries(others));
      expect(await storedOf(id)).toEqual(before);
    },
  );

  it('the form of an edit takes regions and networks, and "Try it" says for whom they hold', async () => {
    const scene = await openLinks();
    const { id, open, send } = await openEdit(scene, { rules: [RULES[0]] });
    const conditions = { 'rules.0.if': '2', 'rules.0.if.0.type': 'region', 'rules.0.if.0.in': 'us-tx, US-CA' };
    const typed = { ...conditions, 'rules.0.if.1.type': 'address', 'rules.0.if.1.in': '192.0.2.9/24, 2001:DB8::/32' };
    expect((await send({ ...(await open()), ...typed })).status).toBe(303);
    const networks = { type: 'address', in: ['192.0.2.0/24', '2001:db8::/32'] };
    const [rule] = JSON.parse(String((await storedOf(id))?.['rules']));
    expect(rule.if).toEqual([{ type: 'region', in: ['US-TX', 'US-CA'] }, networks]);
    expect(await open()).toMatchObject({ 'rules.0.if.0.in': 'US-TX, US-CA' });
    const led = async (query: string) => {
      const text = await textOf(scene.browse(`${scene.path}/${id}/try?agent=iphone&${query}`));
      return [text.includes('https://example.com/app'), text.includes('the IP address is in 192.0.2.0/24 or')];
    };
    expect(await led('region=US-TX&address=192.0.2.1')).toEqual([true, true]);
    expect(await led('region=US-NY&address=192.0.2.1')).toEqual([false, true]);
    expect(await led('region=US-TX&address=192.0.3.1')).toEqual([false, true]);
  });

  it('the form of an edit saves what the buttons have changed', async () => {
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

  it('the form of an edit takes all rules and variants away', async () => {
    const scene = await openLinks();
    const { id, open, press, send } = await openEdit(scene);
    let fields = await open();
    for (const button of ['rules.0.remove', 'rules.0.remove', 'variants.0.remove', 'variants.0.remove'])
      fields = await press(fields, button);
    expect((await send(fields)).status).toBe(303);
    expect(await storedOf(id)).toMatchObject({ rules: null, variants: null });
  });

  it('the form of an edit keeps rules and variants if it is of a page without them', async () => {
    const scene = await openLinks();
    const { id, open, send } = await openEdit(scene);
    const { revision = '' } = await open();
    expect((await send({ revision, url: 'https://example.com/new' })).status).toBe(303);
    const row = await storedOf(id);
    expect(row).toMatchObject({ url: 'https://example.com/new' });
    expect([row?.['rules'], row?.['variants']].map((text) => JSON.parse(String(text)))).toEqual([RULES, VARIANTS]);
  });

  it('the form of an edit keeps the seconds of a date that was not changed, and all of the rest', async () => {
    const scene = await openLinks();
    const until = '2030-01-01T00:00:59.999Z';
    const rules = [{ ...RULES[0], if: [{ type: 'date', until }] }, RULES[1]];
    const { id, open, press, send } = await openEdit(scene, { rules });
    const fields = await press(await open(), 'rules.0.down');
    expect(fields).toMatchObject({ 'rules.1.if.0.until': '2030-01-01T00:00' });
    expect((await send({ ...fields, 'rules.1.name': 'New year' })).status).toBe(303);
    expect(JSON.parse(String((await storedOf(id))?.['rules']))).toEqual([RULES[1], { ...rules[0], name: 'New year' }]);
  });

  it('the form of an edit shows the inputs of another type after Update, and no more than 20 rules', async () => {
    const scene = await openLinks();
    const { open, press } = await openEdit(scene, { rules: RULES });
    const chosen = await press({ ...(await open()), 'rules.0.if.0.type': 'hours' }, 'update');
    expect(chosen).toMatchObject({ 'rules.0.if.0.from': '', 'rules.0.if.0.tz': 'UTC' });
    expect(chosen).not.toHaveProperty(['rules.0.if.0.in']);
    let fields = chosen;
    for (let rules = 2; rules < 22; rules += 1) fields = await press(fields, 'rules.add');
    expect(fields['rules']).toBe('20');
  });

  it('the form of an edit refuses numbers of rules that no page has', async () => {
    const scene = await openLinks();
    const { id, open, send } = await openEdit(scene);
    const before = await storedOf(id);
    for (const more of [{ rules: '21' }, { rules: 'x' }, { 'rules.0.if': '21' }, { variants: '9', do: 'update' }])
      expect((await send({ ...(await open()), ...more })).status).toBe(400);
    expect(await storedOf(id)).toEqual(before);
  });
});
