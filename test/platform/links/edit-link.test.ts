import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pageFieldsOf } from '../../support/page-fields.ts';
import { form, openLinks, textOf, visit } from '../../support/platform.ts';
import { rowsOf, seedLink } from '../../support/seed.ts';
import { countTrips } from '../../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const rowOf = async (id: string) => (await rowsOf('links')).find((row) => row['id'] === id);

describe('editing a link', () => {
  it('editing a link changes what was typed otherwise, and leaves the rest as it is, in four trips', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller, { campaign_name: 'Spring', metadata: '{\n"a":1}', sec_id: 'print' });
    // An expiry that is past, with seconds that no form shows.
    const past = Date.parse('2026-01-01T12:34:56Z');
    await env.DB.prepare('UPDATE links SET expires_at = ? WHERE id = ?').bind(past, id).run();
    const fields = pageFieldsOf(await (await browse(`${path}/${id}/edit`)).text());
    expect(fields).toMatchObject({ expires_at: '2026-01-01T12:34', campaign_name: 'Spring', sec_id: 'print' });
    const trips = await countTrips();
    const response = await browse(
      `${path}/${id}/edit`,
      form({ ...fields, url: 'https://example.com/new', campaign_name: '' }),
    );
    expect([response.status, response.headers.get('Location')]).toEqual([303, `${path}/${id}/details`]);
    expect(trips().d1).toBe(4);
    expect(await rowOf(id)).toMatchObject({
      url: 'https://example.com/new',
      campaign_name: null,
      metadata: '{\n"a":1}',
      sec_id: 'print',
      expires_at: past,
    });
  });

  it.each([
    ['comments', '\nfirst line empty'],
    ['comments', '\n'],
    ['comments', '\n\nx'],
    ['comments', 'a\rb'],
    ['comments', 'a\r\r\nb'],
    ['metadata', '\n{"a":1}'],
    ['metadata', '{"a":1,\r"b":2}'],
    ['metadata', '{\n"a":1,\r\n"b":2}\r\n'],
  ])('editing a link leaves %s %j as they are if only the campaign is changed', async (name, text) => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    await env.DB.prepare(`UPDATE links SET ${name} = ? WHERE id = ?`).bind(text, id).run();
    const fields = pageFieldsOf(await textOf(browse(`${path}/${id}/edit`)));
    const response = await browse(`${path}/${id}/edit`, form({ ...fields, campaign_name: 'Spring' }));
    expect(response.status).toBe(303);
    expect(await rowOf(id)).toMatchObject({ [name]: text, campaign_name: 'Spring' });
    const history = await textOf(browse(`${path}/${id}/history`));
    expect(history).toContain('<span class="quiet">Campaign</span>');
    expect(history).not.toMatch(/<span class="quiet">(Comments|Metadata)</);
  });

  it('editing a link refuses a revision that is no number, and changes nothing', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    const before = await rowOf(id);
    const response = await browse(`${path}/${id}/edit`, form({ revision: 'a', url: 'https://example.com/new' }));
    expect(response.status).toBe(400);
    expect(await rowOf(id)).toEqual(before);
  });

  it('editing a link on top of another edit shows both states, and overwrites only when sent again', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    const fields = pageFieldsOf(await (await browse(`${path}/${id}/edit`)).text());
    await browse(`${path}/${id}/edit`, form({ ...fields, url: 'https://example.com/theirs' }));
    const response = await browse(`${path}/${id}/edit`, form({ ...fields, url: 'https://example.com/mine' }));
    expect(response.status).toBe(412);
    const page = await response.text();
    expect(page).toContain(
      'Destination: <span dir="ltr" title="https://example.com/theirs">https://example.com/theirs</span>',
    );
    expect(await visit(id)).toEqual([302, 'https://example.com/theirs']);
    const again = pageFieldsOf(page);
    expect(again['url']).toBe('https://example.com/mine');
    expect((await browse(`${path}/${id}/edit`, form(again))).status).toBe(303);
    expect(await visit(id)).toEqual([302, 'https://example.com/mine']);
  });

  it('editing a link on top of two edits that leave it as it was says so, and saves when sent again', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    const fields = pageFieldsOf(await (await browse(`${path}/${id}/edit`)).text());
    for (const url of ['https://example.com/theirs', 'https://example.com/']) {
      const now = pageFieldsOf(await (await browse(`${path}/${id}/edit`)).text());
      expect((await browse(`${path}/${id}/edit`, form({ ...now, url }))).status).toBe(303);
    }
    const response = await browse(`${path}/${id}/edit`, form(fields));
    expect(response.status).toBe(412);
    const page = await response.text();
    expect(page).toContain('role="alert">The link has been changed since you read it. Read it again, then edit it.<');
    expect((await browse(`${path}/${id}/edit`, form(pageFieldsOf(page)))).status).toBe(303);
  });

  it('editing a link says what is wrong beside its field, and changes nothing', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    const fields = pageFieldsOf(await (await browse(`${path}/${id}/edit`)).text());
    const response = await browse(`${path}/${id}/edit`, form({ ...fields, url: 'nowhere', sec_id: '' }));
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain('id="fault-url">');
    expect(page).toContain('id="fault-sec_id">');
    expect(page).toContain('value="nowhere"');
    expect(await visit(id)).toEqual([302, 'https://example.com/']);
  });

  it('editing a link keeps a former slug as an alias until it is removed', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller, { slug: 'fürs-erste' });
    const fields = pageFieldsOf(await (await browse(`${path}/${id}/edit`)).text());
    await browse(`${path}/${id}/edit`, form({ ...fields, slug: 'for-good' }));
    expect((await visit('f%C3%BCrs-erste'))[0]).toBe(302);
    const below = `${path}/${id}/aliases/${encodeURIComponent('fürs-erste')}/remove`;
    expect(await textOf(browse(`${path}/${id}/details`))).toContain(`href="${below}"`);
    expect(await (await browse(below)).text()).toContain('Remove this alias?');
    expect((await browse(below, form({}))).status).toBe(303);
    expect((await visit('f%C3%BCrs-erste'))[0]).toBe(404);
    expect((await browse(below, form({}))).status).toBe(404);
  });

  it('editing a link puts a former target back, and says so in the history', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    const fields = pageFieldsOf(await (await browse(`${path}/${id}/edit`)).text());
    await browse(`${path}/${id}/edit`, form({ ...fields, url: 'https://example.com/new' }));
    expect(await textOf(browse(`${path}/${id}/history`))).toContain(`action="${path}/${id}/history/1/put-back"`);
    expect((await browse(`${path}/${id}/history/1/put-back`, form({}))).status).toBe(303);
    expect(await visit(id)).toEqual([302, 'https://example.com/']);
    expect((await browse(`${path}/${id}/history/9/put-back`, form({}))).status).toBe(404);
    expect((await browse(`${path}/${id}/history/x/put-back`, form({}))).status).toBe(404);
  });
});
