import * as z from 'zod';
import { quote, textUpTo } from '../../../input/validation.ts';
import { conditionType, not, typeName } from './condition-type.ts';
import { anyOf, haveCommon, valuesOf } from './values.ts';

const MAX_NAME = 100;
const MAX_VALUE = 500;

export const query = conditionType({
  label: 'Query parameter',
  schema: () =>
    z.strictObject({
      type: typeName('query'),
      name: textUpTo(MAX_NAME)
        .min(1, 'must not be empty')
        .meta({ description: "The name of a parameter in the query of the visitor's URL" }),
      in: valuesOf(
        textUpTo(MAX_VALUE),
        'Values of the parameter, one of which it has; left out if it may have any value',
      ).optional(),
      not: not(),
    }),
  fits: ({ name, in: values }) => {
    if (values === undefined) return ({ parameters }) => parameters.has(name);
    const known = new Set(values);
    return ({ parameters }) => {
      const given = parameters.get(name);
      return given !== undefined && haveCommon(known, given);
    };
  },
  explain: ({ name, in: values, not }) =>
    values === undefined
      ? `the query has ${not ? 'no' : 'the'} parameter ${quote(name)}`
      : `the query parameter ${quote(name)} is${not ? ' not' : ''} ${anyOf(values.map(quote))}`,
});
