import type { Child } from 'hono/jsx';
import { linkFields } from '../../../links/fields/table.ts';
import type { Preset } from '../../../links/presets/presets.ts';
import { UTM_NAMES, type UtmName } from '../../../links/destinations/utm.ts';
import type { OwnClient } from '../../env.ts';
import type { FormState } from '../../forms/form.ts';
import { Actions, Button, ButtonLink, DefaultButton } from '../../kit/button.tsx';
import { Field, Form, Select } from '../../kit/form.tsx';
import { PageHeader, Section } from '../../kit/section.tsx';
import { clientPath } from '../../nav.ts';
import { UtmTemplates } from '../../utm-templates/apply.tsx';
import { DETAIL_NAMES, Details } from './details.tsx';
import { SAME_DESTINATION, Same, SHORT_URL } from './new-live.tsx';
import { OptionDisclosure, Options } from './options.tsx';
import type { SameDestination } from './same-destination.ts';
import { displayHost } from '../display-url.ts';

export const UTM: Readonly<Record<UtmName, { readonly label: string; readonly example: string }>> = {
  utm_source: { label: 'Source', example: 'newsletter' },
  utm_medium: { label: 'Medium', example: 'e-mail' },
  utm_campaign: { label: 'Campaign', example: 'spring_sale' },
  utm_term: { label: 'Term', example: 'running shoes' },
  utm_content: { label: 'Content', example: 'header_link' },
};

interface NewLinkProps {
  readonly client: OwnClient;
  readonly form: FormState;
  readonly timeZone: string;
  readonly serviceHost: string;
  /** The short link as it will be, or null. */
  readonly shortUrl: Child;
  /** Custom domains that take new links. */
  readonly hosts: readonly string[];
  readonly campaigns: readonly string[];
  /** The UTM templates of the workspace. */
  readonly templates: readonly Preset[];
  /** The links that lead to the destination already. */
  readonly same: SameDestination | null;
}

/** The form of a new link: where it leads and its address; all else is folded until it is used. */
export function NewLinkPage(props: NewLinkProps) {
  const { client, form, timeZone, hosts, campaigns, templates } = props;
  const path = clientPath(client, 'links');
  const isSet = (names: readonly string[]) => names.some((name) => (form.values[name] ?? '') !== '');
  return (
    <>
      <PageHeader title="Create link" crumb={{ href: path, label: 'Links' }} />
      <Form form={form} action={`${path}/new`} check={`${path}/check`}>
        <DefaultButton />
        <Address {...props} path={path} />
        <Options
          {...{ form, timeZone }}
          title="More options"
          action={`${path}/new`}
          hasCustomDomain={hosts.length > 0}
          stored={null}
          first={
            <>
              <OptionDisclosure label="UTM parameters" isUsed={isSet(UTM_NAMES)} names={UTM_NAMES} form={form}>
                <UtmTemplates {...{ client, templates }} action={`${path}/new`} />
                <Utm form={form} />
              </OptionDisclosure>
              <OptionDisclosure label="Details" isUsed={isSet(DETAIL_NAMES)} names={DETAIL_NAMES} form={form}>
                <Details {...{ form, timeZone, campaigns }} isNew />
              </OptionDisclosure>
            </>
          }
        >
          <div class="actions again">
            <Button>Create link</Button>
          </div>
        </Options>
      </Form>
    </>
  );
}

function Address({ form, serviceHost, shortUrl, hosts, same, path }: NewLinkProps & { path: string }) {
  const shared = { form, optional: true } as const;
  return (
    <Section id="target" title="Link" hint="The destination URL and the short link.">
      <div>
        <Field
          form={form}
          name="url"
          type="url"
          label={linkFields.url.label}
          placeholder="https://example.com/page"
          autofocus
          code
        />
        <div id={SAME_DESTINATION} aria-live="polite">
          <Same same={same} />
        </div>
      </div>
      <div>
        <div class="short-url">
          {hosts.length > 0 ? (
            <Select
              form={form}
              name="custom_domain"
              label={linkFields.custom_domain.label}
              options={[
                { value: '', label: displayHost(serviceHost) },
                ...hosts.map((each) => ({ value: each, label: displayHost(each) })),
              ]}
            />
          ) : (
            <span class="host" dir="ltr">
              {displayHost(serviceHost)}
            </span>
          )}
          <span class="host" aria-hidden="true">
            /
          </span>
          <Field {...shared} name="slug" label={linkFields.slug.label} spellcheck={false} code />
        </div>
        <p class="hint" id={SHORT_URL}>
          {shortUrl}
        </p>
      </div>
      <Actions>
        <Button>Create link</Button>
        <ButtonLink href={path}>Cancel</ButtonLink>
      </Actions>
    </Section>
  );
}

function Utm({ form }: { form: FormState }) {
  return (
    <>
      <p class="hint">Added to the destination URL, so that analytics tools can show where visitors came from.</p>
      <div class="pairs">
        {UTM_NAMES.map((name) => (
          <Field form={form} name={name} label={UTM[name].label} placeholder={UTM[name].example} optional />
        ))}
      </div>
      <p class="quiet preview" hidden>
        Leads to <code data-target></code>
      </p>
    </>
  );
}
