import { newForm, type FormState } from '../forms/form.ts';
import { Button } from '../kit/button.tsx';
import { FileField } from '../kit/file-field.tsx';
import { Checkbox, CheckboxGroup, RadioGroup } from '../kit/boxes.tsx';
import { Field, Form, Select, TextArea } from '../kit/form.tsx';
import { Section } from '../kit/section.tsx';
import { Summary } from '../kit/summary.tsx';

const OPTIONS = [
  { value: 'one', label: 'One', hint: 'With a hint.' },
  { value: 'two', label: 'Two' },
];

const REFUSED: FormState = {
  values: { slug: 'no spaces' },
  faults: { slug: 'This must have no spaces.' },
  complaint: null,
};

/** Every field of a form, and one with a fault. */
export function Fields() {
  const form = newForm({ title: 'Alpine Lite 2', options: 'one', choice: 'two' });
  return (
    <Section id="fields" title="Fields" hint="A label, a hint where it helps, an error beside its field.">
      <Form form={form} isKept={false}>
        <Field form={form} name="title" label="Title" hint="Only members see it." optional />
        <Field form={form} name="empty" type="url" label="Destination" placeholder="https://example.com/page" code />
        <Field form={REFUSED} name="slug" label="Slug" />
        <TextArea form={form} name="comments" label="Comments" optional />
        <Select form={form} name="choice" label="Choice" options={OPTIONS} />
        <FileField form={form} name="file" label="File" accept=".csv" hint="Up to 2 MiB." />
        <Checkbox name="box" label="A box" hint="With a hint." />
        <CheckboxGroup form={form} name="options" label="Several" options={OPTIONS} />
        <RadioGroup form={form} name="choices" label="One of two" value="one" options={OPTIONS} />
        <Button>Save</Button>
      </Form>
      <Summary form={{ ...REFUSED, faults: {}, complaint: 'The link has been edited meanwhile.' }} />
    </Section>
  );
}
