import { describe, expect, it } from 'vitest';
import { answer, ask } from '../../support/management.ts';
import { optionsOf, storedOf } from '../../support/link-pages.ts';
import { pageFieldsOf } from '../../support/page-fields.ts';
import { form, openLinks, placeOf, textOf } from '../../support/platform.ts';
import { seedDomain, seedLink } from '../../support/seed.ts';

/** The page of a new link, without scripts. */

const LONG = 'https://www.example.com/shop/tents/ultralight/alpine-lite-2?colour=moss';

/** The text of what a link becomes, with a space in place of each tag. */
const becomesOf = (page: string) =>
  (/<section class="becomes".*?<\/section>/s.exec(page)?.[0] ?? '').replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe('what a new link becomes', () => {
  it('what a new link becomes is its short link, its card, its QR code and where visitors arrive', async () => {
    const { browse, path } = await openLinks();
    const typed = {
      url: LONG,
      slug: 'tent',
      utm_source: 'news',
      'preview.title': 'Alpine Lite',
      'preview.description': '1.1 kg.',
      'preview.image': 'https://cdn.example/a.png',
    };
    const page = await textOf(browse(`${path}/new`, form({ ...typed, do: 'update' })));
    expect(becomesOf(page)).toBe(
      ' What it becomes www.example.com/shop/tents/ultralight/alpine-lite-2?colour=moss&amp;utm_source=news' +
        ' terse.test /tent 15 characters instead of 79' +
        ' The picture from cdn.example Alpine Lite 1.1 kg. terse.test' +
        ' QR code Colours and a logo are set on the page of the link.' +
        ' Where visitors arrive www.example.com /shop/tents/ultralight/alpine-lite-2? colour=moss&amp; utm_source =news ',
    );
    expect(page).toContain('alt="QR code of terse.test/tent"');
    expect(page).not.toContain('src="https://cdn.example');
    const { parts } = await (await browse(`${path}/check`, form(typed))).json<{ parts: Record<string, string> }>();
    expect(page).toContain(`<div class="becomes-parts" id="becomes">${parts['becomes']}</div>`);
  });

  it('what a new link becomes has no QR code while its slug is generated, and no length for one that is refused', async () => {
    const { browse, path } = await openLinks();
    const generated = await textOf(browse(`${path}/new?url=${encodeURIComponent(LONG)}`));
    expect(becomesOf(generated)).toContain('terse.test /… Its slug is generated');
    expect(becomesOf(generated)).toContain('It comes with the slug, which is generated when the link is created.');
    expect(generated).not.toContain('alt="QR code');
    const refused = await textOf(browse(`${path}/new?slug=${encodeURIComponent('a b')}`));
    expect(becomesOf(refused)).toContain('This slug is not possible');
    expect(becomesOf(refused)).toContain('The long address');
  });

  it('what a new link becomes has no title of the link in its card, which is for members, but that of the page or the host', async () => {
    const { browse, path } = await openLinks();
    const becomes = async (typed: Readonly<Record<string, string>>) =>
      becomesOf(await textOf(browse(`${path}/new`, form({ url: LONG, title: 'For us', do: 'update', ...typed }))));
    const ofPage = await becomes({});
    expect(ofPage).not.toContain('For us');
    expect(ofPage).toContain('The title of the page The description of the page www.example.com');
    const own = await becomes({ 'preview.image': 'https://cdn.example/a.png' });
    expect(own).toContain('The picture from cdn.example terse.test terse.test');
    expect(own).not.toContain('of the page');
  });

  it('what a link becomes is beside its edit too', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller, { url: LONG, slug: 'edited' });
    expect(becomesOf(await textOf(browse(`${path}/${id}/edit`)))).toContain('terse.test /edited ');
  });
});

describe('a link that is created', () => {
  it('a link that is created leads a script to its page, with the short link to copy', async () => {
    const { browse, path } = await openLinks();
    const response = await browse(`${path}/new`, form({ url: LONG, slug: 'mine' }, { 'Terse-Form': 'script' }));
    expect([response.status, response.headers.get('Terse-Short-Url')]).toEqual([204, 'https://terse.test/mine']);
    expect(response.headers.get('Location')).toMatch(new RegExp(`^${path}/[^/]+$`));
  });

  it('a link that is created is followed by the form of another one, with its domain, campaign and tags', async () => {
    const { caller, browse, path } = await openLinks();
    const host = await seedDomain(caller);
    const fields = { url: LONG, custom_domain: host, campaign_name: 'Spring', tags: 'a, b', title: 'x', another: 'on' };
    const [status, place] = placeOf(await browse(`${path}/new`, form(fields)));
    expect([status, place]).toEqual([
      303,
      `${path}/new?custom_domain=${host}&campaign_name=Spring&tags=a%2C+b&another=on`,
    ]);
    const next = await textOf(browse(place ?? ''));
    expect(pageFieldsOf(next)).toMatchObject({
      url: '',
      title: '',
      custom_domain: host,
      campaign_name: 'Spring',
      tags: 'a, b',
      another: 'on',
    });
    expect(next).not.toContain('data-unsaved');
  });
});

describe('a copy of a link', () => {
  it('a copy of a link has what can be copied, and the page says what it left out', async () => {
    const { caller, browse, path } = await openLinks();
    const host = await seedDomain(caller);
    const link = await seedLink(caller, { url: LONG, custom_domain: host, slug: 'own' });
    await answer(
      await ask(caller, 'PATCH', `/v1/links/${link.id}`, {
        title: 'Tent',
        tags: ['Paid'],
        password: 'open sesame',
        external_id: 'p-1',
        max_clicks: 5,
        rules: [{ name: 'AT', if: [{ type: 'country', in: ['AT'] }], url: 'https://example.com/at' }],
      }),
    );
    const page = await textOf(browse(`${path}/new?from=${link.id}`));
    expect(page.replaceAll(/<\/?bdi>/g, '')).toContain(
      `<p class="lead">A copy of ${host}/own, without its slug, its password, its external ID and its clicks.</p>`,
    );
    const fields = pageFieldsOf(page);
    expect(fields).toMatchObject({
      url: LONG,
      slug: '',
      custom_domain: host,
      title: 'Tent',
      tags: 'Paid',
      external_id: '',
      sec_id: '',
      max_clicks: '5',
      'rules.0.url': 'https://example.com/at',
    });
    expect(optionsOf(page)['Password']).toEqual(['closed', 'None']);
    const created = await browse(`${path}/new`, form(fields));
    expect(created.status).toBe(303);
    const [, place] = placeOf(created);
    expect(await storedOf(place?.split('/').at(-1) ?? '')).toMatchObject({ url: LONG, title: 'Tent', max_clicks: 5 });
  });

  it('a copy of a link is of no link of another workspace, and of no deleted one', async () => {
    const [{ caller, browse, path }, stranger] = [await openLinks(), await openLinks()];
    const theirs = await seedLink(stranger.caller);
    expect((await browse(`${path}/new?from=${theirs.id}`)).status).toBe(404);
    const own = await seedLink(caller);
    await browse(`${path}/${own.id}/delete`, form({}));
    expect((await browse(`${path}/new?from=${own.id}`)).status).toBe(410);
  });
});
