import { newForm, type FormState } from '../forms/form.ts';
import { Actions, Button } from '../kit/button.tsx';
import { Form, Select } from '../kit/form.tsx';
import { useWords } from '../words.tsx';

/** The form that chooses how many characters generated slugs have, of a workspace or of a domain. */
export function SlugLengthForm({
  slugLength,
  lengths: { least, most },
  form: sent,
  action,
}: {
  slugLength: number;
  lengths: { readonly least: number; readonly most: number };
  /** The form that was sent, of this page. */
  form: FormState;
  action: string;
}) {
  const form = 'slug_length' in sent.values ? sent : newForm({ slug_length: String(slugLength) });
  const { text } = useWords();
  const lengths = Array.from({ length: most - least + 1 }, (_, index) => String(least + index));
  return (
    <Form form={form} action={action}>
      <Select
        form={form}
        name="slug_length"
        label={text('linkForm.slugLength')}
        hint={text('linkForm.slugLengthHint')}
        options={lengths.map((length) => ({ value: length, label: length }))}
      />
      <Actions>
        <Button kind="quiet">{text('linkForm.saveLength')}</Button>
      </Actions>
    </Form>
  );
}
