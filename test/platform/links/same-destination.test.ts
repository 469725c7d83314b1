import { describe, expect, it } from 'vitest';
import { ask } from '../../support/management.ts';
import { cookiesOf, form, openLinks, placeOf, textOf } from '../../support/platform.ts';
import { pageFieldsOf } from '../../support/page-fields.ts';
import { optionsOf } from '../../support/link-pages.ts';
import { listed } from '../../support/link-lists.ts';
import { seedDomain, seedLink } from '../../support/seed.ts';

const URL = 'https://example.com/page?a=1';
const IN_ADDRESS = encodeURIComponent(URL).replaceAll('%20', '+');

const partsOf = async (response: Promise<Response>) =>
  (await (await response).json<{ parts: Readonly<Record<string, string>> }>()).parts;

describe('the form of a new link', () => {
  it('the form of a new link says how many links lead to the destination already, and leads to them', async () => {
    const { caller, browse, path } = await openLinks();
    const other = await openLinks();
    await seedLink(other.caller, { url: URL });
    await seedLink(caller, { url: `${URL}2` });
    const said = async (url: string) => (await partsOf(browse(`${path}/check`, form({ url }))))['same-destination'];
    expect(await said(URL)).toBe('');
    const first = await seedLink(caller, { url: URL });
    const href = `href="${path}?url=${IN_ADDRESS}"`;
    expect(await said(URL)).toBe(`<p class="same"><a ${href}>1 link leads here already</a></p>`);
    const second = await seedLink(caller, { url: URL });
    expect(await said('HTTPS://EXAMPLE.com/page?a=1')).toBe(
      `<p class="same"><a ${href}>2 links lead here already</a></p>`,
    );
    expect(await said('example.com/page?a=1')).toContain('2 links lead here already');
    expect(await textOf(browse(`${path}/new?url=${IN_ADDRESS}`))).toContain('2 links lead here already');
    expect(listed(await textOf(browse(`${path}?url=${IN_ADDRESS}`)))).toEqual([second.id, first.id]);
    await browse(`${path}/${first.id}/delete`, form({}));
    expect(await said(URL)).toContain('1 link leads here already');
    for (const url of ['', 'nowhere', 'x'.repeat(3000), 'https://exa mple']) expect(await said(url)).toBe('');
    expect((await other.browse(`${path}/check`, form({ url: URL }))).status).toBe(404);
  });

  it('the form of a new link says how many links lead to the destination with its UTM parameters', async () => {
    const { caller, browse, path } = await openLinks();
    await seedLink(caller, { url: `${URL}&utm_source=news` });
    const said = async (fields: Record<string, string>) =>
      (await partsOf(browse(`${path}/check`, form({ url: URL, ...fields }))))['same-destination'];
    expect(await said({})).toBe('');
    expect(await said({ utm_source: 'news' })).toContain('1 link leads here already');
    expect(await said({ utm_source: 'x'.repeat(300) })).toBe('');
  });

  it('the form of a new link creates one more all the same, and says that there are others', async () => {
    const { browse, path } = await openLinks();
    const flashes = [];
    for (let i = 0; i < 2; i++) {
      const made = await browse(`${path}/new`, form({ url: URL }));
      expect(made.status).toBe(303);
      flashes.push(cookiesOf(made)['__Host-terse-flash']?.[0]);
    }
    expect(flashes).toEqual(['link-made', 'link-made-again']);
    const [, location] = placeOf(await browse(`${path}/new`, form({ url: URL })));
    expect(await textOf(browse(`${location}/details`))).toContain(`href="${path}?url=${IN_ADDRESS}"`);
  });

  it.each([
    ['a typed slug', { slug: 'sale' }, '/sale</code>.'],
    ['no slug', {}, '/…</code> with a generated slug.'],
    ['a slug in another script', { slug: 'größe' }, '/größe</code>.'],
  ])('the form of a new link shows the short link as it will be with %s', async (_, fields, end) => {
    const { caller, browse, path } = await openLinks();
    const host = await seedDomain(caller);
    const start = 'The short link will be <code dir="ltr" class="broken">';
    for (const [domain, shownHost] of [
      ['', 'terse.test'],
      [host, host],
    ] as const) {
      const typed = { ...fields, custom_domain: domain };
      const { 'short-url': said } = await partsOf(browse(`${path}/check`, form(typed)));
      expect(said).toBe(start + shownHost + end);
      // An address has no empty fields.
      const address = new URLSearchParams(domain === '' ? fields : typed);
      const page = await textOf(browse(`${path}/new?${address.toString()}`));
      expect(page).toContain(`id="short-url">${said}</p>`);
    }
  });

  it.each([
    ['invalid', '<b>'],
    ['taken', 'taken-before'],
  ])(
    'the form of a new link shows no short link for a slug that is %s, and says so until it is right',
    async (_, slug) => {
      const { caller, browse, path } = await openLinks();
      if (slug === 'taken-before') await seedLink(caller, { slug });
      const check = async (fields: Record<string, string>) =>
        (await (await browse(`${path}/check`, form(fields))).json()) as {
          faults: Record<string, string>;
          parts: Record<string, string>;
        };
      for (const url of ['', 'nowhere', 'https://terse.test/a', 'https://example.com/']) {
        const { faults, parts } = await check({ url, slug });
        expect([url, parts['short-url'], faults['slug']]).toEqual([url, '', expect.stringMatching(/\w/)]);
        if (url === 'https://example.com/') continue;
        const page = await textOf(browse(`${path}/new`, form({ url, slug })));
        expect(page).toContain('id="short-url"></p>');
        expect(page).toContain('id="fault-slug"');
      }
      expect(await textOf(browse(`${path}/new?${new URLSearchParams({ slug }).toString()}`))).toContain(
        'id="fault-slug"',
      );
      const { faults, parts } = await check({ url: 'nowhere', slug: 'free-slug' });
      expect([faults['slug'], parts['short-url']]).toEqual([
        undefined,
        expect.stringContaining('terse.test/free-slug'),
      ]);
    },
  );

  it('the form of an edit says what is wrong with the slug until it is right, whatever else is typed', async () => {
    const { caller, browse, path } = await openLinks();
    await seedLink(caller, { slug: 'taken-for-edit' });
    const { id } = await seedLink(caller, { slug: 'own-of-edit' });
    const fields = pageFieldsOf(await textOf(browse(`${path}/${id}/edit`)));
    for (const [url, slug, isRefused] of [
      ['nowhere', 'taken-for-edit', true],
      ['https://example.com/', 'a b', true],
      ['nowhere', 'own-of-edit', false],
      ['nowhere', 'free-slug', false],
    ] as const) {
      const typed = form({ ...fields, url, slug });
      const { faults } = (await (await browse(`${path}/${id}/check`, typed)).json()) as { faults: object };
      expect([url, slug, 'slug' in faults]).toEqual([url, slug, isRefused]);
      const page = await textOf(browse(`${path}/${id}/edit`, form({ ...fields, url, slug })));
      expect([url, slug, page.includes('id="fault-slug"')]).toEqual([url, slug, isRefused]);
    }
  });

  it('the form of a new link has all options closed, and those with an error open', async () => {
    const { browse, path } = await openLinks();
    const openIn = (page: string) =>
      Object.entries(optionsOf(page)).flatMap(([label, [state]]) => (state === 'open' ? [label] : []));
    const empty = optionsOf(await textOf(browse(`${path}/new`)));
    expect(Object.values(empty).map(([state]) => state)).toEqual(Array.from({ length: 11 }, () => 'closed'));
    const refuse = (fields: Record<string, string>) => textOf(browse(`${path}/new`, form({ url: '', ...fields })));
    expect(openIn(await refuse({ title: 'Spring', comments: 'x' }))).toEqual([]);
    expect(openIn(await refuse({ metadata: '{' }))).toEqual(['For developers']);
    expect(openIn(await refuse({ utm_term: 'x'.repeat(201) }))).toEqual(['UTM']);
    expect(openIn(await refuse({ max_clicks: 'x', utm_source: 'a' }))).toEqual(['Start and end']);
  });

  it('the form of a new link says all of its errors at once while it is filled in, each until its field is right', async () => {
    const { browse, path } = await openLinks();
    const check = async (fields: Record<string, string>) =>
      (await (await browse(`${path}/check`, form(fields))).json<{ faults: Record<string, string> }>()).faults;
    const wrong = {
      url: 'nowhere',
      slug: 'a b',
      utm_term: 'x'.repeat(201),
      starts_at: 'soon',
      expires_at: 'later',
      max_clicks: '0',
      rules: '1',
      'rules.0.if': '1',
      'rules.0.url': 'x',
      'rules.0.if.0.type': 'country',
      'rules.0.if.0.in': 'DE',
      variants: '0',
    };
    const names = ['expires_at', 'max_clicks', 'rules.0.url', 'slug', 'starts_at', 'url', 'utm_term'];
    expect(Object.keys(await check(wrong)).toSorted()).toEqual(names);
    const { starts_at: _, ...right } = wrong;
    expect(Object.keys(await check({ ...right, url: 'https://example.com/' })).toSorted()).toEqual(
      names.filter((name) => name !== 'starts_at' && name !== 'url'),
    );
  });
});

describe('a list of links', () => {
  it('a list of links finds the link with an external id by its search, however old it is', async () => {
    const { caller, browse, path } = await openLinks();
    const old = await seedLink(caller, { external_id: 'product-4711', url: 'https://example.com/old' });
    const theirs = await openLinks();
    await seedLink(theirs.caller, { external_id: 'product-4711' });
    expect(listed(await textOf(browse(`${path}?q=product-4711`)))).toEqual([old.id]);
    expect(listed(await textOf(browse(`${path}?q=PRODUCT-47`)))).toEqual([old.id]);
    expect(listed(await textOf(browse(`${path}?external_id=product-4711`)))).toEqual([old.id]);
    for (let i = 0; i < 6; i++) {
      const links = Array.from({ length: 100 }, () => ({ url: 'https://example.com/new', client_id: caller.clientId }));
      expect((await ask(caller, 'POST', '/v1/links/batch', { links })).status).toBe(200);
    }
    const page = await textOf(browse(`${path}?q=product-4711`));
    expect(listed(page)).toEqual([old.id]);
    expect(listed(await textOf(browse(`${path}?q=product-4711&state=disabled`)))).toEqual([]);
    expect(listed(await textOf(browse(`${path}?q=product-47`)))).toEqual([old.id]);
  });

  it('a list of links takes a destination without its scheme as its filter, and says what is wrong with one', async () => {
    const { caller, browse, path } = await openLinks();
    const link = await seedLink(caller, { url: 'https://example.com/exact' });
    await seedLink(caller, { url: 'https://example.com/exact/not' });
    expect(listed(await textOf(browse(`${path}?url=example.com/exact`)))).toEqual([link.id]);
    const refused = await browse(`${path}?url=nowhere`);
    expect([refused.status, (await refused.text()).includes('id="fault-url"')]).toEqual([400, true]);
  });
});
