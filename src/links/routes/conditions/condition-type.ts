import * as z from 'zod';
import { lazy } from '../../../isolate/lazy.ts';
import type { VisitorFacts } from '../visitor.ts';
import { anyOf, valuesOf } from './values.ts';

/** Whether something holds for a visitor. */
export type Holds = (visitor: VisitorFacts) => boolean;

/** The part that every condition has. */
export interface AnyCondition {
  readonly type: string;
  readonly not?: true | undefined;
}

/** One type of condition. */
export interface ConditionType<Condition extends AnyCondition> {
  /** Its name on the pages. */
  readonly label: string;
  /** The schema of such a condition, created when it is first needed. */
  readonly schema: () => z.ZodType<Condition>;
  /** Gives the test of a condition. What is not known of a visitor fits no value, and holds if the condition has `not`. */
  readonly compile: (condition: Condition) => Holds;
  /** A condition as a sentence without its full stop, such as "the country is Germany or Austria". */
  readonly explain: (condition: Condition) => string;
}

/** What is special about a type; `not` is the same for all. */
interface Definition<Schema extends z.ZodType<AnyCondition>> {
  readonly label: string;
  readonly schema: () => Schema;
  readonly fits: (condition: z.output<Schema>) => Holds;
  readonly explain: (condition: z.output<Schema>) => string;
}

export function conditionType<Schema extends z.ZodType<AnyCondition>>({
  label,
  schema,
  fits,
  explain,
}: Definition<Schema>) {
  return {
    label,
    schema: lazy(schema),
    compile: (condition: z.output<Schema>): Holds => {
      const isFitting = fits(condition);
      return condition.not ? (visitor) => !isFitting(visitor) : isFitting;
    },
    explain,
  };
}

/** The schema of `not`: absent, or true. */
export const not = () =>
  z
    .literal(true, { error: 'must be true, or left out' })
    .optional()
    .meta({ description: 'true if the condition holds for all other visitors' });

/** The schema of `type`. */
export const typeName = <const Type extends string>(type: Type) =>
  z.literal(type).meta({ description: 'The type of the condition' });

/** A condition that one fact of the visitor has one of some values. */
export function listType<const Type extends string>({
  type,
  label,
  description,
  value,
  fits,
  nameOf,
}: {
  readonly type: Type;
  readonly label: string;
  /** What the values are, for the API document. */
  readonly description: string;
  readonly value: () => z.ZodType<string>;
  readonly fits: (values: ReadonlySet<string>) => Holds;
  /** The English name of a value, as it stands after "is". */
  readonly nameOf: (value: string) => string;
}) {
  return conditionType({
    label,
    schema: () => z.strictObject({ type: typeName(type), in: valuesOf(value(), description), not: not() }),
    fits: ({ in: values }) => fits(new Set(values)),
    explain: ({ in: values, not }) =>
      `the ${label.toLowerCase()} is${not ? ' not' : ''} ${anyOf(values.map((value) => nameOf(value)))}`,
  });
}
