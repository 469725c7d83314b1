import { address } from './address.ts';
import { browser } from './browser.ts';
import type { AnyCondition, ConditionType, Holds } from './condition-type.ts';
import { continent } from './continent.ts';
import { country } from './country.ts';
import { date } from './date.ts';
import { device } from './device.ts';
import { hours } from './hours.ts';
import { language } from './language.ts';
import { os } from './os.ts';
import { query } from './query.ts';
import { referrer } from './referrer.ts';
import { region } from './region.ts';
import { visitor } from './visitor.ts';

/** The types of conditions, in the order of forms and documents. */
export const conditionTypes = {
  country,
  region,
  continent,
  language,
  device,
  os,
  browser,
  visitor,
  referrer,
  address,
  query,
  date,
  hours,
} as const;

/** A condition as it is stored: `{type, …, not?}`. */
export type Condition = { [Type in keyof typeof conditionTypes]: ConditionOf<Type> }[keyof typeof conditionTypes];
export type ConditionOf<Type extends keyof typeof conditionTypes> = Parameters<
  (typeof conditionTypes)[Type]['compile']
>[0];

/**
 * The test of a condition. One of an unknown type, which a newer version of this service may have stored, holds for no
 * visitor.
 */
export function compileCondition(condition: Condition): Holds {
  return typeOf(condition)?.compile(condition as never) ?? (() => false);
}

/** A condition as a sentence without its full stop, such as "the country is Germany or Austria". */
export function explainCondition(condition: Condition): string {
  return typeOf(condition)?.explain(condition as never) ?? `the condition ${condition.type} holds`;
}

function typeOf({ type }: AnyCondition): Pick<ConditionType<never>, 'compile' | 'explain'> | null {
  return Object.hasOwn(conditionTypes, type) ? conditionTypes[type as Condition['type']] : null;
}
