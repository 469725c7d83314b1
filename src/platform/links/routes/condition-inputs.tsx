import { conditionTypes, type Condition } from '../../../links/routes/conditions/table.ts';
import { zoneOptions } from '../../account/zones.ts';
import { ItemFault } from '../../kit/fault-and-hint.tsx';
import { Checkbox } from '../../kit/boxes.tsx';
import { Field, Select, type Option } from '../../kit/form.tsx';
import { useWords, type PageWords, type PlainKey } from '../../words.tsx';
import { typeOf } from './condition-words.ts';
import { DAYS, type ConditionDraft } from './draft.ts';
import { EditButton, UpdateButton, type EditorProps } from './editor-parts.tsx';
import { offeredNames } from './value-names.ts';

/** The hints for the values of each type. */
const HINTS: Readonly<Record<Exclude<Condition['type'], 'date' | 'hours'>, PlainKey>> = {
  country: 'routes.countryHint',
  region: 'routes.regionHint',
  continent: 'routes.continentHint',
  language: 'routes.languageHint',
  device: 'routes.deviceHint',
  os: 'routes.osHint',
  browser: 'routes.browserHint',
  visitor: 'routes.visitorHint',
  referrer: 'routes.referrerHint',
  address: 'routes.addressHint',
  query: 'routes.queryHint',
};

const TYPES = Object.keys(conditionTypes) as readonly Condition['type'][];

const typesIn = (words: PageWords): readonly Option[] => TYPES.map((value) => ({ value, label: typeOf(words, value) }));

const notIn = ({ text }: PageWords): readonly Option[] => [
  { value: '', label: text('routes.is') },
  { value: 'true', label: text('routes.isNot') },
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
  const words = useWords();
  const { text } = words;
  const at = { condition: (index ?? 0) + 1, rule: (rule ?? 0) + 1 };
  const within = text('routes.conditionOfRule', at);
  const inputs = `${place}.inputs`;
  return (
    <div class="condition" role="group" aria-label={text('routes.conditionAt', { number: at.condition })}>
      <Select
        {...{ form, within }}
        name={`${place}.type`}
        label={text('routes.condition')}
        options={typesIn(words)}
        updates={`${inputs} ${CHOICES}`}
      />
      <Select {...{ form, within }} name={`${place}.not`} label={text('routes.ifIt')} options={notIn(words)} />
      <div class="condition-inputs" id={inputs}>
        <OfType {...{ texts, place, within, ...editor }} />
      </div>
      <div class="actions">
        <UpdateButton action={action} focus={`field-${place}.type`} label={text('routes.updateCondition', at)} />
        {!isOnly && (
          <EditButton
            action={action}
            does={`${place}.remove`}
            focus={`${place.split('.', 3).join('.')}.add`}
            label={text('routes.removeThisCondition', at)}
          >
            {text('routes.removeCondition')}
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
  const { text } = useWords();
  const props = (name: string) => ({ form, within, name: `${place}.${name}` });
  if (type === 'date') {
    const hint = text('routes.timeIn', { zone: timeZone.replaceAll('_', ' ') });
    return (
      <>
        <Field {...props('from')} type="datetime-local" label={text('routes.from')} hint={hint} optional />
        <Field {...props('until')} type="datetime-local" label={text('routes.until')} optional />
      </>
    );
  }
  if (type === 'hours') {
    return (
      <>
        <Field {...props('from')} type="time" label={text('routes.from')} />
        <Field {...props('until')} type="time" label={text('routes.until')} />
        <Field
          {...props('tz')}
          label={text('routes.timeZone')}
          value={timeZone}
          list={listOf('hours')}
          spellcheck={false}
        />
        <fieldset class="weekdays">
          <legend>{text('routes.days')}</legend>
          {DAYS.map((day) => (
            <Checkbox
              name={`${place}.days.${day}`}
              label={text(`routes.${day}`)}
              checked={texts[`days.${day}`] !== undefined}
            />
          ))}
        </fieldset>
      </>
    );
  }
  const hint = Object.hasOwn(HINTS, type) ? text(HINTS[type]) : '';
  return (
    <>
      {type === 'query' && <Field {...props('name')} label={text('routes.parameter')} spellcheck={false} code />}
      <Field
        {...props('in')}
        label={text('routes.values')}
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
  const words = useWords();
  const optionsOf = (type: string) =>
    type === 'hours' ? zoneOptions(timeZone).map(({ value }) => value) : offeredNames(words, type);
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
