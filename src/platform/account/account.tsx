import { Hono, type Context } from 'hono';
import {
  changeOwnPassword,
  languageFields,
  passwordChangeFields,
  setLanguage,
  setTimeZone,
  timeZoneFields,
} from '../../accounts/users/own-account.ts';
import { endOtherSessions, listSessions, revokeSession, type ActiveSession } from '../../accounts/sessions/session.ts';
import { listOtherOwners } from '../../accounts/members/other-owners.ts';
import { AppError } from '../../errors.ts';
import { signInGuard } from '../../http/sign-in-guard.ts';
import { parseFields } from '../../input/validation.ts';
import { mailPages } from './mail/mail.tsx';
import { ownDataPages } from './own-data.tsx';
import { AccountPage } from './account-page.tsx';
import { LimitedAccountPage } from './limited-account-page.tsx';
import { applicationPasswordPages } from './application-passwords.tsx';
import { historyPages } from './history.tsx';
import { nameOfDevice } from './sign-in-words.ts';
import { keepSession } from '../cookie.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit } from '../forms/form.ts';
import { deviceOf } from '../device.ts';
import { besideClient, ofAccount, signedIn } from '../guard.ts';
import { ConfirmPage } from '../kit/confirm.tsx';
import { timeIn } from '../kit/time.tsx';
import { applicationPages } from '../oauth/applications.tsx';
import { page } from '../page.tsx';

const ACCOUNT = '/platform/account';
/** The pages for a session that opens one workspace alone, too: what it creates has the same limit. */
const OF_ANY_SESSION = /^\/platform\/account(?:\/(?:passwords|applications)(?:\/.*)?)?\/?$/;

/** The pages on which users manage their own accounts: time zone, language, password, sessions, their data. */
export function accountPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.use(`${ACCOUNT}/*`, signedIn, besideClient, (c, next) =>
    OF_ANY_SESSION.test(c.var.site.requestUrl.pathname) ? next() : ofAccount(c, next),
  );

  pages.get(ACCOUNT, async (c) => {
    const { db, session, words } = c.var;
    const { limitedTo } = session;
    if (limitedTo === null) return respondWithAccount(c, {});
    const workspace = session.clients.find(({ id }) => id === limitedTo)?.name ?? limitedTo;
    const owners = await listOtherOwners(db, session);
    const content = <LimitedAccountPage session={session} workspace={workspace} owners={owners} />;
    return page(c, { title: words.text('account.title') }, content);
  });

  pages.post(`${ACCOUNT}/time-zone`, async (c) => {
    const fields = await readFields(c);
    const { db, session } = c.var;
    const sent = await submit(c, fields, () => setTimeZone(db, session, parseFields(timeZoneFields(), fields).tz));
    if (!sent.ok) return respondWithAccount(c, { status: sent.status, timeZone: sent.form });
    return seeOther(c, ACCOUNT, 'time-zone-saved');
  });

  pages.post(`${ACCOUNT}/language`, async (c) => {
    const fields = await readFields(c);
    const { db, session } = c.var;
    const sent = await submit(c, fields, () => {
      // Empty is that of the browser.
      const { language } = parseFields(languageFields(), { ...fields, language: fields['language'] || null });
      return setLanguage(db, session, language);
    });
    if (!sent.ok) return respondWithAccount(c, { status: sent.status, language: sent.form });
    return seeOther(c, ACCOUNT, 'language-saved');
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

  pages.get(`${ACCOUNT}/sessions/others/end`, (c) => {
    const { text } = c.var.words;
    return page(
      c,
      { title: text('account.elsewhere'), narrow: true },
      <ConfirmPage title={text('account.elsewhereThis')} label={text('account.signThemOut')} back={ACCOUNT}>
        <p>{text('account.elsewhereEffect')}</p>
      </ConfirmPage>,
    );
  });

  pages.post(`${ACCOUNT}/sessions/others/end`, async (c) => {
    await endOtherSessions(c.var.db, c.var.session);
    return seeOther(c, ACCOUNT, 'sessions-ended');
  });

  pages.get(`${ACCOUNT}/sessions/:id/end`, async (c) => {
    const session = await getSession(c, c.req.param('id'));
    const { words } = c.var;
    const { text } = words;
    const { timeZone } = c.var.session;
    return page(
      c,
      { title: text('account.endTitle'), narrow: true },
      <ConfirmPage title={text('account.endThis')} label={text('account.endSession')} back={ACCOUNT}>
        <p>
          {words.content('account.endEffect', {
            browser: nameOfDevice(words, session),
            ...timeIn(words, session.startedAt, timeZone),
          })}
        </p>
      </ConfirmPage>,
    );
  });

  pages.post(`${ACCOUNT}/sessions/:id/end`, async (c) => {
    await revokeSession(c.var.db, c.var.session, c.req.param('id'));
    return seeOther(c, ACCOUNT, 'session-ended');
  });

  pages.route('/', applicationPasswordPages());
  pages.route('/', historyPages());
  pages.route('/', applicationPages());
  pages.route('/', mailPages());
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
      language={forms.language ?? newForm({ language: session.language ?? '' })}
      password={forms.password ?? newForm()}
    />
  );
  return page(c, { title: c.var.words.text('account.title'), status }, content);
}

async function getSession(c: Context<PlatformEnv>, id: string): Promise<ActiveSession> {
  const sessions = await listSessions(c.var.db, c.var.session);
  const session = sessions.find((session) => session.id === id);
  if (!session) throw new AppError('not_found', 'This session does not exist or has expired.');
  return session;
}
