import type { Domain } from '../../domains/domain.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { Button } from '../kit/button.tsx';
import { Form } from '../kit/form.tsx';
import { Section } from '../kit/section.tsx';

/** A sentence on the case of a domain's slugs, and for owners a form to change it. */
export function CaseSection({
  domain: { caseSensitive },
  isOwner,
  form,
  action,
}: {
  domain: Domain;
  isOwner: boolean;
  form: FormState | undefined;
  action: string;
}) {
  return (
    <Section id="case" title="Case sensitivity" hint="You can change this until the domain has its first link.">
      <p>
        {caseSensitive
          ? 'Slugs are case-sensitive: /Sale and /sale can be two links.'
          : 'Slugs are case-insensitive: if the slug /Sale exists, /sale cannot be created.'}
      </p>
      {isOwner && (
        <Form form={form ?? newForm()} action={action}>
          <input type="hidden" name="case_sensitive" value={String(!caseSensitive)} />
          <Button kind="quiet">{caseSensitive ? 'Turn off case sensitivity' : 'Turn on case sensitivity'}</Button>
        </Form>
      )}
    </Section>
  );
}
