import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { addMember } from '../../../src/accounts/operator.ts';
import { newNonce } from '../../../src/secrets.ts';
import { seedCaller, type Caller } from '../../support/forms.ts';
import { loggedIn, seedMember } from '../../support/management.ts';
import { form, openBrowser, openMembers, placeOf, textOf } from '../../support/platform.ts';
import { db, rowsOf } from '../../support/seed.ts';

describe('an invite', () => {
  const linkIn = (page: string) => /value="(https:\/\/terse\.test\/platform\/invite\/[0-9A-Za-z]{43})"/.exec(page)?.[1];

  it('is a link that is shown once, and created once by a form', async () => {
    const { owner, browse, members } = await openMembers();
    const nonce = newNonce();
    const made = await browse(`${members}/invite`, form({ role: 'owner', nonce }));
    const link = linkIn(await made.text());
    expect([made.status, link]).toEqual([201, expect.any(String)]);
    const again = await browse(`${members}/invite`, form({ role: 'owner', nonce }));
    const page = await again.text();
    expect([again.status, linkIn(page)]).toEqual([200, undefined]);
    expect(page).toContain('<h1>Already sent</h1>');
    const invites = (await rowsOf('invites')).filter((row) => row['client_id'] === owner.clientId);
    expect(invites).toEqual([expect.objectContaining({ role: 'owner' })]);
    expect(JSON.stringify(invites)).not.toContain(link?.split('/').at(-1));
    expect(await loggedIn(owner)).toEqual([['invite.created', invites[0]?.['id']]]);
    const list = await textOf(browse(members));
    expect(list).toContain('<span class="whole">Owner</span>');
    expect(linkIn(list)).toBeUndefined();
  });

  it('is revoked after a confirmation', async () => {
    const { browse, members } = await openMembers();
    const made = await textOf(browse(`${members}/invite`, form({ role: 'member', nonce: newNonce() })));
    const path = /href="([^"]+\/revoke)"/.exec(await textOf(browse(members)))?.[1] ?? '';
    expect(await textOf(browse(path))).toContain('<h1>Revoke this invite?</h1>');
    expect((await browse(new URL(linkIn(made) ?? '').pathname)).status).toBe(200);
    expect(placeOf(await browse(path, form({})))).toEqual([303, members]);
    expect((await browse(path, form({}))).status).toBe(404);
    expect(await textOf(browse(members))).toContain('No open invites.');
  });

  it('is refused beside the field', async () => {
    const { browse, members } = await openMembers();
    const refused = await browse(`${members}/invite`, form({ role: 'guest', nonce: newNonce() }));
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('id="fault-role">This must be owner or member.'),
    ]);
    expect(await rowsOf('spent_forms')).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ subject_id: 'guest' })]),
    );
  });
});

describe('a reset link', () => {
  const linkIn = (page: string) => /value="(https:\/\/terse\.test\/platform\/reset\/[0-9A-Za-z]{43})"/.exec(page)?.[1];

  it('is created by an owner for a member, shown once, and noted', async () => {
    const { owner, browse, members } = await openMembers();
    const member = await seedMember(owner);
    const path = `${members}/${member.userId}/reset`;
    expect(await textOf(browse(path))).toContain(`<h1>Create a reset link for ${member.userName}?</h1>`);
    expect(await rowsOf('password_resets')).toEqual([]);
    const made = await browse(path, form({}));
    const link = linkIn(await made.text());
    expect([made.status, link]).toEqual([201, expect.any(String)]);
    const rows = (await rowsOf('password_resets')).filter((row) => row['user_id'] === member.userId);
    expect(rows).toEqual([
      expect.objectContaining({ client_id: owner.clientId, made_by: owner.userId, ended_at: null }),
    ]);
    expect(JSON.stringify(rows)).not.toContain(link?.split('/').at(-1));
    expect(await loggedIn(owner)).toEqual([['member.reset_link_made', member.userId]]);
  });

  it.each<[who: string, sentence: string, seed: (owner: Caller) => Promise<string>]>([
    [
      'who belongs to another client too',
      'only the operator of the service',
      async (owner) => {
        const member = await seedMember(owner);
        await addMember(db, member.userName, (await seedCaller()).clientId);
        return member.userId;
      },
    ],
    [
      'who has deleted another client, which can be restored',
      'only the operator of the service',
      async (owner) => {
        const member = await seedMember(owner);
        const other = await seedCaller();
        await addMember(db, member.userName, other.clientId, 'owner');
        await env.DB.prepare(`UPDATE members SET role = 'member' WHERE user_id = ?`).bind(other.userId).run();
        const { browse: theirs } = await openBrowser(member);
        const sent = await theirs(`/platform/c/${other.clientId}/settings/delete`, form({ name: other.clientId }));
        expect(sent.status).toBe(303);
        return member.userId;
      },
    ],
    ['who is oneself', 'Change your own password', async (owner) => owner.userId],
    [
      'who is disabled',
      'The account is disabled',
      async (owner) => {
        const member = await seedMember(owner);
        await env.DB.prepare('UPDATE users SET disabled_at = 1 WHERE id = ?').bind(member.userId).run();
        return member.userId;
      },
    ],
  ])('is not created for a member %s', async (_, sentence, seed) => {
    const { owner, browse, members } = await openMembers();
    const id = await seed(owner);
    expect(await textOf(browse(`${members}/${id}`))).not.toContain(`${members}/${id}/reset`);
    const refused = await browse(`${members}/${id}/reset`, form({}));
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(await refused.text()).toContain(sentence);
    expect((await rowsOf('password_resets')).filter((row) => row['user_id'] === id)).toEqual([]);
    expect(await loggedIn(owner)).toEqual([]);
  });
});
