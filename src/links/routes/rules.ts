import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';
import { destinationUrl } from '../fields/url.ts';
import { conditionSchema } from './conditions/schemas.ts';
import { listOf } from './list.ts';
import type { Rule } from './stored-routes.ts';
import { refuseRepeatedNames, routeName, withNames } from './names.ts';

const MAX_RULES = 20;
const MAX_CONDITIONS = 20;

/** The rules of a link: a list of rules, each of which gets a name. */
export const linkRules = lazy(() =>
  listOf(linkRule(), { most: MAX_RULES, things: 'rules', canBeEmpty: true })
    .transform((rules): Rule[] => withNames(rules, (index) => `Rule ${index + 1}`))
    .check(refuseRepeatedNames),
);

/** A rule, without a check of its name. */
export const linkRule = lazy(() =>
  z.strictObject({
    name: routeName().optional(),
    if: listOf(conditionSchema(), { most: MAX_CONDITIONS, things: 'conditions' }).meta({
      description: 'The conditions, all of which must hold',
    }),
    url: destinationUrl().transform(({ href }) => href),
  }),
);
