import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { seedCaller, type Caller } from '../../support/forms.ts';
import { form, openBrowser } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';

/** The UTM templates of a workspace, and choosing one in the form of a link. */

const stored = async ({ clientId }: Caller) => {
  const rows = await env.DB.prepare('SELECT id, kind, name, content FROM presets WHERE client_id = ? ORDER BY folded')
    .bind(clientId)
    .all<{ id: string; kind: string; name: string; content: string }>();
  return rows.results;
};

const SPRING = { name: 'Spring', utm_source: 'news letter', utm_medium: 'e-mail', utm_campaign: '', utm_term: '' };
const CONTENT = 'utm_source=news+letter&utm_medium=e-mail';

/** A workspace with one template, and what opens its pages. */
async function open() {
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  const links = `/platform/c/${caller.clientId}/links`;
  const templates = `${links}/utm-templates`;
  expect((await browse(`${templates}/new`, form(SPRING))).headers.get('Location')).toBe(templates);
  const [{ id } = { id: '' }] = await stored(caller);
  return { caller, browse, links, templates, id };
}

const destinationIn = (page: string) =>
  / name="url"[^>]* value="([^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? null;

it('UTM templates are created, listed, changed, and deleted after asking', async () => {
  const { caller, browse, templates, id } = await open();
  expect(await stored(caller)).toEqual([{ id, kind: 'utm', name: 'Spring', content: CONTENT }]);
  const list = await (await browse(templates)).text();
  expect(list).toContain(`href="${templates}/${id}"><bdi>Spring</bdi></a>`);
  expect(list).toContain('<bdi>news letter</bdi>');
  const page = await (await browse(`${templates}/${id}`)).text();
  expect(page).toMatch(/name="utm_source"[^>]* value="news letter"/);
  // The first field of what is new has the focus, and a page to look at begins at its top.
  expect([page, await (await browse(`${templates}/new`)).text()].map((each) => each.includes(' autofocus'))).toEqual([
    false,
    true,
  ]);
  const changed = await browse(`${templates}/${id}`, form({ name: 'Sale', utm_term: 'ß & ü' }));
  expect(changed.status).toBe(303);
  expect(await stored(caller)).toEqual([{ id, kind: 'utm', name: 'Sale', content: 'utm_term=%C3%9F+%26+%C3%BC' }]);
  expect(await (await browse(`${templates}/${id}/delete`)).text()).toContain('Delete the UTM template Sale?');
  expect((await browse(`${templates}/${id}/delete`, form({}))).headers.get('Location')).toBe(templates);
  expect(await stored(caller)).toEqual([]);
  expect(await (await browse(templates)).text()).toContain('No UTM templates yet');
});

it.each<[string, number, Readonly<Record<string, string>>, string]>([
  ['no name', 400, { name: '', utm_source: 'a' }, 'This is required.'],
  ['a name that is taken', 409, { name: 'SPRING', utm_source: 'a' }, 'is used already'],
  ['no parameter', 400, { name: 'A', utm_source: ' ' }, 'Enter at least one parameter.'],
  ['a long parameter', 400, { name: 'A', utm_source: 'x'.repeat(201) }, '200 characters'],
])('UTM templates are refused with %s', async (_, status, fields, sentence) => {
  const { caller, browse, templates } = await open();
  const answer = await browse(`${templates}/new`, form(fields));
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(sentence)]);
  expect(await stored(caller)).toHaveLength(1);
});

describe('the form of a link', () => {
  it('the form of a link puts the parameters of a template into a new destination, keeps others, and saves nothing', async () => {
    const { caller, browse, links, id } = await open();
    expect(await (await browse(`${links}/new`)).text()).toContain(`<option value="${id}">Spring</option>`);
    const typed = { url: 'example.com/a?b=c&utm_source=old#top', slug: 'kept', title: 'Kept', utm_term: 'shoes' };
    const answer = await browse(`${links}/new`, form({ ...typed, utm_template: id, do: 'utm.apply' }));
    const page = await answer.text();
    expect([answer.status, destinationIn(page)]).toEqual([
      200,
      'https://example.com/a?b=c&utm_source=news%20letter&utm_medium=e-mail#top',
    ]);
    expect(page).toMatch(/name="slug"[^>]* value="kept"/);
    expect(page).toMatch(/name="utm_term"[^>]* value="shoes"/);
    const saved = await browse(`${links}/new`, form({ url: destinationIn(page) ?? '', utm_template: id }));
    expect(saved.status).toBe(303);
    const rows = await env.DB.prepare('SELECT url FROM links WHERE client_id = ?').bind(caller.clientId).all();
    expect(rows.results).toEqual([{ url: 'https://example.com/a?b=c&utm_source=news%20letter&utm_medium=e-mail#top' }]);
  });

  it('the form of an edit takes a template too, and checks it', async () => {
    const { caller, browse, links, id } = await open();
    const link = await seedLink(caller, { url: 'https://example.com/page' });
    const edit = `${links}/${link.id}/edit`;
    expect(await (await browse(edit)).text()).toContain(`formaction="${edit}#field-url"`);
    const fields = { url: 'https://example.com/page', slug: link.id, revision: '1', utm_template: id };
    const answer = await browse(edit, form({ ...fields, do: 'utm.apply' }));
    expect([answer.status, destinationIn(await answer.text())]).toEqual([
      200,
      'https://example.com/page?utm_source=news%20letter&utm_medium=e-mail',
    ]);
    const checked = await browse(`${links}/check`, form({ url: 'https://example.com/page', utm_template: id }));
    expect(await checked.json()).toMatchObject({ faults: {} });
  });

  it('the form of a link leads to the page of templates where there are none', async () => {
    const { browse, links, templates, id } = await open();
    await browse(`${templates}/${id}/delete`, form({}));
    const page = await (await browse(`${links}/new`)).text();
    expect(page).toContain(`<a href="${templates}">Create a UTM template</a>`);
    expect(page).not.toContain('utm_template');
  });
});

it('UTM templates belong to one workspace', async () => {
  const [{ caller, templates, id, links }, stranger] = [await open(), await open()];
  for (const place of [templates, stranger.templates]) {
    for (const [at, init] of [
      ['', {}],
      ['', form({ ...SPRING, name: 'Mine' })],
      ['/delete', {}],
      ['/delete', form({})],
    ] as const) {
      expect((await stranger.browse(`${place}/${id}${at}`, init)).status).toBe(404);
    }
  }
  expect((await stranger.browse(templates)).status).toBe(404);
  const fields = form({ url: 'https://example.com/', utm_template: id, do: 'utm.apply' });
  expect((await stranger.browse(`${stranger.links}/new`, fields)).status).toBe(404);
  expect((await stranger.browse(`${links}/new`, fields)).status).toBe(404);
  expect(await stored(caller)).toEqual([{ id, kind: 'utm', name: 'Spring', content: CONTENT }]);
});
