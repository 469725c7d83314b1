import type { PropsWithChildren } from 'hono/jsx';
import type { LinkField } from '../../links/fields/field.ts';
import { FIELD_NAMES, fieldOf } from '../../links/fields/table.ts';
import type { FormState } from '../form.ts';
import { Field, TextArea } from '../kit/form.tsx';
import { Section } from '../kit/section.tsx';

/** The part of a link's form that is beside its target and slug; below the fields come the form's buttons. */
export function Details({
  form,
  timeZone,
  isNew,
  children,
}: PropsWithChildren<{
  form: FormState;
  timeZone: string;
  isNew: boolean;
}>) {
  return (
    <Section id="more" title="Details" hint="Use these to organise links and their click statistics.">
      {DETAILS.map(([name, field]) => (
        <Detail {...{ form, timeZone, isNew, name, field }} />
      ))}
      {children}
    </Section>
  );
}

function Detail({
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
  if (input.kind === 'lines') return <TextArea {...props} rows={3} />;
  if (input.kind === 'line') return <Field {...props} spellcheck={!input.isCode} />;
  const clocks = `Time in ${timeZone.replaceAll('_', ' ')}.`;
  return <Field {...props} type="datetime-local" hint={[clocks, hint].filter(Boolean).join(' ')} />;
}

/** The fields for people first, then those for programs. */
const DETAILS = FIELD_NAMES.flatMap((name) => {
  const field = fieldOf(name);
  return field?.input ? [[name, field] as const] : [];
}).toSorted(([, a], [, b]) => Number(a.input?.isCode ?? false) - Number(b.input?.isCode ?? false));
