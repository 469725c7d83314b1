import type { Child, PropsWithChildren } from 'hono/jsx';
import { controlId, describedBy, FaultAndHint } from './fault-and-hint.tsx';
import { isFirstField } from './first-field.ts';
import type { FieldProps, Option } from './form.tsx';

/** A checkbox, sent as `value` ("on" by default), or one button of a radio group. */
export function Checkbox({
  type = 'checkbox',
  name,
  label,
  value = 'on',
  hint,
  checked = false,
}: {
  type?: 'checkbox' | 'radio';
  name: string;
  label: Child;
  value?: string;
  hint?: Child;
  checked?: boolean;
}) {
  return (
    <label class="checkbox">
      <input
        type={type}
        name={name}
        value={value}
        checked={checked}
        autofocus={(checked || type === 'checkbox') && isFirstField()}
      />
      <span>
        {label}
        {hint && <span class="hint">{hint}</span>}
      </span>
    </label>
  );
}

type GroupProps = FieldProps & { readonly options: readonly (Option & { readonly hint?: Child })[] };

/** Several of a few options, as checkboxes; the form's value has the checked ones, separated by spaces. */
export function CheckboxGroup({ value = '', options, ...props }: GroupProps) {
  const { form, name } = props;
  const ticked = new Set((form.values[name] ?? value).split(' '));
  return (
    <GroupFrame {...props}>
      {options.map((option) => (
        <Checkbox {...option} name={name} checked={ticked.has(option.value)} />
      ))}
    </GroupFrame>
  );
}

/** One of a few options, each with its meaning. */
export function RadioGroup({ value = '', options, ...props }: GroupProps) {
  const { form, name } = props;
  const chosen = form.values[name] ?? value;
  return (
    <GroupFrame {...props}>
      {options.map((option) => (
        <Checkbox {...option} type="radio" name={name} checked={option.value === chosen} />
      ))}
    </GroupFrame>
  );
}

/** The legend, hint and fault around boxes that form one field. */
function GroupFrame({ form, name, label, hint, children }: PropsWithChildren<FieldProps>) {
  const fault = form.faults[name];
  return (
    <fieldset class="group" id={controlId(name)} tabindex={-1} aria-describedby={describedBy(name, fault, hint)}>
      <legend>{label}</legend>
      {children}
      <FaultAndHint {...{ name, label, fault, hint }} />
    </fieldset>
  );
}
