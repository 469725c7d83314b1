import { linkFields } from '../../links/fields/table.ts';
import { UTM_NAMES, type UtmName } from '../../links/utm.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../form.ts';
import { Actions, Button, ButtonLink, DefaultButton } from '../kit/button.tsx';
import { Field, Form, Select } from '../kit/form.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { clientPath } from '../nav.ts';
import { Details } from './details.tsx';
import { Options } from './options.tsx';

const UTM: Readonly<Record<UtmName, { readonly label: string; readonly example: string }>> = {
  utm_source: { label: 'Source', example: 'newsletter' },
  utm_medium: { label: 'Medium', example: 'e-mail' },
  utm_campaign: { label: 'Campaign', example: 'spring_sale' },
  utm_term: { label: 'Term', example: 'running shoes' },
  utm_content: { label: 'Content', example: 'header_link' },
};

/** The form of a new link. */
export function NewLinkPage({
  client,
  form,
  timeZone,
  serviceHost,
  hosts,
  campaigns,
}: {
  client: OwnClient;
  form: FormState;
  timeZone: string;
  serviceHost: string;
  /** Custom domains that take new links. */
  hosts: readonly string[];
  campaigns: readonly string[];
}) {
  const path = clientPath(client, 'links');
  const shared = { form, optional: true } as const;
  return (
    <>
      <PageHeader title="Create link" />
      <Form form={form} action={`${path}/new`} check={`${path}/check`}>
        <DefaultButton />
        <Section id="target" title="Link" hint="The destination URL and the short link.">
          <Field
            form={form}
            name="url"
            type="url"
            label={linkFields.url.label}
            placeholder="https://example.com/page"
            autofocus
            code
          />
          {hosts.length > 0 && (
            <Select
              {...shared}
              name="custom_domain"
              label={linkFields.custom_domain.label}
              options={[{ value: '', label: serviceHost }, ...hosts.map((host) => ({ value: host, label: host }))]}
            />
          )}
          <Field
            {...shared}
            name="slug"
            label={linkFields.slug.label}
            hint={`The last part of the short link on ${hosts.length > 0 ? 'its domain' : serviceHost}. Generated if empty.`}
            spellcheck={false}
            code
          />
        </Section>
        <Section
          id="utm"
          title="UTM parameters"
          hint="Added to the destination URL, so that analytics tools can show where visitors came from."
        >
          <div class="pairs">
            {UTM_NAMES.map((name) => (
              <Field {...shared} name={name} label={UTM[name].label} placeholder={UTM[name].example} />
            ))}
          </div>
          <p class="quiet preview" hidden>
            Leads to <code data-target></code>
          </p>
        </Section>
        <Details {...{ form, timeZone, campaigns }} isNew />
        <Options {...{ form, timeZone }} action={`${path}/new`} hasCustomDomain={hosts.length > 0} stored={null}>
          <Actions>
            <Button>Create link</Button>
            <ButtonLink href={path}>Cancel</ButtonLink>
          </Actions>
        </Options>
      </Form>
    </>
  );
}
