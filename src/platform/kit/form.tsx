import { useContext, type Child, type PropsWithChildren } from 'hono/jsx';
import type { FormState } from '../forms/form.ts';
import { TYPED_BY } from '../forms/resume-form.ts';
import { useWords } from '../words.tsx';
import { controlId, describedBy, FaultAndHint } from './fault-and-hint.tsx';
import { isFirstField } from './first-field.ts';
import { isRefused, WithSummary } from './summary.tsx';
import { unsavedOf } from './unsaved.ts';
import { ViewerId } from './viewer.ts';

/** A form that posts to a path of this service; without `action`, to its own page. Its faults are summed up at its top. */
export function Form({
  form,
  action,
  multipart = false,
  check,
  about,
  isKept = true,
  asks,
  redraws = false,
  children,
}: PropsWithChildren<{
  form: FormState;
  action?: string;
  multipart?: boolean;
  /** The path that checks the fields while they are filled in, if scripts run. */
  check?: string;
  /** The message of the summary about the whole form, if it was refused. */
  about?: Child;
  /** True if what was typed is kept after the session has expired: not for files, nor if its path does not show it. */
  isKept?: boolean;
  /** True if its page is left only after a question, if scripts run; by default once something has been typed. */
  asks?: boolean;
  /** True if its page is shown anew as its fields change, if scripts run. */
  redraws?: boolean;
}>) {
  const viewerId = useContext(ViewerId);
  return (
    <form
      class="form"
      method="post"
      action={action}
      enctype={multipart ? 'multipart/form-data' : undefined}
      data-check={check}
      data-redraws={redraws ? '' : undefined}
      {...unsavedOf(form, asks)}
      novalidate
    >
      {isKept && viewerId !== null && <Hidden name={TYPED_BY} value={viewerId} />}
      <WithSummary form={form} about={about}>
        {children}
      </WithSummary>
    </form>
  );
}

/** The props of every field. The form has its value and its fault, by its name. */
export interface FieldProps {
  readonly form: FormState;
  readonly name: string;
  readonly label: string;
  /** Its name in the summary of the form, if the label is a question. */
  readonly named?: string;
  /** The name in the summary of the form before the label, such as "Rule 1", if other fields have the same label. */
  readonly within?: string;
  /** A hint that is always shown under the field. */
  readonly hint?: Child;
  /** The value if the form has none yet. */
  readonly value?: string;
  /** Marks a field that may be left empty. */
  readonly optional?: boolean;
  /** The ids, separated by spaces, of what depends on the value, which a script then takes from the form's page. */
  readonly updates?: string;
}

interface TextFieldProps extends FieldProps {
  /** A password is never shown again. */
  readonly type?:
    | 'text'
    | 'url'
    | 'email'
    | 'password'
    | 'search'
    | 'number'
    | 'date'
    | 'time'
    | 'datetime-local'
    | 'color';
  readonly autocomplete?: string;
  readonly inputmode?: 'text' | 'url' | 'numeric';
  readonly placeholder?: string;
  /** The id of a `datalist` with values to choose from. */
  readonly list?: string;
  /** True if the text has several values, separated by commas, each of which a script shows by itself. */
  readonly several?: boolean;
  readonly spellcheck?: boolean;
  readonly autofocus?: boolean;
  /** For ids and other parts of code, in a monospace font. */
  readonly code?: boolean;
}

/** A line of text. */
export function Field({ type = 'text', code = false, autofocus, spellcheck, ...props }: TextFieldProps) {
  const { control, value } = controlOf(props);
  const { autocomplete, inputmode, placeholder, list, several } = props;
  return (
    <FieldFrame {...props}>
      <input
        {...control}
        {...{ type, autocomplete, inputmode, placeholder, list }}
        data-several={several ? '' : undefined}
        class={code ? 'code' : undefined}
        value={type === 'password' ? undefined : value}
        spellcheck={spellcheck}
        autocapitalize={type === 'password' || code ? 'none' : undefined}
        autofocus={control.autofocus || (autofocus === true && !isRefused(props.form))}
      />
    </FieldFrame>
  );
}

/** Several lines of text. */
export function TextArea({ rows = 4, code = false, ...props }: FieldProps & { rows?: number; code?: boolean }) {
  const { control, value } = controlOf(props);
  // Browsers drop a line feed directly after the tag, which would be the first one of the value.
  const text = `\n${value}`;
  return (
    <FieldFrame {...props}>
      <textarea {...control} rows={rows} class={code ? 'code' : undefined}>
        {text}
      </textarea>
    </FieldFrame>
  );
}

/** One of several options. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

export function Select({ options, ...props }: FieldProps & { options: readonly Option[] }) {
  const { control, value } = controlOf(props);
  return (
    <FieldFrame {...props}>
      <select {...control}>
        {options.map((option) => (
          <option value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

/** A hidden field. */
export function Hidden({ name, value }: { name: string; value: string }) {
  return <input type="hidden" name={name} value={value} />;
}

/** The label, hint and fault around a control with the attributes of `controlOf`. */
export function FieldFrame({
  form,
  name,
  label,
  named = label,
  within,
  hint,
  optional,
  children,
}: PropsWithChildren<FieldProps>) {
  const { text } = useWords();
  const fault = form.faults[name];
  return (
    <div class="field">
      <label for={controlId(name)}>
        {label}
        {optional && <span class="optional"> {text('kit.optional')}</span>}
      </label>
      {children}
      <FaultAndHint {...{ name, fault, hint }} label={within ? text('kit.within', { within, named }) : named} />
    </div>
  );
}

export function controlOf({ form, name, hint, value, optional, updates }: FieldProps) {
  const fault = form.faults[name];
  return {
    control: {
      id: controlId(name),
      name,
      required: !optional,
      'aria-invalid': fault === undefined ? undefined : ('true' as const),
      'aria-describedby': describedBy(name, fault, hint),
      'data-updates': updates,
      autofocus: isFirstField(),
    },
    value: form.values[name] ?? value ?? '',
  };
}
