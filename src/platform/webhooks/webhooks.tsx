import { Hono, type Context } from 'hono';
import { readFormNonce } from '../../accounts/form-nonces.ts';
import type { ErrorStatus } from '../../errors.ts';
import { webhookToolsOf } from '../../http/webhook-tools.ts';
import { listCampaignNames } from '../../links/list/campaigns.ts';
import { listColouredTags } from '../../links/tags/tags.ts';
import { newNonce } from '../../secrets/random-secrets.ts';
import { parseFields } from '../../input/validation.ts';
import { createWebhookOnce, rollWebhookOnce, type WebhookOfForm } from '../../webhooks/webhooks-by-form.ts';
import { newWebhookFields, webhookChangeFields } from '../../webhooks/webhook.ts';
import { changeWebhook, deleteWebhook, getWebhook, listWebhooks } from '../../webhooks/webhooks.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, readFieldsAndList, submit, type FormState } from '../forms/form.ts';
import { inClient, ownersOnly, signedIn } from '../guard.ts';
import { showDoubleSubmit } from '../forms/double-submit.tsx';
import { onItsPage } from '../forms/on-its-page.tsx';
import { ButtonLink } from '../kit/button.tsx';
import { ConfirmPage } from '../kit/confirm.tsx';
import { Hidden } from '../kit/form.tsx';
import { SETTINGS_STYLES } from '../kit/settings-list.tsx';
import { NamedDestination } from '../links/destination.tsx';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';
import { deliveriesOf } from './delivery-pages.tsx';
import { NONE_OFFERED, valuesOf, type Offered } from './fields.tsx';
import { NewWebhookPage, NewWebhookSection, WebhooksPage } from './list-page.tsx';
import { SecretPage } from './secret-page.tsx';
import { FieldsSection, WebhookPage } from './webhook-page.tsx';

const WEBHOOKS = '/platform/c/:client/webhooks';

/** The webhooks of a client, for its owners. */
export function webhookPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.use(`${WEBHOOKS}/*`, signedIn, inClient, ownersOnly);

  pages.get(WEBHOOKS, async (c) => {
    const { client, session, db, actor } = c.var;
    const { webhooks } = await listWebhooks(db, actor);
    return page(
      c,
      { title: c.var.words.text('webhooks.title'), styles: SETTINGS_STYLES },
      <WebhooksPage {...{ webhooks, client, session }} />,
    );
  });

  pages.get(`${WEBHOOKS}/new`, (c) => respondWithNew(c, newForm({ nonce: newNonce() })));

  pages.post(`${WEBHOOKS}/new`, async (c) => {
    const { fields, list } = await readFieldsAndList(c, 'events');
    const sent = await submit(c, { ...fields, events: list.join(' ') }, () => {
      const { nonce, ...rest } = fields;
      const form = readFormNonce(nonce);
      const wanted = parseFields(newWebhookFields(), { ...rest, events: list });
      return createWebhookOnce(webhookToolsOf(c), c.var.actor, form, wanted);
    });
    if (sent.ok) return respondWithSecret(c, sent.value, 'created');
    const webhooks = listOf(c);
    return onItsPage(c, sent, () => respondWithNew(c, sent.form, sent.status), {
      title: c.var.words.text('webhooks.new'),
      list: webhooks,
      content: (form) => <NewWebhookSection form={form} webhooks={webhooks.href} {...NONE_OFFERED} />,
    });
  });

  pages.get(`${WEBHOOKS}/:id`, (c) => respondWithWebhook(c));

  pages.post(`${WEBHOOKS}/:id`, async (c) => {
    const { fields, list } = await readFieldsAndList(c, 'events');
    const id = c.req.param('id');
    const sent = await submit(c, { ...fields, events: list.join(' ') }, () => {
      const { tag, campaign_name: campaign, ...rest } = fields;
      const change = { ...rest, events: list, tag: tag || null, campaign_name: campaign || null };
      return changeWebhook(
        webhookToolsOf(c),
        c.var.actor,
        id,
        parseFields(webhookChangeFields(), change, { emptyIsAbsent: false }),
      );
    });
    if (!sent.ok) {
      return onItsPage(c, sent, () => respondWithWebhook(c, sent.form, sent.status), {
        title: c.var.words.text('webhooks.webhook'),
        list: listOf(c),
        content: (form) => <FieldsSection form={form} action={pathOf(c)} {...NONE_OFFERED} />,
      });
    }
    return seeOther(c, pathOf(c), 'webhook-saved');
  });

  for (const [action, disabled, flash] of [
    ['disable', true, 'webhook-disabled'],
    ['enable', false, 'webhook-enabled'],
  ] as const) {
    pages.post(`${WEBHOOKS}/:id/${action}`, async (c) => {
      await readFields(c);
      await changeWebhook(webhookToolsOf(c), c.var.actor, c.req.param('id'), { disabled });
      return seeOther(c, pathOf(c), flash);
    });
  }

  pages.get(`${WEBHOOKS}/:id/roll`, async (c) => {
    const { text } = c.var.words;
    const webhook = await getWebhook(c.var.db, c.var.actor, c.req.param('id'));
    return page(
      c,
      { title: text('webhooks.rollTitle'), narrow: true },
      <ConfirmPage
        title={text('webhooks.rollThis')}
        label={text('webhooks.rollSecret')}
        kind="primary"
        back={pathOf(c)}
        hidden={<Hidden name="nonce" value={newNonce()} />}
      >
        <p>{text('webhooks.rollEffect')}</p>
        {webhook.formerSecretEndsAt !== null && <p>{text('webhooks.formerStops')}</p>}
      </ConfirmPage>,
    );
  });

  pages.post(`${WEBHOOKS}/:id/roll`, async (c) => {
    const nonce = readFormNonce((await readFields(c))['nonce']);
    return respondWithSecret(
      c,
      await rollWebhookOnce(webhookToolsOf(c), c.var.actor, nonce, c.req.param('id')),
      'rolled',
    );
  });

  pages.get(`${WEBHOOKS}/:id/delete`, async (c) => {
    const { text } = c.var.words;
    const { url } = await getWebhook(c.var.db, c.var.actor, c.req.param('id'));
    return page(
      c,
      { title: text('webhooks.deleteTitle'), narrow: true },
      <ConfirmPage title={text('webhooks.deleteThis')} label={text('webhooks.delete')} back={pathOf(c)}>
        <p class="broken">
          <NamedDestination href={url} />
        </p>
        <p>{text('webhooks.deleteEffect')}</p>
      </ConfirmPage>,
    );
  });

  pages.post(`${WEBHOOKS}/:id/delete`, async (c) => {
    await deleteWebhook(c.var.db, c.var.actor, c.req.param('id'));
    return seeOther(c, clientPath(c.var.client, 'webhooks'), 'webhook-deleted');
  });

  return pages;
}

const pathOf = (c: Context<PlatformEnv, `${typeof WEBHOOKS}/:id`>): string =>
  clientPath(c.var.client, `webhooks/${c.req.param('id')}`);

const listOf = ({ var: { client, words } }: Context<PlatformEnv>) => ({
  href: clientPath(client, 'webhooks'),
  label: words.text('webhooks.title'),
});

async function offered({ var: { db, actor } }: Context<PlatformEnv>): Promise<Offered> {
  const [tags, campaigns] = await Promise.all([listColouredTags(db, actor), listCampaignNames(db, actor)]);
  return { tags, campaigns };
}

async function respondWithNew(c: Context<PlatformEnv>, form: FormState, status: ErrorStatus | 200 = 200) {
  const content = <NewWebhookPage form={form} client={c.var.client} {...await offered(c)} />;
  return page(c, { title: c.var.words.text('webhooks.new'), status }, content);
}

async function respondWithWebhook(
  c: Context<PlatformEnv, `${typeof WEBHOOKS}/:id`>,
  form?: FormState,
  status: ErrorStatus | 200 = 200,
) {
  const { db, actor, client, session } = c.var;
  const webhook = await getWebhook(db, actor, c.req.param('id'));
  const [choices, deliveries] = await Promise.all([offered(c), deliveriesOf(c, webhook)]);
  const content = (
    <WebhookPage
      {...{ webhook, client, deliveries }}
      timeZone={session.timeZone}
      form={form ?? newForm(valuesOf(webhook))}
      {...choices}
    />
  );
  return page(c, { title: c.var.words.text('webhooks.webhook'), status }, content);
}

// The secret is in the answer itself, without a redirect, since it is shown once.
function respondWithSecret(c: Context<PlatformEnv>, { webhook, secret }: WebhookOfForm, action: 'created' | 'rolled') {
  const { client, session, words } = c.var;
  if (secret === null) {
    const path = clientPath(client, `webhooks/${webhook.id}`);
    return showDoubleSubmit(c, {
      said: words.text('webhooks.secretShownOnce'),
      advice: words.text('webhooks.secretLost'),
      actions: (
        <>
          <ButtonLink href={`${path}/roll`}>{words.text('webhooks.rollSecret')}</ButtonLink>
          <ButtonLink href={path}>{words.text('webhooks.toWebhook')}</ButtonLink>
        </>
      ),
    });
  }
  const content = <SecretPage {...{ webhook, secret, action, client }} timeZone={session.timeZone} />;
  return page(c, { title: words.text('webhooks.webhook'), status: action === 'created' ? 201 : 200 }, content);
}
