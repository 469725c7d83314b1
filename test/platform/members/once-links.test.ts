import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { addMember } from '../../../src/accounts/operator.ts';
import { createResetLinkByName } from '../../../src/accounts/users/resets.ts';
import { newNonce } from '../../../src/secrets/random-secrets.ts';
import { seedCaller, type Caller } from '../../support/forms.ts';
import { loggedIn, seedMember } from '../../support/management.ts';
import { newAddress } from '../../support/address.ts';
import { form, openBrowser, openMembers, placeOf, textOf } from '../../support/platform.ts';
import { db, rowsOf } from '../../support/seed.ts';

/** The times of a page, to the minute. */
const TIMES = /<time\b[^>]*>[^<]*<\/time>/g;

describe('an invite', () => {
  const linkIn = (page: string) => /value="(https:\/\/terse\.test\/platform\/invite\/[0-9A-Za-z]{43})"/.exec(page)?.[1];

  it('an invite is a link that is shown once, and created once by a form', async () => {
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
    expect(list).toContain('>For an owner</b>');
    expect(linkIn(list)).toBeUndefined();
  });

  it('an invite is revoked after a confirmation', async () => {
    const { browse, members } = await openMembers();
    const made = await textOf(browse(`${members}/invite`, form({ role: 'member', nonce: newNonce() })));
    const path = /href="([^"]+\/revoke)"/.exec(await textOf(browse(members)))?.[1] ?? '';
    expect(await textOf(browse(path))).toContain('<h1>Revoke this invite?</h1>');
    expect((await browse(new URL(linkIn(made) ?? '').pathname)).status).toBe(200);
    expect(placeOf(await browse(path, form({})))).toEqual([303, members]);
    expect((await browse(path, form({}))).status).toBe(404);
    expect(await textOf(browse(members))).toContain('No open invites.');
  });

  it('an invite is refused beside the field', async () => {
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

  it('a reset link is created by an owner for a member, shown once, and noted', async () => {
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

  it.each<[what: string, join: (member: Caller) => Promise<unknown>]>([
    [
      'who belongs to another client too',
      async (member) => addMember(db, member.userName, (await seedCaller()).clientId),
    ],
    [
      'who has deleted another client, which can be restored',
      async (member) => {
        const other = await seedCaller();
        await addMember(db, member.userName, other.clientId, 'owner');
        await env.DB.prepare(`UPDATE members SET role = 'member' WHERE user_id = ?`).bind(other.userId).run();
        const { browse: theirs } = await openBrowser(member);
        const sent = await theirs(`/platform/c/${other.clientId}/settings/delete`, form({ name: other.clientId }));
        expect(sent.status).toBe(303);
      },
    ],
  ])('a reset link is created alike for a member %s, and sets no password', async (_, join) => {
    const { owner, browse, members } = await openMembers();
    const [alone, elsewhere] = [await seedMember(owner), await seedMember(owner)];
    await join(elsewhere);
    // All that an owner is shown of a member, without what differs between any two.
    const shownOf = async ({ userId, userName }: Caller) => {
      const path = `${members}/${userId}`;
      const answers = [await browse(path), await browse(`${path}/remove`), await browse(`${path}/reset`)];
      answers.push(await browse(`${path}/reset`, form({})));
      const texts = await Promise.all(answers.map(async (answer) => `${answer.status} ${await answer.text()}`));
      const link = new URL(linkIn(texts.at(-1) ?? '') ?? '').pathname;
      const opened = await browse(link);
      const neutral = [...texts, `${opened.status} ${await opened.text()}`].map((text) =>
        text.replaceAll(link, 'LINK').replaceAll(userId, 'ID').replaceAll(userName, 'NAME').replaceAll(TIMES, 'TIME'),
      );
      return { link, neutral };
    };
    const [first, second] = [await shownOf(alone), await shownOf(elsewhere)];
    expect(second.neutral).toEqual(first.neutral);
    expect(first.neutral.map((text) => text.slice(0, 3))).toEqual(['200', '200', '200', '201', '200']);
    expect(await loggedIn(owner)).toEqual([alone, elsewhere].map(({ userId }) => ['member.reset_link_made', userId]));
    const hashOf = async ({ userId }: Caller) => (await rowsOf('users')).find(({ id }) => id === userId);
    const before = await hashOf(elsewhere);
    const chosen = () =>
      form(
        { new_password: 'correct horse', new_password_again: 'correct horse' },
        { 'CF-Connecting-IP': newAddress() },
      );
    const refused = await browse(second.link, chosen());
    expect([refused.status, await refused.text()]).toEqual([
      410,
      expect.stringContaining(
        'This link cannot set the password of this account. Ask the operator of the service for a link.',
      ),
    ]);
    expect(await hashOf(elsewhere)).toEqual(before);
    expect((await browse(first.link, chosen())).status).toBe(303);
  });

  it('a reset link of one owner ends none that others created for a member of several clients', async () => {
    const { owner, browse, members } = await openMembers();
    const member = await seedMember(owner);
    await addMember(db, member.userName, (await seedCaller()).clientId);
    const operators = await createResetLinkByName(db, member.userName);
    if (typeof operators === 'string') throw new Error(operators);
    const create = async () =>
      new URL(linkIn(await textOf(browse(`${members}/${member.userId}/reset`, form({})))) ?? '');
    const [former, newest] = [await create(), await create()];
    const statuses = [];
    for (const path of [`/platform/reset/${operators.token}`, former.pathname, newest.pathname])
      statuses.push((await browse(path)).status);
    expect(statuses).toEqual([200, 410, 200]);
  });

  it.each<[who: string, sentence: string, seed: (owner: Caller) => Promise<string>]>([
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
  ])('a reset link is not created for a member %s', async (_, sentence, seed) => {
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
