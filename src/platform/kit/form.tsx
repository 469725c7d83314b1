import type { Child, PropsWithChildren } from 'hono/jsx';
import type { FormState } from '../form.ts';
import { Notice } from './notice.tsx';

/** A form that posts to a path of ours; without `action`, to its own page. What is wrong with no field is said at its head. */
export function Form({
  form,
  action,
  multipart = false,
  check,
  children,
}: PropsWithChildren<{
  form?: FormState;
  action?: string;
  multipart?: boolean;
  /** The path that says what is wrong with the fields while they are filled in, where scripts run. */
  check?: string;
}>) {
  return (
    <form
      class="form"
      method="post"
      action={action}
      enctype={multipart ? 'multipart/form-data' : undefined}
      data-check={check}
      novalidate
    >
      {form?.complaint && <Notice kind="danger">{form.complaint}</Notice>}
      {children}
    </form>
  );
}

/** What each field of a form has: the form tells its value and its fault by its name. */
export interface FieldProps {
  readonly form: FormState;
  readonly name: string;
  readonly label: string;
  /** Said under the field, always. */
  readonly hint?: Child;
  /** Where the form has no value yet. */
  readonly value?: string;
  /** Marks a field that may be left empty. */
  readonly optional?: boolean;
}

interface TextFieldProps extends FieldProps {
  /** A password is never shown again. */
  readonly type?: 'text' | 'url' | 'password' | 'search' | 'number' | 'date' | 'datetime-local';
  readonly autocomplete?: string;
  readonly inputmode?: 'text' | 'url' | 'numeric';
  readonly placeholder?: string;
  readonly spellcheck?: boolean;
  readonly autofocus?: boolean;
  /** Ids and other things of code, in its type. */
  readonly code?: boolean;
}

/** A line of text. */
export function Field({ type = 'text', code = false, autofocus, spellcheck, ...props }: TextFieldProps) {
  const { control, value } = controlOf(props);
  const { autocomplete, inputmode, placeholder } = props;
  return (
    <FieldFrame {...props}>
      <input
        {...control}
        {...{ type, autocomplete, inputmode, placeholder }}
        class={code ? 'code' : undefined}
        value={type === 'password' ? undefined : value}
        spellcheck={spellcheck}
        autocapitalize={type === 'password' || code ? 'none' : undefined}
        autofocus={control.autofocus || autofocus}
      />
    </FieldFrame>
  );
}

/** Several lines of text. */
export function TextArea({ rows = 4, code = false, ...props }: FieldProps & { rows?: number; code?: boolean }) {
  const { control, value } = controlOf(props);
  return (
    <FieldFrame {...props}>
      <textarea {...control} rows={rows} class={code ? 'code' : undefined}>
        {value}
      </textarea>
    </FieldFrame>
  );
}

/** A file of the user's; browsers forget it when a form is shown again. */
export function FileField({ accept, ...props }: FieldProps & { accept: string }) {
  const { control } = controlOf(props);
  return (
    <FieldFrame {...props}>
      <input {...control} type="file" accept={accept} />
    </FieldFrame>
  );
}

/** One of a list. */
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

/** A box to tick, sent as `value` ("on", if left out). */
export function Checkbox({
  name,
  label,
  value = 'on',
  hint,
  checked = false,
}: {
  name: string;
  label: Child;
  value?: string;
  hint?: Child;
  checked?: boolean;
}) {
  return (
    <label class="checkbox">
      <input type="checkbox" name={name} value={value} checked={checked} />
      <span>
        {label}
        {hint && <span class="hint">{hint}</span>}
      </span>
    </label>
  );
}

/** Some of a few, as boxes to tick; the form's value is the ticked ones with spaces between. */
export function CheckboxGroup({
  form,
  name,
  label,
  hint,
  value = '',
  options,
}: FieldProps & { options: readonly (Option & { readonly hint?: Child })[] }) {
  const fault = form.faults[name];
  const ticked = new Set((form.values[name] ?? value).split(' '));
  const described = [fault && `fault-${name}`, hint && `hint-${name}`].filter(Boolean).join(' ');
  return (
    <fieldset class="group" aria-describedby={described || undefined}>
      <legend>{label}</legend>
      {options.map((option) => (
        <Checkbox {...option} name={name} checked={ticked.has(option.value)} />
      ))}
      <FaultAndHint {...{ name, fault, hint }} />
    </fieldset>
  );
}

/** One of a few, each with what it means. */
export function RadioGroup({
  form,
  name,
  label,
  hint,
  value = '',
  options,
}: FieldProps & { options: readonly (Option & { readonly hint?: Child })[] }) {
  const fault = form.faults[name];
  const chosen = form.values[name] ?? value;
  const described = [fault && `fault-${name}`, hint && `hint-${name}`].filter(Boolean).join(' ');
  return (
    <fieldset class="group" aria-describedby={described || undefined}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label class="checkbox">
          <input type="radio" name={name} value={option.value} checked={option.value === chosen} />
          <span>
            {option.label}
            {option.hint && <span class="hint">{option.hint}</span>}
          </span>
        </label>
      ))}
      <FaultAndHint {...{ name, fault, hint }} />
    </fieldset>
  );
}

/** A field that nobody sees. */
export function Hidden({ name, value }: { name: string; value: string }) {
  return <input type="hidden" name={name} value={value} />;
}

/** The label, hint and fault around a control that has been given `controlOf`'s attributes. */
function FieldFrame({ form, name, label, hint, optional, children }: PropsWithChildren<FieldProps>) {
  const fault = form.faults[name];
  return (
    <div class="field">
      <label for={`field-${name}`}>
        {label}
        {optional && <span class="optional"> optional</span>}
      </label>
      {children}
      <FaultAndHint {...{ name, fault, hint }} />
    </div>
  );
}

function FaultAndHint({ name, fault, hint }: { name: string; fault: string | undefined; hint: Child }) {
  return (
    <>
      {fault && (
        <p class="fault" id={`fault-${name}`}>
          {fault}
        </p>
      )}
      {hint && (
        <p class="hint" id={`hint-${name}`}>
          {hint}
        </p>
      )}
    </>
  );
}

function controlOf({ form, name, hint, value, optional }: FieldProps) {
  const isFaulty = form.faults[name] !== undefined;
  const described = [isFaulty && `fault-${name}`, hint && `hint-${name}`].filter(Boolean).join(' ');
  return {
    control: {
      id: `field-${name}`,
      name,
      required: !optional,
      'aria-invalid': isFaulty ? ('true' as const) : undefined,
      'aria-describedby': described || undefined,
      // Whoever has to mend a form begins there.
      autofocus: Object.keys(form.faults)[0] === name,
    },
    value: form.values[name] ?? value ?? '',
  };
}
