import type { MailDomain } from '../../accounts/providers/mail-domains.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { Actions, Button } from '../kit/button.tsx';
import { CopyField } from '../kit/copy.tsx';
import { Field, Form, Hidden } from '../kit/form.tsx';
import { Badge } from '../kit/notice.tsx';
import { Section } from '../kit/section.tsx';
import { useWords } from '../words.tsx';

/** The mail domains of a workspace, each with the record that proves it. */
export function MailDomains({
  domains,
  form,
  settings,
}: {
  domains: readonly MailDomain[];
  form: FormState;
  settings: string;
}) {
  const { text } = useWords();
  return (
    <Section id="mail-domains" title={text('providers.domains')} hint={text('providers.domainsHint')}>
      {domains.map((each) => (
        // The form keeps the distances of its parts.
        <Form form={newForm()} action={`${settings}/domains/verify`} isKept={false}>
          <p>
            <strong>
              <bdi dir="ltr">{each.domain}</bdi>
            </strong>{' '}
            <Badge kind={each.isProven ? 'success' : 'info'}>
              {text(each.isProven ? 'providers.domainProven' : 'providers.domainPending')}
            </Badge>
          </p>
          <p>{text('providers.domainRecord')}</p>
          <CopyField
            id={`record-name-${each.domain}`}
            label={text('domains.recordName')}
            value={each.record.name}
            wide
          />
          <CopyField
            id={`record-value-${each.domain}`}
            label={text('domains.recordValue')}
            value={each.record.value}
            wide
          />
          <Hidden name="domain" value={each.domain} />
          <Actions>
            <Button kind="quiet" label={text('providers.verifyDomainOf', { domain: each.domain })}>
              {text('providers.verifyDomain')}
            </Button>
            <Button
              kind="quiet"
              action={`${settings}/domains/remove`}
              label={text('providers.removeDomainOf', { domain: each.domain })}
            >
              {text('providers.removeDomain')}
            </Button>
          </Actions>
        </Form>
      ))}
      <Form form={form} action={`${settings}/domains`}>
        <Field
          form={form}
          name="domain"
          label={text('providers.domain')}
          hint={text('providers.domainHint')}
          spellcheck={false}
          code
        />
        <Actions>
          <Button kind="quiet">{text('providers.addDomain')}</Button>
        </Actions>
      </Form>
    </Section>
  );
}
