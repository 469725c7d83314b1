import { describe, expect, it } from 'vitest';
import { openPagesOfLink } from '../../support/link-pages.ts';
import { pageFieldsOf } from '../../support/page-fields.ts';
import { form } from '../../support/platform.ts';
import { newSlug } from '../../support/manage.ts';

/** The slug of a link in its form, while another spelling of it is typed. */

describe('another spelling of a link’s own slug', () => {
  it.each([
    ['in capital letters', (end: string) => [`sale-${end}`, `SALE-${end}`]],
    ['with ss for ß', (end: string) => [`straße-${end}`, `STRASSE-${end}`]],
    ['with a dotted capital I', (end: string) => [`i̇x-${end}`, `İX-${end}`]],
  ])('another spelling of a link’s own slug has no error while it is typed: %s', async (_, spell) => {
    const [slug = '', spelled = ''] = spell(newSlug().toLowerCase());
    const { open, path, browse, send } = await openPagesOfLink({ slug });
    const typed = { ...pageFieldsOf(await open()), slug: spelled };
    const { faults } = await (await browse(`${path}/check`, form(typed))).json<{ faults: object }>();
    expect(faults).toEqual({});
    expect((await send(typed)).status).toBe(303);
    expect(pageFieldsOf(await open())['slug']).toBe(spelled);
  });
});
