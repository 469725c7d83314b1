import { Hono, type Context } from 'hono';
import * as z from 'zod';
import { listInvites } from '../../accounts/invites/invites.ts';
import {
  changeRole,
  getMember,
  liftSuspension,
  listMembers,
  memberChangeFields,
  removalFields,
  removeMember,
} from '../../accounts/members/members.ts';
import { createResetLink } from '../../accounts/users/resets.ts';
import type { ErrorStatus } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';
import { readPage } from '../../input/pagination.ts';
import { parseFields } from '../../input/validation.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { onItsPage } from '../forms/on-its-page.tsx';
import { freshlyConfirmed, inClient, ownersOnly, signedIn } from '../guard.ts';
import { isolated } from '../bidi.ts';
import { ConfirmPage } from '../kit/confirm.tsx';
import { RadioGroup } from '../kit/boxes.tsx';
import { SETTINGS_STYLES } from '../kit/settings-list.tsx';
import { filterOf, pageOf, pagesOf } from '../list.ts';
import { MemberPage, MembersPage, RoleSection } from './members-page.tsx';
import { clientPath } from '../nav.ts';
import { OnceLink } from './once-link.tsx';
import { page } from '../page.tsx';

const MEMBERS = '/platform/c/:client/members';
const SHOWN_INVITES = 50;

/** The members of a client, for its owners. */
export function memberPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.use(`${MEMBERS}/*`, signedIn, inClient, ownersOnly);

  pages.get(MEMBERS, async (c) => {
    const { db, actor, client, session } = c.var;
    const filter = filterOf(c);
    const firstInvites = readPage({}, { limit: SHOWN_INVITES });
    const [{ members, cursor }, { invites }] = await Promise.all([
      listMembers(db, actor, pageOf(c, 'members'), filter),
      listInvites(db, actor, firstInvites),
    ]);
    const content = <MembersPage {...{ members, invites, client, session, filter }} pages={pagesOf(c, cursor)} />;
    return page(c, { title: c.var.words.text('members.title'), styles: SETTINGS_STYLES }, content);
  });

  pages.get(`${MEMBERS}/:id`, (c) => respondWithMember(c));

  pages.post(`${MEMBERS}/:id`, freshlyConfirmed, async (c) => {
    const fields = await readFields(c);
    const { db, actor, client, session } = c.var;
    const id = c.req.param('id');
    const change = () => changeRole(db, actor, id, parseFields(memberChangeFields(), fields).role);
    const sent = await submit(c, fields, change, { last_owner: 'role' });
    if (!sent.ok) {
      return onItsPage(c, sent, () => respondWithMember(c, sent.form, sent.status), {
        title: c.var.words.text('members.member'),
        list: { href: clientPath(client, 'members'), label: c.var.words.text('members.title') },
        content: (form) => <RoleSection form={form} action={clientPath(client, `members/${id}`)} />,
      });
    }
    // A user who is no longer an owner may not see this page.
    const isStillOwner = id !== session.userId || sent.value.role === 'owner';
    return seeOther(c, clientPath(client, isStillOwner ? `members/${id}` : ''), 'role-changed');
  });

  pages.post(`${MEMBERS}/:id/lift`, freshlyConfirmed, async (c) => {
    const { db, actor, client } = c.var;
    await liftSuspension(db, actor, c.req.param('id'));
    return seeOther(c, clientPath(client, `members/${c.req.param('id')}`), 'suspension-lifted');
  });

  pages.get(`${MEMBERS}/:id/remove`, (c) => respondWithRemoval(c));

  pages.post(`${MEMBERS}/:id/remove`, freshlyConfirmed, async (c) => {
    const fields = await readFields(c);
    const { db, actor, client, session } = c.var;
    const id = c.req.param('id');
    const sent = await submit(c, fields, () => removeMember(db, actor, id, parseFields(removal(), fields).keys));
    if (!sent.ok) return respondWithRemoval(c, sent.form, sent.status);
    if (id === session.userId) return seeOther(c, '/platform', 'left');
    return sent.value === 0
      ? seeOther(c, clientPath(client, 'members'), 'member-removed')
      : seeOther(c, clientPath(client, 'members'), 'member-removed-adopted');
  });

  pages.get(`${MEMBERS}/:id/reset`, async (c) => {
    const member = await getMember(c.var.db, c.var.actor, c.req.param('id'));
    return respondWithReset(c, member.shownName);
  });

  pages.post(`${MEMBERS}/:id/reset`, freshlyConfirmed, async (c) => {
    const { db, actor, client, session, site, words } = c.var;
    const { shownName } = await getMember(db, actor, c.req.param('id'));
    const sent = await submit(c, {}, () => createResetLink(db, actor, c.req.param('id')));
    if (!sent.ok) return respondWithReset(c, shownName, sent.form, sent.status);
    const { token, expiresAt } = sent.value;
    const url = `${(site.publicUrl ?? site.requestUrl).origin}/platform/reset/${token}`;
    return page(
      c,
      { title: words.text('signIn.resetLink'), status: 201 },
      <OnceLink
        title={words.text('members.resetLinkFor', { name: isolated(shownName) })}
        label={words.text('signIn.resetLink')}
        url={url}
        back={clientPath(client, 'members')}
        expiresAt={expiresAt}
        timeZone={session.timeZone}
      >
        {words.content('members.giveOnly', { userName: shownName })}
      </OnceLink>,
    );
  });

  return pages;
}

const removal = lazy(() => z.strictObject(removalFields()));

type MemberContext = Context<PlatformEnv, `${typeof MEMBERS}/:id`>;

async function respondWithMember(c: MemberContext, form?: FormState, status: ErrorStatus | 200 = 200) {
  const { db, actor, client, session } = c.var;
  const member = await getMember(db, actor, c.req.param('id'));
  const content = <MemberPage {...{ member, client, session }} form={form ?? newForm({ role: member.role })} />;
  return page(c, { title: member.shownName, status }, content);
}

async function respondWithRemoval(c: MemberContext, form: FormState = newForm(), status: ErrorStatus | 200 = 200) {
  const { db, actor, client, session } = c.var;
  const member = await getMember(db, actor, c.req.param('id'));
  const isOneself = member.userId === session.userId;
  const { words } = c.var;
  const { text, content } = words;
  const revoke = { value: 'revoke', label: text('members.revokeKeys'), hint: text('members.revokeKeysHint') };
  const adopt = { value: 'adopt', label: text('members.adoptKeys'), hint: text('members.adoptKeysHint') };
  return page(
    c,
    { title: text('members.removeTitle'), narrow: true, status },
    <ConfirmPage
      title={
        isOneself
          ? text('members.leaveThis', { name: isolated(client.name) })
          : text('members.removeThis', { name: isolated(member.shownName) })
      }
      label={text(isOneself ? 'members.leave' : 'members.removeMember')}
      back={clientPath(client, `members/${member.userId}`)}
      form={form}
      fields={
        <RadioGroup
          form={form}
          name="keys"
          label={text(isOneself ? 'members.yourKeys' : 'members.theirKeys')}
          hint={isOneself ? text('members.keepKeys') : text('members.countKeys', { count: member.keys })}
          value="revoke"
          options={isOneself ? [revoke] : [revoke, adopt]}
        />
      }
    >
      <p>{content(isOneself ? 'members.youLoseAccess' : 'members.theyLoseAccess', { name: client.name })}</p>
      {member.isLastOwner && <p>{content(isOneself ? 'members.giveYours' : 'members.giveTheirs', {})}</p>}
    </ConfirmPage>,
  );
}

function respondWithReset(c: MemberContext, name: string, form?: FormState, status: ErrorStatus | 200 = 200) {
  const { client, words } = c.var;
  const { text } = words;
  return page(
    c,
    { title: text('members.resetTitle'), narrow: true, status },
    <ConfirmPage
      title={text('members.resetThis', { name: isolated(name) })}
      label={text('members.createLink')}
      kind="primary"
      back={clientPath(client, `members/${c.req.param('id')}`)}
      {...(form && { form })}
    >
      <p>{text('members.resetEffect')}</p>
      <p>{text('members.resetElsewhere')}</p>
    </ConfirmPage>,
  );
}
