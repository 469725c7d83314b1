import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { listed } from '../../support/link-lists.ts';
import { cookiesOf, form, openLinks, placeOf, textOf, visit } from '../../support/platform.ts';
import { rowsOf, seedDomain, seedLink } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

describe('the field of an empty list', () => {
  it('the field of an empty list creates a link, which is then first in the list, marked, with its copy button', async () => {
    const { caller, browse, cookie, path } = await openLinks();
    const newer = await seedLink(caller);
    await env.DB.prepare('UPDATE links SET created_at = created_at + 3600000 WHERE id = ?').bind(newer.id).run();
    const made = await browse(path, form({ url: 'https://example.com/new', slug: 'quick-one' }));
    const [status, location] = placeOf(made);
    const id = location?.split('created=')[1] ?? '';
    expect([status, location]).toEqual([303, `${path}?created=${id}`]);
    expect(await visit('quick-one')).toEqual([302, 'https://example.com/new']);
    const flash = cookiesOf(made)['__Host-terse-flash']?.[0];
    const page = await textOf(call(location ?? '', { headers: { Cookie: `${cookie}; __Host-terse-flash=${flash}` } }));
    expect(page).toContain('The link has been created. It is at the top of the list.');
    expect(listed(page)).toEqual([id, newer.id]);
    expect(page.match(/<li class="link-row new">/g)).toHaveLength(1);
    expect(page).toContain('data-text="https://terse.test/quick-one"');
    expect(page).toContain('<input type="hidden" name="back" value=""/>');
  });

  it('the field of an empty list marks no link of another client', async () => {
    const [{ browse, path }, stranger] = [await openLinks(), await openLinks()];
    const theirs = await seedLink(stranger.caller);
    const page = await textOf(browse(`${path}?created=${theirs.id}`));
    expect(page).toContain('<h2>No links yet</h2>');
    expect(page).not.toContain(theirs.id);
    expect((await browse(stranger.path, form({ url: 'https://example.com/' }))).status).toBe(404);
  });

  it('the field of an empty list creates on a domain that is sent with it', async () => {
    const { caller, browse, path } = await openLinks();
    const host = await seedDomain(caller);
    const made = await browse(path, form({ url: 'https://example.com/', custom_domain: host, slug: 'own' }));
    expect(made.status).toBe(303);
    const links = await rowsOf('links');
    expect(links.filter(({ slug }) => slug === 'own').map((row) => row['domain_id'])).not.toEqual(['']);
  });

  it('the field of an empty list shows the whole form with what was typed, and what is wrong with it', async () => {
    const { caller, browse, path } = await openLinks();
    const host = await seedDomain(caller);
    await seedLink(caller, { slug: 'taken-here', custom_domain: host });
    const refused = await browse(
      path,
      form({ url: 'https://example.com/typed', slug: 'taken-here', custom_domain: host }),
    );
    expect(refused.status).toBe(409);
    const page = await refused.text();
    expect(page).toContain('<h1>A new short link</h1>');
    expect(page).toContain('id="fault-slug">The slug taken-here is already in use on this host');
    expect(page).toContain('value="https://example.com/typed"');
    expect(page).toContain(`<option value="${host}" selected="">`);
    expect(page).toContain(`action="${path}/new"`);
    const empty = await browse(path, form({ url: '', slug: '' }));
    expect([empty.status, (await empty.text()).includes('id="fault-url"')]).toEqual([400, true]);
  });

  it('the field of an empty list is in no other list', async () => {
    const { caller, browse, path } = await openLinks();
    expect(await textOf(browse(path))).toContain(`<form class="link-tee" method="post" action="${path}"`);
    await seedLink(caller);
    expect(await textOf(browse(path))).not.toContain('class="link-tee"');
  });

  it('the field of an empty list is refused from another site', async () => {
    const { browse, path } = await openLinks();
    const before = (await rowsOf('links')).length;
    const init = form({ url: 'https://example.com/' }, { Origin: 'https://evil.example' });
    expect((await browse(path, init)).status).toBe(403);
    expect((await rowsOf('links')).length).toBe(before);
  });
});
