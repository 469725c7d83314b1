import type { Domain } from '../../domains/domain.ts';
import { DOMAIN_SLUG_LENGTHS } from '../../links/slugs/slug.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { Actions, Button } from '../kit/button.tsx';
import { Form } from '../kit/form.tsx';
import { Section } from '../kit/section.tsx';
import { SlugLengthForm } from '../links/slug-length-form.tsx';
import { useWords } from '../words.tsx';

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
  const { text } = useWords();
  const settings = [
    {
      name: 'case_sensitive',
      is: caseSensitive,
      sentence: caseSensitive ? 'domains.isCaseSensitive' : 'domains.isCaseInsensitive',
      label: caseSensitive ? 'domains.caseOff' : 'domains.caseOn',
    },
    {
      name: 'tolerant',
      is: tolerant,
      sentence: tolerant ? 'domains.isTolerant' : 'domains.isStrict',
      label: tolerant ? 'domains.tolerantOff' : 'domains.tolerantOn',
    },
  ] as const;
  return (
    <Section id="slugs" title={text('domains.slugs')}>
      {settings.map(({ name, is, sentence, label }) => (
        <>
          <p>{text(sentence)}</p>
          {isOwner && (
            <Form form={name in form.values ? form : newForm()} action={action}>
              <input type="hidden" name={name} value={String(!is)} />
              <Actions>
                <Button kind="quiet">{text(label)}</Button>
              </Actions>
            </Form>
          )}
        </>
      ))}
      <p>{text('domains.slugLength', { length: slugLength })}</p>
      {isOwner && <SlugLengthForm lengths={DOMAIN_SLUG_LENGTHS} {...{ slugLength, form, action }} />}
    </Section>
  );
}
