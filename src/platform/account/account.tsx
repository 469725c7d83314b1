import { Hono, type Context } from 'hono';
import {
  changeOwnPassword,
  passwordChangeFields,
  setTimeZone,
  timeZoneFields,
} from '../../accounts/users/own-account.ts';
import { endOtherSessions, listSessions, revokeSession, type ActiveSession } from '../../accounts/sessions/session.ts';
import { AppError } from '../../errors.ts';
import { signInGuard } from '../../http/sign-in-guard.ts';
import { parseFields } from '../../input/validation.ts';
import { ownDataPages } from './own-data.tsx';
import { AccountPage, nameOfDevice } from './account-page.tsx';
import { keepSession } from '../cookie.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit } from '../forms/form.ts';
import { deviceOf } from '../device.ts';
import { signedIn } from '../guard.ts';
import { ConfirmPage } from '../kit/confirm.tsx';
import { Time } from '../kit/time.tsx';
import { page } from '../page.tsx';

const ACCOUNT = '/platform/account';

/** The pages on which users manage their own accounts: time zone, password, sessions, their data. */
export function accountPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.use(`${ACCOUNT}/*`, signedIn);

  pages.get(ACCOUNT, (c) => respondWithAccount(c, {}));

  pages.post(`${ACCOUNT}/time-zone`, async (c) => {
    const fields = await readFields(c);
    const { db, session } = c.var;
    const sent = await submit(c, fields, () => setTimeZone(db, session, parseFields(timeZoneFields(), fields).tz));
    if (!sent.ok) return respondWithAccount(c, { status: sent.status, timeZone: sent.form });
    return seeOther(c, ACCOUNT, 'time-zone-saved');
  });

  pages.post(`${ACCOUNT}/password`, async (c) => {
    const fields = await readFields(c);
    const { db, session } = c.var;
    const sent = await submit(c, fields, () => {
      const { current_password: current, new_password: next } = parseFields(passwordChangeFields(), fields);
      return changeOwnPassword(db, signInGuard(c), session, { current, next }, deviceOf(c));
    });
    if (!sent.ok) return respondWithAccount(c, { status: sent.status, password: sent.form });
    keepSession(c, sent.value);
    return seeOther(c, ACCOUNT, 'password-changed');
  });

  pages.get(`${ACCOUNT}/sessions/others/end`, (c) =>
    page(
      c,
      { title: 'Sign out elsewhere', narrow: true },
      <ConfirmPage title="Sign out all other browsers?" label="Sign them out" back={ACCOUNT}>
        <p>
          This browser stays signed in. Access tokens of programs keep working; change your password to revoke them too.
        </p>
      </ConfirmPage>,
    ),
  );

  pages.post(`${ACCOUNT}/sessions/others/end`, async (c) => {
    await endOtherSessions(c.var.db, c.var.session);
    return seeOther(c, ACCOUNT, 'sessions-ended');
  });

  pages.get(`${ACCOUNT}/sessions/:id/end`, async (c) => {
    const session = await getSession(c, c.req.param('id'));
    const { timeZone } = c.var.session;
    return page(
      c,
      { title: 'End a session', narrow: true },
      <ConfirmPage title="End this session?" label="End session" back={ACCOUNT}>
        <p>
          {nameOfDevice(session)}, signed in <Time at={session.startedAt} timeZone={timeZone} />. To use that browser
          again, sign in again.
        </p>
      </ConfirmPage>,
    );
  });

  pages.post(`${ACCOUNT}/sessions/:id/end`, async (c) => {
    await revokeSession(c.var.db, c.var.session, c.req.param('id'));
    return seeOther(c, ACCOUNT, 'session-ended');
  });

  pages.route('/', ownDataPages());

  return pages;
}

type Forms = Partial<Omit<Parameters<typeof AccountPage>[0], 'session' | 'sessions'>>;

async function respondWithAccount(
  c: Context<PlatformEnv>,
  { status = 200, ...forms }: Forms & { status?: AppError['status'] | 200 },
) {
  const { db, session } = c.var;
  const sessions = await listSessions(db, session);
  const content = (
    <AccountPage
      session={session}
      sessions={sessions}
      timeZone={forms.timeZone ?? newForm({ tz: session.timeZone })}
      password={forms.password ?? newForm()}
    />
  );
  return page(c, { title: 'Account', status }, content);
}

async function getSession(c: Context<PlatformEnv>, id: string): Promise<ActiveSession> {
  const sessions = await listSessions(c.var.db, c.var.session);
  const session = sessions.find((session) => session.id === id);
  if (!session) throw new AppError('not_found', 'This session does not exist or has expired.');
  return session;
}
