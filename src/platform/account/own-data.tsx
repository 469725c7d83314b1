import { Hono, type Context } from 'hono';
import {
  accountDeletionFields,
  deleteOwnAccount,
  hasPassword,
  listLastOwned,
  type LastOwned,
} from '../../accounts/users/delete-account.ts';
import { exportOwnData } from '../../accounts/users/own-data.ts';
import { requireConfirmation } from '../../accounts/sessions/confirmation.ts';
import type { ErrorStatus } from '../../errors.ts';
import { signInGuard } from '../../http/sign-in-guard.ts';
import { parseFields } from '../../input/validation.ts';
import { clearCookie } from '../cookie.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { freshlyConfirmed } from '../guard.ts';
import { Actions, ButtonLink } from '../kit/button.tsx';
import { ConfirmPage, TypedName } from '../kit/confirm.tsx';
import { Field } from '../kit/form.tsx';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';
import { useWords } from '../words.tsx';
import { OWN_DATA } from './paths.ts';

const ACCOUNT = '/platform/account';

/** The data that is kept about a user, as a file, and the deletion of their account; for pages behind `signedIn`. */
export function ownDataPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(OWN_DATA, freshlyConfirmed, async (c) => {
    const data = await exportOwnData(c.var.db, c.var.session);
    return c.body(`${JSON.stringify(data, null, 2)}\n`, 200, {
      'Content-Type': 'application/json',
      'Content-Disposition': 'attachment; filename="terse-account.json"',
    });
  });

  pages.get(`${ACCOUNT}/delete`, (c) => respondWithDeletion(c));

  pages.post(`${ACCOUNT}/delete`, async (c) => {
    const fields = await readFields(c);
    const { db, session } = c.var;
    const sent = await submit(c, fields, () => {
      const { name, current_password: password } = parseFields(accountDeletionFields(), fields);
      return deleteOwnAccount(db, signInGuard(c), session, { name, password });
    });
    if (!sent.ok) return respondWithDeletion(c, sent.form, sent.status);
    clearCookie(c, 'session');
    clearCookie(c, 'workspace');
    return seeOther(c, '/platform/sign-in', 'account-deleted');
  });

  return pages;
}

async function respondWithDeletion(
  c: Context<PlatformEnv>,
  form: FormState = newForm(),
  status: ErrorStatus | 200 = 200,
) {
  const { db, session } = c.var;
  const [lastOwned, isByPassword] = await Promise.all([listLastOwned(db, session), hasPassword(db, session)]);
  if (lastOwned.length === 0 && !isByPassword) requireConfirmation(session);
  const content =
    lastOwned.length > 0 ? (
      <Refusal lastOwned={lastOwned} />
    ) : (
      <Confirmation form={form} userName={session.shownName} isByPassword={isByPassword} />
    );
  return page(c, { title: c.var.words.text('account.deleteTitle'), status, narrow: true }, content);
}

const waysOf = (client: LastOwned) => ({
  delete: (inside: string[]) => <a href={clientPath(client, 'settings')}>{inside}</a>,
  give: (inside: string[]) => <a href={clientPath(client, 'members')}>{inside}</a>,
});

/** The steps that have to be done first. */
function Refusal({ lastOwned }: { lastOwned: readonly LastOwned[] }) {
  const { text, content } = useWords();
  const [last, emergency] = [
    lastOwned.filter(({ isEmergency }) => !isEmergency),
    lastOwned.filter(({ isEmergency }) => isEmergency),
  ];
  return (
    <div class="confirm">
      <h1>{text('account.needOwner')}</h1>
      {last.length > 0 && <p>{text('account.lastOwner')}</p>}
      <ul class="plain-list">
        {last.map((client) => (
          <li>
            {client.others > 0
              ? content('account.deleteOrGive', { name: client.name, ...waysOf(client) })
              : content('account.deleteFirst', { name: client.name, delete: waysOf(client).delete })}
          </li>
        ))}
      </ul>
      {emergency.length > 0 && <p>{text('account.emergencyOwner')}</p>}
      <ul class="plain-list">
        {emergency.map((client) => (
          <li>
            <a href={clientPath(client, 'settings')}>
              <bdi>{client.name}</bdi>
            </a>
          </li>
        ))}
      </ul>
      <Actions>
        <ButtonLink href={ACCOUNT}>{text('kit.back')}</ButtonLink>
      </Actions>
    </div>
  );
}

function Confirmation({
  form,
  userName,
  isByPassword,
}: {
  form: FormState;
  userName: string;
  /** False for an account without a password, whose session was confirmed before. */
  isByPassword: boolean;
}) {
  const { text, content } = useWords();
  return (
    <ConfirmPage
      title={text('account.deleteYours')}
      label={text('account.delete')}
      back={ACCOUNT}
      form={form}
      fields={
        <>
          <TypedName form={form} label={text('account.userName')} name={userName} />
          {isByPassword && (
            <Field
              form={form}
              name="current_password"
              type="password"
              label={text('account.currentPassword')}
              autocomplete="current-password"
            />
          )}
        </>
      }
    >
      <p>{content('account.deleteEffect', {})}</p>
      <p>{text('account.deleteKeeps')}</p>
    </ConfirmPage>
  );
}
