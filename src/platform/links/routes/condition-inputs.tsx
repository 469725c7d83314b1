import { conditionTypes, type Condition } from '../../../links/routes/conditions/table.ts';
import { zoneOptions } from '../../account/zones.ts';
import { ItemFault } from '../../kit/fault-and-hint.tsx';
import { Checkbox } from '../../kit/boxes.tsx';
import { Field, Select, type Option } from '../../kit/form.tsx';
import { DAYS, type ConditionDraft } from './draft.ts';
import { EditButton, UpdateButton, type EditorProps } from './editor-parts.tsx';
import { offeredNames } from './value-names.ts';

/** The hints for the values of each type. */
const HINTS: Readonly<Record<Exclude<Condition['type'], 'date' | 'hours'>, string>> = {
  country: 'Names or codes, such as Germany, AT.',
  region: 'Codes of countries and regions, such as US-TX.',
  continent: 'Names or codes, such as Europe, NA.',
  language: 'Names or codes, such as German, pt-BR.',
  device: 'mobile, tablet or desktop.',
  os: 'Such as Android, iOS, Windows, macOS.',
  browser: 'Such as Chrome, Safari, Firefox.',
  visitor: 'human, bot or preview.',
  referrer: 'Hosts such as example.com, each with all hosts below it.',
  address: 'Networks such as 192.0.2.0/24 or 2001:db8::/32, or single addresses.',
  query: 'Values of the parameter. Empty if any value will do.',
};

const TYPES: readonly Option[] = Object.entries(conditionTypes).map(([value, { label }]) => ({ value, label }));

const NOT: readonly Option[] = [
  { value: '', label: 'is' },
  { value: 'true', label: 'is not' },
];

/** The id of the lists to choose from, and those of each. */
const CHOICES = 'condition-choices';
const listOf = (type: string) => `choices-${type}`;

/** One condition of a rule: its type, and the inputs that this type has. */
export function ConditionInputs({
  texts,
  place,
  isOnly,
  ...editor
}: EditorProps & {
  texts: ConditionDraft;
  /** Such as `rules.0.if.1`. */
  place: string;
  /** True if it is the only one of its rule. */
  isOnly: boolean;
}) {
  const { form, action } = editor;
  const [, rule, , index] = place.split('.').map(Number);
  const named = `condition ${(index ?? 0) + 1} of rule ${(rule ?? 0) + 1}`;
  const within = `Rule ${(rule ?? 0) + 1}, condition ${(index ?? 0) + 1}`;
  const inputs = `${place}.inputs`;
  return (
    <div class="condition" role="group" aria-label={`Condition ${(index ?? 0) + 1}`}>
      <Select
        {...{ form, within }}
        name={`${place}.type`}
        label="Condition"
        options={TYPES}
        updates={`${inputs} ${CHOICES}`}
      />
      <Select {...{ form, within }} name={`${place}.not`} label="If it" options={NOT} />
      <div class="condition-inputs" id={inputs}>
        <OfType {...{ texts, place, within, ...editor }} />
      </div>
      <div class="actions">
        <UpdateButton action={action} focus={`field-${place}.type`} label={`Update ${named}`} />
        {!isOnly && (
          <EditButton
            action={action}
            does={`${place}.remove`}
            focus={`${place.split('.', 3).join('.')}.add`}
            label={`Remove ${named}`}
          >
            Remove condition
          </EditButton>
        )}
      </div>
      <ItemFault name={place} label={within} fault={form.faults[place]} />
    </div>
  );
}

function OfType({
  texts,
  place,
  within,
  form,
  timeZone,
}: EditorProps & { texts: ConditionDraft; place: string; within: string }) {
  const type = (texts['type'] ?? '') as Condition['type'];
  const props = (name: string) => ({ form, within, name: `${place}.${name}` });
  if (type === 'date') {
    const hint = `Time in ${timeZone.replaceAll('_', ' ')}.`;
    return (
      <>
        <Field {...props('from')} type="datetime-local" label="From" hint={hint} optional />
        <Field {...props('until')} type="datetime-local" label="Until" optional />
      </>
    );
  }
  if (type === 'hours') {
    return (
      <>
        <Field {...props('from')} type="time" label="From" />
        <Field {...props('until')} type="time" label="Until" />
        <Field {...props('tz')} label="Time zone" value={timeZone} list={listOf('hours')} spellcheck={false} />
        <fieldset class="weekdays">
          <legend>Days, all if none is selected</legend>
          {DAYS.map((day) => (
            <Checkbox
              name={`${place}.days.${day}`}
              label={day.charAt(0).toUpperCase() + day.slice(1)}
              checked={texts[`days.${day}`] !== undefined}
            />
          ))}
        </fieldset>
      </>
    );
  }
  const hint = Object.hasOwn(HINTS, type) ? HINTS[type] : '';
  return (
    <>
      {type === 'query' && <Field {...props('name')} label="Parameter" spellcheck={false} code />}
      <Field
        {...props('in')}
        label="Values, separated by commas"
        hint={hint}
        optional={type === 'query'}
        spellcheck={false}
        list={listOf(type)}
        several
      />
    </>
  );
}

/** The values to choose from, for the types of conditions that a form has. */
export function Choices({ types, timeZone }: { types: readonly string[]; timeZone: string }) {
  const optionsOf = (type: string) =>
    type === 'hours' ? zoneOptions(timeZone).map(({ value }) => value) : offeredNames(type);
  return (
    <div id={CHOICES}>
      {[...new Set(types)].map((type) => (
        <datalist id={listOf(type)}>
          {optionsOf(type).map((value) => (
            <option value={value} />
          ))}
        </datalist>
      ))}
    </div>
  );
}
