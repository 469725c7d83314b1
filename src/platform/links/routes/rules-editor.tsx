import { ItemFault } from '../../kit/fault-and-hint.tsx';
import { Choices, ConditionInputs } from './condition-inputs.tsx';
import { MOST, type RuleDraft } from './draft.ts';
import { EditButton, hasFault, RouteInputs, type EditorProps } from './editor-parts.tsx';

/** The rules of a link, to be added, ordered, changed and removed. Its buttons save nothing. */
export function RulesEditor({ rules, ...editor }: EditorProps & { rules: readonly RuleDraft[] }) {
  const { form, action, timeZone } = editor;
  const types = rules.flatMap((rule) => rule.if.map(({ type = '' }) => type));
  return (
    <div class="routes" id="rules" data-part>
      <input type="hidden" name="rules" value={String(rules.length)} />
      <p class="hint">
        A visitor is redirected to the destination of the first rule whose conditions all hold, or else to that of the
        link.
      </p>
      <ItemFault name="rules" label="Rules" fault={form.faults['rules']} />
      {rules.map((rule, index) => (
        <RuleInputs {...{ rule, index, ...editor }} count={rules.length} />
      ))}
      <Choices types={types} timeZone={timeZone} />
      {rules.length < MOST.rules && (
        <div class="actions">
          <EditButton action={action} does="rules.add" focus={`field-rules.${rules.length}.name`}>
            Add a rule
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
  const named = `rule ${index + 1}`;
  const last = count - 1;
  // The button has the focus at the new place too, or the other one where there is none.
  const upFocus = index === 1 ? 'rules.0.down' : `rules.${index - 1}.up`;
  const downFocus = index === last - 1 ? `rules.${last}.up` : `rules.${index + 1}.down`;
  return (
    <fieldset class="route" id={place}>
      <legend>Rule {index + 1}</legend>
      {hasFault(form, place) && <p class="fault">This rule has an error.</p>}
      <div class="pairs">
        <RouteInputs form={form} place={place} called={`Rule ${index + 1}`} />
      </div>
      <input type="hidden" name={`${place}.if`} value={String(rule.if.length)} />
      <ItemFault name={`${place}.if`} label={`Rule ${index + 1}`} fault={form.faults[`${place}.if`]} />
      {rule.if.map((texts, at) => (
        <ConditionInputs {...{ texts, ...editor }} place={`${place}.if.${at}`} isOnly={rule.if.length === 1} />
      ))}
      <div class="actions">
        {rule.if.length < MOST.conditions && (
          <EditButton
            action={action}
            does={`${place}.if.add`}
            focus={`field-${place}.if.${rule.if.length}.type`}
            label={`Add a condition to ${named}`}
          >
            Add a condition
          </EditButton>
        )}
        {index > 0 && (
          <EditButton action={action} does={`${place}.up`} focus={upFocus} label={`Move up: ${named}`}>
            Move up
          </EditButton>
        )}
        {index < last && (
          <EditButton action={action} does={`${place}.down`} focus={downFocus} label={`Move down: ${named}`}>
            Move down
          </EditButton>
        )}
        <EditButton
          action={action}
          does={`${place}.remove`}
          focus={index === 0 ? 'rules.add' : `field-rules.${index - 1}.name`}
          label={`Remove ${named}`}
        >
          Remove rule
        </EditButton>
      </div>
    </fieldset>
  );
}
