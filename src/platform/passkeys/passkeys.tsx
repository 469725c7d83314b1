import { Hono, type Context } from 'hono';
import * as passkeys from '../../accounts/passkeys/passkeys.ts';
import { endPasskeyFactor, usePasskeysAsFactor } from '../../accounts/passkeys/passkey-factor.ts';
import { relyingPartyOf } from '../../accounts/passkeys/relying-party.ts';
import { confirmOptions, formerSignInOptions, signInOptions } from '../../accounts/passkeys/use-passkey.ts';
import { AppError, type ErrorStatus } from '../../errors.ts';
import { readQuery } from '../../http/query.ts';
import { parseFields } from '../../input/validation.ts';
import { CodesPage } from '../account/factors/factors-page.tsx';
import { BasicUse } from '../account/basic-use.tsx';
import { nameOfDevice } from '../account/sign-in-words.ts';
import { isolated } from '../bidi.ts';
import { deviceOf } from '../device.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { besideClient, ofAccount, signedIn } from '../guard.ts';
import { ConfirmPage } from '../kit/confirm.tsx';
import { SETTINGS_STYLES } from '../kit/settings-list.tsx';
import { page } from '../page.tsx';
import { PASSKEYS } from './paths.ts';
import { NewPasskeyPage, PasskeysPage, RenamePage } from './passkeys-page.tsx';
import { challengesOf, partyOf } from './service.ts';

const NEW = `${PASSKEYS}/new`;
const FACTOR = `${PASSKEYS}/factor`;
const ONE = `${PASSKEYS}/:id`;
/** The script that asks the browser for a passkey. */
const SCRIPTS = ['passkeys.js'];

/** The pages on which users manage their passkeys, and the options to sign in with one. */
export function passkeyPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  // For the script of the form to sign in: by itself it stores nothing and asks no store.
  pages.get('/platform/sign-in/passkey', async (c) => {
    const [rp, challenges] = [partyOf(c), challengesOf(c)];
    if (readQuery(c)['former'] === undefined) return c.json(signInOptions(challenges, rp));
    return c.json(await formerSignInOptions(c.var.db, challenges, rp));
  });

  // For the script of the page that asks who one is.
  pages.get('/platform/confirm/passkey', signedIn, async (c) => {
    const options = await confirmOptions(c.var.db, challengesOf(c), partyOf(c), c.var.session);
    if (options === null) throw new AppError('not_found', 'There is no passkey of yours for this host.');
    return c.json(options);
  });

  pages.use(`${PASSKEYS}/*`, signedIn, besideClient, ofAccount);

  pages.get(PASSKEYS, async (c) => {
    const { db, session, site, words } = c.var;
    const own = await passkeys.listPasskeys(db, session);
    const content = <PasskeysPage {...{ own, session, site }} rp={relyingPartyOf(site)} />;
    return page(c, { title: words.text('passkeys.title'), styles: SETTINGS_STYLES, scripts: SCRIPTS }, content);
  });

  pages.get(NEW, (c) => respondWithNew(c, newForm({ name: nameOfDevice(c.var.words, deviceOf(c)) })));

  pages.post(NEW, async (c) => {
    const { by: _, ...fields } = await readFields(c);
    const { db, session } = c.var;
    const sent = await submit(c, fields, () => {
      const wanted = parseFields(passkeys.newPasskeyFields(), fields);
      return passkeys.enrolPasskey(db, challengesOf(c), partyOf(c), session, wanted);
    });
    return sent.ok ? seeOther(c, PASSKEYS, 'passkey-added') : respondWithNew(c, sent.form, sent.status);
  });

  pages.get(FACTOR, async (c) => {
    const own = await passkeys.listPasskeys(c.var.db, c.var.session);
    return respondWithFactor(c, own.areFactor, own, newForm());
  });

  pages.post(FACTOR, async (c) => {
    const { use, ...fields } = await readFields(c);
    const { db, session } = c.var;
    const isOn = use === 'on';
    const sent = await submit(c, fields, async () => {
      if (isOn) return usePasskeysAsFactor(db, session);
      await endPasskeyFactor(db, session);
      return [];
    });
    if (!sent.ok) return respondWithFactor(c, !isOn, null, sent.form, sent.status);
    if (sent.value.length > 0) {
      const title = c.var.words.text('factors.nowOn');
      return page(c, { title }, <CodesPage codes={sent.value} title={title} />);
    }
    return seeOther(c, PASSKEYS, isOn ? 'passkeys-are-factor' : 'passkeys-no-factor');
  });

  pages.get(`${ONE}/rename`, (c) => respondWithRename(c));

  pages.post(`${ONE}/rename`, async (c) => {
    const fields = await readFields(c);
    const { db, session } = c.var;
    const sent = await submit(c, fields, () =>
      passkeys.renamePasskey(db, session, c.req.param('id'), parseFields(passkeys.passkeyNameFields(), fields).name),
    );
    return sent.ok ? seeOther(c, PASSKEYS, 'passkey-renamed') : respondWithRename(c, sent.form, sent.status);
  });

  pages.get(`${ONE}/remove`, async (c) => {
    const { db, session, words } = c.var;
    const { text } = words;
    const { name, isLast, areFactor } = await passkeys.getPasskey(db, session, c.req.param('id'));
    return page(
      c,
      { title: text('passkeys.removeTitle'), narrow: true },
      <ConfirmPage
        title={text('passkeys.removeThis', { name: isolated(name) })}
        label={text('passkeys.remove')}
        back={PASSKEYS}
      >
        <p>{text('passkeys.removeEffect')}</p>
        {isLast && areFactor && <p>{text('passkeys.removeLast')}</p>}
      </ConfirmPage>,
    );
  });

  pages.post(`${ONE}/remove`, async (c) => {
    await passkeys.removePasskey(c.var.db, c.var.session, c.req.param('id'));
    return seeOther(c, PASSKEYS, 'passkey-removed');
  });

  return pages;
}

async function respondWithNew(c: Context<PlatformEnv>, form: FormState, status: ErrorStatus | 200 = 200) {
  const { db, session, words } = c.var;
  const rp = partyOf(c);
  const own = await passkeys.listPasskeys(db, session);
  const options = passkeys.enrolmentOptions(challengesOf(c), rp, session, own);
  const content = <NewPasskeyPage {...{ form, options, rp }} />;
  return page(c, { title: words.text('passkeys.new'), status, scripts: SCRIPTS }, content);
}

async function respondWithRename(
  c: Context<PlatformEnv, `${typeof ONE}/rename`>,
  form?: FormState,
  status: ErrorStatus | 200 = 200,
) {
  const { id, name } = await passkeys.getPasskey(c.var.db, c.var.session, c.req.param('id'));
  const content = <RenamePage {...{ id, name }} form={form ?? newForm({ name })} />;
  return page(c, { title: c.var.words.text('passkeys.rename'), status }, content);
}

/** @param own null if it is not known, since the form has met a fault */
function respondWithFactor(
  c: Context<PlatformEnv>,
  areFactor: boolean,
  own: passkeys.OwnPasskeys | null,
  form: FormState,
  status: ErrorStatus | 200 = 200,
) {
  const { text } = c.var.words;
  const content = areFactor ? (
    <ConfirmPage
      title={text('passkeys.endFactorThis')}
      label={text('passkeys.endFactor')}
      back={PASSKEYS}
      form={form}
      hidden={<input type="hidden" name="use" value="off" />}
    >
      <p>{text('passkeys.endFactorEffect')}</p>
    </ConfirmPage>
  ) : (
    <ConfirmPage
      title={text('passkeys.factorThis')}
      label={text('passkeys.beginFactor')}
      kind="primary"
      back={PASSKEYS}
      form={form}
      hidden={<input type="hidden" name="use" value="on" />}
    >
      <p>{text('passkeys.factorEffect')}</p>
      {own && <p>{text('passkeys.codesLeft', { codes: own.recoveryCodes })}</p>}
      {own && own.basicUsedAt !== null && (
        <BasicUse usedAt={own.basicUsedAt} hasFactor={false} timeZone={c.var.session.timeZone} />
      )}
    </ConfirmPage>
  );
  return page(c, { title: text('passkeys.factor'), narrow: true, status }, content);
}
