import { Hono, type Context } from 'hono';
import {
  changeMailAddress,
  confirmMailAddress,
  findPendingAddress,
  mailAddressFields,
  readMailAddress,
  removeMailAddress,
} from '../../../accounts/users/mail-address.ts';
import { AppError, type ErrorStatus } from '../../../errors.ts';
import { mailTokensOf } from '../../../http/mail-tools.ts';
import { parseFields } from '../../../input/validation.ts';
import type { PlatformEnv } from '../../env.ts';
import { seeOther } from '../../flash.ts';
import { newForm, readFields, submit, type FormState } from '../../forms/form.ts';
import { freshlyConfirmed } from '../../guard.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { ConfirmPage } from '../../kit/confirm.tsx';
import { page } from '../../page.tsx';
import { ownName } from '../../person-name.ts';
import { MAIL, MailPage } from './mail-page.tsx';

/** The address to which a user's mails go; for pages behind `signedIn`. */
export function mailPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(MAIL, (c) => respondWithMail(c));

  pages.post(MAIL, freshlyConfirmed, async (c) => {
    const fields = await readFields(c);
    const { db, session, words } = c.var;
    const tokens = mailTokensOf(c);
    if (tokens === null) throw new AppError('not_found', 'There is no such page.');
    const sent = await submit(c, fields, () => {
      const { address } = parseFields(mailAddressFields(), fields);
      return changeMailAddress(db, session, tokens, address, words.language);
    });
    if (!sent.ok) return respondWithMail(c, sent.form, sent.status);
    return seeOther(c, MAIL, 'mail-link-sent');
  });

  pages.get(`${MAIL}/remove`, (c) => {
    const { text } = c.var.words;
    return page(
      c,
      { title: text('mail.remove'), narrow: true },
      <ConfirmPage title={text('mail.removeThis')} label={text('mail.remove')} back={MAIL}>
        <p>{text('mail.removeEffect')}</p>
      </ConfirmPage>,
    );
  });

  pages.post(`${MAIL}/remove`, freshlyConfirmed, async (c) => {
    await removeMailAddress(c.var.db, c.var.session);
    return seeOther(c, MAIL, 'mail-removed');
  });

  // Programs that check mails open links, so that opening one confirms nothing.
  pages.get(`${MAIL}/confirm/:token`, (c) => respondWithLink(c, c.req.param('token')));

  pages.post(`${MAIL}/confirm/:token`, async (c) => {
    try {
      await confirmMailAddress(c.var.db, c.var.session, c.req.param('token'));
    } catch (error) {
      if (error instanceof AppError && error.code === 'gone') return respondWithLink(c, c.req.param('token'));
      throw error;
    }
    return seeOther(c, MAIL, 'mail-confirmed');
  });

  return pages;
}

async function respondWithMail(c: Context<PlatformEnv>, form: FormState = newForm(), status: ErrorStatus | 200 = 200) {
  const mail = await readMailAddress(c.var.db, c.var.session);
  const content = <MailPage {...{ mail, form }} isOn={mailTokensOf(c) !== null} />;
  return page(c, { title: c.var.words.text('mail.title'), status }, content);
}

async function respondWithLink(c: Context<PlatformEnv>, token: string) {
  const { db, session, words } = c.var;
  const { text, content } = words;
  const address = await findPendingAddress(db, session, token);
  if (address === null) {
    const refusal = (
      <div class="confirm">
        <h1>{text('mail.ended')}</h1>
        <p>{text('mail.endedHint')}</p>
        <ButtonLink href={MAIL}>{text('mail.manage')}</ButtonLink>
      </div>
    );
    return page(c, { title: text('mail.confirmTitle'), narrow: true, status: 410 }, refusal);
  }
  return page(
    c,
    { title: text('mail.confirmTitle'), narrow: true },
    <ConfirmPage title={text('mail.confirmThis')} label={text('mail.confirm')} kind="primary" back={MAIL}>
      <p>{content('mail.confirmEffect', { userName: ownName(words, session), address })}</p>
    </ConfirmPage>,
  );
}
