import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';
import { storedUrl, targetUrl } from '../fields/url.ts';
import { conditionSchema } from './conditions/schemas.ts';
import { listOf } from './list.ts';
import type { Rule } from './stored-routes.ts';
import { refuseRepeatedNames, routeName, withNames } from './names.ts';

const MAX_RULES = 20;
const MAX_CONDITIONS = 20;

/** The rules of a link, as they are sent first: a list of rules, each of which gets a name. */
export const typedRules = lazy(() => rulesOf(typedRule()));

/** `typedRules` for rules that may be stored, whose URLs percent-encoding may have lengthened. */
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
