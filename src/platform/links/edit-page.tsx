import type { ManagedLink } from '../../links/managed.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form, Hidden } from '../kit/form.tsx';
import { Notice } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { Details } from './details.tsx';
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
        <Details
          {...{ form, timeZone }}
          hasSecId
          hints={{
            campaign_name: 'Counts for clicks from now on.',
            sec_id: 'Programs that ask for the link’s info name it.',
            metadata: 'A JSON text of your own.',
          }}
        >
          <Actions>
            <Button>Save</Button>
            <ButtonLink href={path}>Cancel</ButtonLink>
          </Actions>
        </Details>
      </Form>
    </>
  );
}
