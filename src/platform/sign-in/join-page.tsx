import type { Child } from 'hono/jsx';
import type { Invitation } from '../../accounts/invites/invites.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form } from '../kit/form.tsx';
import { Time } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';
import { ZoneOfBrowser } from './sign-in-form.tsx';

interface Shown {
  readonly session: Session | null;
  readonly form: FormState;
  /** The path of the invite itself. */
  readonly path: string;
}

export function InvitationPage({ invitation, ...shown }: Shown & { invitation: Invitation | null }) {
  if (!invitation) {
    return (
      <End title="Invite not found">
        Check that you opened the complete link. Expired invites are deleted after a month.
      </End>
    );
  }
  const { clientId, createdBy, state, isMemberAlready } = invitation;
  if (isMemberAlready) {
    return (
      <End title={`You are already a member of ${clientId}`} action={<ToClient id={clientId} />}>
        {state === 'open'
          ? 'You have not used the invite: another person can still use it.'
          : 'You have nothing left to do here.'}
      </End>
    );
  }
  if (state !== 'open') {
    return (
      <End title={ENDED[state]}>
        <bdi>{createdBy}</bdi> created it for {clientId}. Ask them or another owner for a new invite.
      </End>
    );
  }
  return <Open invitation={invitation} {...shown} />;
}

const ENDED = {
  used: 'This invite has been used',
  revoked: 'This invite has been revoked',
  expired: 'This invite has expired',
  void: 'This invite is no longer valid',
} as const;

function End({ title, action, children }: { title: string; action?: Child; children: Child }) {
  return (
    <div class="confirm">
      <h1>{title}</h1>
      <p>{children}</p>
      <Actions>{action ?? <ButtonLink href="/platform">Go to the platform</ButtonLink>}</Actions>
    </div>
  );
}

function ToClient({ id }: { id: string }) {
  return <ButtonLink href={clientPath({ id })}>Go to {id}</ButtonLink>;
}

function Open({ invitation, session, form, path }: Shown & { invitation: Invitation }) {
  const { clientId, role, createdBy, expiresAt } = invitation;
  return (
    <div class="sign-in">
      <div>
        <h1>Join {clientId}</h1>
        <p class="lead">
          <bdi>{createdBy}</bdi> invites you as {role === 'owner' ? 'an owner' : 'a member'}. The invite can be used
          once and expires on <Time at={expiresAt} timeZone={session?.timeZone ?? 'UTC'} />.
        </p>
      </div>
      {session && form.values['name'] === undefined ? (
        <>
          <Form form={form} action={path}>
            <Actions>
              <Button>
                Join as <bdi>{session.userName}</bdi>
              </Button>
            </Actions>
          </Form>
          <p class="quiet">Not you? Sign out in the menu above and open the link again.</p>
        </>
      ) : (
        <>
          <Form form={form} action={path}>
            <ZoneOfBrowser />
            <Field
              form={form}
              name="name"
              label="User name"
              hint="You use it to sign in. Up to 128 characters, without colons."
              autocomplete="username"
              spellcheck={false}
            />
            <Field
              form={form}
              name="password"
              label="Password"
              type="password"
              hint="At least 8 characters. A phrase of several words works well."
              autocomplete="new-password"
            />
            <Actions>
              <Button>Create account and join</Button>
            </Actions>
          </Form>
          <p class="quiet">
            Already have an account? <a href={`/platform/sign-in?next=${encodeURIComponent(path)}`}>Sign in to join</a>.
          </p>
        </>
      )}
    </div>
  );
}
