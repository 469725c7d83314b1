import { AppError } from '../../errors.ts';
import type { Rule } from './stored-routes.ts';

/**
 * The most time zones of the rules of a link. The offset of a zone is the dearest thing that a condition asks of the
 * platform, and the first visit of an isolate asks for each.
 */
const MAX_ZONES = 8;

/**
 * Refuses rules with more time zones than a link may name, regardless of case. Called where rules are written: stored
 * rules, which may be older than this bound, keep working. Throws `invalid_rules`.
 */
export function refuseManyZones(rules: readonly Rule[]): void {
  const zones = new Set<string>();
  let place: string | null = null;
  for (const [index, rule] of rules.entries()) {
    for (const [turn, condition] of rule.if.entries()) {
      if (condition.type !== 'hours') continue;
      zones.add(condition.tz.toLowerCase());
      if (zones.size > MAX_ZONES) place ??= `rules.${index}.if.${turn}.tz`;
    }
  }
  if (place === null) return;
  const complaint = `must not be another time zone: the rules of a link may name at most ${MAX_ZONES}, but name ${zones.size}. Use fewer zones, or more than one link`;
  const detail = `${place} ${complaint}.`;
  const fault = { field: 'rules', place, sentence: `This ${complaint}.`, detail };
  throw new AppError('invalid_rules', detail, { faults: [fault] });
}
