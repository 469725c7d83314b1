import type { Preset } from '../../links/presets/presets.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form, Hidden, Select } from '../kit/form.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { isolated } from '../bidi.ts';
import { clientPath } from '../nav.ts';
import { partsOf } from './view-query.ts';

/** Saves the filters of the list as a new view, or as those of one that exists. */
export function NewViewPage({ client, form, views }: { client: OwnClient; form: FormState; views: readonly Preset[] }) {
  const path = clientPath(client, 'links');
  const content = form.values['query'] ?? '';
  return (
    <>
      <PageHeader title="Save view" lead="All members of the workspace see its views above the list of links." />
      <Section id="view" title="View" hint="The filters and the order of the list.">
        <Form form={form} action={`${path}/views/new`}>
          <Parts content={content} />
          <Hidden name="query" value={content} />
          {views.length > 0 && (
            <Select
              form={form}
              name="view"
              label="Save as"
              options={[
                { value: '', label: 'A new view' },
                ...views.map(({ id, name }) => ({ value: id, label: `Replace “${name}”` })),
              ]}
              optional
            />
          )}
          <Field
            form={form}
            name="name"
            label="Name"
            optional={views.length > 0}
            hint={views.length > 0 ? 'A view that is replaced keeps its name if this is empty.' : undefined}
            autofocus
          />
          <Actions>
            <Button>Save view</Button>
            <ButtonLink href={`${path}?${content}`}>Cancel</ButtonLink>
          </Actions>
        </Form>
      </Section>
    </>
  );
}

/** One view: its name, and its end. */
export function ViewPage({ client, form, view }: { client: OwnClient; form: FormState; view: Preset }) {
  const path = clientPath(client, `links/views/${view.id}`);
  const list = `${clientPath(client, 'links')}?${view.content}`;
  return (
    <>
      <PageHeader title={isolated(view.name)} lead="A view of the list of links." />
      <Section
        id="view"
        title="View"
        hint="To change what it shows, set the filters of the list, and save them as this view."
      >
        <Form form={form} action={path}>
          <Parts content={view.content} />
          <Field form={form} name="name" label="Name" />
          <Actions>
            <Button>Rename view</Button>
            <ButtonLink href={list}>Show links</ButtonLink>
            <ButtonLink href={`${path}/delete`} confirms>
              Delete view
            </ButtonLink>
          </Actions>
        </Form>
      </Section>
    </>
  );
}

function Parts({ content }: { content: string }) {
  const parts = partsOf(content);
  if (parts.length === 0) return <p class="quiet">All links, newest first.</p>;
  return <Facts facts={parts.map(({ label, value }) => ({ term: label, value: <bdi>{value}</bdi> }))} />;
}
