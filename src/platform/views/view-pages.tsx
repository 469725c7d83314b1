import type { Preset } from '../../links/presets/presets.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form, Hidden, Select } from '../kit/form.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { isolated } from '../bidi.ts';
import { clientPath } from '../nav.ts';
import { useWords } from '../words.tsx';
import { partsOf } from './view-query.ts';

/** Saves the filters of the list as a new view, or as those of one that exists. */
export function NewViewPage({ client, form, views }: { client: OwnClient; form: FormState; views: readonly Preset[] }) {
  const { text } = useWords();
  const path = clientPath(client, 'links');
  const content = form.values['query'] ?? '';
  return (
    <>
      <PageHeader title={text('views.save')} lead={text('views.lead')} />
      <Section id="view" title={text('views.view')} hint={text('views.newHint')}>
        <Form form={form} action={`${path}/views/new`}>
          <Parts content={content} />
          <Hidden name="query" value={content} />
          {views.length > 0 && (
            <Select
              form={form}
              name="view"
              label={text('views.saveAs')}
              options={[
                { value: '', label: text('views.asNew') },
                ...views.map(({ id, name }) => ({ value: id, label: text('views.replace', { name }) })),
              ]}
              optional
            />
          )}
          <Field
            form={form}
            name="name"
            label={text('kit.name')}
            optional={views.length > 0}
            hint={views.length > 0 ? text('views.replacedHint') : undefined}
            autofocus
          />
          <Actions>
            <Button>{text('views.save')}</Button>
            <ButtonLink href={`${path}?${content}`}>{text('kit.cancel')}</ButtonLink>
          </Actions>
        </Form>
      </Section>
    </>
  );
}

/** One view: its name, and its end. */
export function ViewPage({ client, form, view }: { client: OwnClient; form: FormState; view: Preset }) {
  const { text } = useWords();
  const path = clientPath(client, `links/views/${view.id}`);
  const list = `${clientPath(client, 'links')}?${view.content}`;
  return (
    <>
      <PageHeader title={isolated(view.name)} lead={text('views.viewLead')} />
      <Section id="view" title={text('views.view')} hint={text('views.changeHint')}>
        <Form form={form} action={path}>
          <Parts content={view.content} />
          <Field form={form} name="name" label={text('kit.name')} />
          <Actions>
            <Button>{text('views.rename')}</Button>
            <ButtonLink href={list}>{text('views.show')}</ButtonLink>
            <ButtonLink href={`${path}/delete`} confirms>
              {text('views.delete')}
            </ButtonLink>
          </Actions>
        </Form>
      </Section>
    </>
  );
}

function Parts({ content }: { content: string }) {
  const words = useWords();
  const parts = partsOf(words, content);
  if (parts.length === 0) return <p class="quiet">{words.text('views.everything')}</p>;
  return <Facts facts={parts.map(({ label, value }) => ({ term: label, value: <bdi>{value}</bdi> }))} />;
}
