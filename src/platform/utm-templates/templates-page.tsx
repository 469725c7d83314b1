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
  const path = clientPath(client, 'links/utm-templates');
  const words = useWords();
  const create = <ButtonLink href={`${path}/new`}>Create UTM template</ButtonLink>;
  return (
    <>
      <PageHeader
        title="UTM templates"
        lead="UTM parameters that the form of a link adds to its destination."
        actions={templates.length > 0 && create}
      />
      {templates.length === 0 ? (
        <EmptyState title="No UTM templates yet" action={create}>
          Keep the parameters of a campaign by a name, and choose them when you create or edit a link.
        </EmptyState>
      ) : (
        <div class="panel">
          <Table caption="UTM templates" columns={columnsOf(words, path)} rows={templates} />
        </div>
      )}
    </>
  );
}

function columnsOf({ text }: PageWords, path: string): readonly Column<Preset>[] {
  return [
    {
      label: 'Name',
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
        title={template === null ? 'Create UTM template' : isolated(template.name)}
        crumb={{ href: list, label: 'UTM templates' }}
      />
      <Section id="template" title="Template" hint="All members of the workspace can use and change it.">
        <Form form={form} action={path}>
          <Field form={form} name="name" label="Name" autofocus={template === null} />
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
            <Button>{template === null ? 'Create UTM template' : 'Save'}</Button>
            {template === null ? (
              <ButtonLink href={list}>Cancel</ButtonLink>
            ) : (
              <ButtonLink href={`${path}/delete`} confirms>
                Delete
              </ButtonLink>
            )}
          </Actions>
        </Form>
      </Section>
    </>
  );
}
