import { Hono, type Context } from 'hono';
import * as z from 'zod';
import { listInvites } from '../../accounts/invites/invites.ts';
import {
  changeRole,
  getMember,
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
import { inClient, ownersOnly, signedIn } from '../guard.ts';
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
    return page(c, { title: 'Members', styles: SETTINGS_STYLES }, content);
  });

  pages.get(`${MEMBERS}/:id`, (c) => respondWithMember(c));

  pages.post(`${MEMBERS}/:id`, async (c) => {
    const fields = await readFields(c);
    const { db, actor, client, session } = c.var;
    const id = c.req.param('id');
    const change = () => changeRole(db, actor, id, parseFields(memberChangeFields(), fields).role);
    const sent = await submit(c, fields, change, { last_owner: 'role' });
    if (!sent.ok) {
      return onItsPage(c, sent, () => respondWithMember(c, sent.form, sent.status), {
        title: 'Member',
        list: { href: clientPath(client, 'members'), label: 'Members' },
        content: (form) => <RoleSection form={form} action={clientPath(client, `members/${id}`)} />,
      });
    }
    // A user who is no longer an owner may not see this page.
    const isStillOwner = id !== session.userId || sent.value.role === 'owner';
    return seeOther(c, clientPath(client, isStillOwner ? `members/${id}` : ''), 'role-changed');
  });

  pages.get(`${MEMBERS}/:id/remove`, (c) => respondWithRemoval(c));

  pages.post(`${MEMBERS}/:id/remove`, async (c) => {
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
    return respondWithReset(c, member.name);
  });

  pages.post(`${MEMBERS}/:id/reset`, async (c) => {
    const { db, actor, client, session, site } = c.var;
    const sent = await submit(c, {}, () => createResetLink(db, actor, c.req.param('id')));
    if (!sent.ok) {
      const member = await getMember(db, actor, c.req.param('id'));
      return respondWithReset(c, member.name, sent.form, sent.status);
    }
    const { token, userName, expiresAt } = sent.value;
    const url = `${(site.publicUrl ?? site.requestUrl).origin}/platform/reset/${token}`;
    return page(
      c,
      { title: 'Reset link', status: 201 },
      <OnceLink
        title={`Reset link for ${isolated(userName)}`}
        label="Reset link"
        url={url}
        back={clientPath(client, 'members')}
        expiresAt={expiresAt}
        timeZone={session.timeZone}
      >
        Give it to <bdi>{userName}</bdi> only: anyone who opens it can choose the new password. Earlier reset links for
        this user no longer work.
      </OnceLink>,
    );
  });

  return pages;
}

const ADOPTED =
  'Programs that use them keep working. The former member still knows their secrets: roll each key afterwards, under API keys.';

const removal = lazy(() => z.strictObject(removalFields()));

type MemberContext = Context<PlatformEnv, `${typeof MEMBERS}/:id`>;

async function respondWithMember(c: MemberContext, form?: FormState, status: ErrorStatus | 200 = 200) {
  const { db, actor, client, session } = c.var;
  const member = await getMember(db, actor, c.req.param('id'));
  const content = <MemberPage {...{ member, client, session }} form={form ?? newForm({ role: member.role })} />;
  return page(c, { title: member.name, status }, content);
}

async function respondWithRemoval(c: MemberContext, form: FormState = newForm(), status: ErrorStatus | 200 = 200) {
  const { db, actor, client, session } = c.var;
  const member = await getMember(db, actor, c.req.param('id'));
  const isOneself = member.userId === session.userId;
  const { keys } = member;
  const number =
    keys === 0
      ? 'They have no active keys.'
      : keys === 1
        ? 'There is one active key.'
        : `There are ${keys} active keys.`;
  const revoke = { value: 'revoke', label: 'Revoke the keys', hint: 'Programs that use them lose access at once.' };
  const adopt = { value: 'adopt', label: 'Take over the keys', hint: ADOPTED };
  return page(
    c,
    { title: 'Remove a member', narrow: true, status },
    <ConfirmPage
      title={isOneself ? `Leave ${isolated(client.name)}?` : `Remove ${isolated(member.name)}?`}
      label={isOneself ? 'Leave' : 'Remove member'}
      back={clientPath(client, `members/${member.userId}`)}
      form={form}
      fields={
        <RadioGroup
          form={form}
          name="keys"
          label={isOneself ? 'Your API keys' : 'Their API keys'}
          hint={isOneself ? 'To keep them, ask another owner to remove you.' : number}
          value="revoke"
          options={isOneself ? [revoke] : [revoke, adopt]}
        />
      }
    >
      {isOneself ? (
        <p>
          You lose access to <bdi>{client.name}</bdi>. To come back, you need a new invite.
        </p>
      ) : (
        <p>
          They lose access to <bdi>{client.name}</bdi>. Links that they created are not affected, and they keep their
          account.
        </p>
      )}
      {member.isLastOwner && (
        <p>
          <strong>{isOneself ? 'You are' : 'They are'} the last owner who can sign in.</strong> Give another member the
          owner role first.
        </p>
      )}
    </ConfirmPage>,
  );
}

function respondWithReset(c: MemberContext, name: string, form?: FormState, status: ErrorStatus | 200 = 200) {
  const { client } = c.var;
  return page(
    c,
    { title: 'Reset a password', narrow: true, status },
    <ConfirmPage
      title={`Create a reset link for ${isolated(name)}?`}
      label="Create link"
      kind="primary"
      back={clientPath(client, `members/${c.req.param('id')}`)}
      {...(form && { form })}
    >
      <p>
        The link can be used once, within 24 hours, to choose a new password. This signs the member out everywhere and
        revokes their tokens; API keys keep working. Until then the current password still works.
      </p>
      <p>
        It sets no password while the member belongs to another workspace as well. Then only the operator of the service
        can create a link that does.
      </p>
    </ConfirmPage>,
  );
}
