import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { listHappenings } from '../../../src/links/list/happenings.ts';
import { seedCaller, type Caller } from '../../support/forms.ts';
import { invite } from '../../support/invites.ts';
import { ask } from '../../support/management.ts';
import { rowsWhere } from '../../support/oauth.ts';
import { form, openBrowser, openCredential, textOf } from '../../support/platform.ts';
import { addTo, nameBy, openSession, seedPerson, seedProvider } from '../../support/providers.ts';
import { db, seedLink } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

/** A workspace with an owner who comes by its provider alone, and has created all that is there. */
async function openNamed() {
  const owner = await seedCaller();
  const { clientId } = owner;
  const provider = await seedProvider(clientId, { name: 'Acme' });
  const eve = await seedPerson(provider, 'Eve Adams', 'owner');
  const [link, { url }] = await Promise.all([seedLink(owner), invite(owner)]);
  await env.DB.batch(
    ['links', 'api_keys', 'invites', 'audit_entries'].map((table) =>
      env.DB.prepare(`UPDATE ${table} SET user_id = ? WHERE client_id = ?`).bind(eve.userId, clientId),
    ),
  );
  const [key] = await rowsWhere('SELECT id FROM api_keys WHERE client_id = ?', clientId);
  const { browse } = await openBrowser(owner);
  return { owner, clientId, provider, eve, link, url, key: String(key?.['id']), browse, at: `/platform/c/${clientId}` };
}

const insertEntry = ({ clientId }: Caller, action: string, subject: string, userId: string) =>
  env.DB.prepare(
    `INSERT INTO audit_entries (client_id, created_at, id, action, subject_id, subject_name, user_id, credential_kind, credential_id)
     VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, 'session', '')`,
  )
    .bind(clientId, Date.now(), crypto.randomUUID(), action, subject, userId)
    .run();

const EVE = '<bdi>Eve Adams (Acme)</bdi>';

describe('a person without a name of their own', () => {
  it('pages show the name that the provider of the workspace gives, with the provider’s', async () => {
    const { browse, at, clientId, link, key, eve, url } = await openNamed();
    for (const path of ['/keys', `/keys/${key}`, '/members', `/links/${link.id}/history`, '/settings']) {
      const page = await textOf(browse(`${at}${path}`));
      expect(page, path).toContain(EVE);
      expect(page, path).not.toContain(`>${eve.userId}<`);
    }
    expect(await textOf(call(new URL(url).pathname))).toContain(EVE);
    await env.DB.prepare('INSERT INTO encode_days (client_id, day, user_id, made, refused) VALUES (?, ?, ?, 1, 0)')
      .bind(clientId, new Date().toISOString().slice(0, 10), eve.userId)
      .run();
    expect(await textOf(browse(at))).toContain(`<strong>${EVE}</strong>, once`);
  });

  it('the audit log has who made a change and who was changed by that name', async () => {
    const { browse, at, eve } = await openNamed();
    await browse(`${at}/members/${eve.userId}`, form({ role: 'member' }));
    const log = await textOf(browse(`${at}/audit`));
    expect(log).toContain('changed the role of Eve Adams (Acme) to member.');
    expect(log).toContain('Eve Adams (Acme) created an invite');
    expect(log).not.toContain(eve.userId);
  });

  it('the API gives the user name, as before', async () => {
    const { owner, eve, link } = await openNamed();
    for (const path of ['keys', 'invites', 'audit', `links/${link.id}/history`]) {
      const body = await textOf(ask(owner, 'GET', `/v1/${path}`));
      expect(body, path).toContain(`"${eve.userId}"`);
      expect(body, path).not.toContain('Eve Adams');
    }
  });

  it('an import in a chart has that name', async () => {
    const { owner, eve } = await openNamed();
    await insertEntry(owner, 'client.imported', owner.clientId, eve.userId);
    const actor = { credential: await openCredential(owner), clientId: owner.clientId };
    const { imports } = await listHappenings(db, actor, [], { from: 0, to: Date.now() });
    expect(imports).toEqual([
      { at: expect.any(Number), userName: eve.userId, given: { name: 'Eve Adams', provider: 'Acme' } },
    ]);
  });

  it('a workspace never shows the name that the provider of another one gives', async () => {
    const { browse, at, eve, provider, key, link } = await openNamed();
    const other = await seedCaller();
    const theirs = await seedProvider(other.clientId, { name: 'Rivals' });
    await addTo(eve, other.clientId);
    await nameBy(theirs, eve, 'Mallory');
    const pages = ['/keys', `/keys/${key}`, '/members', `/links/${link.id}/history`, '/settings', '/audit'];
    for (const path of pages) expect(await textOf(browse(`${at}${path}`)), path).not.toContain('Mallory');
    const { browse: browseOther } = await openBrowser(other);
    const members = await textOf(browseOther(`/platform/c/${other.clientId}/members`));
    expect(members).toContain('<bdi>Mallory</bdi>');
    expect(members).not.toContain('Eve Adams');
    // Nor once its own provider is removed.
    await env.DB.prepare('UPDATE providers SET ended_at = 1 WHERE id = ?').bind(provider.id).run();
    const log = await textOf(browse(`${at}/audit`));
    expect(log).toContain(eve.userId);
    expect(log).not.toContain('Mallory');
  });

  it('a thing that is named as the id of a stranger does not show the name of the stranger', async () => {
    const { owner, browse, at } = await openNamed();
    const stranger = await seedPerson(await seedProvider(null, { name: 'Service ID' }), 'Stranger');
    await insertEntry(owner, 'tag.deleted', stranger.userId, owner.userId);
    const log = await textOf(browse(`${at}/audit`));
    expect(log).toContain(stranger.userId);
    expect(log).not.toContain('Stranger');
  });

  it('a session has the name of its workspace’s provider, and the account that of the service’s', async () => {
    const { eve, provider } = await openNamed();
    const account = async (begun: Parameters<typeof openSession>[1]) =>
      textOf((await openSession(eve, begun)).browse('/platform/account'));
    expect(await account({ provider })).toContain(`You are signed in as ${EVE}`);
    expect(await account({ beganBy: 'passkey' })).toContain(`You are signed in as <bdi>${eve.userId}</bdi>`);
    await nameBy(await seedProvider(null, { name: 'Service ID' }), eve, 'Eve A.');
    const page = await account({ beganBy: 'passkey' });
    expect(page).toContain('You are signed in as <bdi>Eve A. (Service ID)</bdi>');
    expect(page).toContain('<bdi>Eve A.</bdi>');
  });

  it('a demand of the provider lists by that name for whom something stops, and leads to two-step sign-in', async () => {
    const { owner, provider, at } = await openNamed();
    const ann = await seedPerson(await seedProvider(null, { name: 'Service ID' }), 'Ann Lee');
    await addTo(ann, owner.clientId);
    const { browse } = await openSession(owner, { provider });
    const page = await textOf(browse(`${at}/settings/provider`));
    expect(page).toContain('<bdi>Ann Lee (Service ID)</bdi>');
    expect(page).toContain('<a href="/platform/account/factors">Set it up first</a>.');
  });
});
