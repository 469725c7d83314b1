import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';
import { storedUrl, targetUrl } from '../fields/url.ts';
import { compileCondition, conditionSchema, type Condition } from './conditions/table.ts';
import { areRoutes, listOf } from './list.ts';
import { refuseRepeatedNames, routeName, withNames } from './names.ts';

const MAX_RULES = 20;
const MAX_CONDITIONS = 20;

/** A rule as it is stored: it decides for the visitors for whom all its conditions hold. */
export interface Rule {
  readonly name: string;
  readonly if: readonly Condition[];
  /** As the URL standard serialises it. */
  readonly url: string;
}

/** Whether a value from KV can be stored rules. Without the schema, which would cost more than the rest of the look-up. */
export function areRules(value: unknown): boolean {
  return areRoutes(value, ({ if: conditions }) => Array.isArray(conditions) && conditions.every(isCondition));
}

function isCondition(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('type' in value) || typeof value.type !== 'string') return false;
  if ('in' in value && !Array.isArray(value.in)) return false;
  try {
    compileCondition(value as Condition);
    return true;
  } catch {
    return false;
  }
}

/** The rules of a link, as they are sent first: a list of rules, each of which gets a name. */
export const typedRules = lazy(() => rulesOf(typedRule()));

/** The same for rules that may be stored ones, whose URLs percent-encoding may have lengthened. */
export const storedRules = lazy(() => rulesOf(storedRule()));

/** One of each, without a check of its name. */
export const typedRule = lazy(() => ruleOf(targetUrl().transform(({ href }) => href)));
export const storedRule = lazy(() => ruleOf(storedUrl().transform(({ href }) => href)));

const rulesOf = (rule: ReturnType<typeof typedRule>) =>
  listOf(rule, { most: MAX_RULES, things: 'rules', canBeEmpty: true })
    .transform((rules): Rule[] => withNames(rules, (index) => `Rule ${index + 1}`))
    .check(refuseRepeatedNames);

/** The schema of a rule, with that of its URL. */
const ruleOf = <Url extends z.ZodType<string>>(url: Url) =>
  z.strictObject({
    name: routeName().optional(),
    if: listOf(conditionSchema(), { most: MAX_CONDITIONS, things: 'conditions' }).meta({
      description: 'The conditions, all of which must hold',
    }),
    url,
  });
