import { UTM_NAMES, type UtmName } from '../../../links/destinations/utm.ts';
import type { FormState } from '../../forms/form.ts';
import { Field } from '../../kit/form.tsx';
import { useWords, type PlainKey } from '../../words.tsx';

/** The labels of the parameters, and an example of each. */
export const UTM: Readonly<Record<UtmName, { readonly label: PlainKey; readonly example: PlainKey }>> = {
  utm_source: { label: 'linkForm.utmSource', example: 'linkForm.exampleSource' },
  utm_medium: { label: 'linkForm.utmMedium', example: 'linkForm.exampleMedium' },
  utm_campaign: { label: 'linkForm.utmCampaign', example: 'linkForm.exampleCampaign' },
  utm_term: { label: 'linkForm.utmTerm', example: 'linkForm.exampleTerm' },
  utm_content: { label: 'linkForm.utmContent', example: 'linkForm.exampleContent' },
};

/** The UTM parameters of a new link. */
export function UtmFields({ form }: { form: FormState }) {
  const { text } = useWords();
  return (
    <>
      <p class="hint">{text('linkForm.utmHint')}</p>
      <div class="pairs">
        {UTM_NAMES.map((name) => (
          <Field form={form} name={name} label={text(UTM[name].label)} placeholder={text(UTM[name].example)} optional />
        ))}
      </div>
    </>
  );
}
