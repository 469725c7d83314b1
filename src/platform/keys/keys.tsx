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
import { inClient, signedIn } from '../guard.ts';
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
    return page(c, { title: 'API keys', styles: SETTINGS_STYLES }, content);
  });

  pages.get(`${KEYS}/adopted`, async (c) => {
    const { db, actor, client, session } = c.var;
    const content = <AdoptedPage keys={await listAdoptedKeys(db, actor)} {...{ client, session }} />;
    return page(c, { title: 'Keys of former members', styles: SETTINGS_STYLES }, content);
  });

  pages.get(`${KEYS}/new`, (c) => respondWithNew(c, newForm({ scopes: 'links:write', nonce: newNonce() })));

  pages.post(`${KEYS}/new`, async (c) => {
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
    const { db, actor, client } = c.var;
    const id = c.req.param('id');
    const sent = await submit(c, fields, () => renameKey(db, actor, id, parseFields(keyChangeFields(), fields).name));
    if (!sent.ok) {
      return onItsPage(c, sent, () => respondWithKey(c, sent.form, sent.status), {
        title: 'API key',
        list: { href: clientPath(client, 'keys'), label: 'API keys' },
        content: (form) => <NameSection form={form} action={clientPath(client, `keys/${id}`)} />,
      });
    }
    return seeOther(c, clientPath(client, `keys/${id}`), 'key-renamed');
  });

  pages.get(`${KEYS}/:id/roll`, async (c) => {
    const key = await getKey(c.var.db, c.var.actor, c.req.param('id'));
    if (!isWorking(key)) throw new AppError('key_ended', 'The key is revoked or has expired. Create a new one.');
    return page(
      c,
      { title: 'Roll a key', narrow: true },
      <ConfirmPage
        title={`Roll the key ${isolated(key.name)}?`}
        label="Roll key"
        kind="primary"
        back={clientPath(c.var.client, `keys/${key.id}`)}
        fields={<RollFields />}
      >
        <p>
          The key gets a new secret, which is shown only once.
          {key.adoptedAt !== null && ' The former member who had the key knows the current secret.'}
        </p>
        {key.formerSecretEndsAt !== null && <p>The secret from before the last roll stops working at once.</p>}
      </ConfirmPage>,
    );
  });

  pages.post(`${KEYS}/:id/roll`, async (c) => {
    const { nonce, ...fields } = await readFields(c);
    const { former_secret: former } = parseFields(rollForm(), fields);
    const rolled = await rollKeyOnce(c.var.db, c.var.actor, readFormNonce(nonce), c.req.param('id'), former);
    return respondWithSecret(c, rolled, 'rolled');
  });

  pages.get(`${KEYS}/:id/revoke`, async (c) => {
    const key = await getKey(c.var.db, c.var.actor, c.req.param('id'));
    return page(
      c,
      { title: 'Revoke a key', narrow: true },
      <ConfirmPage
        title={`Revoke the key ${isolated(key.name)}?`}
        label="Revoke key"
        back={clientPath(c.var.client, `keys/${key.id}`)}
      >
        <p>All programs that use this key lose access at once. This cannot be undone.</p>
        <p>Links created with the key are not affected.</p>
      </ConfirmPage>,
    );
  });

  pages.post(`${KEYS}/:id/revoke`, async (c) => {
    await revokeKey(c.var.db, c.var.actor, c.req.param('id'));
    return seeOther(c, clientPath(c.var.client, `keys/${c.req.param('id')}`), 'key-revoked');
  });

  return pages;
}

const rollForm = lazy(() => z.strictObject(rollFields()));

function RollFields() {
  return (
    <>
      <Hidden name="nonce" value={newNonce()} />
      <RadioGroup
        form={newForm()}
        name="former_secret"
        label="Current secret"
        value="keep"
        options={[
          { value: 'keep', label: 'Works for 24 more hours', hint: 'So that you can update your programs.' },
          { value: 'end', label: 'Stops working at once', hint: 'For a secret that others know.' },
        ]}
      />
    </>
  );
}

function respondWithNew(c: Context<PlatformEnv>, form: FormState, status: ErrorStatus | 200 = 200) {
  const content = <NewKeyPage form={form} client={c.var.client} timeZone={c.var.session.timeZone} />;
  return page(c, { title: 'New API key', status }, content);
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
  const path = clientPath(c.var.client, `keys/${key.id}`);
  return showDoubleSubmit(c, {
    shown: (
      <>
        The secret of the key{' '}
        <strong>
          <bdi>{key.name}</bdi>
        </strong>
      </>
    ),
    advice: 'roll the key to get a new secret, or revoke the key',
    actions: (
      <>
        {key.revokedAt === null && <ButtonLink href={`${path}/roll`}>Roll key</ButtonLink>}
        {key.revokedAt === null && <ButtonLink href={`${path}/revoke`}>Revoke key</ButtonLink>}
        <ButtonLink href={path}>Go to the key</ButtonLink>
      </>
    ),
  });
}
