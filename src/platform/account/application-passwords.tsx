import { Hono, type Context } from 'hono';
import {
  createApplicationPassword,
  getApplicationPassword,
  listApplicationPasswords,
  newPasswordFields,
  revokeApplicationPassword,
  type OwnPassword,
} from '../../accounts/application-passwords/application-passwords.ts';
import {
  keepApplicationPassword,
  keptPasswordFields,
  listUnconfirmed,
} from '../../accounts/application-passwords/keep-password.ts';
import { readFormNonce } from '../../accounts/form-nonces.ts';
import type { ErrorStatus } from '../../errors.ts';
import { parseFields } from '../../input/validation.ts';
import { newNonce } from '../../secrets/random-secrets.ts';
import { isolated } from '../bidi.ts';
import type { PlatformEnv } from '../env.ts';
import { freshlyConfirmed } from '../guard.ts';
import { seeOther } from '../flash.ts';
import { showDoubleSubmit } from '../forms/double-submit.tsx';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { ButtonLink } from '../kit/button.tsx';
import { ConfirmPage } from '../kit/confirm.tsx';
import { SETTINGS_STYLES } from '../kit/settings-list.tsx';
import { page } from '../page.tsx';
import { NewPasswordPage, PASSWORDS, PasswordsPage, PasswordTextPage } from './application-passwords-page.tsx';

/** The application passwords of a user; for pages behind `signedIn`. */
export function applicationPasswordPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(PASSWORDS, async (c) => {
    return respondWithPasswords(c);
  });

  pages.post(`${PASSWORDS}/keep`, freshlyConfirmed, async (c) => {
    const fields = await readFields(c);
    const { db, session } = c.var;
    const keep = () =>
      keepApplicationPassword(db, session, parseFields(keptPasswordFields(), fields).application_password);
    const sent = await submit(c, fields, keep);
    if (!sent.ok) return respondWithPasswords(c, sent.form, sent.status);
    return seeOther(c, PASSWORDS, 'application-password-kept');
  });

  pages.get(`${PASSWORDS}/new`, (c) => respondWithNew(c, newForm({ nonce: newNonce() })));

  pages.post(`${PASSWORDS}/new`, freshlyConfirmed, async (c) => {
    const fields = await readFields(c);
    const sent = await submit(c, fields, () => {
      const { nonce, ...wanted } = fields;
      const form = readFormNonce(nonce);
      return createApplicationPassword(c.var.db, c.var.session, form, parseFields(newPasswordFields(), wanted));
    });
    if (!sent.ok) return respondWithNew(c, sent.form, sent.status);
    const { password, text } = sent.value;
    return text === null ? respondWithSent(c, password) : respondWithText(c, password, text);
  });

  pages.get(`${PASSWORDS}/:id/revoke`, async (c) => {
    const { db, session, words } = c.var;
    const { name } = await getApplicationPassword(db, session, c.req.param('id'));
    return page(
      c,
      { title: words.text('applicationPasswords.revokeTitle'), narrow: true },
      <ConfirmPage
        title={words.text('applicationPasswords.revokeThis', { name: isolated(name) })}
        label={words.text('applicationPasswords.revokePassword')}
        back={PASSWORDS}
      >
        <p>{words.text('applicationPasswords.revokeEffect')}</p>
      </ConfirmPage>,
    );
  });

  pages.post(`${PASSWORDS}/:id/revoke`, freshlyConfirmed, async (c) => {
    await revokeApplicationPassword(c.var.db, c.var.session, c.req.param('id'));
    return seeOther(c, PASSWORDS, 'application-password-revoked');
  });

  return pages;
}

async function respondWithPasswords(
  c: Context<PlatformEnv>,
  form: FormState = newForm(),
  status: ErrorStatus | 200 = 200,
) {
  const { db, session, words } = c.var;
  const [passwords, unconfirmed] = await Promise.all([
    listApplicationPasswords(db, session),
    session.provider?.kind === 'openid' ? listUnconfirmed(db, session) : [],
  ]);
  // What was typed may be the whole of a secret.
  const content = <PasswordsPage {...passwords} {...{ session, unconfirmed }} form={{ ...form, values: {} }} />;
  return page(c, { title: words.text('applicationPasswords.title'), status, styles: SETTINGS_STYLES }, content);
}

function respondWithNew(c: Context<PlatformEnv>, form: FormState, status: ErrorStatus | 200 = 200) {
  return page(c, { title: c.var.words.text('applicationPasswords.new'), status }, <NewPasswordPage form={form} />);
}

// It is in the answer itself, without a redirect, since it is shown once and stored nowhere.
function respondWithText(c: Context<PlatformEnv>, password: OwnPassword, secret: string) {
  const { site, session } = c.var;
  const { origin } = site.publicUrl ?? site.requestUrl;
  const content = <PasswordTextPage {...{ password, secret, origin }} userName={session.userName} />;
  return page(c, { title: password.name, status: 201 }, content);
}

function respondWithSent(c: Context<PlatformEnv>, { id, name, revokedAt }: OwnPassword) {
  const { words } = c.var;
  return showDoubleSubmit(c, {
    said: words.content('applicationPasswords.shownOnce', { name }),
    advice: words.text('applicationPasswords.lost'),
    actions: (
      <>
        {revokedAt === null && (
          <ButtonLink href={`${PASSWORDS}/${id}/revoke`}>
            {words.text('applicationPasswords.revokePassword')}
          </ButtonLink>
        )}
        <ButtonLink href={PASSWORDS}>{words.text('applicationPasswords.toList')}</ButtonLink>
      </>
    ),
  });
}
