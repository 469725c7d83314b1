import { Hono, type Context } from 'hono';
import { acceptAsNewFields, acceptInvite, acceptInviteAsNew } from '../../accounts/invites/accept.ts';
import { findInvitation, type Invitation } from '../../accounts/invites/invites.ts';
import { endSession, startSession, type Session } from '../../accounts/sessions/session.ts';
import { AppError, type ErrorStatus } from '../../errors.ts';
import { signInGuard } from '../../http/sign-in-guard.ts';
import { parseFields } from '../../input/validation.ts';
import { zoneOfBrowser } from '../account/zones.ts';
import { keepSession } from '../cookie.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { deviceOf } from '../device.ts';
import { sessionOf } from '../guard.ts';
import { InvitationPage } from './join-page.tsx';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';
import { Door } from './door.tsx';

const INVITE = '/platform/invite/:token';

/** The page of an invite's link. Opening it does not use up the invite. */
export function joinPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(INVITE, async (c) => respondWithInvitation(c, await sessionOf(c)));

  pages.post(INVITE, async (c) => {
    const { tz, ...fields } = await readFields(c);
    const { db } = c.var;
    const token = c.req.param('token');
    const session = await sessionOf(c);
    // The form for a signed-in user has no fields. A form with a name creates an account, in any browser.
    if (fields['name'] === undefined) {
      if (!session) return seeOther(c, `/platform/sign-in?next=${encodeURIComponent(c.req.path)}`);
      const sent = await submit(c, fields, () => acceptInvite(db, session.credential, token), {});
      if (!sent.ok) return respondWithInvitation(c, session, sent.form, sent.status);
      return seeOther(c, clientPath({ id: sent.value.clientId }), 'joined');
    }
    const sent = await submit(c, fields, () =>
      acceptInviteAsNew(db, signInGuard(c), parseFields(acceptAsNewFields(), { ...fields, token })),
    );
    if (!sent.ok) return respondWithInvitation(c, session, sent.form, sent.status);
    const { joined, user } = sent.value;
    const value = await startSession(db, user, deviceOf(c), tz ? zoneOfBrowser(tz) : null).catch(orNull);
    // The user has joined, so a failed sign-in must not look like a failed invite.
    if (value === null) return seeOther(c, '/platform/sign-in', 'joined-signed-out');
    keepSession(c, value);
    if (session) await endSession(db, session);
    return seeOther(c, clientPath({ id: joined.clientId }), 'joined');
  });

  return pages;
}

function orNull(error: unknown): null {
  if (error instanceof AppError && error.code === 'store_unavailable') return null;
  throw error;
}

async function respondWithInvitation(
  c: Context<PlatformEnv, typeof INVITE>,
  session: Session | null,
  form: FormState = newForm(),
  status?: ErrorStatus | 200,
) {
  if (session) c.set('viewer', { session, client: null });
  const invitation = await findInvitation(c.var.db, c.req.param('token'), session?.userId ?? null);
  const content = <InvitationPage {...{ invitation, session, form }} path={c.req.path} />;
  return page(
    c,
    {
      title: c.var.words.text('signIn.invite'),
      narrow: true,
      beside: <Door />,
      status: status ?? statusOf(invitation),
    },
    content,
  );
}

function statusOf(invitation: Invitation | null): 200 | 404 | 410 {
  if (!invitation) return 404;
  return invitation.state === 'open' || invitation.isMemberAlready ? 200 : 410;
}
