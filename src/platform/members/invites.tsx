import { Hono, type Context } from 'hono';
import { createInviteOnce, mailedInviteFields, revokeInvite } from '../../accounts/invites/invites.ts';
import { readFormNonce } from '../../accounts/form-nonces.ts';
import { newNonce } from '../../secrets/random-secrets.ts';
import type { ErrorStatus } from '../../errors.ts';
import { mailTokensOf } from '../../http/mail-tools.ts';
import { parseFields } from '../../input/validation.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { showDoubleSubmit } from '../forms/double-submit.tsx';
import { isolated } from '../bidi.ts';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { freshlyConfirmed, inClient, ownersOnly, signedIn } from '../guard.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { ConfirmPage } from '../kit/confirm.tsx';
import { RadioGroup } from '../kit/boxes.tsx';
import { FirstField } from '../kit/first-field.ts';
import { Field, Form, Hidden } from '../kit/form.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { isRefused } from '../kit/summary.tsx';
import { roleOptions } from './members-page.tsx';
import { clientPath } from '../nav.ts';
import { OnceLink } from './once-link.tsx';
import { page } from '../page.tsx';

const MEMBERS = '/platform/c/:client/members';

/** The pages where owners create and revoke invites. */
export function invitePages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  const guards = [signedIn, inClient, ownersOnly] as const;

  pages.get(`${MEMBERS}/invite`, ...guards, (c) => respondWithNew(c, newForm({ role: 'member', nonce: newNonce() })));

  pages.post(`${MEMBERS}/invite`, ...guards, freshlyConfirmed, async (c) => {
    const fields = await readFields(c);
    const { db, actor, client, session, site, words } = c.var;
    const sent = await submit(c, fields, () => {
      const { nonce, ...rest } = fields;
      const { role, address } = parseFields(mailedInviteFields(), rest);
      const tokens = mailTokensOf(c);
      const mail = address !== undefined && tokens !== null ? { address, tokens, language: words.language } : null;
      return createInviteOnce(db, actor, readFormNonce(nonce), role, mail);
    });
    if (!sent.ok) return respondWithNew(c, sent.form, sent.status);
    if (sent.value === null) {
      return showDoubleSubmit(c, {
        said: words.text('members.linkShownOnce'),
        advice: words.text('members.linkLost'),
        actions: <ButtonLink href={clientPath(client, 'members')}>{words.text('members.toInvites')}</ButtonLink>,
      });
    }
    const { invite, token, isMailed } = sent.value;
    const { address } = fields;
    return page(
      c,
      { title: words.text('members.invite'), status: 201 },
      <OnceLink
        title={words.text(invite.role === 'owner' ? 'members.inviteForOwner' : 'members.inviteForMember')}
        label={words.text('members.inviteLink')}
        url={`${(site.publicUrl ?? site.requestUrl).origin}/platform/invite/${token}`}
        back={clientPath(client, 'members')}
        expiresAt={invite.expiresAt}
        timeZone={session.timeZone}
      >
        {words.content('members.sendOnly', { name: client.name })}
        {address && <> {words.content(isMailed ? 'mail.inviteMailed' : 'mail.inviteNotMailed', { address })}</>}
      </OnceLink>,
    );
  });

  pages.get(`${MEMBERS}/invites/:id/revoke`, ...guards, (c) => {
    const { text } = c.var.words;
    return page(
      c,
      { title: text('members.revokeTitle'), narrow: true },
      <ConfirmPage
        title={text('members.revokeThis')}
        label={text('members.revokeInvite')}
        back={clientPath(c.var.client, 'members')}
      >
        <p>{text('members.revokeEffect')}</p>
      </ConfirmPage>,
    );
  });

  pages.post(`${MEMBERS}/invites/:id/revoke`, ...guards, freshlyConfirmed, async (c) => {
    await revokeInvite(c.var.db, c.var.actor, c.req.param('id'));
    return seeOther(c, clientPath(c.var.client, 'members'), 'invite-revoked');
  });

  return pages;
}

function respondWithNew(c: Context<PlatformEnv>, form: FormState, status: ErrorStatus | 200 = 200) {
  const { words } = c.var;
  const { text } = words;
  const members = clientPath(c.var.client, 'members');
  return page(
    c,
    { title: text('members.invite'), status },
    <>
      <PageHeader
        title={text('members.inviteTo', { name: isolated(c.var.client.name) })}
        crumb={{ href: members, label: text('members.title') }}
      />
      <Section id="invite" title={text('members.invite')} hint={text('members.inviteHint')}>
        <Form form={form} action={`${members}/invite`}>
          <Hidden name="nonce" value={form.values['nonce'] ?? ''} />
          <FirstField.Provider value={isRefused(form) ? null : { isTaken: false }}>
            <RadioGroup form={form} name="role" label={text('members.role')} options={roleOptions(words)} />
          </FirstField.Provider>
          {mailTokensOf(c) !== null && (
            <Field
              form={form}
              name="address"
              type="email"
              label={text('mail.address')}
              hint={text('mail.inviteHint')}
              autocomplete="off"
              spellcheck={false}
              optional
            />
          )}
          <Actions>
            <Button>{text('members.createInvite')}</Button>
            <ButtonLink href={members}>{text('kit.cancel')}</ButtonLink>
          </Actions>
        </Form>
      </Section>
    </>,
  );
}
