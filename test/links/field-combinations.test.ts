import { describe, expect, it } from 'vitest';
import { open, type Manager } from '../support/manage.ts';

/** Rules for several fields of a link together, whichever of them a request sets. */

const URL_OF = (bytes: number) => `https://example.com/${'x'.repeat(bytes - 20)}`;
const rule = (name: string, url: string) => ({ name, if: [{ type: 'country', in: ['DE'] }], url });
const variant = (name: string, url: string) => ({ name, url, weight: 1 });

/** Lists that take exactly as many bytes of JSON as a link may have. */
function fullest(): { rules: object[]; variants: object[] } {
  const variants = [variant('A', URL_OF(100)), variant('B', URL_OF(100))];
  const rulesOf = (bytes: readonly number[]) => bytes.map((each, index) => rule(`R${index}`, URL_OF(each)));
  const lengths = Array.from({ length: 8 }, () => 100);
  const free = 16 * 1024 - JSON.stringify(variants).length - JSON.stringify(rulesOf(lengths)).length;
  const rules = rulesOf(lengths.map((each, index) => each + Math.floor((free + index) / 8)));
  return { rules, variants };
}

const errorOf = async (answered: Promise<{ status: number; body: Record<string, unknown> }>) => {
  const { status, body } = await answered;
  return [status, body['error']];
};

const create = ({ ask, tenant, key }: Manager, fields: object) =>
  ask('POST', '/v1/links', { url: 'https://example.com/', client_id: tenant.clientId, ...fields }, key);
const edit = ({ ask }: Manager, id: string, fields: object) => ask('PATCH', `/v1/links/${id}`, fields);

describe('the lists and texts of a link', () => {
  const refusal = (field: string, others: string, bytes: number) => [
    400,
    `too_long: ${field} and ${others} may take at most 16384 bytes together, but take ${bytes}.`,
  ];

  it('the lists and texts of a link take 16,384 bytes together, and not one more, by create and by edit', async () => {
    const manager = await open();
    const { rules, variants } = fullest();
    const id = await manager.make({ rules, variants });
    expect(await manager.read(id)).toMatchObject({ rules, variants });
    const longer = [variant('A', URL_OF(100)), variant('B', URL_OF(101))];
    const refused = refusal('rules', 'variants', 16_385);
    expect(await errorOf(create(manager, { rules, variants: longer }))).toEqual(refused);
    expect(await errorOf(edit(manager, id, { variants: longer }))).toEqual(refused);
    expect(await manager.read(id)).toMatchObject({ rules, variants });
  });

  it('the lists and texts of a link count in bytes of UTF-8, with the texts of the preview', async () => {
    const manager = await open();
    const { rules, variants } = fullest();
    const id = await manager.make({ rules, variants: null });
    const free = JSON.stringify(variants).length;
    const preview = { title: 'ü'.repeat((free - '{"title":""}'.length) / 2) };
    const spare = free - Buffer.byteLength(JSON.stringify(preview));
    expect((await edit(manager, id, { preview })).status).toBe(200);
    const longer = { title: `${preview.title}${'ü'.repeat(Math.floor(spare / 2) + 1)}` };
    const bytes = 16_384 - free + Buffer.byteLength(JSON.stringify(longer));
    expect(await errorOf(edit(manager, id, { preview: longer }))).toEqual(refusal('rules', 'preview', bytes));
    expect((await manager.read(id)).preview).toEqual(preview);
  });
});

describe('an edit of one field', () => {
  const START = '2099-01-01T00:00:00.000Z';
  const LATER = '2099-01-02T00:00:00.000Z';
  const order = [400, 'invalid_starts_at: starts_at must be before expires_at.'];

  it('an edit of one field leaves the start before the end, whichever of them it sets', async () => {
    const manager = await open();
    expect(await errorOf(create(manager, { starts_at: LATER, expires_at: LATER }))).toEqual(order);
    const id = await manager.make({ starts_at: START, expires_at: LATER });
    expect(await errorOf(edit(manager, id, { starts_at: LATER }))).toEqual(order);
    expect(await errorOf(edit(manager, id, { expires_at: START }))).toEqual(order);
    expect(await manager.read(id)).toMatchObject({ starts_at: START, expires_at: LATER });
    expect((await edit(manager, id, { starts_at: LATER, expires_at: null })).status).toBe(200);
  });

  it('an edit of one field gives no rule the name of a variant, and no variant that of a rule', async () => {
    const manager = await open();
    const variants = [variant('One', URL_OF(30)), variant('Two', URL_OF(31))];
    const id = await manager.make({ variants });
    const shared = (place: string) => [
      400,
      `invalid_${place.split('.')[0]}: ${place} must differ from the names of the other rules and variants of the link, regardless of case.`,
    ];
    expect(await errorOf(edit(manager, id, { rules: [rule('two', URL_OF(32))] }))).toEqual(shared('rules.0.name'));
    await edit(manager, id, { rules: [rule('Three', URL_OF(32))] });
    const renamed = [variant('One', URL_OF(30)), variant('THREE', URL_OF(31))];
    expect(await errorOf(edit(manager, id, { variants: renamed }))).toEqual(shared('variants.1.name'));
    expect((await manager.read(id)).variants).toEqual(variants);
  });
});
