import { Hono, type Context } from 'hono';
import { createInviteOnce, newInviteFields, revokeInvite } from '../../accounts/invites/invites.ts';
import { readFormNonce } from '../../accounts/form-nonces.ts';
import { newNonce } from '../../secrets/random-secrets.ts';
import type { ErrorStatus } from '../../errors.ts';
import { parseFields } from '../../input/validation.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { showDoubleSubmit } from '../forms/double-submit.tsx';
import { isolated } from '../bidi.ts';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { inClient, ownersOnly, signedIn } from '../guard.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { ConfirmPage } from '../kit/confirm.tsx';
import { RadioGroup } from '../kit/boxes.tsx';
import { Form, Hidden } from '../kit/form.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { ROLE_OPTIONS } from './members-page.tsx';
import { clientPath } from '../nav.ts';
import { OnceLink } from './once-link.tsx';
import { page } from '../page.tsx';

const MEMBERS = '/platform/c/:client/members';

/** The pages where owners create and revoke invites. */
export function invitePages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  const guards = [signedIn, inClient, ownersOnly] as const;

  pages.get(`${MEMBERS}/invite`, ...guards, (c) => respondWithNew(c, newForm({ role: 'member', nonce: newNonce() })));

  pages.post(`${MEMBERS}/invite`, ...guards, async (c) => {
    const fields = await readFields(c);
    const { db, actor, client, session, site } = c.var;
    const sent = await submit(c, fields, () => {
      const { nonce, ...rest } = fields;
      return createInviteOnce(db, actor, readFormNonce(nonce), parseFields(newInviteFields(), rest).role);
    });
    if (!sent.ok) return respondWithNew(c, sent.form, sent.status);
    if (sent.value === null) {
      return showDoubleSubmit(c, {
        shown: 'Its link',
        advice: 'revoke that invite and create another one',
        actions: <ButtonLink href={clientPath(client, 'members')}>Go to the open invites</ButtonLink>,
      });
    }
    const { invite, token } = sent.value;
    return page(
      c,
      { title: 'Invite', status: 201 },
      <OnceLink
        title={invite.role === 'owner' ? 'Invite for an owner' : 'Invite for a member'}
        label="Invite link"
        url={`${(site.publicUrl ?? site.requestUrl).origin}/platform/invite/${token}`}
        back={clientPath(client, 'members')}
        expiresAt={invite.expiresAt}
        timeZone={session.timeZone}
      >
        Send it only to the person you invite: the first person who uses it joins <bdi>{client.name}</bdi>. It stops
        working if you are no longer an owner.
      </OnceLink>,
    );
  });

  pages.get(`${MEMBERS}/invites/:id/revoke`, ...guards, (c) =>
    page(
      c,
      { title: 'Revoke an invite', narrow: true },
      <ConfirmPage title="Revoke this invite?" label="Revoke invite" back={clientPath(c.var.client, 'members')}>
        <p>Its link stops working. Members who have already joined are not affected.</p>
      </ConfirmPage>,
    ),
  );

  pages.post(`${MEMBERS}/invites/:id/revoke`, ...guards, async (c) => {
    await revokeInvite(c.var.db, c.var.actor, c.req.param('id'));
    return seeOther(c, clientPath(c.var.client, 'members'), 'invite-revoked');
  });

  return pages;
}

function respondWithNew(c: Context<PlatformEnv>, form: FormState, status: ErrorStatus | 200 = 200) {
  const members = clientPath(c.var.client, 'members');
  return page(
    c,
    { title: 'Invite', status },
    <>
      <PageHeader title={`Invite to ${isolated(c.var.client.name)}`} crumb={{ href: members, label: 'Members' }} />
      <Section
        id="invite"
        title="Invite"
        hint="Create a link that one person can use within 72 hours, and send it to them."
      >
        <Form form={form} action={`${members}/invite`}>
          <Hidden name="nonce" value={form.values['nonce'] ?? ''} />
          <RadioGroup form={form} name="role" label="Role" options={ROLE_OPTIONS} />
          <Actions>
            <Button>Create invite link</Button>
            <ButtonLink href={members}>Cancel</ButtonLink>
          </Actions>
        </Form>
      </Section>
    </>,
  );
}
