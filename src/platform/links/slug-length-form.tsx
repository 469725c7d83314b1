import { newForm, type FormState } from '../forms/form.ts';
import { Actions, Button } from '../kit/button.tsx';
import { Form, Select } from '../kit/form.tsx';

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
  const lengths = Array.from({ length: most - least + 1 }, (_, index) => String(least + index));
  return (
    <Form form={form} action={action}>
      <Select
        form={form}
        name="slug_length"
        label="Characters of generated slugs"
        hint="Of new links. If few short slugs are left, a link gets a longer one."
        options={lengths.map((length) => ({ value: length, label: length }))}
      />
      <Actions>
        <Button kind="quiet">Save length</Button>
      </Actions>
    </Form>
  );
}
