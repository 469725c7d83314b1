import { isDestination } from '../destinations/web-url.ts';
import { compileCondition, type Condition } from './conditions/table.ts';

/** The rules and variants of a link as they are stored, and whether an entry of KV can be some. */

/** A rule as it is stored: it decides for the visitors for whom all its conditions hold. */
export interface Rule {
  readonly name: string;
  readonly if: readonly Condition[];
  /** As the URL standard serialises it. */
  readonly url: string;
}

/** A variant as it is stored: it gets the part of visitors that its weight is of the sum of all weights. */
export interface Variant {
  readonly name: string;
  /** As the URL standard serialises it. */
  readonly url: string;
  readonly weight: number;
}

/** True if a value can be stored rules. Without the schema, which would cost more than the rest of the look-up. */
export function areRules(value: unknown): value is readonly Rule[] {
  return areRoutes(value, ({ if: conditions }) => Array.isArray(conditions) && conditions.every(isCondition));
}

/** True if a value can be stored variants. */
export function areVariants(value: unknown): value is readonly Variant[] {
  return areRoutes(value, ({ weight }) => Number.isSafeInteger(weight) && Number(weight) > 0);
}

/** True for a list of rules or variants, each with a name, a URL and the rest of it. */
function areRoutes(
  value: unknown,
  hasRest: (item: { readonly if?: unknown; readonly weight?: unknown }) => boolean,
): boolean {
  return Array.isArray(value) && value.every((item: unknown) => isNamedUrl(item) && hasRest(item));
}

function isNamedUrl(item: unknown): item is { readonly if?: unknown; readonly weight?: unknown } {
  if (typeof item !== 'object' || item === null || !('name' in item) || !('url' in item)) return false;
  return typeof item.name === 'string' && isDestination(item.url);
}

function isCondition(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('type' in value) || typeof value.type !== 'string') return false;
  if ('in' in value && !Array.isArray(value.in)) return false;
  try {
    compileCondition(value as Condition);
    return true;
  } catch {
    return false;
  }
}
