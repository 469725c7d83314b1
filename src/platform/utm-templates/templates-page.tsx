import type { Preset } from '../../links/presets/presets.ts';
import { UTM_NAMES } from '../../links/destinations/utm.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { isolated } from '../bidi.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form } from '../kit/form.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { SettingsList, type Setting } from '../kit/settings-list.tsx';
import { UTM } from '../links/form/utm-fields.tsx';
import { clientPath } from '../nav.ts';
import { useWords, type PageWords } from '../words.tsx';
import { utmOf } from './template-content.ts';

/** The templates of a workspace. */
export function TemplatesPage({ client, templates }: { client: OwnClient; templates: readonly Preset[] }) {
  const words = useWords();
  const { text } = words;
  const path = clientPath(client, 'links/utm-templates');
  return (
    <SettingsList
      title={text('templates.title')}
      lead={text('templates.lead')}
      action={{ href: `${path}/new`, label: text('kit.createTemplate') }}
      settings={templates.map((template) => templateSetting(words, path, template))}
      empty={{ title: text('templates.none'), text: text('templates.noneHint') }}
    />
  );
}

function templateSetting({ text, content }: PageWords, path: string, { id, name, content: stored }: Preset): Setting {
  const href = `${path}/${id}`;
  const utm = utmOf(stored);
  return {
    href,
    name: <bdi>{name}</bdi>,
    title: name,
    facts: UTM_NAMES.flatMap((parameter) => {
      const value = utm[parameter];
      return value === undefined ? [] : [content('templates.parameter', { label: text(UTM[parameter].label), value })];
    }),
    acts: [
      { icon: 'pencil', label: text('kit.edit'), href: `${href}#name` },
      { icon: 'trash-2', label: text('kit.delete'), href: `${href}/delete`, confirms: true },
    ],
  };
}

/** The form of a template; null for a new one. */
export function TemplatePage({
  client,
  form,
  template,
}: {
  client: OwnClient;
  form: FormState;
  template: Preset | null;
}) {
  const { text } = useWords();
  const list = clientPath(client, 'links/utm-templates');
  const path = `${list}/${template?.id ?? 'new'}`;
  return (
    <>
      <PageHeader
        title={template === null ? text('kit.createTemplate') : isolated(template.name)}
        crumb={{ href: list, label: text('templates.title') }}
      />
      <Section id="template" title={text('templates.template')} hint={text('templates.hint')}>
        <Form form={form} action={path}>
          <Field form={form} name="name" label={text('kit.name')} autofocus={template === null} />
          <div class="pairs">
            {UTM_NAMES.map((name) => (
              <Field
                form={form}
                name={name}
                label={text(UTM[name].label)}
                placeholder={text(UTM[name].example)}
                optional
              />
            ))}
          </div>
          <Actions>
            <Button>{text(template === null ? 'kit.createTemplate' : 'kit.save')}</Button>
            {template === null ? (
              <ButtonLink href={list}>{text('kit.cancel')}</ButtonLink>
            ) : (
              <ButtonLink href={`${path}/delete`} confirms>
                {text('kit.delete')}
              </ButtonLink>
            )}
          </Actions>
        </Form>
      </Section>
    </>
  );
}
