import type { Child } from 'hono/jsx';
import { fieldOf, linkFields } from '../../../links/fields/table.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import type { Preset } from '../../../links/presets/presets.ts';
import type { OwnClient } from '../../env.ts';
import type { FormState } from '../../forms/form.ts';
import { Actions, Button, ButtonLink, DefaultButton } from '../../kit/button.tsx';
import { Field, Form, Hidden } from '../../kit/form.tsx';
import { PageHeader, Section } from '../../kit/section.tsx';
import { UtmTemplates } from '../../utm-templates/apply.tsx';
import { Details } from './details.tsx';
import { isUrl, NamedDestination } from '../destination.tsx';
import { Options } from './options.tsx';
import { linkPath } from '../paths.ts';

/** The form of a link's edit. */
export function EditPage({
  client,
  link,
  form,
  timeZone,
  campaigns,
  templates,
  others = [],
}: {
  client: OwnClient;
  link: ManagedLink;
  form: FormState;
  timeZone: string;
  campaigns: readonly string[];
  /** The UTM templates of the workspace. */
  templates: readonly Preset[];
  /** The values of the link that differ from the form, by field, if another user has changed it meanwhile. */
  others?: readonly (readonly [name: string, now: string])[];
}) {
  const path = linkPath(client, link.id);
  return (
    <>
      <PageHeader
        title="Edit link"
        lead="Changes take effect at once for most visitors, and within three minutes for all."
      />
      <Form
        form={form}
        action={`${path}/edit`}
        check={`${path}/check`}
        about={others.length > 0 && <Others others={others} />}
      >
        <DefaultButton />
        <Hidden name="revision" value={form.values['revision'] ?? String(link.revision)} />
        <Section id="target" title="Link" hint="The destination URL and the short link.">
          <Field form={form} name="url" type="url" label={linkFields.url.label} code />
          <UtmTemplates {...{ client, templates }} action={`${path}/edit`} />
          <Field
            form={form}
            name="slug"
            label={linkFields.slug.label}
            hint="The previous slug stays as an alias."
            spellcheck={false}
            code
          />
        </Section>
        <Section id="more" title="Details" hint="Use these to organise links and their click statistics.">
          <Details {...{ form, timeZone, campaigns }} isNew={false} />
        </Section>
        <Options
          {...{ form, timeZone }}
          action={`${path}/edit`}
          hasCustomDomain={link.customDomain !== null}
          stored={link}
        >
          <Actions>
            <Button>Save</Button>
            <ButtonLink href={path}>Cancel</ButtonLink>
          </Actions>
        </Options>
      </Form>
    </>
  );
}

function Others({ others }: { others: readonly (readonly [name: string, now: string])[] }) {
  return (
    <>
      <h2>This link was changed in the meantime</h2>
      <p>Its current values are:</p>
      <ul class="broken">
        {others.map(([name, now]) => (
          <li>
            {fieldOf(name)?.label ?? name}: {valueOf(name, now)}
          </li>
        ))}
      </ul>
      <p>Nothing has been saved. To replace these values with those of this form, save again.</p>
    </>
  );
}

function valueOf(name: string, now: string): Child {
  if (now === '') return <code>none</code>;
  if (isUrl(name)) return <NamedDestination href={now} />;
  return <code>{fieldOf(name)?.stored === 'instant' ? now.replace('T', ' ') : now}</code>;
}
