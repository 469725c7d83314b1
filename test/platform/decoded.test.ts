import { describe, expect, it } from 'vitest';
import { seedClaim } from '../support/domains.ts';
import { openPagesOfLink } from '../support/link-pages.ts';
import { ask, seedMember } from '../support/management.ts';
import { pageFieldsOf } from '../support/page-fields.ts';
import { form, openBrowser, openLinks, textOf } from '../support/platform.ts';
import { rowsOf, seedLink } from '../support/seed.ts';
import { ORIGIN } from '../support/service.ts';
import { seedClicks } from '../support/stats.ts';
import { seedWebhookRow } from '../support/webhook-owners.ts';
import { openWebhookPages } from '../support/webhook-scene.ts';

/** The pages around the links show hosts and destinations as people read them, with the encoded form beside. */

const ENCODED = 'https://xn--mnchen-3ya.example/stra%C3%9Fe';
const READABLE = 'https://münchen.example/straße';

/** Reads the texts of a page: nothing within its tags, and no code. */
const wordsOf = (page: string) => page.replaceAll(/<(head|code|pre)\b.*?<\/\1>/gs, '').replaceAll(/<[^>]*>/g, '');

async function openDomain() {
  const { caller, browse, path } = await openLinks();
  const host = `xn--bcher-kva.${crypto.randomUUID()}.example`;
  const domain = await seedClaim(caller, { host, root_url: ENCODED, not_found_url: ENCODED });
  const client = `/platform/c/${caller.clientId}`;
  return { caller, browse, path, client, host, readable: host.replace('xn--bcher-kva', 'bücher'), domain };
}

describe('an encoded destination', () => {
  it('an encoded destination is decoded on the page of the key that created its link', async () => {
    const { caller, browse, path } = await openLinks();
    await seedLink(caller, { url: ENCODED });
    const key = (await rowsOf('api_keys')).find((row) => row['client_id'] === caller.clientId);
    const page = await textOf(browse(`${path.replace('links', 'keys')}/${String(key?.['id'])}`));
    expect(wordsOf(page)).toContain('münchen.example/straße');
    expect(wordsOf(page)).not.toMatch(/xn--|%C3/);
    expect(page).toContain(`title="${ENCODED}"`);
  });

  it('an encoded destination is decoded where it filters the list, and in a view of the list', async () => {
    const { browse, path } = await openLinks();
    const query = new URLSearchParams({ url: ENCODED }).toString();
    for (const page of [await textOf(browse(`${path}?${query}`)), await textOf(browse(`${path}/views/new?${query}`))]) {
      expect(wordsOf(page)).toContain(READABLE);
      expect(wordsOf(page)).not.toMatch(/xn--|%C3/);
    }
  });
});

describe('the form of a link', () => {
  const FIELDS = {
    expired_url: ENCODED,
    fallback: ENCODED,
    rules: [{ name: 'Phones', if: [{ type: 'device', in: ['mobile'] }], url: ENCODED }],
    variants: [
      { name: 'A', url: ENCODED, weight: 1 },
      { name: 'B', url: 'https://example.com/b', weight: 1 },
    ],
    preview: { image: `${ENCODED}/bild.png` },
  };

  it('the form of a link has its destinations decoded, and saves nothing that was not changed', async () => {
    const { id, caller, open, send } = await openPagesOfLink({ url: ENCODED, ...FIELDS });
    const fields = pageFieldsOf(await open());
    const texts = ['url', 'expired_url', 'fallback', 'rules.0.url', 'variants.0.url', 'preview.image'].map(
      (name) => fields[name],
    );
    expect(texts).toEqual([READABLE, READABLE, READABLE, READABLE, READABLE, `${READABLE}/bild.png`]);
    expect((await send({ ...fields, title: 'Town hall' })).status).toBe(303);
    const now = await (await ask(caller, 'GET', `/v1/links/${id}`)).json();
    expect(now).toMatchObject({ url: ENCODED, ...FIELDS, title: 'Town hall' });
    const history = await (
      await ask(caller, 'GET', `/v1/links/${id}/history`)
    ).json<{ history: { changes: object }[] }>();
    expect(Object.keys(history.history[0]?.changes ?? {})).toEqual(['title']);
    // Nothing changes either for a person who pastes the encoded text.
    const again = pageFieldsOf(await open());
    expect((await send({ ...again, url: ENCODED, title: 'Rathaus' })).status).toBe(303);
    const last = await (await ask(caller, 'GET', `/v1/links/${id}/history`)).json<{ history: { changes: object }[] }>();
    expect(Object.keys(last.history[0]?.changes ?? {})).toEqual(['title']);
  });

  it.each([
    ['https://example.com/stra%c3%9fe', 'an escape in small letters, which it would write in capitals'],
    [
      'https://example.com/?q=%2B%C3%9F',
      'an escape with a meaning of its own, which stays',
      'https://example.com/?q=%2Bß',
    ],
    ['https://xn--80ak6aa92e.example/', 'a host that looks like another one'],
  ])('the form of a link shows %s so that it becomes the same again: %s', async (url, _, shown = url) => {
    const { id, caller, open, send } = await openPagesOfLink({ url });
    const fields = pageFieldsOf(await open());
    expect(fields['url']).toBe(shown);
    expect((await send({ ...fields, url: `${shown}#end` })).status).toBe(303);
    expect(await (await ask(caller, 'GET', `/v1/links/${id}`)).json()).toMatchObject({ url: `${url}#end` });
  });

  it('the form of a link names a host in an error as people read it', async () => {
    const { browse, path } = await openLinks();
    const page = await textOf(
      browse(
        `${path}/new`,
        form({ url: 'https://example.com/', custom_domain: 'xn--bcher-kva.example', slug: 'a-slug' }),
      ),
    );
    expect(wordsOf(page)).not.toContain('xn--');
    expect(page).toMatch(/class="notice danger[^"]*".*bücher\.example/s);
  });
});

describe('a file of links', () => {
  const upload = (text: string, fields: Readonly<Record<string, string>> = {}): RequestInit => {
    const body = new FormData();
    body.set('file', new File([text], 'links.csv'));
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return { method: 'POST', body, headers: { Origin: ORIGIN } };
  };

  it('a file of links is previewed with its hosts and destinations decoded', async () => {
    const { caller, browse, path } = await openLinks();
    const host = `xn--bcher-kva.${crypto.randomUUID()}.example`;
    await seedClaim(caller, { host });
    const text = `Short link,Destination URL,Clicks,Created at\nhttps://${host}/one,${ENCODED},1,2024-01-01\n`;
    const page = await textOf(browse(`${path}/import`, upload(text)));
    const words = wordsOf(page.replaceAll(/<option[^>]*>/g, ' '));
    expect(words).toContain(READABLE);
    expect(words).toContain(`Keep ${host.replace('xn--bcher-kva', 'bücher')} links as`);
    expect(words.match(/xn--[^<]*|%C3/g)).toBeNull();
    expect(page).toContain(`title="${ENCODED}"`);
  });

  it('a file of links has its first row decoded where its columns are mapped', async () => {
    const { browse, path } = await openLinks();
    const page = await textOf(browse(`${path}/import`, upload(`where,what\n${ENCODED},a\n`, { from: 'map' })));
    expect(wordsOf(page)).toContain(`First row: ${READABLE}`);
  });
});

describe('an encoded URL of a webhook', () => {
  it('an encoded URL of a webhook is decoded on its pages, in its form and in the audit log', async () => {
    const { caller, browse, path } = await openWebhookPages();
    const id = await seedWebhookRow(caller.clientId, { url: ENCODED });
    for (const below of ['', `/${id}`, `/${id}/delete`]) {
      const page = await textOf(browse(`${path}${below}`));
      expect(wordsOf(page)).toContain(READABLE);
      expect(wordsOf(page)).not.toMatch(/xn--|%C3/);
    }
    expect(pageFieldsOf(await textOf(browse(`${path}/${id}`)))['url']).toBe(READABLE);
    await browse(`${path}/${id}/delete`, form({}));
    const audit = wordsOf(await textOf(browse(path.replace('webhooks', 'audit'))));
    expect(audit).toContain('deleted the webhook to \u2068münchen.example\u2069.');
  });
});

describe('an encoded host', () => {
  it('an encoded host is decoded in the form of its fallback URLs', async () => {
    const { browse, client, domain } = await openDomain();
    const fields = pageFieldsOf(await textOf(browse(`${client}/domains/${domain.id}`)));
    expect([fields['root_url'], fields['not_found_url']]).toEqual([READABLE, READABLE]);
  });

  it('an encoded host is decoded in the list of domains, on its page and where it is removed', async () => {
    const { browse, client, host, readable, domain } = await openDomain();
    for (const below of ['', `/${domain.id}`, `/${domain.id}/remove`]) {
      const page = await textOf(browse(`${client}/domains${below}`));
      expect(wordsOf(page)).toContain(readable);
      expect([below, wordsOf(page).match(/xn--|%C3/g)]).toEqual([below, null]);
      if (!below.endsWith('remove')) expect(page).toContain(`title="${host}"`);
    }
    expect(await textOf(browse(`${client}/domains/${domain.id}`))).toContain(`<title>${readable} · Terse</title>`);
  });

  it('an encoded host is decoded in the fallback URLs that a member sees', async () => {
    const { caller, client, domain } = await openDomain();
    const { browse } = await openBrowser(await seedMember(caller));
    const page = await textOf(browse(`${client}/domains/${domain.id}`));
    expect(wordsOf(page).split(READABLE)).toHaveLength(3);
    expect(page).toContain(`<a href="${ENCODED}" dir="ltr" title="${ENCODED}">`);
  });

  it('an encoded host is decoded in the audit log', async () => {
    const { browse, client, readable } = await openDomain();
    const page = await textOf(browse(`${client}/audit`));
    expect(wordsOf(page)).toContain(`added the domain \u2068${readable}\u2069.`);
  });

  it('an encoded host is decoded where clicks came from it', async () => {
    const { caller, browse } = await openLinks();
    const link = await seedLink(caller);
    await seedClicks(link, [{ at: new Date().toISOString(), referrer: 'xn--mnchen-3ya.example' }]);
    const page = await textOf(browse(`/platform/c/${caller.clientId}`));
    expect(wordsOf(page)).toContain('münchen.example');
    expect(wordsOf(page)).not.toContain('xn--');
    expect(page).toContain(`?referrer=xn--mnchen-3ya.example"`);
  });
});
