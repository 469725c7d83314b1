import type { LinkField } from '../../../links/fields/field.ts';
import type { FormState } from '../../forms/form.ts';
import { Field, Select, TextArea } from '../../kit/form.tsx';
import { TAGS } from '../../tags/offered.tsx';
import { CAMPAIGNS } from '../campaigns.tsx';

/** The input of one field of a link, as the table of fields describes it. */
export function Detail({
  name,
  field,
  form,
  timeZone,
  isNew,
}: {
  name: string;
  field: LinkField;
  form: FormState;
  timeZone: string;
  isNew: boolean;
}) {
  const { label, input, isClearable } = field;
  if (!input) return null;
  const hint = isNew ? input.hint : (input.editHint ?? input.hint);
  // A field that a link always has is generated for a new link, and may not be emptied later.
  const props = { form, name, label, hint, optional: isNew || isClearable, code: input.isCode === true };
  switch (input.kind) {
    case 'lines':
      return <TextArea {...props} rows={3} />;
    case 'choice': {
      const { code: _, ...rest } = props;
      const options = Object.entries(input.choices ?? {}).map(([value, text]) => ({ value, label: text }));
      return <Select {...rest} options={options} value={input.choiceIfAbsent ?? ''} optional={false} />;
    }
    case 'password':
      return <Field {...props} type="password" autocomplete="new-password" />;
    case 'count':
      return <Field {...props} type="number" inputmode="numeric" />;
    case 'url':
      return <Field {...props} type="url" />;
    case 'line':
      return <Field {...props} spellcheck={!input.isCode} {...OFFERED[name]} />;
    case 'instant':
      break;
  }
  const clocks = `Time in ${timeZone.replaceAll('_', ' ')}.`;
  return <Field {...props} type="datetime-local" hint={[clocks, hint].filter(Boolean).join(' ')} />;
}

/** The lists that fields offer, by their ids. */
const OFFERED: Readonly<Record<string, { readonly list: string; readonly several?: boolean }>> = {
  campaign_name: { list: CAMPAIGNS },
  tags: { list: TAGS, several: true },
};
