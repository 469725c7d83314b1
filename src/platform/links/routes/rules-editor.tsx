import { ItemFault } from '../../kit/fault-and-hint.tsx';
import { useWords } from '../../words.tsx';
import { labelOf } from '../field-words.ts';
import { Choices, ConditionInputs } from './condition-inputs.tsx';
import { MOST, nameOfRule, type RuleDraft } from './draft.ts';
import { EditButton, hasFault, RouteInputs, type EditorProps } from './editor-parts.tsx';

/** The rules of a link, to be added, ordered, changed and removed. Its buttons save nothing. */
export function RulesEditor({ rules, ...editor }: EditorProps & { rules: readonly RuleDraft[] }) {
  const { form, action, timeZone } = editor;
  const words = useWords();
  const types = rules.flatMap((rule) => rule.if.map(({ type = '' }) => type));
  return (
    <div class="routes" id="rules" data-part>
      <input type="hidden" name="rules" value={String(rules.length)} />
      <p class="hint">{words.text('routes.rulesHint')}</p>
      <ItemFault name="rules" label={labelOf(words, 'rules')} fault={form.faults['rules']} />
      {rules.map((rule, index) => (
        <RuleInputs {...{ rule, index, ...editor }} count={rules.length} />
      ))}
      <Choices types={types} timeZone={timeZone} />
      {rules.length < MOST.rules && (
        <div class="actions">
          <EditButton action={action} does="rules.add" focus={`field-rules.${rules.length}.name`}>
            {words.text('routes.addRule')}
          </EditButton>
        </div>
      )}
    </div>
  );
}

function RuleInputs({
  rule,
  index,
  count,
  ...editor
}: EditorProps & { rule: RuleDraft; index: number; count: number }) {
  const { form, action } = editor;
  const place = `rules.${index}`;
  const words = useWords();
  const { text } = words;
  const number = index + 1;
  const called = nameOfRule(words)(index);
  const last = count - 1;
  // The button has the focus at the new place too, or the other one where there is none.
  const upFocus = index === 1 ? 'rules.0.down' : `rules.${index - 1}.up`;
  const downFocus = index === last - 1 ? `rules.${last}.up` : `rules.${index + 1}.down`;
  return (
    <fieldset class="route" id={place}>
      <legend>{called}</legend>
      {hasFault(form, place) && <p class="fault">{text('routes.ruleError')}</p>}
      <div class="pairs">
        <RouteInputs form={form} place={place} called={called} />
      </div>
      <input type="hidden" name={`${place}.if`} value={String(rule.if.length)} />
      <ItemFault name={`${place}.if`} label={called} fault={form.faults[`${place}.if`]} />
      {rule.if.map((texts, at) => (
        <ConditionInputs {...{ texts, ...editor }} place={`${place}.if.${at}`} isOnly={rule.if.length === 1} />
      ))}
      <div class="actions">
        {rule.if.length < MOST.conditions && (
          <EditButton
            action={action}
            does={`${place}.if.add`}
            focus={`field-${place}.if.${rule.if.length}.type`}
            label={text('routes.addConditionTo', { number })}
          >
            {text('routes.addCondition')}
          </EditButton>
        )}
        {index > 0 && (
          <EditButton
            action={action}
            does={`${place}.up`}
            focus={upFocus}
            label={text('routes.moveUpRule', { number })}
          >
            {text('routes.moveUp')}
          </EditButton>
        )}
        {index < last && (
          <EditButton
            action={action}
            does={`${place}.down`}
            focus={downFocus}
            label={text('routes.moveDownRule', { number })}
          >
            {text('routes.moveDown')}
          </EditButton>
        )}
        <EditButton
          action={action}
          does={`${place}.remove`}
          focus={index === 0 ? 'rules.add' : `field-rules.${index - 1}.name`}
          label={text('routes.removeThisRule', { number })}
        >
          {text('routes.removeRule')}
        </EditButton>
      </div>
    </fieldset>
  );
}
