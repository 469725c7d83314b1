import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  newHost,
  openDomainIsolate,
  proveByDns,
  rowsOfHost,
  seedClaim,
  seedProved,
  serveHosts,
  setDns,
} from '../../support/domains.ts';
import { seedCaller, type Caller } from '../../support/forms.ts';
import { loggedIn, seedMember } from '../../support/management.ts';
import { browse as browseWith, form, openBrowser, placeOf, textOf } from '../../support/platform.ts';
import { rowsOf, seedLink } from '../../support/seed.ts';
import { countTrips } from '../../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

async function openDomains(caller?: Caller, settings: Record<string, string> = {}) {
  const owner = caller ?? (await seedCaller());
  const { cookie } = await openBrowser(owner);
  const browse = browseWith(cookie, openDomainIsolate(settings));
  return { owner, browse, domains: `/platform/c/${owner.clientId}/domains` };
}

describe('the domains', () => {
  it('the domains of a workspace are listed with their states, in two trips, and say the next step while there are none', async () => {
    const { owner, browse, domains } = await openDomains();
    const empty = await textOf(browse(domains));
    for (const part of ['<h2>No domains yet</h2>', `action="${domains}/new"`, 'name="host"'])
      expect(empty).toContain(part);
    const claim = await seedClaim(owner);
    const trips = await countTrips();
    const page = await textOf(browse(domains));
    expect(trips().d1).toBe(2);
    expect(page).toContain(`${domains}/${claim.id}">${claim.host}</a>`);
    expect(page).toContain('>Pending</span>');
    await browse(`${domains}/${claim.id}`);
    expect(trips().d1).toBe(5);
  });

  it('the domains of a workspace are shown in their own script, with their punycode', async () => {
    const { browse, domains } = await openDomains();
    const host = newHost();
    await browse(`${domains}/new`, form({ host: `bücher.${host}` }));
    expect(await textOf(browse(domains))).toContain(`title="xn--bcher-kva.${host}">bücher.${host}</bdi></a>`);
  });

  it('the domains of a workspace are seen by members, who change none', async () => {
    const owner = await seedCaller();
    const claim = await seedClaim(owner, { root_url: 'https://example.com/root' });
    const { browse, domains } = await openDomains(await seedMember(owner));
    expect(await textOf(browse(domains))).not.toContain('Add domain');
    const page = await textOf(browse(`${domains}/${claim.id}`));
    expect(page).toContain(claim.dns.txt.value);
    expect(page).toContain('https://example.com/root');
    for (const word of ['/verify"', '/remove"', 'field-root_url']) expect(page).not.toContain(word);
    const refused = [
      await browse(`${domains}/new`),
      await browse(`${domains}/new`, form({ host: newHost() })),
      await browse(`${domains}/${claim.id}`, form({ root_url: '' })),
      await browse(`${domains}/${claim.id}/verify`, form({})),
      await browse(`${domains}/${claim.id}/remove`),
      await browse(`${domains}/${claim.id}/remove`, form({})),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect(await rowsOfHost(claim.host)).toMatchObject([{ root_url: 'https://example.com/root', removed_at: null }]);
  });

  it('the domains of a workspace of another client are not found', async () => {
    const claim = await seedClaim(await seedCaller());
    const { browse, domains } = await openDomains();
    for (const rest of ['', '/remove']) expect((await browse(`${domains}/${claim.id}${rest}`)).status).toBe(404);
    for (const rest of ['', '/verify', '/remove']) {
      expect((await browse(`${domains}/${claim.id}${rest}`, form({ root_url: '' }))).status).toBe(404);
    }
    expect(await rowsOfHost(claim.host)).toHaveLength(1);
  });
});

describe('adding a domain', () => {
  it('adding a domain leads to its page, which has the records to copy and says what the operator has to do', async () => {
    const { owner, browse, domains } = await openDomains();
    const host = newHost();
    const added = await browse(`${domains}/new`, form({ host, root_url: 'https://example.com/', not_found_url: '' }));
    const [row] = await rowsOfHost(host);
    expect(placeOf(added)).toEqual([303, `${domains}/${String(row?.['id'])}`]);
    expect(row).toMatchObject({ root_url: 'https://example.com/', not_found_url: null, client_id: owner.clientId });
    const page = await textOf(browse(added.headers.get('Location') ?? ''));
    for (const value of [`_terse.${host}`, `terse-domain=${String(row?.['token'])}`, host, 'terse.test']) {
      expect(page).toContain(
        `<span dir="ltr" title="${value}">${value}</span><button type="button" class="copy-icon for-screen" data-copy="" data-text="${value}"`,
      );
    }
    expect(page).toContain(
      `>Please add ${host} to our short links. In the folder of the service, run this command once:\n\n` +
        `npm run deploy -- --domain ${host}</code>`,
    );
    expect(page).toContain('Pending: no links can be created on it yet.');
  });

  it.each<[field: string, sentence: string, fields: Record<string, string>]>([
    ['host', 'This must be a host name of two labels or more', { host: 'https://go/' }],
    ['host', 'This is required.', { host: '' }],
    ['host', 'This host belongs to this service.', { host: 'terse.test' }],
    ['root_url', 'This must be an absolute http or https URL', { root_url: 'nowhere' }],
  ])('adding a domain is refused beside %s: %s', async (field, sentence, fields) => {
    const { owner, browse, domains } = await openDomains();
    const refused = await browse(
      `${domains}/new`,
      form({ host: newHost(), root_url: '', not_found_url: '', ...fields }),
    );
    const page = await refused.text();
    expect([refused.status, page]).toEqual([400, expect.stringContaining(`id="fault-${field}">${sentence}`)]);
    for (const value of Object.values(fields)) expect(page).toContain(`value="${value}"`);
    expect((await rowsOf('domains')).filter((row) => row['client_id'] === owner.clientId)).toEqual([]);
  });

  it('adding a domain that the client has already shows the error beside the host', async () => {
    const { owner, browse, domains } = await openDomains();
    const { host } = await seedClaim(owner);
    const refused = await browse(`${domains}/new`, form({ host, root_url: '', not_found_url: '' }));
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('id="fault-host">')]);
  });
});

describe('verifying', () => {
  it('verifying a domain says what both checks found and what to do, and afterwards that the domain is verified', async () => {
    const { owner, browse, domains } = await openDomains();
    const claim = await seedClaim(owner);
    serveHosts(() => undefined);
    const missing = await browse(`${domains}/${claim.id}/verify`, form({}));
    const page = await missing.text();
    expect(missing.status).toBe(200);
    expect(page.match(/>Not yet</g)).toHaveLength(2);
    expect(page).toContain(`There is no TXT record _terse.${claim.host}.`);
    expect(page).not.toContain('setup-step setup-done');
    expect(page).toContain(`npm run deploy -- --domain ${claim.host}`);
    expect(page).toContain(`https://${claim.host} does not respond.`);

    await proveByDns(claim);
    const half = await textOf(browse(`${domains}/${claim.id}/verify`, form({})));
    expect(half).toContain('>Done</span> The TXT record is correct.');
    expect(half.match(/class="setup-step(?: [\w-]+)?"/g)).toEqual([
      'class="setup-step setup-done"',
      'class="setup-step setup-next"',
      'class="setup-step"',
    ]);
    vi.restoreAllMocks();
    serveHosts();
    expect(placeOf(await browse(`${domains}/${claim.id}/verify`, form({})))).toEqual([303, `${domains}/${claim.id}`]);
    expect(await textOf(browse(`${domains}/${claim.id}`))).toContain('Active: links can be created on it.');
    expect((await seedLink(owner, { custom_domain: claim.host })).short_url).toContain(claim.host);
  });

  it('verifying a domain shows the page of the domain, unchanged, if the DNS resolver cannot be reached', async () => {
    const { owner, browse, domains } = await openDomains();
    const claim = await seedClaim(owner);
    serveHosts(() => undefined);
    await setDns(claim.dns.txt.name, { raw: { base64: '', status: 500 } });
    const response = await browse(`${domains}/${claim.id}/verify`, form({}));
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(page).toContain(`<h1>${claim.host}</h1>`);
    expect(page).toContain('DNS is temporarily unavailable. Nothing has changed. Try again in a minute.');
    expect(page).toContain('Pending: no links can be created on it yet.');
  });

  it('verifying a domain leads a reload back to the domain', async () => {
    const { owner, browse, domains } = await openDomains();
    const { id } = await seedClaim(owner);
    expect(placeOf(await browse(`${domains}/${id}/verify`))).toEqual([303, `${domains}/${id}`]);
  });

  it.each(['%0D%0A', '%00', '..%2F..%2F..%2F..%2Felsewhere'])(
    'verifying a domain leads nowhere by the id %s',
    async (id) => {
      const { browse, domains } = await openDomains();
      expect(placeOf(await browse(`${domains}/${id}/verify`))).toEqual([404, null]);
    },
  );
});

describe('a domain', () => {
  it.each([
    [`status = 'lost', failures = 3, verified_at = 1`, 'Lost: verification failed three days in a row.'],
    [`status = 'pending', verified_at = 1`, 'Pending: another workspace has verified this domain'],
    [`status = 'active', verified_at = 1, failures = 1`, 'Active, but the last daily check'],
    [`status = 'active', verified_at = NULL`, 'Active: added by the operator of the service'],
  ])('a domain explains its state: %s', async (set, sentence) => {
    const { owner, browse, domains } = await openDomains();
    const { id } = await seedClaim(owner);
    await env.DB.prepare(`UPDATE domains SET ${set} WHERE id = ?`).bind(id).run();
    expect(await textOf(browse(`${domains}/${id}`))).toContain(sentence);
  });

  it('a domain has its URLs changed and cleared', async () => {
    const { owner, browse, domains } = await openDomains();
    const { id, host } = await seedClaim(owner);
    const urls = { root_url: 'https://example.com/root', not_found_url: 'https://example.com/none' };
    expect(placeOf(await browse(`${domains}/${id}`, form(urls)))).toEqual([303, `${domains}/${id}`]);
    expect(await rowsOfHost(host)).toMatchObject([urls]);
    const page = await textOf(browse(`${domains}/${id}`));
    for (const url of Object.values(urls)) expect(page).toContain(`value="${url}"`);
    await browse(`${domains}/${id}`, form({ root_url: '', not_found_url: '' }));
    expect(await rowsOfHost(host)).toMatchObject([{ root_url: null, not_found_url: null }]);
  });

  it('a domain leads to no host of this service', async () => {
    const { owner, browse, domains } = await openDomains();
    const { id } = await seedClaim(owner);
    const refused = await browse(`${domains}/${id}`, form({ root_url: 'https://terse.test/x', not_found_url: '' }));
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('must not lead to this service'),
    ]);
    const bad = await browse(`${domains}/${id}`, form({ root_url: '', not_found_url: 'x'.repeat(2050) }));
    expect([bad.status, await bad.text()]).toEqual([400, expect.stringContaining('id="fault-not_found_url"')]);
  });

  it('a domain without links is removed after a confirmation', async () => {
    const { owner, browse, domains } = await openDomains();
    const { id, host } = await seedClaim(owner);
    const asked = await textOf(browse(`${domains}/${id}/remove`));
    expect(asked).toContain('The domain has no links.');
    expect(asked).not.toContain('name="force"');
    expect(placeOf(await browse(`${domains}/${id}/remove`, form({})))).toEqual([303, domains]);
    expect(await rowsOfHost(host)).toEqual([]);
    expect((await loggedIn(owner)).at(-1)).toEqual(['domain.removed', id]);
  });

  it('a domain with links says how many, and is removed with them by a second tick alone', async () => {
    const { owner, browse, domains } = await openDomains();
    serveHosts();
    const { id, host } = await seedProved(owner);
    for (const _ of [1, 2, 3]) await seedLink(owner, { custom_domain: host });
    const live = async () =>
      (await rowsOf('links')).filter((row) => row['domain_id'] === id && row['deleted_at'] === null).length;
    await env.DB.prepare(
      'UPDATE links SET deleted_at = 1 WHERE id = (SELECT id FROM links WHERE domain_id = ? LIMIT 1)',
    )
      .bind(id)
      .run();
    expect(await textOf(browse(`${domains}/${id}/remove`))).toContain('Delete its 2 links too');
    const refused = await browse(`${domains}/${id}/remove`, form({}));
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('Select the checkbox')]);
    expect(await live()).toBe(2);
    expect(placeOf(await browse(`${domains}/${id}/remove`, form({ force: 'on' })))).toEqual([303, domains]);
    expect(await live()).toBe(0);
  });
});
