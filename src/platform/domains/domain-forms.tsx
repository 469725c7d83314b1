import type { PropsWithChildren } from 'hono/jsx';
import { DOMAIN_SLUG_LENGTHS } from '../../links/slugs/slug.ts';
import type { OwnClient } from '../env.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Checkbox } from '../kit/boxes.tsx';
import { Field, Form } from '../kit/form.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { SlugLengthForm } from '../links/slug-length-form.tsx';
import { clientPath } from '../nav.ts';
import { AppLinksForm } from './domain-app-links.tsx';

/** The forms of a domain's page, as it names them. */
export type FormOfDomain = 'form' | 'slugsForm' | 'appLinksForm';

/** One of these forms while nothing of the domain can be read. @param path that of the domain's page */
export function FormAlone({ name, form, path }: { name: FormOfDomain; form: FormState; path: string }) {
  if (name === 'form') {
    return (
      <UrlsSection>
        <UrlsForm form={form} action={path} />
      </UrlsSection>
    );
  }
  if (name === 'appLinksForm') {
    return (
      <Section id="app-links" title="App links">
        <AppLinksForm form={form} action={`${path}/app-links`} host={null} />
      </Section>
    );
  }
  return (
    <Section id="slugs" title="Spelling of slugs">
      <SlugLengthForm
        slugLength={Number(form.values['slug_length'])}
        lengths={DOMAIN_SLUG_LENGTHS}
        form={form}
        action={`${path}/slugs`}
      />
    </Section>
  );
}

/** The part of a domain's page that says where its host leads without a link. */
export function UrlsSection({ children }: PropsWithChildren) {
  return (
    <Section
      id="urls"
      title="Fallback URLs"
      hint="Where visitors are redirected if the URL has no slug or an unknown one."
    >
      {children}
    </Section>
  );
}

/** The form that changes it. */
export function UrlsForm({ form, action }: { form: FormState; action: string }) {
  return (
    <Form form={form} action={action}>
      <UrlFields form={form} />
      <Actions>
        <Button kind="quiet">Save</Button>
      </Actions>
    </Form>
  );
}

/** Where a host leads without a link; the fields of both forms. */
function UrlFields({ form }: { form: FormState }) {
  const shared = { form, type: 'url', inputmode: 'url', autocomplete: 'off', optional: true } as const;
  return (
    <>
      <Field
        {...shared}
        name="root_url"
        label="Root URL"
        hint="Where the domain without a slug redirects. If empty, visitors see a 404 page."
      />
      <Field
        {...shared}
        name="not_found_url"
        label="Not-found URL"
        hint="Where unknown slugs redirect. If empty, visitors see a 404 page."
      />
    </>
  );
}

/** The form of the first domain, in the empty list. @param path the path of the whole form */
export function FirstDomain({ path }: { path: string }) {
  const form = newForm();
  return (
    <Form form={form} action={path}>
      <HostField form={form} />
      <Actions>
        <Button>Add domain</Button>
        <ButtonLink href={path}>More options</ButtonLink>
      </Actions>
    </Form>
  );
}

function HostField({ form }: { form: FormState }) {
  return (
    <Field
      form={form}
      name="host"
      label="Host"
      placeholder="go.example.com"
      autocomplete="off"
      inputmode="url"
      spellcheck={false}
      autofocus
      code
    />
  );
}

export function NewDomainPage({ form, client }: { form: FormState; client: OwnClient }) {
  const domains = clientPath(client, 'domains');
  return (
    <>
      <PageHeader title="Add domain" crumb={{ href: domains, label: 'Domains' }} />
      <Section
        id="domain"
        title="Domain"
        hint="A domain that no other website uses. The next page shows the DNS records to add."
      >
        <Form form={form} action={`${domains}/new`}>
          <HostField form={form} />
          <UrlFields form={form} />
          <Checkbox
            name="case_sensitive"
            label="Case-sensitive slugs"
            hint="/Sale and /sale can be two links. You cannot change this once the domain has a link."
            checked={form.values['case_sensitive'] === 'on'}
          />
          <Actions>
            <Button>Add domain</Button>
            <ButtonLink href={domains}>Cancel</ButtonLink>
          </Actions>
        </Form>
      </Section>
    </>
  );
}
