import type { Preset } from '../../links/presets/presets.ts';
import { UTM_NAMES } from '../../links/destinations/utm.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { isolated } from '../bidi.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form } from '../kit/form.tsx';
import { EmptyState } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { Table, type Column } from '../kit/table.tsx';
import { UTM } from '../links/form/utm-fields.tsx';
import { clientPath } from '../nav.ts';
import { useWords, type PageWords } from '../words.tsx';
import { utmOf } from './template-content.ts';

/** The templates of a workspace. */
export function TemplatesPage({ client, templates }: { client: OwnClient; templates: readonly Preset[] }) {
  const words = useWords();
  const { text } = words;
  const path = clientPath(client, 'links/utm-templates');
  const create = <ButtonLink href={`${path}/new`}>{text('kit.createTemplate')}</ButtonLink>;
  return (
    <>
      <PageHeader
        title={text('templates.title')}
        lead={text('templates.lead')}
        actions={templates.length > 0 && create}
      />
      {templates.length === 0 ? (
        <EmptyState title={text('templates.none')} action={create}>
          {text('templates.noneHint')}
        </EmptyState>
      ) : (
        <div class="panel">
          <Table caption={text('templates.title')} columns={columnsOf(words, path)} rows={templates} />
        </div>
      )}
    </>
  );
}

function columnsOf({ text }: PageWords, path: string): readonly Column<Preset>[] {
  return [
    {
      label: text('kit.name'),
      isWide: true,
      cell: ({ id, name }) => (
        <a class="cut" dir="auto" title={name} href={`${path}/${id}`}>
          {name}
        </a>
      ),
    },
    ...UTM_NAMES.map((parameter): Column<Preset> => ({
      label: text(UTM[parameter].label),
      cell: ({ content }) => valueOf(utmOf(content)[parameter]),
    })),
  ];
}

// An empty cell takes no line on a phone.
const valueOf = (text: string | undefined) =>
  text === undefined ? null : (
    <span class="cut brief" title={text}>
      <bdi>{text}</bdi>
    </span>
  );

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
