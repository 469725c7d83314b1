import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newNonce } from '../../../src/secrets/random-secrets.ts';
import { seedCaller, type Caller } from '../../support/forms.ts';
import { loggedIn, seedKey, seedMember, statusOf } from '../../support/management.ts';
import { pageFieldsOf } from '../../support/page-fields.ts';
import { cookiesOf, form, openBrowser, openMembers, placeOf, textOf } from '../../support/platform.ts';
import { rowsOf } from '../../support/seed.ts';
import { call } from '../../support/service.ts';
import { countTrips } from '../../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const rolesOf = async ({ clientId }: Caller) =>
  Object.fromEntries(
    (await rowsOf('members'))
      .filter((row) => row['client_id'] === clientId)
      .map((row) => [row['user_id'], row['role']]),
  );

describe('the members', () => {
  it('members are listed for owners, with the open invites, in three trips', async () => {
    const { owner, browse, members } = await openMembers();
    const member = await seedMember(owner);
    const trips = await countTrips();
    const page = await textOf(browse(members));
    expect(trips().d1).toBe(3);
    expect(page).toContain(`${members}/${member.userId}"><bdi>${member.userName}</bdi></a>`);
    expect(page).toContain('>You</span>');
    expect(page).toContain('No open invites. An invite link');
  });

  it('members have no page for members, who see no link to it', async () => {
    const { owner, members } = await openMembers();
    const { browse, owner: member } = await openMembers(await seedMember(owner));
    const paths = [
      '',
      `/${owner.userId}`,
      `/${owner.userId}/remove`,
      `/${owner.userId}/reset`,
      '/invite',
      '/invites/x/revoke',
    ];
    for (const path of paths) {
      const response = await browse(`${members}${path}`);
      expect([response.status, await response.text()]).toEqual([
        403,
        expect.stringContaining('Only an owner can do this'),
      ]);
      const sent = await browse(`${members}${path}`, form({ role: 'owner', keys: 'revoke', nonce: newNonce() }));
      expect(sent.status).toBe(403);
    }
    expect(await textOf(browse(`/platform/c/${owner.clientId}`))).not.toContain(`href="${members}"`);
    expect(await rolesOf(owner)).toEqual({ [owner.userId]: 'owner', [member.userId]: 'member' });
  });

  it('members are invited by a form whose first role has the focus, until it is refused', async () => {
    const { browse, members } = await openMembers();
    const focused = async (response: Promise<Response>) => (await textOf(response)).match(/<\w+ [^>]*autofocus/g);
    expect(await focused(browse(`${members}/invite`))).toEqual([expect.stringContaining('value="member"')]);
    const refused = browse(`${members}/invite`, form({ role: 'none', nonce: newNonce() }));
    expect(await focused(refused)).toEqual([expect.stringContaining('class="notice danger')]);
  });

  it('members of another client are not found', async () => {
    const [{ browse, members }, stranger] = [await openMembers(), await openMembers()];
    for (const path of [`${members}/${stranger.owner.userId}`, `${stranger.members}/${stranger.owner.userId}`]) {
      for (const rest of ['', '/remove', '/reset']) {
        expect((await browse(`${path}${rest}`)).status).toBe(404);
        expect((await browse(`${path}${rest}`, form({ role: 'member', keys: 'revoke' }))).status).toBe(404);
      }
    }
    expect(await rolesOf(stranger.owner)).toEqual({ [stranger.owner.userId]: 'owner' });
    expect(await rowsOf('password_resets')).toEqual([]);
  });
});

describe('a role', () => {
  it('a role is changed after a question', async () => {
    const { owner, browse, members } = await openMembers();
    const member = await seedMember(owner);
    const changed = await browse(`${members}/${member.userId}`, form({ role: 'owner' }));
    expect(placeOf(changed)).toEqual([303, `${members}/${member.userId}`]);
    expect(await rolesOf(owner)).toMatchObject({ [member.userId]: 'owner' });
    const none = await browse(`${members}/${member.userId}`, form({}));
    expect([none.status, await none.text()]).toEqual([400, expect.stringContaining('id="fault-role"')]);
  });

  it('a role that is given up leads to a page that is still there', async () => {
    const { owner, browse, members } = await openMembers();
    await seedMember(owner, 'owner');
    expect(placeOf(await browse(`${members}/${owner.userId}`, form({ role: 'member' })))).toEqual([
      303,
      `/platform/c/${owner.clientId}`,
    ]);
  });

  it('the role of the last owner stays, and the page says so', async () => {
    const { owner, browse, members } = await openMembers();
    const page = await textOf(browse(`${members}/${owner.userId}`));
    expect(page).toContain('To change the role or leave, give another member the owner role first.');
    expect(page).not.toContain('Leave workspace');
    const refused = await browse(`${members}/${owner.userId}`, form({ role: 'member' }));
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining('id="fault-role">At least one owner must remain.'),
    ]);
    const left = await browse(`${members}/${owner.userId}/remove`, form({ keys: 'revoke' }));
    expect([left.status, await left.text()]).toEqual([409, expect.stringContaining('You are the last owner')]);
    expect(await rolesOf(owner)).toEqual({ [owner.userId]: 'owner' });
  });
});

describe('removing a member', () => {
  it.each([
    ['revoke', 401, 'key.revoked'],
    ['adopt', 200, 'key.adopted'],
  ])('removing a member asks what becomes of their keys: %s', async (keys, status, action) => {
    const { owner, browse, members } = await openMembers();
    const member = await seedMember(owner);
    const { key, id } = await seedKey(member);
    const asked = await textOf(browse(`${members}/${member.userId}/remove`));
    expect(asked).toContain('There is one active key.');
    expect(asked).toContain('value="adopt"');
    const removed = await browse(`${members}/${member.userId}/remove`, form({ keys }));
    expect(placeOf(removed)).toEqual([303, members]);
    expect(await rolesOf(owner)).toEqual({ [owner.userId]: 'owner' });
    expect(await statusOf(owner, key)).toBe(status);
    expect((await loggedIn(owner)).slice(-2)).toEqual(
      expect.arrayContaining([
        [action, id],
        ['member.removed', member.userId],
      ]),
    );
  });

  it('removing a member leads to the keys that the former member still knows; each can be replaced without a script', async () => {
    const owner = await seedCaller();
    const { browse, cookie } = await openBrowser(owner);
    const members = `/platform/c/${owner.clientId}/members`;
    const member = await seedMember(owner);
    const [first, second] = [await seedKey(member), await seedKey(member, ['links:write'], 'press')];
    const keys = `/platform/c/${owner.clientId}/keys`;
    const asked = await textOf(browse(`${members}/${member.userId}/remove`));
    expect(asked).toContain('The former member still knows their secrets');
    const removed = await browse(`${members}/${member.userId}/remove`, form({ keys: 'adopt' }));
    const flash = cookiesOf(removed)['__Host-terse-flash']?.[0];
    const after = await textOf(call(members, { headers: { Cookie: `${cookie}; __Host-terse-flash=${flash}` } }));
    expect(after).toContain('Their API keys are yours now, and the former member still knows the secrets.');
    expect(after).toContain(`<a href="${keys}/adopted">Replace the keys</a>`);
    const rollsOn = async () => {
      const page = await textOf(browse(`${keys}/adopted`));
      return [first, second].map(({ id }) => page.includes(`href="${keys}/${id}/roll"`));
    };
    expect(await rollsOn()).toEqual([true, true]);
    expect(await textOf(browse(keys))).toContain('Known to a former member');
    const known = await textOf(browse(`${keys}/${first.id}`));
    expect(known).toContain('who still knows its secret');
    expect(known).toContain('<dt>Taken over</dt>');
    const confirm = await textOf(browse(`${keys}/${first.id}/roll`));
    expect(confirm).toContain('knows the current secret');
    const { nonce = '' } = pageFieldsOf(confirm);
    const rolled = await browse(`${keys}/${first.id}/roll`, form({ nonce, former_secret: 'end' }));
    expect([rolled.status, await statusOf(owner, first.key)]).toEqual([200, 401]);
    expect(await textOf(browse(`${keys}/${first.id}`))).not.toContain('<dt>Taken over</dt>');
    expect(await rollsOn()).toEqual([false, true]);
    await browse(`${keys}/${second.id}/revoke`, form({}));
    expect(await textOf(browse(`${keys}/adopted`))).toContain('No former member knows the secret of a key.');
    expect(await textOf(browse(keys))).not.toContain('Known to a former member');
    expect(await textOf(browse(`/platform/c/${owner.clientId}/audit`))).toContain(
      'who knows its secret until the key is rolled.',
    );
  });

  it('removing a member is not done without a choice about their keys', async () => {
    const { owner, browse, members } = await openMembers();
    const member = await seedMember(owner);
    const refused = await browse(`${members}/${member.userId}/remove`, form({}));
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('id="fault-keys"')]);
    expect(await rolesOf(owner)).toMatchObject({ [member.userId]: 'member' });
  });

  it('removing a member lets an owner leave the client', async () => {
    const { owner, browse, members } = await openMembers();
    await seedMember(owner, 'owner');
    const asked = await textOf(browse(`${members}/${owner.userId}/remove`));
    expect(asked).toContain(`<h1>Leave ${owner.clientId}?</h1>`);
    expect(asked).not.toContain('value="adopt"');
    const left = await browse(`${members}/${owner.userId}/remove`, form({ keys: 'revoke' }));
    expect(placeOf(left)).toEqual([303, '/platform']);
    expect((await browse(members)).status).toBe(404);
  });
});

describe('the audit log', () => {
  it('the audit log says who did what, when and with which credential, in plain sentences', async () => {
    const { owner, browse, members } = await openMembers();
    const audit = `/platform/c/${owner.clientId}/audit`;
    expect(await textOf(browse(audit))).toContain('No changes yet');
    const member = await seedMember(owner);
    await seedKey(member, ['links:read'], '<b>nightly</b>');
    await browse(`${members}/${member.userId}`, form({ role: 'owner' }));
    await env.DB.prepare(`UPDATE users SET time_zone = 'Asia/Kathmandu' WHERE id = ?`).bind(owner.userId).run();
    const trips = await countTrips();
    const page = await textOf(browse(audit));
    expect(trips().d1).toBe(2);
    expect(page).toContain(`${owner.userName} changed the role of ${member.userName} to owner.`);
    expect(page).toContain(
      `${member.userName} created the API key “&lt;b&gt;nightly&lt;/b&gt;” with the permissions links:read.`,
    );
    expect(page.indexOf('to owner.')).toBeLessThan(page.indexOf('created the API key'));
    expect(page).toContain('>Browser session</td>');
    expect(page).toContain('>Access token</td>');
    expect(page).toMatch(/\d\d:\d\d GMT\+5:45<\/time>/);
  });

  it('the audit log continues page by page, and is for owners of the client alone', async () => {
    const { owner, browse } = await openMembers();
    const audit = `/platform/c/${owner.clientId}/audit`;
    const insert = env.DB.prepare(
      `INSERT INTO audit_entries VALUES (?, ?, ?, 'key.rolled', 'k', ?, NULL, ?, 'session', 's')`,
    );
    await env.DB.batch(
      Array.from({ length: 60 }, (_, n) => insert.bind(owner.clientId, n + 1, `e${n}`, `key ${n}`, owner.userId)),
    );
    const first = await textOf(browse(audit));
    expect(first).toContain('“key 59”');
    expect(first).not.toContain('“key 9”');
    expect(await textOf(browse(/href="([^"]+)" rel="next"/.exec(first)?.[1] ?? ''))).toContain('“key 9”');
    const { browse: asMember } = await openMembers(await seedMember(owner));
    expect((await asMember(audit)).status).toBe(403);
    const { browse: asStranger } = await openMembers();
    expect((await asStranger(audit)).status).toBe(404);
  });
});
