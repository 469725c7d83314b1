import { quote } from '../../../text/quote.ts';
import { conditionType, type AnyCondition } from './condition-type.ts';
import { anyOf, haveCommon } from './values.ts';

/** A condition on a parameter in the query of a visit. */
interface QueryCondition extends AnyCondition {
  readonly type: 'query';
  readonly name: string;
  /** Absent if the parameter may have any value. */
  readonly in?: readonly string[] | undefined;
}

export const query = conditionType<QueryCondition>({
  label: 'Query parameter',
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
