import { describe, expect, it } from 'vitest';
import { changePassword } from '../../src/accounts/operator.ts';
import { createResetLinkByName } from '../../src/accounts/users/resets.ts';
import { newAddress } from '../support/address.ts';
import { seedCaller, type Caller } from '../support/forms.ts';
import { confirmAddress, mailsOf, sendThrough } from '../support/mail.ts';
import { seedMember } from '../support/management.ts';
import { form, openBrowser, textOf } from '../support/platform.ts';
import { db, seedTenant } from '../support/seed.ts';
import { call } from '../support/service.ts';

const KIND = 'password_changed';

async function seedUser(): Promise<Caller & { readonly mailbox: string }> {
  const user = await seedCaller();
  return { ...user, mailbox: await confirmAddress(user.userId) };
}

const twice = { new_password: 'correct horse', new_password_again: 'correct horse' };
const choose = (path: string) => call(path, form(twice, { 'CF-Connecting-IP': newAddress() }));

/** Each mail that a user gets about their password, to whom, and the first sentence of its text. */
const sentTo = async ({ userId }: Pick<Caller, 'userId'>) =>
  (await sendThrough(await mailsOf(KIND, userId))).map(({ mail }) => [mail.to, mail.text.split('\n')[2]]);

describe('a mail about a password', () => {
  it('a user who changes the password gets one, and a wrong current password sends none', async () => {
    const user = await seedTenant();
    const mailbox = await confirmAddress(user.userId);
    const { browse } = await openBrowser(user);
    const change = (current: string) =>
      browse(
        '/platform/account/password',
        form({ ...twice, current_password: current }, { 'CF-Connecting-IP': newAddress() }),
      );
    expect((await change('a wrong guess')).status).toBe(400);
    expect(await mailsOf(KIND, user.userId)).toEqual([]);
    expect((await change(user.password)).status).toBe(303);
    expect(await sentTo(user)).toEqual([
      [
        [mailbox],
        expect.stringMatching(/ was changed on .* on the page of the account, which signed out all other browsers\.$/),
      ],
    ]);
  });

  it('the link of an owner that sets a password is named, once, to the member alone', async () => {
    const owner = await seedUser();
    const member = await seedMember(owner);
    await confirmAddress(member.userId);
    const { browse } = await openBrowser(owner);
    const page = await textOf(browse(`/platform/c/${owner.clientId}/members/${member.userId}/reset`, form({})));
    const path = /value="https:\/\/terse\.test(\/platform\/reset\/\w{43})"/.exec(page)?.[1] ?? '';
    expect(await mailsOf(KIND, member.userId)).toEqual([]);
    expect((await choose(path)).status).toBe(303);
    expect((await choose(path)).status).toBe(410);
    expect(await sentTo(member)).toEqual([[[expect.any(String)], expect.stringMatching(/^A link of an owner of /)]]);
    expect(await mailsOf(KIND, owner.userId)).toEqual([]);
  });

  it('a link that was mailed, or came from the operator, and the command of the operator are mailed about', async () => {
    const user = await seedUser();
    const link = await createResetLinkByName(db, user.userName);
    expect((await choose(`/platform/reset/${typeof link === 'string' ? link : link.token}`)).status).toBe(303);
    expect(await sentTo(user)).toEqual([[[user.mailbox], expect.stringMatching(/^A link was used on /)]]);
    expect(await changePassword(db, user.userName, 'another horse')).toBe(true);
    expect(await sentTo(user)).toEqual([
      [[user.mailbox], expect.stringMatching(/^The operator of .* changed the password of your account on /)],
    ]);
  });

  it('a user without a confirmed address gets none', async () => {
    const user = await seedCaller();
    expect(await changePassword(db, user.userName, 'another horse')).toBe(true);
    expect(await mailsOf(KIND, user.userId)).toEqual([]);
  });
});
