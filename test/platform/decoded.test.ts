import { describe, expect, it } from 'vitest';
import { seedClaim } from '../support/domains.ts';
import { seedMember } from '../support/management.ts';
import { openBrowser, openLinks, textOf } from '../support/platform.ts';
import { rowsOf, seedLink } from '../support/seed.ts';
import { seedClicks } from '../support/stats.ts';

/** The pages around the links show hosts and destinations as people read them, with the encoded form beside. */

const ENCODED = 'https://xn--mnchen-3ya.example/stra%C3%9Fe';
const READABLE = 'https://münchen.example/straße';

/** What people read of a page: nothing within its tags, and no code. */
const wordsOf = (page: string) => page.replaceAll(/<(head|code|pre)\b.*?<\/\1>/gs, '').replaceAll(/<[^>]*>/g, '');

async function openDomain() {
  const { caller, browse, path } = await openLinks();
  const host = `xn--bcher-kva.${crypto.randomUUID()}.example`;
  const domain = await seedClaim(caller, { host, root_url: ENCODED, not_found_url: ENCODED });
  const client = `/platform/c/${caller.clientId}`;
  return { caller, browse, path, client, host, readable: host.replace('xn--bcher-kva', 'bücher'), domain };
}

describe('an encoded destination', () => {
  it('is decoded on the page of the key that created its link', async () => {
    const { caller, browse, path } = await openLinks();
    await seedLink(caller, { url: ENCODED });
    const key = (await rowsOf('api_keys')).find((row) => row['client_id'] === caller.clientId);
    const page = await textOf(browse(`${path.replace('links', 'keys')}/${String(key?.['id'])}`));
    expect(wordsOf(page)).toContain('münchen.example/straße');
    expect(wordsOf(page)).not.toMatch(/xn--|%C3/);
    expect(page).toContain(`title="${ENCODED}"`);
  });

  it('is decoded where it filters the list, and in a view of the list', async () => {
    const { browse, path } = await openLinks();
    const query = new URLSearchParams({ url: ENCODED }).toString();
    for (const page of [await textOf(browse(`${path}?${query}`)), await textOf(browse(`${path}/views/new?${query}`))]) {
      expect(wordsOf(page)).toContain(READABLE);
      expect(wordsOf(page)).not.toMatch(/xn--|%C3/);
    }
  });
});

describe('an encoded host', () => {
  it('is decoded in the list of domains, on its page and where it is removed', async () => {
    const { browse, client, host, readable, domain } = await openDomain();
    for (const below of ['', `/${domain.id}`, `/${domain.id}/remove`]) {
      const page = await textOf(browse(`${client}/domains${below}`));
      expect(wordsOf(page)).toContain(readable);
      expect([below, wordsOf(page).match(/xn--|%C3/g)]).toEqual([below, null]);
      if (!below.endsWith('remove')) expect(page).toContain(`title="${host}"`);
    }
    expect(await textOf(browse(`${client}/domains/${domain.id}`))).toContain(`<title>${readable} · Terse</title>`);
  });

  it('is decoded in the fallback URLs that a member sees', async () => {
    const { caller, client, domain } = await openDomain();
    const { browse } = await openBrowser(await seedMember(caller));
    const page = await textOf(browse(`${client}/domains/${domain.id}`));
    expect(wordsOf(page).split(READABLE)).toHaveLength(3);
    expect(page).toContain(`<a href="${ENCODED}" dir="ltr" title="${ENCODED}">`);
  });

  it('is decoded in the audit log', async () => {
    const { browse, client, readable } = await openDomain();
    const page = await textOf(browse(`${client}/audit`));
    expect(wordsOf(page)).toContain(`added the domain \u2068${readable}\u2069.`);
  });

  it('is decoded where clicks came from it', async () => {
    const { caller, browse } = await openLinks();
    const link = await seedLink(caller);
    await seedClicks(link, [{ at: new Date().toISOString(), referrer: 'xn--mnchen-3ya.example' }]);
    const page = await textOf(browse(`/platform/c/${caller.clientId}`));
    expect(wordsOf(page)).toContain('münchen.example');
    expect(wordsOf(page)).not.toContain('xn--');
    expect(page).toContain(`?referrer=xn--mnchen-3ya.example"`);
  });
});
