import type { Domain } from '../../domains/domain.ts';
import { DOMAIN_SLUG_LENGTHS } from '../../links/slugs/slug.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { Button } from '../kit/button.tsx';
import { Form } from '../kit/form.tsx';
import { Section } from '../kit/section.tsx';
import { SlugLengthForm } from '../links/slug-length-form.tsx';

/** The rules for the spelling of a domain's slugs, and for owners forms to change them. */
export function SlugsSection({
  domain: { caseSensitive, tolerant, slugLength },
  isOwner,
  form = newForm(),
  action,
}: {
  domain: Domain;
  isOwner: boolean;
  /** The form that was sent. */
  form: FormState | undefined;
  action: string;
}) {
  const settings = [
    {
      name: 'case_sensitive',
      is: caseSensitive,
      sentence: caseSensitive
        ? 'Slugs are case-sensitive: /Sale and /sale can be two links. You can change this until the domain has its first link.'
        : 'Slugs are case-insensitive: /Sale and /sale lead to the same link. You can change this until the domain has its first link.',
      label: caseSensitive ? 'Turn off case sensitivity' : 'Turn on case sensitivity',
    },
    {
      name: 'tolerant',
      is: tolerant,
      sentence: tolerant
        ? 'Punctuation that text programs add to a URL is ignored: /sale. leads to the link /sale.'
        : 'Punctuation that text programs add to a URL is not ignored: /sale. is not found, even if there is a link /sale.',
      label: tolerant ? 'Do not ignore punctuation' : 'Ignore added punctuation',
    },
  ];
  return (
    <Section id="slugs" title="Spelling of slugs">
      {settings.map(({ name, is, sentence, label }) => (
        <>
          <p>{sentence}</p>
          {isOwner && (
            <Form form={name in form.values ? form : newForm()} action={action}>
              <input type="hidden" name={name} value={String(!is)} />
              <Button kind="quiet">{label}</Button>
            </Form>
          )}
        </>
      ))}
      <p>{`Links without a slug of your choice get one of ${slugLength} characters.`}</p>
      {isOwner && <SlugLengthForm lengths={DOMAIN_SLUG_LENGTHS} {...{ slugLength, form, action }} />}
    </Section>
  );
}
