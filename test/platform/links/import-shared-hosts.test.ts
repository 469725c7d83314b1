import { describe, expect, it } from 'vitest';
import { newSlug } from '../../support/files.ts';
import { fieldsOf, sent, upload } from '../../support/import-pages.ts';
import { openLinks, textOf } from '../../support/platform.ts';
import { rowsOf, seedDomain } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

const bitly = (...links: readonly string[]) =>
  `Link,Date created,Title,Destination URL,Engagements,Status\n${links
    .map((link) => `${link},2023-05-01T08:30:00+0000,A title,https://example.com/,7,Active\n`)
    .join('')}`;

const total = (page: string, term: string) => new RegExp(`<dt>${term}</dt><dd>(\\d+)</dd>`).exec(page)?.[1];

const NOTE =
  'links cannot keep their domain, since all customers of a service share it. They get the same slugs on terse.test';

describe('the preview of links on a host that all customers of a service share', () => {
  it.each(['bit.ly', 'tinyurl.com', 'rebrand.ly', 'acme.short.gy'])(
    'the preview of links on a host that all customers of a service share places those of %s on the default domain, and says so',
    async (host) => {
      const { caller, browse, path } = await openLinks();
      const slugs = [newSlug(), newSlug()];
      const page = await textOf(browse(`${path}/import`, upload(bitly(...slugs.map((slug) => `${host}/${slug}`)))));
      expect([total(page, 'To be created'), total(page, 'Errors')]).toEqual(['2', '0']);
      expect(page).toContain(`${host} ${NOTE}`);
      expect(page).not.toContain('Links can keep a domain of yours.');
      expect(fieldsOf(page)).toMatchObject({ host_0: host, place_0: 'shared', checked: `host=${host}%3Ashared` });
      expect(await rowsOf('links')).toEqual(expect.not.arrayContaining([expect.objectContaining({ slug: slugs[0] })]));
      await browse(`${path}/import/run`, sent(fieldsOf(page)));
      const made = (await rowsOf('links')).filter((row) => row['client_id'] === caller.clientId);
      expect(made.map(({ slug }) => String(slug)).toSorted()).toEqual(slugs.toSorted());
      expect((await call(`/${slugs[0]}`)).status).toBe(302);
    },
  );

  it('the preview of links on a host that all customers of a service share can be changed to another domain, but not to their own', async () => {
    const { caller, browse, path } = await openLinks();
    const own = await seedDomain(caller);
    const first = await textOf(browse(`${path}/import`, upload(bitly(`bit.ly/${newSlug()}`))));
    const moved = await textOf(browse(`${path}/import`, sent({ ...fieldsOf(first), place_0: own })));
    expect(total(moved, 'To be created')).toBe('1');
    expect(fieldsOf(moved)).toMatchObject({ place_0: own, checked: `host=bit.ly%3A${own}` });
    const kept = await textOf(browse(`${path}/import`, sent({ ...fieldsOf(first), place_0: '' })));
    expect([total(kept, 'To be created'), total(kept, 'Errors')]).toEqual(['1', '0']);
    expect(fieldsOf(kept)).toMatchObject({ place_0: 'shared', checked: 'host=bit.ly%3Ashared' });
    expect(kept).not.toContain('<option value="">');
  });

  it('the preview of links on a host that all customers of a service share leaves those of other hosts where they are', async () => {
    const { caller, browse, path } = await openLinks();
    const own = await seedDomain(caller);
    const file = bitly(`${own}/${newSlug()}`, `bit.ly/${newSlug()}`, `bit.ly/${newSlug()}`);
    const page = await textOf(browse(`${path}/import`, upload(file)));
    expect(total(page, 'To be created')).toBe('3');
    expect(page).toContain('Links can keep a domain of yours.');
    expect(fieldsOf(page)).toMatchObject({ host_0: 'bit.ly', place_0: 'shared', host_1: own, place_1: '' });
  });

  it('the preview of links on a host that all customers of a service share leaves those of such a host that the workspace has as a domain', async () => {
    const { caller, browse, path } = await openLinks();
    const own = await seedDomain(caller, `${newSlug()}.short.gy`);
    const page = await textOf(browse(`${path}/import`, upload(bitly(`${own}/${newSlug()}`))));
    expect(fieldsOf(page)).toMatchObject({ host_0: own, place_0: '', checked: '' });
    expect(total(page, 'To be created')).toBe('1');
  });

  it('the preview of links on a host that all customers of a service share shows no column as left out whose numbers are kept', async () => {
    const { browse, path } = await openLinks();
    const page = await textOf(browse(`${path}/import`, upload(bitly(`bit.ly/${newSlug()}`))));
    expect(page).toMatch(/>Engagements<\/bdi><\/th>.*?data-label="Becomes">Imported clicks</);
    expect(page).not.toContain('Left out');
  });
});
