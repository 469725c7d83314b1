import { describe, expect, it } from 'vitest';
import { exportOf } from '../../support/exports.ts';
import { newSlug } from '../../support/files.ts';
import type { Caller } from '../../support/forms.ts';
import { openLinks, textOf } from '../../support/platform.ts';
import { rowsOf, seedDomain, seedLink } from '../../support/seed.ts';
import { fieldsOf, sent, upload } from '../../support/import-pages.ts';
import { call } from '../../support/service.ts';

const linksOf = async ({ clientId }: Caller) => (await rowsOf('links')).filter((row) => row['client_id'] === clientId);

describe('the export of another service', () => {
  it('the export of another service is recognised, and shown with what its columns become, before anything is written', async () => {
    const { caller, browse, path } = await openLinks();
    const page = await textOf(browse(`${path}/import`, upload(exportOf('bitly.csv', 'go.example.com'), 'bitly.csv')));
    expect(page).toContain('Format: <strong>Bitly</strong>, recognised by its columns.');
    for (const [column, field] of [
      ['Custom Link', 'Slug'],
      ['Date created', 'Created'],
      ['Destination URL', 'Destination'],
      ['Engagements', 'Imported clicks'],
      ['Status', 'Disabled'],
    ]) {
      expect(page).toMatch(new RegExp(`>${column}</bdi></th><td[^>]*>.*?data-label="Becomes">${field}</td>`));
    }
    expect(page).toContain('The file has no history of single clicks, so the statistics begin now.');
    expect(page).toContain('<dt>To be created</dt><dd>3</dd>');
    expect(page).toContain('<dt>Errors</dt><dd>0</dd>');
    expect(page).toContain('>Keep bit.ly links as</label>');
    expect(page).toContain('>Keep go.example.com links as</label>');
    expect(await linksOf(caller)).toEqual([]);
  });

  it('the export of another service is imported as it was checked, with the domains that were chosen for its hosts', async () => {
    const { caller, browse, path } = await openLinks();
    const host = await seedDomain(caller);
    const first = await textOf(browse(`${path}/import`, upload(exportOf('bitly.csv', host))));
    expect(fieldsOf(first)).toMatchObject({ host_0: 'bit.ly', place_0: 'shared', host_1: host, place_1: '' });
    const choices = { ...fieldsOf(first), place_0: host };
    const second = await textOf(browse(`${path}/import`, sent(choices)));
    expect(second).toContain('<dt>To be created</dt><dd>3</dd>');
    expect(fieldsOf(second)).toMatchObject({ place_0: host, checked: `host=bit.ly%3A${host}` });
    // What is chosen without a check is shown first.
    const unchecked = { ...fieldsOf(second), place_0: 'shared' };
    const third = await textOf(browse(`${path}/import/run`, sent(unchecked)));
    expect(fieldsOf(third)).toMatchObject({ place_0: 'shared', checked: 'host=bit.ly%3Ashared' });
    expect(await linksOf(caller)).toEqual([]);
    const done = await browse(`${path}/import/run`, sent(fieldsOf(second)));
    expect([done.status, done.headers.get('Location')]).toEqual([303, path]);
    const made = await linksOf(caller);
    expect(made.map(({ slug }) => String(slug)).toSorted()).toEqual(['3xNoDate', '3xOldOne', 'Launch']);
    expect(new Set(made.map(({ domain_id: id }) => id)).size).toBe(1);
    expect((await call(`https://${host}/3xNoDate`)).status).toBe(302);
  });

  it('the export of another service waits on a domain that the workspace does not have, which the page lists with its DNS records', async () => {
    const { caller, browse, path } = await openLinks();
    const host = `${caller.clientId.toLowerCase().replaceAll(/[^a-z0-9]/g, 'x')}.example`;
    const file = upload(exportOf('dub.csv', host));
    const first = await textOf(browse(`${path}/import`, file));
    expect(first).toContain('<h2>Links that wait for a domain</h2>');
    expect(first).toContain(`<strong>${host}</strong>: is added by the import. Its page then has the DNS records.`);
    expect(first).toContain(`<option value="" selected="">${host}/…</option>`);
    const done = await browse(`${path}/import/run`, sent(fieldsOf(first)));
    expect([done.status, done.headers.get('Location')]).toEqual([303, path.replace(/links$/, 'domains')]);
    expect(await linksOf(caller)).toHaveLength(2);
    const second = await textOf(browse(`${path}/import`, upload(exportOf('dub.csv', host))));
    expect(second).toContain(`<strong>${host}</strong>: set the TXT record <code>_terse.${host}</code> to <code>`);
    expect(second).toContain(`<option value="" selected="">${host}/… (pending)</option>`);
    const moved = await textOf(browse(`${path}/import`, sent({ ...fieldsOf(second), place_0: 'shared' })));
    expect(moved).not.toContain('Links that wait for a domain');
  });

  it('the export of another service keeps its domain while another one is chosen for links without a domain in the file', async () => {
    const { caller, browse, path } = await openLinks();
    const host = await seedDomain(caller);
    const [kept, without] = [newSlug(), newSlug()];
    const file = `keyword,short_url,url,clicks\n,https://${host}/${kept},https://example.com/,1\n${without},,https://example.com/,2\n`;
    const map = { column_0: 'slug', column_1: 'short_url', column_2: 'url', column_3: 'clicks' };
    const first = await textOf(browse(`${path}/import`, upload(file, 'a.csv', { from: 'map', ...map })));
    expect(fieldsOf(first)).toMatchObject({ host_0: host, place_0: '', place: '' });
    const second = await textOf(browse(`${path}/import`, sent({ ...fieldsOf(first), place: 'shared' })));
    expect(fieldsOf(second)).toMatchObject({ place_0: '', place: 'shared' });
    await browse(`${path}/import/run`, sent(fieldsOf(second)));
    const statuses = [`https://${host}/${kept}`, `/${without}`, `/${kept}`].map(
      async (url) => (await call(url)).status,
    );
    expect(await Promise.all(statuses)).toEqual([302, 302, 404]);
  });

  it('the export of another service can be taken for that of another service', async () => {
    const { browse, path } = await openLinks();
    const page = await textOf(
      browse(`${path}/import`, upload('url,title\nhttps://example.com/,A\n', 'a.csv', { from: 'tinyurl' })),
    );
    expect(page).toContain('Format: <strong>TinyURL</strong>, as you chose.');
    expect(page).toContain('<option value="tinyurl" selected="">TinyURL</option>');
    const wrong = await browse(`${path}/import`, upload('url,title\n', 'a.csv', { from: 'kutt' }));
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain('This is no export of Kutt: it has no column &quot;target&quot;.');
  });

  it('the export of another service as JSON is read by the name of the file', async () => {
    const { caller, browse, path } = await openLinks();
    const host = await seedDomain(caller);
    const page = await textOf(browse(`${path}/import`, upload(exportOf('kutt.json', host), 'kutt.json')));
    expect(page).toContain('Format: <strong>Kutt</strong>');
    expect(page).toContain('It had a password, which the file does not have: it is created disabled.');
    await browse(`${path}/import/run`, sent(fieldsOf(page)));
    const disabled = (await linksOf(caller))
      .filter((row) => row['disabled_at'] !== null)
      .map(({ slug }) => String(slug));
    expect(disabled.toSorted()).toEqual(['secret', 'soon', 'spam']);
  });

  it('the export of another service is published without its protection only if that is ticked', async () => {
    const { caller, browse, path } = await openLinks();
    const host = await seedDomain(caller);
    const file = upload(exportOf('kutt.json', host), 'kutt.json', { unprotected: 'publish' });
    const page = await textOf(browse(`${path}/import`, file));
    expect(page).toContain('name="unprotected" value="publish" checked=""');
    await browse(`${path}/import/run`, sent(fieldsOf(page)));
    expect((await linksOf(caller)).filter((row) => row['disabled_at'] !== null)).toEqual([]);
  });

  it('the export of another service says which rows are skipped', async () => {
    const { browse, path } = await openLinks();
    const page = await textOf(browse(`${path}/import`, upload(exportOf('tinyurl.csv', 'go.example.com'), 'a.tsv')));
    expect(page).toContain('Skipped: row 3. The link was deleted where it comes from.');
  });
});

describe('a file that is not recognised', () => {
  const FILE = 'Ziel,Kürzel,Clicks\nhttps://example.com/ziel,mapped-here,12\n';

  it('a file that is not recognised shows its columns, to be mapped without scripts', async () => {
    const { caller, browse, path } = await openLinks();
    const response = await browse(`${path}/import`, upload(FILE, 'ziele.csv'));
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain('<h1>Map the columns</h1>');
    expect(page).toContain('The format of ziele.csv was not recognised.');
    expect(page).toContain('First row: https://example.com/ziel');
    expect(fieldsOf(page)).toMatchObject({ from: 'map', column_0: '', column_1: '', column_2: 'clicks' });

    const mapped = await textOf(
      browse(`${path}/import`, sent({ ...fieldsOf(page), column_0: 'url', column_1: 'slug' })),
    );
    expect(mapped).toContain('Format: <strong>Mapped columns</strong>, as you mapped them.');
    expect(mapped).toContain('<dt>To be created</dt><dd>1</dd>');
    // Checked again, it is mapped as before.
    const again = await textOf(browse(`${path}/import`, sent(fieldsOf(mapped))));
    expect(again).toContain('<dt>To be created</dt><dd>1</dd>');
    await browse(`${path}/import/run`, sent(fieldsOf(again)));
    const [link] = await linksOf(caller);
    expect(link).toMatchObject({ slug: 'mapped-here', url: 'https://example.com/ziel', imported_clicks: 12 });
  });

  it('a file that is not recognised names what is missing', async () => {
    const { browse, path } = await openLinks();
    const page = await textOf(browse(`${path}/import`, upload(FILE)));
    const response = await browse(`${path}/import`, sent({ ...fieldsOf(page), column_1: 'slug', column_2: '' }));
    expect(response.status).toBe(400);
    const shown = await response.text();
    expect(shown).toContain('Choose the column with the destination.');
    expect(fieldsOf(shown)).toMatchObject({ column_0: '', column_1: 'slug', column_2: '' });
  });

  it('a file that is not recognised is asked again if two columns become one field', async () => {
    const { browse, path } = await openLinks();
    const page = await textOf(browse(`${path}/import`, upload(FILE)));
    const mapped = { ...fieldsOf(page), column_0: 'url', column_1: 'title', column_2: 'title' };
    const response = await browse(`${path}/import`, sent(mapped));
    expect(response.status).toBe(400);
    const shown = await response.text();
    expect(shown).toContain('The column &quot;Kürzel&quot; becomes this already. Choose one of them.');
    expect(fieldsOf(shown)).toMatchObject({ column_0: 'url', column_1: 'title', column_2: 'title' });
  });

  it('a file that is not recognised is mapped at once if that is chosen', async () => {
    const { browse, path } = await openLinks();
    const response = await browse(
      `${path}/import`,
      upload(exportOf('dub.csv', 'go.example.com'), 'a.csv', { from: 'map' }),
    );
    expect(response.status).toBe(200);
    expect(fieldsOf(await response.text())).toMatchObject({
      column_0: 'short_url',
      column_1: 'url',
      column_2: 'clicks',
    });
  });
});

describe('imported clicks', () => {
  it('imported clicks stand beside the clicks of a link, and not on the page of another', async () => {
    const { caller, browse, path } = await openLinks();
    const csv = 'slug,url,imported_clicks\nwith-former,https://example.com/,12345\n';
    const page = await textOf(browse(`${path}/import`, upload(csv)));
    await browse(`${path}/import/run`, sent(fieldsOf(page)));
    const [link] = await linksOf(caller);
    const shown = await textOf(browse(`${path}/${String(link?.['id'])}`));
    expect(shown).toContain('Imported clicks: 12,345.');
    const plain = await seedLink(caller);
    expect(await textOf(browse(`${path}/${plain.id}`))).not.toContain('Imported clicks');
  });
});
