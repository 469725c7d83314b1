import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deliver, packOf } from '../support/clicks.ts';
import { form, openLinks, PAGE_HEADERS, pageHeadersOf } from '../support/platform.ts';
import { rowsOf, seedDomain, seedLink } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const rowOf = async (id: string) => (await rowsOf('links')).find((row) => row['id'] === id);

const visit = async (slug: string) => {
  const response = await call(`/${slug}`);
  return [response.status, response.headers.get('Location')];
};

/** The values of a form's fields, as a browser would send them unchanged. */
function fieldsOf(page: string): Record<string, string> {
  const inputs = [...page.matchAll(/<input[^>]* name="([^"]+)"[^>]*? value="([^"]*)"/g)];
  const areas = [...page.matchAll(/<textarea[^>]* name="([^"]+)"[^>]*>([^<]*)</g)];
  const revision = /name="revision" value="(\d+)"/.exec(page)?.[1] ?? '';
  const unescaped = (text = '') => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  return {
    ...Object.fromEntries([...inputs, ...areas].map(([, name = '', value]) => [name, unescaped(value)])),
    revision,
  };
}

describe('making a link', () => {
  it('stores what was typed, with UTM parameters in the target and the end on the clocks of the user', async () => {
    const { caller, browse, path } = await openLinks();
    const host = await seedDomain(caller);
    await browse('/platform/account/time-zone', form({ tz: 'America/New_York' }));
    const trips = countTrips();
    const response = await browse(
      `${path}/new`,
      form({
        url: 'https://example.com/?utm_source=old&a=1#top',
        slug: 'form-sale',
        custom_domain: host,
        campaign_name: 'Spring',
        sec_id: 'print',
        metadata: '{"a":1}',
        expires_at: '2099-07-01T09:00',
        utm_source: 'new & fresh',
        utm_medium: '',
        utm_campaign: '',
        utm_term: '',
        utm_content: 'header',
      }),
    );
    expect(response.status).toBe(303);
    expect(trips().d1).toBe(2);
    const id = response.headers.get('Location')?.split('/').at(-1) ?? '';
    expect(await rowOf(id)).toMatchObject({
      slug: 'form-sale',
      client_id: caller.clientId,
      url: 'https://example.com/?a=1&utm_source=new%20%26%20fresh&utm_content=header#top',
      campaign_name: 'Spring',
      sec_id: 'print',
      metadata: '{"a":1}',
      expires_at: Date.parse('2099-07-01T13:00:00Z'),
      user_id: caller.userId,
      key_id: null,
    });
  });

  it.each<[field: string, sentence: string, fields: Record<string, string>]>([
    ['url', 'This is required.', { url: '' }],
    ['url', 'This must be an absolute http or https URL, such as https://example.com/page.', { url: 'example.com' }],
    [
      'url',
      'url points to a host of this service, which would send visitors in circles.',
      { url: 'https://terse.test/a' },
    ],
    ['slug', 'This must be 1 to 64 letters, digits, &quot;-&quot; or &quot;_&quot;.', { slug: 'a b' }],
    ['slug', 'This is a word that is kept for pages of this service.', { slug: 'Platform' }],
    ['metadata', 'This must be a JSON text, such as {&quot;team&quot;:&quot;web&quot;}.', { metadata: '{' }],
    ['expires_at', 'This must not be in the past.', { expires_at: '2001-01-01T00:00' }],
    ['expires_at', 'This must be a date and a time.', { expires_at: 'soon' }],
    ['utm_term', 'This must be at most 200 characters long.', { utm_term: 'x'.repeat(201) }],
    ['campaign_name', 'This must be at most 128 characters long.', { campaign_name: 'x'.repeat(129) }],
  ])('says beside %s: %s', async (field, sentence, fields) => {
    const { browse, path } = await openLinks();
    const typed = { url: 'https://example.com/kept', slug: '', metadata: '', expires_at: '', ...fields };
    const before = (await rowsOf('links')).length;
    const response = await browse(`${path}/new`, form(typed));
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain(`id="fault-${field}">${sentence}</p>`);
    if (field !== 'url') expect(page).toContain('value="https://example.com/kept"');
    expect((await rowsOf('links')).length).toBe(before);
  });

  it('says beside the slug that it is taken, and offers only domains that take links', async () => {
    const { caller, browse, path } = await openLinks();
    await seedLink(caller, { slug: 'form-taken' });
    const host = await seedDomain(caller);
    await env.DB.prepare(`INSERT INTO domains (client_id, host, status) VALUES (?, 'pending.example', 'pending')`)
      .bind(caller.clientId)
      .run();
    const response = await browse(`${path}/new`, form({ url: 'https://example.com/', slug: 'Form-Taken' }));
    expect(response.status).toBe(409);
    const page = await response.text();
    expect(page).toContain('id="fault-slug">slug Form-Taken is taken on this host');
    expect(page).toContain(`<option value="${host}">`);
    expect(page).not.toContain('pending.example');
  });

  it.each<[string, Record<string, string>, object, string]>([
    ['nothing wrong', { url: 'https://example.com/' }, {}, ''],
    [
      'the target with its parameters',
      { url: 'https://example.com/', utm_source: 'x' },
      {},
      'https://example.com/?utm_source=x',
    ],
    [
      'each field at fault',
      { url: 'x', slug: 'a b' },
      { url: expect.stringContaining('absolute'), slug: expect.stringContaining('64') },
      '',
    ],
    [
      'a slug that is taken',
      { url: 'https://example.com/', slug: 'form-checked' },
      { slug: expect.stringContaining('is taken') },
      '',
    ],
  ])('answers a script with %s, and makes nothing', async (_, fields, faults, target) => {
    const { caller, browse, path } = await openLinks();
    if (fields['slug'] === 'form-checked') await seedLink(caller, { slug: 'form-checked' });
    const before = (await rowsOf('links')).length;
    const response = await browse(`${path}/check`, form(fields));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ faults, target });
    expect(pageHeadersOf(response)).toEqual(PAGE_HEADERS);
    expect((await rowsOf('links')).length).toBe(before);
  });
});

describe('the page of a link', () => {
  it('tells the link, its clicks, its history and the very commands for it, in four trips', async () => {
    const { caller, browse, path } = await openLinks();
    const link = await seedLink(caller, {
      url: "https://example.com/it's?a=1",
      campaign_name: 'A <b>',
      sec_id: 'print',
    });
    await deliver([packOf(link, 3)]);
    const trips = countTrips();
    const page = await (await browse(`${path}/${link.id}?days=7`)).text();
    expect(trips().d1).toBe(4);
    expect(page).toContain(`<h1>terse.test/${link.id}</h1>`);
    expect(page).toContain('A &lt;b&gt;');
    expect(page).toContain('<dt>People</dt><dd>3</dd>');
    expect(page).toContain(`src="${path}/${link.id}/qr.svg?size=256"`);
    const code = (id: string) =>
      new RegExp(`<code id="${id}">([^<]*)</code>`)
        .exec(page)?.[1]
        ?.replaceAll('&#39;', "'")
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&');
    expect(code('curl-stats')).toBe(`curl https://terse.test/v1/links/${link.id}/stats -H 'X-API-Key: API_KEY'`);
    expect(code('curl-info')).toBe(
      `curl https://terse.test/info/${link.id}/${caller.clientId}/print \\\n  -H 'Authorization: Bearer ACCESS_TOKEN'`,
    );
    expect(code('curl-create')).toBe(
      [
        `curl https://terse.test/v1/links -H 'X-API-Key: API_KEY'`,
        `--form-string client_id=${caller.clientId}`,
        String.raw`--form-string 'url=https://example.com/it'\''s?a=1'`,
        '--form-string sec_id=print',
        `--form-string 'campaign_name=A <b>'`,
      ].join(' \\\n  '),
    );
  });

  it('says of a deleted link how to have it back, and offers nothing else', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    expect((await browse(`${path}/${id}/delete`)).status).toBe(200);
    const deleted = await browse(`${path}/${id}/delete`, form({}));
    expect([deleted.status, deleted.headers.get('Location')]).toEqual([303, path]);
    const page = await (await browse(`${path}/${id}`)).text();
    expect(page).toContain(`action="${path}/${id}/restore"`);
    for (const below of ['edit', 'disable', 'delete']) expect(page).not.toContain(`${path}/${id}/${below}"`);
    expect((await browse(`${path}/${id}/edit`)).status).toBe(409);
    expect((await browse(`${path}/${id}/qr.svg`)).status).toBe(404);
    await browse(`${path}/${id}/restore`, form({}));
    expect(await visit(id)).toEqual([302, 'https://example.com/']);
  });

  it('shows a history of many changes a page at a time', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    for (let i = 0; i < 12; i++) {
      await browse(`${path}/${id}/disable`, form({}));
      await browse(`${path}/${id}/enable`, form({}));
    }
    const page = await (await browse(`${path}/${id}`)).text();
    expect(page.match(/class="entry-head"/g)).toHaveLength(20);
    const older = /href="([^"]+)#history" rel="next"/.exec(page)?.[1] ?? '';
    expect((await (await browse(older)).text()).match(/class="entry-head"/g)).toHaveLength(5);
  });

  it('gives QR codes to look at and to keep', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    const seen = await browse(`${path}/${id}/qr.svg`);
    expect([seen.headers.get('Content-Type'), seen.headers.get('Content-Disposition')]).toEqual([
      'image/svg+xml',
      null,
    ]);
    expect(await seen.text()).toContain('<svg');
    const kept = await browse(`${path}/${id}/qr.png?size=1024&download=true`);
    expect([kept.headers.get('Content-Type'), kept.headers.get('Content-Disposition')]).toEqual([
      'image/png',
      `attachment; filename="qr-${id}.png"`,
    ]);
    expect([...new Uint8Array(await kept.arrayBuffer()).slice(1, 4)]).toEqual([...Buffer.from('PNG')]);
    expect((await browse(`${path}/${id}/qr.png?size=1`)).status).toBe(400);
  });
});

describe('editing a link', () => {
  it('changes what was typed otherwise, and leaves the rest as it is, in four trips', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller, { campaign_name: 'Spring', metadata: '{\n"a":1}', sec_id: 'print' });
    // An expiry that is past, with seconds that no form shows.
    const past = Date.parse('2026-01-01T12:34:56Z');
    await env.DB.prepare('UPDATE links SET expires_at = ? WHERE id = ?').bind(past, id).run();
    const fields = fieldsOf(await (await browse(`${path}/${id}/edit`)).text());
    expect(fields).toMatchObject({ expires_at: '2026-01-01T12:34', campaign_name: 'Spring', sec_id: 'print' });
    const trips = countTrips();
    const metadata = fields['metadata']?.replaceAll('\n', '\r\n') ?? '';
    const response = await browse(
      `${path}/${id}/edit`,
      form({ ...fields, metadata, url: 'https://example.com/new', campaign_name: '' }),
    );
    expect([response.status, response.headers.get('Location')]).toEqual([303, `${path}/${id}`]);
    expect(trips().d1).toBe(4);
    expect(await rowOf(id)).toMatchObject({
      url: 'https://example.com/new',
      campaign_name: null,
      metadata: '{\n"a":1}',
      sec_id: 'print',
      expires_at: past,
    });
  });

  it('on top of another edit is told, with both states, and overwrites only when sent again', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    const fields = fieldsOf(await (await browse(`${path}/${id}/edit`)).text());
    await browse(`${path}/${id}/edit`, form({ ...fields, url: 'https://example.com/theirs' }));
    const response = await browse(`${path}/${id}/edit`, form({ ...fields, url: 'https://example.com/mine' }));
    expect(response.status).toBe(412);
    const page = await response.text();
    expect(page).toContain('Target: <code>https://example.com/theirs</code>');
    expect(await visit(id)).toEqual([302, 'https://example.com/theirs']);
    const again = fieldsOf(page);
    expect(again['url']).toBe('https://example.com/mine');
    expect((await browse(`${path}/${id}/edit`, form(again))).status).toBe(303);
    expect(await visit(id)).toEqual([302, 'https://example.com/mine']);
  });

  it('says what is wrong beside its field, and changes nothing', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    const fields = fieldsOf(await (await browse(`${path}/${id}/edit`)).text());
    const response = await browse(`${path}/${id}/edit`, form({ ...fields, url: 'nowhere', sec_id: '' }));
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain('id="fault-url">');
    expect(page).toContain('id="fault-sec_id">');
    expect(page).toContain('value="nowhere"');
    expect(await visit(id)).toEqual([302, 'https://example.com/']);
  });

  it('keeps a former slug as an alias until it is removed', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller, { slug: 'fürs-erste' });
    const fields = fieldsOf(await (await browse(`${path}/${id}/edit`)).text());
    await browse(`${path}/${id}/edit`, form({ ...fields, slug: 'for-good' }));
    expect((await visit('f%C3%BCrs-erste'))[0]).toBe(302);
    const below = `${path}/${id}/aliases/${encodeURIComponent('fürs-erste')}/remove`;
    expect(await (await browse(`${path}/${id}`)).text()).toContain(`href="${below}"`);
    expect(await (await browse(below)).text()).toContain('Remove this alias?');
    expect((await browse(below, form({}))).status).toBe(303);
    expect((await visit('f%C3%BCrs-erste'))[0]).toBe(404);
    expect((await browse(below, form({}))).status).toBe(404);
  });

  it('puts a former target back, and says so in the history', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    const fields = fieldsOf(await (await browse(`${path}/${id}/edit`)).text());
    await browse(`${path}/${id}/edit`, form({ ...fields, url: 'https://example.com/new' }));
    expect(await (await browse(`${path}/${id}`)).text()).toContain(`action="${path}/${id}/history/1/put-back"`);
    expect((await browse(`${path}/${id}/history/1/put-back`, form({}))).status).toBe(303);
    expect(await visit(id)).toEqual([302, 'https://example.com/']);
    expect((await browse(`${path}/${id}/history/9/put-back`, form({}))).status).toBe(404);
    expect((await browse(`${path}/${id}/history/x/put-back`, form({}))).status).toBe(404);
  });
});
