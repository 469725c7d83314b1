import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { D1_BATCH, D1_SESSION } from '../../support/d1.ts';
import { bearerOf, seedCaller, type Caller } from '../../support/forms.ts';
import { answer, ask, seedMember } from '../../support/management.ts';
import { cookiesOf, form, openBrowser, placeOf, textOf } from '../../support/platform.ts';
import { newAddress } from '../../support/address.ts';
import { rowsOf } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

/** The path of an invite's link, as the API gives it. */
async function inviteOf(owner: Caller, role = 'member') {
  const { url, id } = await answer<{ url: string; id: string }>(await ask(owner, 'POST', '/v1/invites', { role }), 201);
  return { path: new URL(url).pathname, id };
}

const membersOf = async ({ clientId }: Caller) =>
  (await rowsOf('members')).filter((row) => row['client_id'] === clientId).map(({ user_id, role }) => [user_id, role]);

const newcomer = (fields: Record<string, string> = {}) =>
  form(
    { name: `new-${crypto.randomUUID()}`, password: 'correct horse', ...fields },
    { 'CF-Connecting-IP': newAddress() },
  );

/** Lets no session be stored, until `vi.restoreAllMocks`. */
function failSessions(): void {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(D1_SESSION, 'batch').mockImplementation(async function (this: D1DatabaseSession, statements) {
    const isOfSession = (each: D1PreparedStatement) => /INSERT INTO sessions/.test(Reflect.get(each, 'statement'));
    if (statements.some(isOfSession)) throw new Error('D1_ERROR: Network connection lost.');
    return D1_BATCH.call(this, statements);
  });
}

describe('the link of an invite', () => {
  it('the link of an invite says who invites to which workspace, and is not used up by that', async () => {
    const owner = await seedCaller();
    const { path } = await inviteOf(owner, 'owner');
    for (const method of ['GET', 'HEAD', 'GET']) expect((await call(path, { method })).status).toBe(200);
    const page = await textOf(call(path));
    expect(page).toContain(`<h1>Join ${owner.clientId}</h1>`);
    expect(page).toContain('<main id="main" class="page narrow"');
    expect(page).toContain(`<bdi>${owner.userName}</bdi> invites you as an owner.`);
    expect(page).toContain(`/platform/sign-in?next=${encodeURIComponent(path)}`);
    expect(await rowsOf('invites')).toContainEqual(
      expect.objectContaining({ client_id: owner.clientId, accepted_at: null }),
    );
  });

  it('the link of an invite creates an account with a name and a password, and signs it in', async () => {
    const owner = await seedCaller();
    const { path } = await inviteOf(owner);
    const joined = await call(path, newcomer({ name: 'Zoë' }));
    expect(placeOf(joined)).toEqual([303, `/platform/c/${owner.clientId}`]);
    const cookie = `__Host-terse=${cookiesOf(joined)['__Host-terse']?.[0]}`;
    const page = await textOf(call(`/platform/c/${owner.clientId}`, { headers: { Cookie: cookie } }));
    expect(page).toContain('Zoë');
    expect(await membersOf(owner)).toEqual(expect.arrayContaining([[expect.any(String), 'member']]));
  });

  it('the link of an invite creates an account although its session cannot be stored, and asks to sign in', async () => {
    const owner = await seedCaller();
    const { path } = await inviteOf(owner);
    failSessions();
    const joined = await call(path, newcomer());
    vi.restoreAllMocks();
    expect(placeOf(joined)).toEqual([303, '/platform/sign-in']);
    const { '__Host-terse': session, '__Host-terse-flash': flash } = cookiesOf(joined);
    expect(session).toBeUndefined();
    expect(
      await textOf(call('/platform/sign-in', { headers: { Cookie: `__Host-terse-flash=${flash?.[0]}` } })),
    ).toContain(
      'Your account has been created, and you are now a member of the workspace. Sign in with your password.',
    );
    expect(await membersOf(owner)).toHaveLength(2);
  });

  it.each<[field: string, sentence: string, fields: Record<string, string>]>([
    ['name', 'This is required.', { name: '' }],
    [
      'name',
      'This must be 1 to 128 characters without colons, and without spaces at the start or end.',
      { name: 'a:b' },
    ],
    ['password', 'This must be at least 8 characters long.', { password: 'short' }],
  ])('the link of an invite says beside %s: %s', async (field, sentence, fields) => {
    const owner = await seedCaller();
    const { path } = await inviteOf(owner);
    const refused = await call(path, newcomer(fields));
    const page = await refused.text();
    expect([refused.status, page]).toEqual([400, expect.stringContaining(`id="fault-${field}">${sentence}</p>`)]);
    expect(page).not.toContain('correct horse');
    expect(await membersOf(owner)).toHaveLength(1);
  });

  it('the link of an invite says that a name is taken, and stays good', async () => {
    const owner = await seedCaller();
    const { path } = await inviteOf(owner);
    const refused = await call(path, newcomer({ name: owner.userName }));
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining('id="fault-name">This user name is already in use.'),
    ]);
    expect((await call(path, newcomer())).status).toBe(303);
  });

  it('the link of an invite is accepted by a signed-in user, with one button', async () => {
    const [owner, guest] = [await seedCaller(), await seedCaller()];
    const { path } = await inviteOf(owner);
    const { browse } = await openBrowser(guest);
    expect(await textOf(browse(path))).toContain(`>Join as <bdi>${guest.userName}</bdi></button>`);
    expect(placeOf(await browse(path, form({})))).toEqual([303, `/platform/c/${owner.clientId}`]);
    expect((await browse(`/platform/c/${owner.clientId}`)).status).toBe(200);
    expect(await membersOf(owner)).toContainEqual([guest.userId, 'member']);
  });

  it('the link of an invite sends a user whose session has expired to the sign-in, and back', async () => {
    const { path } = await inviteOf(await seedCaller());
    expect(placeOf(await call(path, form({})))).toEqual([303, `/platform/sign-in?next=${encodeURIComponent(path)}`]);
  });

  it('the link of an invite says that the user is a member already, and stays valid for another person', async () => {
    const owner = await seedCaller();
    const { path } = await inviteOf(owner);
    const { browse } = await openBrowser(await seedMember(owner));
    const page = await textOf(browse(path));
    expect(page).toContain(`<h1>You are already a member of ${owner.clientId}</h1>`);
    expect(page).toContain('another person can still use it');
    const sent = await browse(path, form({}));
    expect([sent.status, await sent.text()]).toEqual([
      409,
      expect.stringContaining('<h1>You are already a member of '),
    ]);
    expect((await call(path, newcomer())).status).toBe(303);
  });

  it.each<
    [what: string, title: string, end: (invite: { id: string; path: string }, owner: Caller) => Promise<unknown>]
  >([
    ['used', 'This invite has been used', ({ path }) => call(path, newcomer())],
    [
      'revoked',
      'This invite has been revoked',
      ({ id }, owner) => call(`/v1/invites/${id}`, { method: 'DELETE', headers: bearerOf(owner) }),
    ],
    [
      'expired',
      'This invite has expired',
      ({ id }) => env.DB.prepare('UPDATE invites SET expires_at = 1 WHERE id = ?').bind(id).run(),
    ],
    [
      'void',
      'This invite is no longer valid',
      (_, owner) => env.DB.prepare(`UPDATE members SET role = 'member' WHERE user_id = ?`).bind(owner.userId).run(),
    ],
  ])('the link of an invite that is %s says so', async (_, title, end) => {
    const owner = await seedCaller();
    const invite = await inviteOf(owner);
    await end(invite, owner);
    const before = await membersOf(owner);
    for (const init of [{}, newcomer()]) {
      const response = await call(invite.path, init);
      expect([response.status, await response.text()]).toEqual([410, expect.stringContaining(`<h1>${title}</h1>`)]);
    }
    const { browse } = await openBrowser(await seedCaller());
    expect((await browse(invite.path, form({}))).status).toBe(410);
    expect(await membersOf(owner)).toEqual(before);
  });

  it('the link of an invite that was never created is not found', async () => {
    const path = `/platform/invite/${'x'.repeat(43)}`;
    const [shown, sent] = [await call(path), await call(path, newcomer())];
    expect([shown.status, sent.status]).toEqual([404, 404]);
    expect(await shown.text()).toContain('<h1>Invite not found</h1>');
  });

  it('the link of an invite is taken up by one of many at once', async () => {
    const owner = await seedCaller();
    const { path } = await inviteOf(owner);
    const sent = await Promise.all([1, 2, 3].map(async () => (await call(path, newcomer())).status));
    expect(sent.toSorted((a, b) => a - b)).toEqual([303, 410, 410]);
    expect(await membersOf(owner)).toHaveLength(2);
  });

  it.each([1, 2, 3, 4])(
    'the link of an invite is taken up once if another person accepts it before trip %i of a form',
    async (trip) => {
      const owner = await seedCaller();
      const { path } = await inviteOf(owner);
      const names = ['first', 'second'].map((word) => `${word}-${crypto.randomUUID()}`);
      const send = async (name = '') => (await call(path, newcomer({ name }))).status;
      const batch = env.DB.batch.bind(env.DB);
      let calls = 0;
      let between: number | undefined;
      const spy = vi.spyOn(env.DB, 'batch').mockImplementation(async (statements) => {
        calls += 1;
        if (calls === trip) between = await send(names[1]);
        return batch(statements);
      });
      const outer = await send(names[0]);
      spy.mockRestore();
      between ??= await send(names[1]);
      expect([outer, between].toSorted((a, b) => a - b)).toEqual([303, 410]);
      const winner = names[outer === 303 ? 0 : 1];
      const users = (await rowsOf('users')).filter(({ name }) => names.includes(String(name)));
      expect(users.map(({ name }) => name)).toEqual([winner]);
      expect((await membersOf(owner)).map(([id]) => id)).toEqual(
        expect.arrayContaining([owner.userId, users[0]?.['id']]),
      );
      expect(await membersOf(owner)).toHaveLength(2);
    },
  );

  it('the link of an invite takes no form of another site', async () => {
    const owner = await seedCaller();
    const { path } = await inviteOf(owner);
    const { browse } = await openBrowser(await seedCaller());
    expect((await browse(path, form({}, { Origin: 'https://other.example' }))).status).toBe(403);
    expect(await membersOf(owner)).toHaveLength(1);
  });
});
