import { describe, expect, it } from 'vitest';
import { textOf, form, openLinks } from '../../../support/platform.ts';
import { pageFieldsOf } from '../../../support/page-fields.ts';
import { storedOf } from '../../../support/link-pages.ts';
import { openEdit } from '../../../support/route-forms.ts';

/** Values of conditions by their names. */

const RULE = {
  rules: '1',
  variants: '0',
  'rules.0.name': 'Near',
  'rules.0.url': 'https://example.com/near',
  'rules.0.if': '1',
};

describe('the values of a condition', () => {
  it.each([
    [
      'country',
      'germany, AT, St. Vincent & Grenadines',
      ['DE', 'AT', 'VC'],
      'Germany, Austria, St. Vincent & Grenadines',
    ],
    ['continent', 'Europe, na', ['EU', 'NA'], 'Europe, North America'],
    ['language', 'German, pt-BR, de-AT', ['de', 'pt-BR', 'de-AT'], 'German, Portuguese (Brazil), de-AT'],
    ['region', 'us-tx', ['US-TX'], 'US-TX'],
  ])('the values of a condition are typed and shown by name: %s', async (type, typed, values, shown) => {
    const scene = await openLinks();
    const { id, open, send } = await openEdit(scene, {});
    const sent = { ...(await open()), ...RULE, 'rules.0.if.0.type': type, 'rules.0.if.0.in': typed };
    expect((await send(sent)).status).toBe(303);
    const row = await storedOf(id);
    expect(JSON.parse(String(row?.['rules']))).toMatchObject([{ if: [{ type, in: values }] }]);
    expect(await open()).toMatchObject({ 'rules.0.if.0.in': shown });
    expect((await send(await open())).status).toBe(303);
    expect((await storedOf(id))?.['rules']).toBe(row?.['rules']);
  });

  it('the values of a condition are offered by name, for the types that the form has', async () => {
    const { browse, path } = await openLinks();
    const pageWith = (type: string) =>
      textOf(browse(`${path}/new`, form({ ...RULE, 'rules.0.if.0.type': type, do: 'update' })));
    const countries = await pageWith('country');
    expect(countries).toContain('<datalist id="choices-country"><option value="Afghanistan"');
    expect(countries).toContain('list="choices-country"');
    expect(countries.match(/<datalist id="choices-/g)).toHaveLength(1);
    expect(await pageWith('language')).toContain('<option value="Portuguese (Brazil)"');
    expect(await pageWith('hours')).toContain('<datalist id="choices-hours"><option value="');
    for (const type of ['constructor', '__proto__']) {
      const { status } = await browse(
        `${path}/new`,
        form({ ...RULE, 'rules.0.if.0.type': type, 'rules.0.if.0.in': 'x' }),
      );
      expect(status).toBe(400);
    }
    expect(pageFieldsOf(countries)).toMatchObject({ 'rules.0.name': 'Near' });
  });
});
