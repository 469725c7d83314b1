import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { checkMailDomains } from '../../../src/accounts/providers/mail-domains.ts';
import { newHost, setDns } from '../../support/domains.ts';
import { openProviderScene, type ProviderScene } from '../../support/issuers.ts';
import { rowsWhere } from '../../support/oauth.ts';
import { browse as browseWith, form, openBrowser, type Browse } from '../../support/platform.ts';
import { db } from '../../support/seed.ts';

interface Scene extends ProviderScene {
  readonly browse: Browse;
  readonly cookie: string;
  readonly path: string;
}

async function openScene(): Promise<Scene> {
  const scene = await openProviderScene();
  const { cookie } = await openBrowser(scene.owner);
  const path = `/platform/c/${scene.owner.clientId}/settings/sign-in`;
  return { ...scene, cookie, browse: browseWith(cookie, scene.call), path };
}

const claimOf = async ({ owner }: Scene, domain: string) =>
  (await rowsWhere('SELECT * FROM provider_domains WHERE client_id = ? AND domain = ?', owner.clientId, domain))[0];

/** Claims a domain, sets its record, and verifies it. */
async function prove(scene: Scene, domain: string): Promise<Response> {
  expect((await scene.browse(`${scene.path}/domains`, form({ domain }))).status).toBe(303);
  const { challenge } = (await claimOf(scene, domain))!;
  await setDns(`_terse-sign-in.${domain}`, { txt: [`terse-sign-in=${String(challenge)}`] });
  return scene.browse(`${scene.path}/domains/verify`, form({ domain }));
}

const find = async ({ call }: Scene, email: string) => {
  const response = await call('/platform/sso', form({ email }));
  return [response.status, response.headers.get('Location')?.split('?')[0] ?? null];
};

describe('the mail domains of a workspace', () => {
  it('a mail domain that DNS proves leads its people to the provider', async () => {
    const scene = await openScene();
    const domain = newHost();
    const there = [303, `${scene.issuer.issuer}/authorize`];
    await scene.browse(`${scene.path}/domains`, form({ domain }));
    const early = await scene.browse(`${scene.path}/domains/verify`, form({ domain }));
    const flash = early.headers.get('Set-Cookie')?.split(';')[0] ?? '';
    const page = await (await scene.call(scene.path, { headers: { Cookie: `${flash}; ${scene.cookie}` } })).text();
    expect(page).toMatch(/class="notice warning"[^>]*>(?:<[^>]*>)*The DNS record was not found/);
    expect(await find(scene, `eve@${domain}`)).toEqual([404, null]);
    expect((await prove(scene, domain)).status).toBe(303);
    expect(await find(scene, `eve@${domain}`)).toEqual(there);
    expect(await find(scene, `Eve@${domain.toUpperCase()} `)).toEqual(there);
    expect(await find(scene, `eve@sub.${domain}`)).toEqual([404, null]);
    expect(await find(scene, `${domain}@elsewhere.example`)).toEqual([404, null]);
    expect(await (await scene.browse(scene.path)).text()).toContain(`_terse-sign-in.${domain}`);
    await scene.browse(`${scene.path}/domains/remove`, form({ domain }));
    expect(await find(scene, `eve@${domain}`)).toEqual([404, null]);
  });

  it('a mail domain is verified by one workspace alone, until its proof is lost', async () => {
    const [one, other] = await Promise.all([openScene(), openScene()]);
    const domain = newHost();
    await prove(one, domain);
    expect((await prove(other, domain)).status).toBe(409);
    expect(await find(one, `eve@${domain}`)).toEqual([303, `${one.issuer.issuer}/authorize`]);
    // The record is now that of the other workspace.
    const claim = (await claimOf(other, domain))!;
    const resolve = async (name: string) =>
      name === `_terse-sign-in.${domain}` ? [`terse-sign-in=${String(claim['challenge'])}`] : ('no_such_name' as const);
    for (let day = 0; day < 2; day += 1) await checkMailDomains(db, resolve, Date.now());
    expect(await find(one, `eve@${domain}`)).toEqual([303, `${one.issuer.issuer}/authorize`]);
    await checkMailDomains(db, resolve, Date.now());
    expect(await find(one, `eve@${domain}`)).toEqual([404, null]);
    expect(
      await rowsWhere(
        'SELECT action FROM audit_entries WHERE client_id = ? AND subject_id = ? ORDER BY created_at',
        one.owner.clientId,
        domain,
      ),
    ).toEqual([{ action: 'provider.domain_verified' }, { action: 'provider.domain_lost' }]);
    expect((await other.browse(`${other.path}/domains/verify`, form({ domain }))).status).toBe(303);
    expect(await find(one, `eve@${domain}`)).toEqual([303, `${other.issuer.issuer}/authorize`]);
  });

  it('name servers that fail end no proof', async () => {
    const scene = await openScene();
    const domain = newHost();
    await prove(scene, domain);
    for (let day = 0; day < 5; day += 1) await checkMailDomains(db, async () => 'server_failure', Date.now());
    expect(await find(scene, `eve@${domain}`)).toEqual([303, `${scene.issuer.issuer}/authorize`]);
  });

  it('a domain whose check fails keeps no other one from being checked', async () => {
    const scene = await openScene();
    const [failing, lost] = [newHost(), newHost()];
    await prove(scene, failing);
    await prove(scene, lost);
    await env.DB.prepare('UPDATE provider_domains SET checked_at = iif(domain = ?, 0, 1)').bind(failing).run();
    const resolve = async (name: string) => {
      if (name.endsWith(failing)) throw new Error('no whole answer');
      return 'no_such_name' as const;
    };
    await checkMailDomains(db, resolve, Date.now());
    expect(await claimOf(scene, lost)).toMatchObject({ failures: 1 });
    expect(await claimOf(scene, failing)).toMatchObject({ failures: 0, proven_at: expect.any(Number) });
    await env.DB.prepare('UPDATE provider_domains SET checked_at = iif(domain = ?, 0, 1)').bind(failing).run();
    const servers = async () => 'server_failure' as const;
    await checkMailDomains(db, servers, Date.now(), 1);
    expect(await claimOf(scene, failing)).toMatchObject({ failures: 0, checked_at: expect.toSatisfy((at) => at > 1) });
  });

  it.each(['', 'localhost', 'not a host', '192.0.2.1'])('a mail domain cannot be %j', async (domain) => {
    const scene = await openScene();
    expect((await scene.browse(`${scene.path}/domains`, form({ domain }))).status).toBe(400);
  });

  it('a workspace has at most twenty mail domains, and the page says so', async () => {
    const scene = await openScene();
    const domains = Array.from({ length: 20 }, newHost);
    for (const domain of domains)
      expect((await scene.browse(`${scene.path}/domains`, form({ domain }))).status).toBe(303);
    const domain = newHost();
    const refused = await scene.browse(`${scene.path}/domains`, form({ domain }));
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('The limit of 20 domains is reached.');
    expect(await claimOf(scene, domain)).toBeUndefined();
    expect((await scene.browse(`${scene.path}/domains`, form({ domain: domains[0]! }))).status).toBe(303);
  });

  it('a mail domain whose provider is off leads nowhere, as an unknown one', async () => {
    const scene = await openScene();
    const domain = newHost();
    await prove(scene, domain);
    await scene.browse(`${scene.path}/off`, form({}));
    const other = newHost();
    const responses = await Promise.all(
      [domain, other].map(async (host) => scene.call('/platform/sso', form({ email: `eve@${host}` }))),
    );
    const policies = responses.map(({ headers }) => headers.get('Content-Security-Policy'));
    const pages = await Promise.all(responses.map((response) => response.text()));
    expect(pages[0]?.replaceAll(domain, 'HOST')).toBe(pages[1]?.replaceAll(other, 'HOST'));
    for (const shown of [`value="eve@${domain}"`, 'No identity provider is turned on for this domain.'])
      expect(pages[0]).toContain(shown);
    expect(policies).toEqual(Array(2).fill(expect.stringContaining("form-action 'self' https:")));
  });
});
