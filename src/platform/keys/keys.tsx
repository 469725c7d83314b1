import { Hono, type Context } from 'hono';
import * as z from 'zod';
import {
  getKey,
  keyChangeFields,
  listAdoptedKeys,
  listKeys,
  newKeyFields,
  renameKey,
  revokeKey,
  rollFields,
  type Key,
} from '../../accounts/keys/keys.ts';
import { issueKeyOnce, rollKeyOnce, type KeyOfForm } from '../../accounts/keys/keys-by-form.ts';
import { readFormNonce } from '../../accounts/form-nonces.ts';
import { newNonce } from '../../secrets/random-secrets.ts';
import { AppError, type ErrorStatus } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';
import { listLinksOfKey } from '../../links/list/key-links.ts';
import { parseFields } from '../../input/validation.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, readFieldsAndList, readWallTime, submit, type FormState } from '../forms/form.ts';
import { freshlyConfirmed, inClient, signedIn } from '../guard.ts';
import { AdoptedPage } from './adopted-page.tsx';
import { isWorking, KeyPage, KeysPage, NameSection } from './keys-page.tsx';
import { NewKeyPage, SecretPage } from './key-secret.tsx';
import { showDoubleSubmit } from '../forms/double-submit.tsx';
import { onItsPage } from '../forms/on-its-page.tsx';
import { isolated } from '../bidi.ts';
import { ButtonLink } from '../kit/button.tsx';
import { ConfirmPage } from '../kit/confirm.tsx';
import { RadioGroup } from '../kit/boxes.tsx';
import { Hidden } from '../kit/form.tsx';
import { SETTINGS_STYLES } from '../kit/settings-list.tsx';
import { filterOf, pageOf, pagesOf } from '../list.ts';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';
import { useWords } from '../words.tsx';

const KEYS = '/platform/c/:client/keys';

/** The API keys of a client: owners see all keys, members their own. */
export function keyPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.use(`${KEYS}/*`, signedIn, inClient);

  pages.get(KEYS, async (c) => {
    const filter = filterOf(c);
    const { keys, cursor } = await listKeys(c.var.db, c.var.actor, pageOf(c, 'keys'), filter);
    const { client, session, site } = c.var;
    const { origin } = site.publicUrl ?? site.requestUrl;
    const content = <KeysPage {...{ keys, client, session, origin, filter }} pages={pagesOf(c, cursor)} />;
    return page(c, { title: c.var.words.text('keys.title'), styles: SETTINGS_STYLES }, content);
  });

  pages.get(`${KEYS}/adopted`, async (c) => {
    const { db, actor, client, session } = c.var;
    const content = <AdoptedPage keys={await listAdoptedKeys(db, actor)} {...{ client, session }} />;
    return page(c, { title: c.var.words.text('keys.adopted'), styles: SETTINGS_STYLES }, content);
  });

  pages.get(`${KEYS}/new`, (c) => respondWithNew(c, newForm({ scopes: 'links:write', nonce: newNonce() })));

  pages.post(`${KEYS}/new`, freshlyConfirmed, async (c) => {
    const { fields, list } = await readFieldsAndList(c, 'scopes');
    const shown = { ...fields, scopes: list.join(' ') };
    const sent = await submit(c, shown, () => {
      const { nonce, name, expires_at: _, ...unknown } = fields;
      const form = readFormNonce(nonce);
      const expires_at = readWallTime(fields, 'expires_at', c.var.session.timeZone);
      const wanted = parseFields(newKeyFields(), { ...unknown, name, scopes: list, expires_at });
      return issueKeyOnce(c.var.db, c.var.actor, form, wanted);
    });
    return sent.ok ? respondWithSecret(c, sent.value, 'created') : respondWithNew(c, sent.form, sent.status);
  });

  pages.get(`${KEYS}/:id`, (c) => respondWithKey(c));

  pages.post(`${KEYS}/:id`, async (c) => {
    const fields = await readFields(c);
    const { db, actor, client, words } = c.var;
    const id = c.req.param('id');
    const sent = await submit(c, fields, () => renameKey(db, actor, id, parseFields(keyChangeFields(), fields).name));
    if (!sent.ok) {
      return onItsPage(c, sent, () => respondWithKey(c, sent.form, sent.status), {
        title: words.text('keys.apiKey'),
        list: { href: clientPath(client, 'keys'), label: words.text('keys.title') },
        content: (form) => <NameSection form={form} action={clientPath(client, `keys/${id}`)} />,
      });
    }
    return seeOther(c, clientPath(client, `keys/${id}`), 'key-renamed');
  });

  pages.get(`${KEYS}/:id/roll`, async (c) => {
    const key = await getKey(c.var.db, c.var.actor, c.req.param('id'));
    const { text } = c.var.words;
    if (!isWorking(key)) throw new AppError('key_ended', 'The key is revoked or has expired. Create a new one.');
    return page(
      c,
      { title: text('keys.rollTitle'), narrow: true },
      <ConfirmPage
        title={text('keys.rollThis', { name: isolated(key.name) })}
        label={text('keys.rollKey')}
        kind="primary"
        back={clientPath(c.var.client, `keys/${key.id}`)}
        fields={<RollFields />}
      >
        <p>{text(key.adoptedAt === null ? 'keys.rollEffect' : 'keys.rollEffectAdopted')}</p>
        {key.formerSecretEndsAt !== null && <p>{text('keys.formerStops')}</p>}
      </ConfirmPage>,
    );
  });

  pages.post(`${KEYS}/:id/roll`, freshlyConfirmed, async (c) => {
    const { nonce, ...fields } = await readFields(c);
    const { former_secret: former } = parseFields(rollForm(), fields);
    const rolled = await rollKeyOnce(c.var.db, c.var.actor, readFormNonce(nonce), c.req.param('id'), former);
    return respondWithSecret(c, rolled, 'rolled');
  });

  pages.get(`${KEYS}/:id/revoke`, async (c) => {
    const key = await getKey(c.var.db, c.var.actor, c.req.param('id'));
    const { text } = c.var.words;
    return page(
      c,
      { title: text('keys.revokeTitle'), narrow: true },
      <ConfirmPage
        title={text('keys.revokeThis', { name: isolated(key.name) })}
        label={text('keys.revokeKey')}
        back={clientPath(c.var.client, `keys/${key.id}`)}
      >
        <p>{text('keys.revokeEffect')}</p>
        <p>{text('keys.revokeLinks')}</p>
      </ConfirmPage>,
    );
  });

  pages.post(`${KEYS}/:id/revoke`, freshlyConfirmed, async (c) => {
    await revokeKey(c.var.db, c.var.actor, c.req.param('id'));
    return seeOther(c, clientPath(c.var.client, `keys/${c.req.param('id')}`), 'key-revoked');
  });

  return pages;
}

const rollForm = lazy(() => z.strictObject(rollFields()));

function RollFields() {
  const { text } = useWords();
  return (
    <>
      <Hidden name="nonce" value={newNonce()} />
      <RadioGroup
        form={newForm()}
        name="former_secret"
        label={text('keys.currentSecret')}
        value="keep"
        options={[
          { value: 'keep', label: text('keys.keepSecret'), hint: text('keys.keepSecretHint') },
          { value: 'end', label: text('keys.endSecret'), hint: text('keys.endSecretHint') },
        ]}
      />
    </>
  );
}

function respondWithNew(c: Context<PlatformEnv>, form: FormState, status: ErrorStatus | 200 = 200) {
  const content = <NewKeyPage form={form} client={c.var.client} timeZone={c.var.session.timeZone} />;
  return page(c, { title: c.var.words.text('keys.new'), status }, content);
}

async function respondWithKey(
  c: Context<PlatformEnv, `${typeof KEYS}/:id`>,
  form?: FormState,
  status?: ErrorStatus | 200,
) {
  const { db, actor, client, session, site } = c.var;
  const id = c.req.param('id');
  const [key, { links, cursor }] = await Promise.all([
    getKey(db, actor, id),
    listLinksOfKey(db, actor, id, pageOf(c, `links of ${id}`, 20)),
  ]);
  const content = (
    <KeyPage
      {...{ client, session, links, site }}
      keyShown={key}
      form={form ?? newForm({ name: key.name })}
      pages={pagesOf(c, cursor)}
    />
  );
  return page(c, { title: key.name, status: status ?? 200 }, content);
}

// The secret is in the answer itself, without a redirect, since it is shown once and stored nowhere.
function respondWithSecret(c: Context<PlatformEnv>, { key, text }: KeyOfForm, action: 'created' | 'rolled') {
  const { client, site, session } = c.var;
  const { origin } = site.publicUrl ?? site.requestUrl;
  if (text === null) return respondWithSentKey(c, key);
  const content = <SecretPage {...{ client, origin, action, text }} apiKey={key} timeZone={session.timeZone} />;
  return page(c, { title: key.name, status: action === 'created' ? 201 : 200 }, content);
}

function respondWithSentKey(c: Context<PlatformEnv>, key: Key) {
  const { words } = c.var;
  const path = clientPath(c.var.client, `keys/${key.id}`);
  return showDoubleSubmit(c, {
    said: words.content('keys.secretShownOnce', { name: key.name }),
    advice: words.text('keys.secretLost'),
    actions: (
      <>
        {key.revokedAt === null && <ButtonLink href={`${path}/roll`}>{words.text('keys.rollKey')}</ButtonLink>}
        {key.revokedAt === null && <ButtonLink href={`${path}/revoke`}>{words.text('keys.revokeKey')}</ButtonLink>}
        <ButtonLink href={path}>{words.text('keys.toKey')}</ButtonLink>
      </>
    ),
  });
}
