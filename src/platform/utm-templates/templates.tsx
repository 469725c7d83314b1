import { Hono, type Context } from 'hono';
import * as z from 'zod';
import type { ErrorStatus } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';
import {
  changePreset,
  createPreset,
  deletePreset,
  getPreset,
  listPresets,
  presetName,
} from '../../links/presets/presets.ts';
import { parseFields } from '../../input/validation.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { inClient, signedIn } from '../guard.ts';
import { isolated } from '../bidi.ts';
import { ConfirmPage } from '../kit/confirm.tsx';
import { SETTINGS_STYLES } from '../kit/settings-list.tsx';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';
import { contentOf, utmOf } from './template-content.ts';
import { TemplatePage, TemplatesPage } from './templates-page.tsx';

const TEMPLATES = '/platform/c/:client/links/utm-templates';
const KIND = 'utm';

/** The UTM templates of a workspace. */
export function utmTemplatePages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.use(`${TEMPLATES}/*`, signedIn, inClient);

  pages.get(TEMPLATES, async (c) => {
    const { db, actor, client, words } = c.var;
    const templates = await listPresets(db, actor, KIND);
    return page(
      c,
      { title: words.text('templates.title'), styles: SETTINGS_STYLES },
      <TemplatesPage {...{ client, templates }} />,
    );
  });

  pages.get(`${TEMPLATES}/new`, (c) => respondWithForm(c, null, newForm()));

  pages.post(`${TEMPLATES}/new`, async (c) => {
    const fields = await readFields(c);
    const create = async () => createPreset(c.var.db, c.var.actor, KIND, readTemplate(fields));
    const sent = await submit(c, fields, create);
    return sent.ok ? seeOther(c, listPath(c), 'template-saved') : respondWithForm(c, null, sent.form, sent.status);
  });

  pages.get(`${TEMPLATES}/:id`, (c) => respondWithForm(c, c.req.param('id')));

  pages.post(`${TEMPLATES}/:id`, async (c) => {
    const fields = await readFields(c);
    const id = c.req.param('id');
    const change = async () => changePreset(c.var.db, c.var.actor, KIND, id, readTemplate(fields));
    const sent = await submit(c, fields, change);
    return sent.ok ? seeOther(c, listPath(c), 'template-saved') : respondWithForm(c, id, sent.form, sent.status);
  });

  pages.get(`${TEMPLATES}/:id/delete`, async (c) => {
    const { db, actor, words } = c.var;
    const { text } = words;
    const { name, id } = await getPreset(db, actor, KIND, c.req.param('id'));
    return page(
      c,
      { title: text('templates.deleteTitle'), narrow: true },
      <ConfirmPage
        title={text('templates.deleteThis', { name: isolated(name) })}
        label={text('templates.delete')}
        back={`${listPath(c)}/${id}`}
      >
        <p>{text('templates.deleteEffect')}</p>
      </ConfirmPage>,
    );
  });

  pages.post(`${TEMPLATES}/:id/delete`, async (c) => {
    await deletePreset(c.var.db, c.var.actor, KIND, c.req.param('id'));
    return seeOther(c, listPath(c), 'template-deleted');
  });

  return pages;
}

const listPath = (c: Context<PlatformEnv>) => clientPath(c.var.client, 'links/utm-templates');

const nameField = lazy(() => z.object({ name: presetName() }));

const readTemplate = (fields: Readonly<Record<string, string>>) => ({
  name: parseFields(nameField(), fields).name,
  content: contentOf(fields),
});

async function respondWithForm(
  c: Context<PlatformEnv>,
  id: string | null,
  form?: FormState,
  status: ErrorStatus | 200 = 200,
): Promise<Response> {
  const { db, actor, client, words } = c.var;
  const template = id === null ? null : await getPreset(db, actor, KIND, id);
  const shown = form ?? newForm({ name: template?.name ?? '', ...(template && definedOf(utmOf(template.content))) });
  const title = template?.name ?? words.text('kit.createTemplate');
  return page(c, { title, status }, <TemplatePage {...{ client, template }} form={shown} />);
}

const definedOf = (utm: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(utm).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
