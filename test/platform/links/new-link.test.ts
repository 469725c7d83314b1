import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { form, openLinks, PAGE_HEADERS, pageHeadersOf } from '../../support/platform.ts';
import { rowsOf, seedDomain, seedLink } from '../../support/seed.ts';
import { countTrips } from '../../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const rowOf = async (id: string) => (await rowsOf('links')).find((row) => row['id'] === id);

describe('creating a link', () => {
  it('creating a link stores what was typed, with UTM parameters in the target and the end on the clocks of the user', async () => {
    const { caller, browse, path } = await openLinks();
    const host = await seedDomain(caller);
    await browse('/platform/account/time-zone', form({ tz: 'America/New_York' }));
    const trips = await countTrips();
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
    expect(trips().d1).toBe(3);
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
    ['url', 'This must be an absolute http or https URL, such as https://example.com/page.', { url: 'nowhere' }],
    [
      'url',
      'url leads to a host of this service, which would create a redirect loop. Use another URL.',
      { url: 'https://terse.test/a' },
    ],
    [
      'slug',
      'This must be 1 to 64 letters, digits, &quot;-&quot; or &quot;_&quot;, and on a custom domain also dots, emoji and up to 4 segments with &quot;/&quot; between.',
      { slug: 'a b' },
    ],
    [
      'slug',
      'This is reserved for pages of this service, or looks like a reserved word: choose another.',
      { slug: 'Platform' },
    ],
    ['metadata', 'This must be a JSON text, such as {&quot;team&quot;:&quot;web&quot;}.', { metadata: '{' }],
    ['expires_at', 'This must not be in the past.', { expires_at: '2001-01-01T00:00' }],
    ['expires_at', 'This must be a day and a time, such as 2027-12-31T18:00.', { expires_at: 'soon' }],
    ['utm_term', 'This must be at most 200 characters long.', { utm_term: 'x'.repeat(201) }],
    ['campaign_name', 'This must be at most 128 characters long.', { campaign_name: 'x'.repeat(129) }],
  ])('creating a link says beside %s: %s', async (field, sentence, fields) => {
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

  it('creating a link says beside the slug that it is taken, and offers only domains that take links', async () => {
    const { caller, browse, path } = await openLinks();
    await seedLink(caller, { slug: 'form-taken' });
    const host = await seedDomain(caller);
    await env.DB.prepare(`INSERT INTO domains (client_id, host, status) VALUES (?, 'pending.example', 'pending')`)
      .bind(caller.clientId)
      .run();
    const response = await browse(`${path}/new`, form({ url: 'https://example.com/', slug: 'Form-Taken' }));
    expect(response.status).toBe(409);
    const page = await response.text();
    expect(page).toContain('id="fault-slug">slug Form-Taken is already in use on this host');
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
      { slug: expect.stringContaining('is already in use') },
      '',
    ],
  ])('creating a link gives a script %s, and creates nothing', async (_, fields, faults, target) => {
    const { caller, browse, path } = await openLinks();
    if (fields['slug'] === 'form-checked') await seedLink(caller, { slug: 'form-checked' });
    const before = (await rowsOf('links')).length;
    const response = await browse(`${path}/check`, form(fields));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ faults, target, parts: expect.any(Object) });
    expect(pageHeadersOf(response)).toEqual(PAGE_HEADERS);
    expect((await rowsOf('links')).length).toBe(before);
  });
});
