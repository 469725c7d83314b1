import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addMember } from '../../../src/accounts/operator.ts';
import { DAY_MS } from '../../../src/time/day.ts';
import { bearerOf, seedCaller, type Caller } from '../../support/forms.ts';
import { seedKey } from '../../support/management.ts';
import { form, openBrowser, placeOf, textOf, visit } from '../../support/platform.ts';
import { readAllTables, rowsWith } from '../../support/all-rows.ts';
import { db, rowsOf, seedDomain, seedLink } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const pathOf = ({ clientId }: Caller, page = '') => `/platform/c/${clientId}${page}`;

async function open(caller?: Caller) {
  const owner = caller ?? (await seedCaller());
  const { browse } = await openBrowser(owner);
  const remove = (name = owner.clientId) => browse(pathOf(owner, '/settings/delete'), form({ name }));
  const undo = () => browse(pathOf(owner, '/restore'), form({}));
  return { owner, browse, remove, undo };
}

/** Adds a user to the workspace of another one. */
async function join(owner: Caller, role: 'owner' | 'member'): Promise<Caller> {
  const other = await seedCaller();
  await addMember(db, other.userName, owner.clientId, role);
  return other;
}

const auditOf = async ({ clientId }: Caller) =>
  (await rowsOf('audit_entries')).filter((row) => row['client_id'] === clientId).map(({ action }) => action);

const deletionOf = async ({ clientId }: Caller) =>
  (await rowsOf('deletions')).filter((row) => row['client_id'] === clientId);

describe('the name of a workspace', () => {
  it('the name of a workspace is shown in its place, while programs keep the id, and can be removed', async () => {
    const { owner, browse } = await open();
    const save = (name: string) => browse(pathOf(owner, '/settings'), form({ name }));
    expect(placeOf(await save('  Söhne & Co  '))).toEqual([303, pathOf(owner, '/settings')]);
    const page = await textOf(browse(pathOf(owner, '/members')));
    expect(page).toContain('<bdi>Söhne &amp; Co</bdi>');
    expect(await textOf(browse(pathOf(owner, '/keys')))).toContain(`value="${owner.clientId}"`);
    expect(await textOf(browse(pathOf(owner, '/audit')))).toContain(
      `${owner.userName} renamed the workspace “${owner.clientId}” to “\u2068Söhne &amp; Co\u2069”.`,
    );
    await save('');
    expect(await textOf(browse(pathOf(owner, '/settings')))).toContain(`<bdi>${owner.clientId}</bdi>`);
    await save('');
    expect(await auditOf(owner)).toEqual(['client.renamed', 'client.renamed']);
  });

  it.each([['x'.repeat(65)], ['a\u0000b'], ['ä\u0308'.repeat(2000)]])(
    'the name of a workspace cannot be too long, nor hold control characters (%#)',
    async (name) => {
      const { owner, browse } = await open();
      const sent = await browse(pathOf(owner, '/settings'), form({ name }));
      expect([sent.status, await sent.text()]).toEqual([400, expect.stringContaining('must be at most 64 characters')]);
      expect((await rowsOf('clients')).find(({ id }) => id === owner.clientId)?.['name']).toBeNull();
    },
  );

  it('the name and the deletion of a workspace are for owners only, and not for users of other workspaces', async () => {
    const { owner } = await open();
    const [member, stranger] = [await join(owner, 'member'), await seedCaller()];
    const before = await readAllTables();
    for (const [user, status] of [
      [member, 403],
      [stranger, 404],
    ] as const) {
      const { browse } = await openBrowser(user);
      for (const path of ['/settings', '/settings/delete']) {
        expect([path, (await browse(pathOf(owner, path))).status]).toEqual([path, status]);
        const sent = await browse(pathOf(owner, path), form({ name: owner.clientId }));
        expect([path, sent.status]).toEqual([path, status]);
      }
      expect((await browse(pathOf(owner, '/restore'), form({}))).status).toBe(404);
      if (status === 403) expect(await textOf(browse(pathOf(owner)))).not.toContain(pathOf(owner, '/settings"'));
    }
    expect(rowsWith(await readAllTables(), [owner.clientId])['clients']).toEqual(
      rowsWith(before, [owner.clientId])['clients'],
    );
    expect(await deletionOf(owner)).toEqual([]);
  });
});

describe('a deleted workspace', () => {
  it('a workspace is deleted only by its name', async () => {
    const { owner, browse, remove } = await open();
    for (const name of ['', 'other', owner.clientId.toUpperCase()]) {
      const sent = await remove(name);
      expect([sent.status, await sent.text()]).toEqual([
        400,
        expect.stringContaining(`Type the name of the workspace: ${owner.clientId}.`),
      ]);
    }
    await browse(pathOf(owner, '/settings'), form({ name: 'Ours' }));
    expect((await remove(owner.clientId)).status).toBe(400);
    expect(placeOf(await remove('Ours'))).toEqual([303, pathOf(owner)]);
  });

  it('a workspace is deleted after its page has said how many members and keys it has', async () => {
    const { owner, browse } = await open();
    const lead = async () =>
      /\d+ members? loses? access, and \d+ API keys? stops?/.exec(
        await textOf(browse(pathOf(owner, '/settings/delete'))),
      )?.[0];
    expect(await lead()).toBe('1 member loses access, and 1 API key stops');
    await join(owner, 'member');
    await seedKey(owner);
    expect(await textOf(browse(pathOf(owner, '/settings/delete')))).toContain(
      '2 members lose access, and 2 API keys stop working',
    );
  });

  it('a workspace is deleted only by its last owner: pages of owners say who must do what, and lead there', async () => {
    const { owner, browse, remove } = await open();
    const other = await join(owner, 'owner');
    const { browse: browseOther } = await openBrowser(other);
    const member = pathOf(owner, '/members/');
    for (const [seer, self, they] of [
      [browse, owner, other],
      [browseOther, other, owner],
    ] as const) {
      for (const path of ['/settings', '/settings/delete']) {
        const page = await textOf(seer(pathOf(owner, path)));
        const words = page.replaceAll(/<[^>]*>/g, '');
        expect(words).toContain(`There is another owner:${they.userName}`);
        expect(words).toContain('Change the role to member, or remove them; the owner can also leave.');
        expect(page).toContain(`<a href="${member}${they.userId}"><bdi>${they.userName}</bdi></a>`);
        expect(page).toContain(
          `<a href="${member}${self.userId}">leave the workspace, or change your own role to member</a>`,
        );
        expect(page).not.toContain('type="submit">Delete workspace');
      }
      // The pages to which these lead have the forms.
      expect(await textOf(seer(`${member}${they.userId}`))).toContain('Remove member');
      expect(await textOf(seer(`${member}${self.userId}`))).toContain('Leave workspace');
    }
    const refused = await remove();
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('There is another owner:')]);
    expect(await deletionOf(owner)).toEqual([]);
    await browse(`${member}${other.userId}`, form({ role: 'member' }));
    expect(await textOf(browse(pathOf(owner, '/settings')))).toContain('Delete workspace');
    expect((await browseOther(pathOf(owner, '/settings'))).status).toBe(403);
    expect((await remove()).status).toBe(303);
  });

  it('the refusal to delete a workspace names each of several other owners, and none that cannot sign in', async () => {
    const { owner, browse } = await open();
    const [first, second, third] = [await join(owner, 'owner'), await join(owner, 'owner'), await join(owner, 'owner')];
    await env.DB.prepare('UPDATE users SET disabled_at = 1 WHERE id = ?').bind(third.userId).run();
    const page = await textOf(browse(pathOf(owner, '/settings')));
    expect(page).toContain('There are other owners:');
    const named = [...page.matchAll(/members\/([\w-]+)"><bdi>/g)].map(([, id]) => id);
    expect(new Set(named)).toEqual(new Set([first.userId, second.userId]));
  });

  it('a deleted workspace refuses all of its credentials at once, and all works again after an undo', async () => {
    const { owner, browse, remove, undo } = await open();
    const member = await join(owner, 'member');
    const host = await seedDomain(owner);
    const [link, disabled, onDomain] = [
      await seedLink(owner),
      await seedLink(owner),
      await seedLink(owner, { custom_domain: host }),
    ];
    const headers = { 'X-API-Key': owner.apiKey };
    const json = { ...headers, 'Content-Type': 'application/json' };
    await call(`/v1/links/${disabled.id}`, { method: 'PATCH', headers: json, body: '{"disabled":true}' });
    const removed = await seedLink(owner);
    await call(`/v1/links/${removed.id}`, { method: 'DELETE', headers });
    const before = rowsWith(await readAllTables(), [owner.clientId]);
    const statuses = async () => [
      (await visit(link.id))[0],
      (await visit(disabled.id))[0],
      (await visit(removed.id))[0],
      (await call(`https://${host}/${onDomain.id}`)).status,
      (await call('/v1/links', { headers })).status,
      (await call(`/v1/links?client_id=${owner.clientId}`, { headers: bearerOf(owner) })).status,
      (await call('/v1/links', { headers, form: { url: 'https://example.com/', client_id: owner.clientId } })).status,
    ];
    const working = [302, 410, 410, 302, 200, 200, 200];
    expect(await statuses()).toEqual(working);
    expect((await remove()).status).toBe(303);
    expect(await statuses()).toEqual([410, 410, 410, 404, 401, 403, 401]);
    expect(await auditOf(owner)).toContain('client.deleted');

    // Every page says it, and offers Undo to owners only.
    for (const [path, init] of [
      ['', {}],
      ['/links', {}],
      ['/settings', {}],
      ['/links/new', form({ url: 'https://example.com/' })],
    ] as const) {
      const page = await browse(pathOf(owner, path), init);
      const text = await page.text();
      expect([page.status, text.includes('Undo the deletion'), text.includes('has been deleted')]).toEqual([
        410,
        true,
        true,
      ]);
      expect(text).not.toContain('Pages of the workspace');
    }
    const theirs = await openBrowser(member);
    const page = await textOf(theirs.browse(pathOf(owner)));
    expect([page.includes('an owner can undo this'), page.includes('Undo the deletion')]).toEqual([true, false]);
    expect((await theirs.browse(pathOf(owner, '/restore'), form({}))).status).toBe(403);
    // The switcher marks it.
    expect(await textOf(theirs.browse(pathOf(member)))).toContain(
      `href="${pathOf(owner)}"><bdi>${owner.clientId}</bdi> <span class="quiet">deleted</span>`,
    );

    expect(placeOf(await undo())).toEqual([303, pathOf(owner)]);
    expect(await statuses()).toEqual(working);
    expect(await deletionOf(owner)).toEqual([]);
    const after = rowsWith(await readAllTables(), [owner.clientId]);
    const same = (rows: typeof before) => ({
      members: rows['members'],
      keys: rows['api_keys']?.map((row) => ({ ...row, last_used_at: null })),
      domains: rows['domains'],
      links: rows['links']
        ?.filter(({ created_at: at }) => before['links']?.some((row) => row['created_at'] === at))
        .map((row) => ({ ...row, revision: null })),
    });
    expect(same(after)).toEqual(same(before));
    expect((await auditOf(owner)).filter((action) => String(action).startsWith('client.'))).toEqual([
      'client.deleted',
      'client.restored',
    ]);
  });

  it('a deleted workspace cannot be restored after 7 days, nor joined meanwhile', async () => {
    const { owner, browse, remove, undo } = await open();
    const other = await seedCaller();
    await remove();
    expect((await browse(pathOf(owner, '/members/invite'), form({ role: 'member', nonce: 'x' }))).status).toBe(410);
    await env.DB.prepare('UPDATE deletions SET ends_at = ends_at - ?')
      .bind(7 * DAY_MS + 1)
      .run();
    expect(await textOf(browse(pathOf(owner)))).toContain('This can no longer be undone');
    expect((await undo()).status).toBe(410);
    expect((await (await openBrowser(other)).browse(pathOf(owner, '/restore'), form({}))).status).toBe(404);
    expect((await rowsOf('members')).filter((row) => row['client_id'] === owner.clientId)).toEqual([]);
  });

  it('a deleted workspace leaves its domain to a workspace that has verified it meanwhile', async () => {
    const [{ owner, remove, undo }, other] = [await open(), await seedCaller()];
    const host = await seedDomain(owner);
    const link = await seedLink(owner, { custom_domain: host });
    await remove();
    await seedDomain(other, host);
    const theirs = await seedLink(other, { custom_domain: host });
    await undo();
    const rows = (await rowsOf('domains')).filter((row) => row['host'] === host);
    const stateOf = ({ clientId }: Caller) =>
      rows.filter((row) => row['client_id'] === clientId).map((row) => [row['status'], row['former_status']]);
    expect([stateOf(owner), stateOf(other)]).toEqual([[['pending', null]], [['active', null]]]);
    expect((await call(`https://${host}/${theirs.id}`)).status).toBe(302);
    expect((await call(`https://${host}/${link.id}`)).status).toBe(404);
  });
});
