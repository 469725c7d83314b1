import type { Domain } from '../domains/domain.ts';
import type { FormState } from './form.ts';
import { Button } from './kit/button.tsx';
import { Form } from './kit/form.tsx';
import { Section } from './kit/section.tsx';

/** Whether slugs of a domain may differ in case alone, and for its owners a form to change it. */
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
    <Section id="case" title="Capital letters" hint="It can be changed until the domain has its first link.">
      <p>
        {caseSensitive
          ? 'Slugs may differ in capital letters alone: /Sale and /sale are two links.'
          : 'No two slugs differ in capital letters alone: where /Sale is a link, /sale can be none.'}
      </p>
      {isOwner && (
        <Form {...(form && { form })} action={action}>
          <input type="hidden" name="case_sensitive" value={String(!caseSensitive)} />
          <Button kind="quiet">{caseSensitive ? 'No longer tell them apart' : 'Tell them apart'}</Button>
        </Form>
      )}
    </Section>
  );
}
