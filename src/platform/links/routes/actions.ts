import { DAYS, MOST, type ConditionDraft, type RoutesDraft, type RuleDraft, type VariantDraft } from './draft.ts';

/** The effects of the buttons of a form on the rules and variants that were typed. Nothing is saved. */

// Of a button that does something in a list: `rules.add`, `rules.2.up`, `rules.2.if.add`, `rules.2.if.1.remove`.
const ACTION = /^(rules|variants)\.(?:(\d{1,2})\.)?(?:(if)\.(?:(\d{1,2})\.)?)?(add|remove|up|down)$/;

const NEW_CONDITION: ConditionDraft = { type: 'country' };
const NEW_RULE: RuleDraft = { name: '', url: '', if: [NEW_CONDITION] };
const NEW_VARIANT: VariantDraft = { name: '', url: '', weight: '50' };

/** Does what the value of a button says. An action that is not possible changes nothing. */
export function applyAction(draft: RoutesDraft, action: string): RoutesDraft {
  const [, list, index, isOfConditions, at, verb = ''] = ACTION.exec(action) ?? [];
  if (list === 'variants') return { ...draft, variants: changedVariants(draft.variants, index, verb) };
  if (list !== 'rules') return draft;
  if (isOfConditions === undefined) return { ...draft, rules: changed(draft.rules, index, verb, MOST.rules, NEW_RULE) };
  const rule = draft.rules[Number(index)];
  if (!rule) return draft;
  const conditions = changed(rule.if, at, verb, MOST.conditions, NEW_CONDITION);
  return { ...draft, rules: draft.rules.with(Number(index), { ...rule, if: conditions }) };
}

// One variant divides nothing, so the first two are added together.
function changedVariants(variants: readonly VariantDraft[], index: string | undefined, verb: string) {
  const isFirst = verb === 'add' && variants.length === 0;
  return isFirst ? [NEW_VARIANT, NEW_VARIANT] : changed(variants, index, verb, MOST.variants, NEW_VARIANT);
}

function changed<Item>(
  items: readonly Item[],
  index: string | undefined,
  verb: string,
  most: number,
  added: Item,
): readonly Item[] {
  if (verb === 'add') return items.length < most ? [...items, added] : items;
  const at = index === undefined ? -1 : Number(index);
  const item = items[at];
  if (item === undefined) return items;
  const others = items.toSpliced(at, 1);
  if (verb === 'remove') return others;
  return others.toSpliced(Math.max(0, verb === 'up' ? at - 1 : at + 1), 0, item);
}

/** The part of all visitors for whom no rule holds that each variant gets, in percent; null while a weight is no number. */
export function sharesOf(variants: readonly VariantDraft[]): (number | null)[] {
  const weights = variants.map(({ weight }) => (/^\d{1,3}$/.test(weight) ? Number(weight) : Number.NaN));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum > 0 ? (100 * weight) / sum : null));
}

/** The days that are ticked in a condition. */
export const tickedDays = (texts: ConditionDraft) => DAYS.filter((day) => texts[`days.${day}`] !== undefined);
