import { UTM_NAMES, type UtmName } from '../../../links/destinations/utm.ts';
import type { FormState } from '../../forms/form.ts';
import { Field } from '../../kit/form.tsx';

export const UTM: Readonly<Record<UtmName, { readonly label: string; readonly example: string }>> = {
  utm_source: { label: 'Source', example: 'newsletter' },
  utm_medium: { label: 'Medium', example: 'e-mail' },
  utm_campaign: { label: 'Campaign', example: 'spring_sale' },
  utm_term: { label: 'Term', example: 'running shoes' },
  utm_content: { label: 'Content', example: 'header_link' },
};

/** The UTM parameters of a new link. */
export function UtmFields({ form }: { form: FormState }) {
  return (
    <>
      <p class="hint">Added to the destination URL, so that analytics tools can show where visitors came from.</p>
      <div class="pairs">
        {UTM_NAMES.map((name) => (
          <Field form={form} name={name} label={UTM[name].label} placeholder={UTM[name].example} optional />
        ))}
      </div>
    </>
  );
}
