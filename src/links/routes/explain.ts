import { compileRoutes, type Destination, type RoutedLink } from './choose.ts';
import { compileCondition, explainCondition } from './conditions/table.ts';
import type { VisitorFacts } from './visitor.ts';

/** A condition, and whether it holds for a visitor. */
interface ExplainedCondition {
  readonly type: string;
  readonly holds: boolean;
  /** The condition as a sentence without its full stop. */
  readonly text: string;
}

export interface ExplainedRule {
  readonly name: string;
  /** True if all conditions hold. Of several such rules, the first decides. */
  readonly holds: boolean;
  readonly conditions: readonly ExplainedCondition[];
}

/** Where a link leads a visitor, and why. */
interface ExplainedChoice {
  readonly rules: readonly ExplainedRule[];
  readonly chosen: Destination;
}

/** Says of each rule and each condition whether it holds for a visitor, also of those after the rule that decides. */
export function explainChoice(link: RoutedLink, visitor: VisitorFacts): ExplainedChoice {
  const rules = link.rules.map(({ name, if: conditions }): ExplainedRule => {
    const explained = conditions.map((condition) => ({
      type: condition.type,
      holds: compileCondition(condition)(visitor),
      text: explainCondition(condition),
    }));
    return { name, holds: explained.every(({ holds }) => holds), conditions: explained };
  });
  return { rules, chosen: compileRoutes(link).choose(visitor) };
}
