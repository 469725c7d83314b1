import type { LinkField } from '../../../links/fields/field.ts';
import { linkFields, type FieldName } from '../../../links/fields/table.ts';
import type { FormState } from '../../forms/form.ts';
import { Field, Select, TextArea } from '../../kit/form.tsx';
import { TAGS } from '../../tags/offered.tsx';
import { useWords } from '../../words.tsx';
import { CAMPAIGNS } from '../campaigns.tsx';
import { choicesOf, hintOf, labelOf } from '../field-words.ts';

/** The input of one field of a link, as the table of fields describes it. */
export function Detail({
  name,
  form,
  timeZone,
  isNew,
}: {
  name: FieldName;
  form: FormState;
  timeZone: string;
  isNew: boolean;
}) {
  const words = useWords();
  const { input, isClearable }: LinkField = linkFields[name];
  if (!input) return null;
  // A field that a link always has is generated for a new link, and may not be emptied later.
  const props = {
    form,
    name,
    label: labelOf(words, name),
    hint: hintOf(words, name, isNew, timeZone),
    optional: isNew || isClearable,
    code: input.isCode === true,
  };
  switch (input.kind) {
    case 'lines':
      return <TextArea {...props} rows={3} />;
    case 'choice': {
      const { code: _, ...rest } = props;
      const options = Object.entries(choicesOf(words, name)).map(([value, label]) => ({ value, label }));
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
    default:
      return <Field {...props} type="datetime-local" />;
  }
}

/** The lists that fields offer, by their ids. */
const OFFERED: Readonly<Record<string, { readonly list: string; readonly several?: boolean }>> = {
  campaign_name: { list: CAMPAIGNS },
  tags: { list: TAGS, several: true },
};
