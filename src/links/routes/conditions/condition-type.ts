import type { VisitorFacts } from '../visitor.ts';
import { anyOf } from './values.ts';

/** The test of a condition for a visitor. */
export type Holds = (visitor: VisitorFacts) => boolean;

/** The part that every condition has. */
export interface AnyCondition {
  readonly type: string;
  readonly not?: true | undefined;
}

/** One type of condition; `conditionSchemas` has its schema, which no visit needs. */
export interface ConditionType<Condition extends AnyCondition> {
  /** Its name on the pages. */
  readonly label: string;
  /** Gives the test of a condition. What is not known of a visitor fits no value, and holds if the condition has `not`. */
  readonly compile: (condition: Condition) => Holds;
  /** A condition as a sentence without its full stop, such as "the country is Germany or Austria". */
  readonly explain: (condition: Condition) => string;
}

/** The specifics of a type; `not` is the same for all. */
interface Definition<Condition extends AnyCondition> {
  readonly label: string;
  readonly fits: (condition: Condition) => Holds;
  readonly explain: (condition: Condition) => string;
}

export function conditionType<Condition extends AnyCondition>({
  label,
  fits,
  explain,
}: Definition<Condition>): ConditionType<Condition> {
  return {
    label,
    compile: (condition) => {
      const isFitting = fits(condition);
      return condition.not ? (visitor) => !isFitting(visitor) : isFitting;
    },
    explain,
  };
}

/** A condition that one fact of the visitor has one of some values. */
interface ListCondition<Type extends string> extends AnyCondition {
  readonly type: Type;
  readonly in: readonly string[];
}

export function listType<const Type extends string>({
  label,
  fits,
  nameOf,
}: {
  readonly type: Type;
  readonly label: string;
  readonly fits: (values: ReadonlySet<string>) => Holds;
  /** The English name of a value, as it stands after "is". */
  readonly nameOf: (value: string) => string;
}) {
  return conditionType<ListCondition<Type>>({
    label,
    fits: ({ in: values }) => fits(new Set(values)),
    explain: ({ in: values, not }) =>
      `the ${label.toLowerCase()} is${not ? ' not' : ''} ${anyOf(values.map((value) => nameOf(value)))}`,
  });
}
