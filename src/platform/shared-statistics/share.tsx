import { Hono, type Context } from 'hono';
import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';
import { linkFields } from '../../links/fields/table.ts';
import { ShareSecrets } from '../../links/shares/share-secrets.ts';
import {
  createShare,
  findShare,
  revokeShare,
  setSharePassword,
  type Share,
  type Shared,
  type ShareTools,
} from '../../links/shares/shares.ts';
import { parseFields } from '../../input/validation.ts';
import { campaignIn } from '../campaigns/paths.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { SHORT_URL as CREATED_URL } from '../forms/by-script.ts';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { inClient, signedIn } from '../guard.ts';
import { ConfirmPage } from '../kit/confirm.tsx';
import { page, type PageHead } from '../page.tsx';
import { sharedPath, sharePath } from './paths.ts';
import { SharePage } from './share-page.tsx';

const CLIENT = '/platform/c/:client';

/** Where members create, protect and revoke the public statistics page of a link, a campaign or the workspace. */
export function sharePages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  for (const [path, sharedOf] of [
    [`${CLIENT}/links/:id/share`, linkOf],
    [`${CLIENT}/campaigns/:name/share`, campaignOf],
    [`${CLIENT}/share`, clientOf],
  ] as const) {
    pages.get(path, signedIn, inClient, (c) => respondWithShare(c, sharedOf(c)));

    pages.post(path, signedIn, inClient, async (c) => {
      const fields = await readFields(c);
      const shared = sharedOf(c);
      const sent = await submit(c, fields, async () => {
        const { password = null } = parseFields(passwordFields(), { password: fields['password'] });
        return createShare(shareToolsOf(c), c.var.actor, shared, password);
      });
      if (!sent.ok) return respondWithShare(c, shared, sent.form, sent.status);
      const secret = sent.value?.secret ?? null;
      if (secret !== null) c.header(CREATED_URL, `${originOf(c)}${sharedPath(secret)}`);
      return seeOther(c, sharePath(c.var.client, shared), 'share-created');
    });

    pages.post(`${path}/password`, signedIn, inClient, async (c) => {
      const fields = await readFields(c);
      const shared = sharedOf(c);
      const isRemoved = fields['remove'] === 'on';
      const sent = await submit(c, fields, async () => {
        const { password } = parseFields(newPasswordFields(), { password: isRemoved ? 'none' : fields['password'] });
        await setSharePassword(shareToolsOf(c), c.var.actor, shared, isRemoved ? null : password);
      });
      if (!sent.ok) return respondWithShare(c, shared, sent.form, sent.status);
      return seeOther(c, sharePath(c.var.client, shared), 'share-changed');
    });

    // A sign-in in between leads here.
    pages.get(`${path}/password`, signedIn, inClient, (c) => c.redirect(sharePath(c.var.client, sharedOf(c)), 303));

    pages.get(`${path}/revoke`, signedIn, inClient, async (c) => {
      const { text } = c.var.words;
      const shared = sharedOf(c);
      const back = sharePath(c.var.client, shared);
      if ((await shareOf(c, shared)) === null) return c.redirect(back, 303);
      return page(
        c,
        { title: text('shares.revokeTitle'), narrow: true },
        <ConfirmPage title={text('shares.revokeThis')} label={text('shares.revokePage')} back={back}>
          <p>{text('shares.revokeEffect')}</p>
        </ConfirmPage>,
      );
    });

    pages.post(`${path}/revoke`, signedIn, inClient, async (c) => {
      const shared = sharedOf(c);
      await revokeShare(c.var.db, c.var.actor, shared);
      return seeOther(c, sharePath(c.var.client, shared), 'share-revoked');
    });
  }
  return pages;
}

const linkOf = (c: Context<PlatformEnv>): Shared => ({ kind: 'link', name: c.req.param('id') ?? '' });
const campaignOf = (c: Context<PlatformEnv>): Shared => ({
  kind: 'campaign',
  name: campaignIn(c.req.param('name') ?? ''),
});

const clientOf = (): Shared => ({ kind: 'client' });

const passwordFields = lazy(() => z.object({ password: linkFields.password.schemas().create.optional() }));
const newPasswordFields = lazy(() => z.object({ password: linkFields.password.schemas().create }));

function shareToolsOf({ var: { db, services } }: Context<PlatformEnv>): ShareTools {
  const secrets = new ShareSecrets(services.config.tokenKeys.map(({ d }) => d));
  return { db, hashing: services.hashing, secrets };
}

/** The public page of what is shared; null if it has none. Throws what `findShare` throws. */
const shareOf = (c: Context<PlatformEnv>, shared: Shared): Promise<Share | null> =>
  findShare(shareToolsOf(c), c.var.actor, shared);

async function respondWithShare(
  c: Context<PlatformEnv>,
  shared: Shared,
  form: FormState = newForm(),
  status: PageHead['status'] = 200,
) {
  const { client, words } = c.var;
  const share = await shareOf(c, shared);
  const head = { title: words.text('shares.title'), status };
  return page(c, head, <SharePage {...{ client, shared, share, form }} origin={originOf(c)} />);
}

const originOf = ({ var: { site } }: Context<PlatformEnv>): string => (site.publicUrl ?? site.requestUrl).origin;
