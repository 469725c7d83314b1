import * as z from 'zod';
import { compileCondition, explainCondition, type Condition } from '../../src/links/routes/conditions/table.ts';
import { linkRules } from '../../src/links/routes/rules.ts';
import { VisitorFacts, type VisitorSource } from '../../src/links/routes/visitor.ts';
import { parseFields } from '../../src/input/validation.ts';

/** Visitors and conditions, for tests of the rules of links. */

const UNKNOWN: VisitorSource = {
  country: null,
  regionCode: null,
  continent: null,
  referrer: null,
  userAgent: null,
  languages: null,
  address: null,
  search: '',
  at: 0,
};

/** A visitor of whom only this is known. */
export const visitorOf = (known: Partial<VisitorSource>): VisitorFacts => new VisitorFacts({ ...UNKNOWN, ...known });

/** A condition as it is stored. Throws what a request with it would throw. */
export function parseCondition(condition: object): Condition {
  const rules = [{ if: [condition], url: 'https://example.com/' }];
  return parseFields(z.strictObject({ rules: linkRules() }), { rules }).rules[0]!.if[0]!;
}

/** True if a condition, as it is sent, holds for a visitor. */
export const holds = (condition: object, known: Partial<VisitorSource>): boolean =>
  compileCondition(parseCondition(condition))(visitorOf(known));

/** A condition, as it is sent, in words. */
export const wordsOf = (condition: object): string => explainCondition(parseCondition(condition));
