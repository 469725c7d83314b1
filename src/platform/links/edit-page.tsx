import type { ManagedLink } from '../../links/managed.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form, Hidden, TextArea } from '../kit/form.tsx';
import { Notice } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { linkPath } from './paths.ts';

const LABELS: Readonly<Record<string, string>> = {
  url: 'Target',
  slug: 'Slug',
  campaign_name: 'Campaign',
  sec_id: 'Secondary ID',
  expires_at: 'Ends at',
  metadata: 'Metadata',
};

/** The form of a link's edit. */
export function EditPage({
  client,
  link,
  form,
  timeZone,
  others = [],
}: {
  client: OwnClient;
  link: ManagedLink;
  form: FormState;
  timeZone: string;
  /** What the link has otherwise than the form, by field, where somebody else has changed it meanwhile. */
  others?: readonly (readonly [name: string, now: string])[];
}) {
  const path = linkPath(client, link.id);
  const shared = { form, optional: true } as const;
  return (
    <>
      <PageHeader
        title="Edit link"
        lead="Visitors follow the new state at once; a few see the old one for some minutes."
      />
      <Form form={form} action={`${path}/edit`}>
        {others.length > 0 && (
          <Notice>
            <p>Now the link has, otherwise than below:</p>
            <ul class="broken">
              {others.map(([name, now]) => (
                <li>
                  {LABELS[name] ?? name}:{' '}
                  <code>{now === '' ? 'none' : now.replace('T', name === 'expires_at' ? ' ' : 'T')}</code>
                </li>
              ))}
            </ul>
            <p>Save once more to have it as below.</p>
          </Notice>
        )}
        <Hidden name="revision" value={form.values['revision'] ?? String(link.revision)} />
        <Section id="target" title="Link" hint="Where it leads, and what it is called.">
          <Field form={form} name="url" type="url" label="Target" code />
          <Field
            form={form}
            name="slug"
            label="Slug"
            hint="The former slug stays as an alias."
            spellcheck={false}
            code
          />
        </Section>
        <Section id="more" title="Details" hint="For finding the link again and telling its clicks from others.">
          <Field {...shared} name="campaign_name" label="Campaign" hint="Counts for clicks from now on." />
          <Field
            form={form}
            name="sec_id"
            label="Secondary ID"
            hint="Programs that ask for the link’s info name it."
            spellcheck={false}
            code
          />
          <Field
            {...shared}
            name="expires_at"
            type="datetime-local"
            label="Ends at"
            hint={`On the clocks of ${timeZone.replaceAll('_', ' ')}.`}
          />
          <TextArea {...shared} name="metadata" label="Metadata" hint="A JSON text of your own." rows={3} code />
          <Actions>
            <Button>Save</Button>
            <ButtonLink href={path}>Cancel</ButtonLink>
          </Actions>
        </Section>
      </Form>
    </>
  );
}
