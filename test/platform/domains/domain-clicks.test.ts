import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deliver, packOf } from '../../support/clicks.ts';
import { seedClaim } from '../../support/domains.ts';
import { seedCaller, type Caller } from '../../support/forms.ts';
import { manyLinks } from '../../support/link-lists.ts';
import { OBJECT_FAILURE, replaceInObjects } from '../../support/objects.ts';
import { openBrowser, textOf } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';
import { peopleOf } from '../../support/statistics-page.ts';

afterEach(() => void vi.restoreAllMocks());

const activate = (id: string) => env.DB.prepare(`UPDATE domains SET status = 'active' WHERE id = ?`).bind(id).run();

async function open() {
  const caller = await seedCaller();
  const domain = await seedClaim(caller);
  await activate(domain.id);
  const { browse } = await openBrowser(caller);
  return { caller, browse, domain, path: `/platform/c/${caller.clientId}/domains/${domain.id}` };
}

const onDomain = (caller: Caller, host: string) => seedLink(caller, { custom_domain: host });

describe('the page of a domain', () => {
  it('the page of a domain has the clicks on its links, and no others, with filters and files', async () => {
    const { caller, browse, domain, path } = await open();
    const [one, other] = [await onDomain(caller, domain.host), await seedLink(caller)];
    await deliver([packOf(one, [{ country: 'AT', clicks: 3 }]), packOf(other, [{ clicks: 9 }])]);
    const page = await textOf(browse(`${path}?card=links`));
    expect(peopleOf(page)).toBe(3);
    expect(page).toContain(`links/${one.id}`);
    expect(page).toContain('DNS records');
    expect(await textOf(browse(`${path}?country=DE`))).toContain('No click matches all filters');
    expect(await (await browse(`${path}?csv=country`)).text()).toBe(
      '"country","total","humans","bots","previews"\r\n"AT",3,3,0,0\r\n',
    );
  });

  it('the page of a domain has no clicks before it is verified, and none of another workspace that serves the same host', async () => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    const { id } = await seedClaim(caller);
    const page = await textOf(browse(`/platform/c/${caller.clientId}/domains/${id}`));
    expect([page.includes('DNS records'), page.includes('Click statistics')]).toEqual([true, false]);
    const { path } = await open();
    expect((await browse(path)).status).toBe(404);
    expect((await browse(`${path}?csv=country`)).status).toBe(404);
  });

  it('the page of a domain counts the newest 1,000 links of more, and says so', async () => {
    const { caller, browse, domain, path } = await open();
    await onDomain(caller, domain.host);
    await manyLinks(caller, 1001, (index) => `https://example.com/${index}`);
    await env.DB.prepare(`UPDATE links SET domain_id = ?1 WHERE client_id = ?2`).bind(domain.id, caller.clientId).run();
    expect(await textOf(browse(path))).toContain('The clicks are those of the newest 1,000.');
  });

  it('the page of a domain can be used while the statistics do not respond', async () => {
    const { caller, browse, path } = await open();
    vi.spyOn(console, 'error').mockReturnValue();
    replaceInObjects('ask', () => () => Promise.reject(OBJECT_FAILURE), caller.clientId);
    const response = await browse(path);
    const page = await response.text();
    expect([response.status, page.includes('temporarily unavailable'), page.includes('DNS records')]).toEqual([
      200,
      true,
      true,
    ]);
  });
});
