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
import { useWords } from '../words.tsx';
import { AppLinksForm } from './domain-app-links.tsx';

/** The forms of a domain's page, as it names them. */
export type FormOfDomain = 'form' | 'slugsForm' | 'appLinksForm';

/** One of these forms while nothing of the domain can be read. @param path that of the domain's page */
export function FormAlone({ name, form, path }: { name: FormOfDomain; form: FormState; path: string }) {
  const { text } = useWords();
  if (name === 'form') {
    return (
      <UrlsSection>
        <UrlsForm form={form} action={path} />
      </UrlsSection>
    );
  }
  if (name === 'appLinksForm') {
    return (
      <Section id="app-links" title={text('domains.appLinks')}>
        <AppLinksForm form={form} action={`${path}/app-links`} host={null} />
      </Section>
    );
  }
  return (
    <Section id="slugs" title={text('domains.slugs')}>
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
  const { text } = useWords();
  return (
    <Section id="urls" title={text('domains.urls')} hint={text('domains.urlsHint')}>
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
        <Button kind="quiet">{useWords().text('kit.save')}</Button>
      </Actions>
    </Form>
  );
}

/** Where a host leads without a link; the fields of both forms. */
function UrlFields({ form }: { form: FormState }) {
  const { text } = useWords();
  const shared = { form, type: 'url', inputmode: 'url', autocomplete: 'off', optional: true } as const;
  return (
    <>
      <Field {...shared} name="root_url" label={text('domains.rootUrl')} hint={text('domains.rootUrlHint')} />
      <Field
        {...shared}
        name="not_found_url"
        label={text('domains.notFoundUrl')}
        hint={text('domains.notFoundUrlHint')}
      />
    </>
  );
}

/** The form of the first domain, in the empty list. @param path the path of the whole form */
export function FirstDomain({ path }: { path: string }) {
  const { text } = useWords();
  const form = newForm();
  return (
    <Form form={form} action={path}>
      <HostField form={form} />
      <Actions>
        <Button>{text('kit.addDomain')}</Button>
        <ButtonLink href={path}>{text('domains.moreOptions')}</ButtonLink>
      </Actions>
    </Form>
  );
}

function HostField({ form }: { form: FormState }) {
  return (
    <Field
      form={form}
      name="host"
      label={useWords().text('domains.host')}
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
  const { text } = useWords();
  const domains = clientPath(client, 'domains');
  return (
    <>
      <PageHeader title={text('kit.addDomain')} crumb={{ href: domains, label: text('domains.title') }} />
      <Section id="domain" title={text('domains.domain')} hint={text('domains.newHint')}>
        <Form form={form} action={`${domains}/new`}>
          <HostField form={form} />
          <UrlFields form={form} />
          <Checkbox
            name="case_sensitive"
            label={text('domains.caseSensitive')}
            hint={text('domains.caseSensitiveHint')}
            checked={form.values['case_sensitive'] === 'on'}
          />
          <Actions>
            <Button>{text('kit.addDomain')}</Button>
            <ButtonLink href={domains}>{text('kit.cancel')}</ButtonLink>
          </Actions>
        </Form>
      </Section>
    </>
  );
}
