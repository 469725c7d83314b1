import { Hono, type Context } from 'hono';
import {
  changePreset,
  createPreset,
  deletePreset,
  getPreset,
  listPresets,
  presetName,
} from '../../links/presets/presets.ts';
import * as z from 'zod';
import type { ErrorStatus } from '../../errors.ts';
import { readQuery } from '../../http/query.ts';
import { lazy } from '../../isolate/lazy.ts';
import { parseFields } from '../../input/validation.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { inClient, signedIn } from '../guard.ts';
import { isolated } from '../bidi.ts';
import { ConfirmPage } from '../kit/confirm.tsx';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';
import { NewViewPage, ViewPage } from './view-pages.tsx';
import { checkedContent, contentOf } from './view-query.ts';

const VIEWS = '/platform/c/:client/links/views';

/** The views of the list of links that the members of a workspace have saved for all of them. */
export function viewPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.use(`${VIEWS}/*`, signedIn, inClient);

  pages.get(`${VIEWS}/new`, (c) => respondWithNew(c, newForm({ query: contentOf(readQuery(c)) })));

  pages.post(`${VIEWS}/new`, async (c) => {
    const fields = await readFields(c);
    const { db, actor, client } = c.var;
    const save = () => {
      const { query = '', view = '', ...texts } = fields;
      const content = checkedContent(query, c.var.site);
      if (view === '') return createPreset(db, actor, 'view', { ...parseFields(nameFields(), texts), content });
      return changePreset(db, actor, 'view', view, { ...parseFields(nameFields().partial(), texts), content });
    };
    const sent = await submit(c, fields, async () => save());
    if (!sent.ok) return respondWithNew(c, sent.form, sent.status);
    return seeOther(c, `${clientPath(client, 'links')}?${sent.value.content}`, 'view-saved');
  });

  pages.get(`${VIEWS}/:id`, (c) => respondWithView(c));

  pages.post(`${VIEWS}/:id`, async (c) => {
    const fields = await readFields(c);
    const { db, actor, client } = c.var;
    const rename = async () => changePreset(db, actor, 'view', c.req.param('id'), parseFields(nameFields(), fields));
    const sent = await submit(c, fields, rename);
    if (!sent.ok) return respondWithView(c, sent.form, sent.status);
    return seeOther(c, `${clientPath(client, 'links')}?${sent.value.content}`, 'view-changed');
  });

  pages.get(`${VIEWS}/:id/delete`, async (c) => {
    const { db, actor, client, words } = c.var;
    const { text } = words;
    const view = await getPreset(db, actor, 'view', c.req.param('id'));
    return page(
      c,
      { title: text('views.deleteTitle'), narrow: true },
      <ConfirmPage
        title={text('views.deleteThis', { name: isolated(view.name) })}
        label={text('views.delete')}
        back={clientPath(client, `links/views/${view.id}`)}
      >
        <p>{text('views.deleteEffect')}</p>
      </ConfirmPage>,
    );
  });

  pages.post(`${VIEWS}/:id/delete`, async (c) => {
    await deletePreset(c.var.db, c.var.actor, 'view', c.req.param('id'));
    return seeOther(c, clientPath(c.var.client, 'links'), 'view-deleted');
  });

  return pages;
}

const nameFields = lazy(() => z.strictObject({ name: presetName() }));

async function respondWithNew(c: Context<PlatformEnv>, form: FormState, status: ErrorStatus | 200 = 200) {
  const { db, actor, client, words } = c.var;
  const views = await listPresets(db, actor, 'view');
  return page(c, { title: words.text('views.save'), status }, <NewViewPage {...{ client, form, views }} />);
}

async function respondWithView(
  c: Context<PlatformEnv, `${typeof VIEWS}/:id`>,
  form?: FormState,
  status?: ErrorStatus | 200,
) {
  const { db, actor, client } = c.var;
  const view = await getPreset(db, actor, 'view', c.req.param('id'));
  const content = <ViewPage {...{ client, view }} form={form ?? newForm({ name: view.name })} />;
  return page(c, { title: view.name, status: status ?? 200 }, content);
}
