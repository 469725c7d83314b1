import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { outcomeOf, seedApplicationPassword, tokensBy } from '../../support/application-passwords.ts';
import { form, openBrowser, placeOf, textOf } from '../../support/platform.ts';
import { addTo, giveFactor, openSession, seedIdentity, seedProvider } from '../../support/providers.ts';
import { rowsOf, seedTenant } from '../../support/seed.ts';

const PASSWORDS = '/platform/account/passwords';
const KEEP = `${PASSWORDS}/keep`;

/** A workspace, its owner in a session of a provider, and an application password from before. */
async function openScene(ofService: boolean) {
  const [owner, emergency] = [await seedTenant(), await seedTenant()];
  const { clientId } = owner;
  await addTo(emergency, clientId, 'owner');
  await giveFactor(emergency);
  const provider = await seedProvider(ofService ? null : clientId, ofService ? { name: 'Service ID' } : {});
  await seedIdentity(provider, owner);
  const session = await openSession(owner, { provider });
  const password = await seedApplicationPassword(owner, 'nightly backup');
  const demandPage = `/platform/c/${clientId}/settings/provider`;
  const demand = () => session.browse(demandPage, form({ emergency_owner: emergency.userId }));
  return { owner, clientId, provider, password, demandPage, demand, ...session };
}

const apiOf = (token: string, clientId: string) => outcomeOf(token, 'GET', `/v1/links?client_id=${clientId}`);
const providerOf = async (id: string) =>
  (await rowsOf('application_passwords')).find((row) => row['id'] === id)?.['provider_id'];
const typed = (text: string) => form({ application_password: text });

describe('an application password from before a provider was demanded', () => {
  it('a person in a session of the provider keeps it, and all that has begun with it works again', async () => {
    const { owner, clientId, provider, password, demandPage, demand, browse } = await openScene(true);
    const programs = await tokensBy(owner, password.text);
    expect(await textOf(browse(demandPage))).toContain('1 application password');
    await demand();
    expect(await apiOf(programs.access_token, clientId)).toEqual([403, 'provider_required']);
    const page = await textOf(browse(PASSWORDS));
    expect(page).toContain('<h2 id="keep">Not confirmed yet</h2>');
    expect(page).toContain('aria-label="Keep the application password nightly backup"');
    expect(page).toContain(`name="application_password" value="ap_${password.id}_"`);
    expect(placeOf(await browse(KEEP, typed(`ap_${password.id}_`)))).toEqual([303, PASSWORDS]);
    expect(await providerOf(password.id)).toBe(provider.id);
    expect(await apiOf(programs.access_token, clientId)).toEqual([200, undefined]);
    expect(await apiOf((await tokensBy(owner, password.text)).access_token, clientId)).toEqual([200, undefined]);
    const after = await textOf(browse(PASSWORDS));
    expect([after.includes('nightly backup'), after.includes('id="keep"')]).toEqual([true, false]);
    expect(await textOf(browse(demandPage))).not.toContain('1 application password');
  });

  it('a session that opens one workspace alone shows none of the account, and keeps one whose beginning is entered', async () => {
    const { owner, clientId, provider, password, demand, browse } = await openScene(false);
    await demand();
    const page = await textOf(browse(PASSWORDS));
    expect([page.includes('nightly backup'), page.includes(password.id)]).toEqual([false, false]);
    expect(page).toContain('name="application_password"');
    const wrongSecret = `${password.text.slice(0, -1)}${password.text.endsWith('a') ? 'b' : 'a'}`;
    for (const text of ['', 'ap_', 'ap_aaaaaaaaaaaa_', password.text.slice(16), wrongSecret]) {
      const refused = await browse(KEEP, typed(text));
      expect([text, refused.status]).toEqual([text, 400]);
      expect(await refused.text()).toContain(
        text === '' ? 'This is required.' : 'You have no such application password',
      );
    }
    expect(await providerOf(password.id)).toBeNull();
    expect((await browse(KEEP, typed(password.text))).status).toBe(303);
    expect(await providerOf(password.id)).toBe(provider.id);
    const { access_token: token } = await tokensBy(owner, password.text);
    expect(await apiOf(token, clientId)).toEqual([200, undefined]);
    expect(await textOf(browse(PASSWORDS))).not.toContain(password.id);
  });

  it('an application password of another user, a revoked one, and one of another provider stay as they are', async () => {
    const { owner, browse } = await openScene(true);
    const stranger = await seedApplicationPassword(await seedTenant());
    const revoked = await seedApplicationPassword(owner);
    await env.DB.prepare('UPDATE application_passwords SET revoked_at = 1 WHERE id = ?').bind(revoked.id).run();
    const other = await seedProvider(owner.clientId);
    const ofOther = await seedApplicationPassword(owner);
    await env.DB.prepare('UPDATE application_passwords SET provider_id = ? WHERE id = ?')
      .bind(other.id, ofOther.id)
      .run();
    for (const { id } of [stranger, revoked, ofOther])
      expect((await browse(KEEP, typed(`ap_${id}_`))).status).toBe(400);
    expect([await providerOf(stranger.id), await providerOf(revoked.id), await providerOf(ofOther.id)]).toEqual([
      null,
      null,
      other.id,
    ]);
  });

  it('a session of no provider, of Access, and one that was confirmed long ago keep none', async () => {
    const { owner, password, browse, familyId } = await openScene(true);
    const beginning = typed(`ap_${password.id}_`);
    const own = await openBrowser(owner);
    expect((await own.browse(KEEP, beginning)).status).toBe(400);
    expect(await textOf(own.browse(PASSWORDS))).not.toContain('id="keep"');
    const byAccess = await openSession(owner, { provider: await seedProvider(null, { kind: 'access' }) });
    expect((await byAccess.browse(KEEP, beginning)).status).toBe(400);
    await env.DB.prepare('UPDATE token_families SET started_at = started_at - 601000 WHERE id = ?')
      .bind(familyId)
      .run();
    expect((await browse(KEEP, beginning)).headers.get('Location')).toMatch(/^\/platform\/confirm/);
    expect(await providerOf(password.id)).toBeNull();
  });
});
