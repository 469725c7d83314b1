import type { Child } from 'hono/jsx';
import type { Invitation } from '../../accounts/invites/invites.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form } from '../kit/form.tsx';
import { timeIn } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';
import { ownName, personName } from '../person-name.ts';
import { useWords, type PageWords } from '../words.tsx';
import { ZoneOfBrowser } from './sign-in-form.tsx';

interface Shown {
  readonly session: Session | null;
  readonly form: FormState;
  /** The path of the invite itself. */
  readonly path: string;
}

export function InvitationPage({ invitation, ...shown }: Shown & { invitation: Invitation | null }) {
  const words = useWords();
  const { text, content } = words;
  if (!invitation) return <End title={text('signIn.inviteNotFound')}>{text('signIn.inviteNotFoundHint')}</End>;
  const { clientId, state, isMemberAlready } = invitation;
  if (isMemberAlready) {
    return (
      <End title={text('signIn.alreadyMember', { workspace: clientId })} action={<ToClient id={clientId} />}>
        {state === 'open' ? text('signIn.inviteNotUsed') : text('signIn.nothingToDo')}
      </End>
    );
  }
  if (state !== 'open') {
    const createdBy = creatorOf(words, invitation);
    return <End title={text(ENDED[state])}>{content('signIn.askForInvite', { createdBy, workspace: clientId })}</End>;
  }
  return <Open invitation={invitation} {...shown} />;
}

const creatorOf = (words: PageWords, { createdBy, given }: Invitation): string => personName(words, createdBy, given);

const ENDED = {
  used: 'signIn.used',
  revoked: 'signIn.revoked',
  expired: 'signIn.expired',
  void: 'signIn.void',
} as const;

function End({ title, action, children }: { title: string; action?: Child; children: Child }) {
  return (
    <div class="confirm">
      <h1>{title}</h1>
      <p>{children}</p>
      <Actions>{action ?? <ButtonLink href="/platform">{useWords().text('errors.toPlatform')}</ButtonLink>}</Actions>
    </div>
  );
}

function ToClient({ id }: { id: string }) {
  return <ButtonLink href={clientPath({ id })}>{useWords().text('signIn.goTo', { workspace: id })}</ButtonLink>;
}

function Open({ invitation, session, form, path }: Shown & { invitation: Invitation }) {
  const words = useWords();
  const { text, content } = words;
  const { clientId, role, expiresAt } = invitation;
  const offered = { createdBy: creatorOf(words, invitation), ...timeIn(words, expiresAt, session?.timeZone ?? 'UTC') };
  return (
    <div class="sign-in">
      <div>
        <h1>{text('signIn.join', { workspace: clientId })}</h1>
        <p class="lead">
          {role === 'owner' ? content('signIn.invitesOwner', offered) : content('signIn.invitesMember', offered)}
        </p>
      </div>
      {session && form.values['name'] === undefined ? (
        <>
          <Form form={form} action={path}>
            <Actions>
              <Button>{content('signIn.joinAs', { userName: ownName(words, session) })}</Button>
            </Actions>
          </Form>
          <p class="quiet">{text('signIn.notYou')}</p>
        </>
      ) : (
        <>
          <Form form={form} action={path}>
            <ZoneOfBrowser />
            <Field
              form={form}
              name="name"
              label={text('account.userName')}
              hint={text('signIn.userNameHint')}
              autocomplete="username"
              spellcheck={false}
            />
            <Field
              form={form}
              name="password"
              label={text('account.password')}
              type="password"
              hint={text('account.newPasswordHint')}
              autocomplete="new-password"
            />
            <Actions>
              <Button>{text('signIn.createAndJoin')}</Button>
            </Actions>
          </Form>
          <p class="quiet">
            {content('signIn.haveAccount', {
              a: (inside) => <a href={`/platform/sign-in?next=${encodeURIComponent(path)}`}>{inside}</a>,
            })}
          </p>
        </>
      )}
    </div>
  );
}
