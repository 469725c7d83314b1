import type { Holds } from './conditions/condition-type.ts';
import { compileCondition, type Condition } from './conditions/table.ts';
import { DEFAULT_NAME } from './names.ts';
import { compileDraw } from './rendezvous.ts';
import type { Rule } from './stored-routes.ts';
import type { Variant } from './stored-routes.ts';
import type { VisitorFacts } from './visitor.ts';

/** A link, as far as it decides where visitors go. */
export interface RoutedLink {
  readonly linkId: string;
  /** Its `url`, for the visitors for whom no rule and no variant decides. */
  readonly url: string;
  readonly rules: readonly Rule[];
  readonly variants: readonly Variant[];
}

/** One of the destinations of a link. */
export interface Destination {
  readonly url: string;
  /** The name of its rule or variant, or `default`. */
  readonly name: string;
  readonly by: 'rule' | 'variant' | 'default';
  /** The index in the list of rules or variants; null for the default. */
  readonly index: number | null;
}

/** The decisions of a link, compiled. */
export interface Routes {
  /** The destination for a visitor: of the first rule whose conditions all hold, else of a variant, else the default. */
  readonly choose: (visitor: VisitorFacts) => Destination;
  /** An estimate of the memory that they take, in bytes. */
  readonly bytes: number;
}

/** Compiles the decisions of a link, once for all its visitors. */
export function compileRoutes(link: RoutedLink): Routes {
  const { linkId, rules, variants } = link;
  const destinations = destinationsOf(link);
  const tests = rules.map((rule) => rule.if.map(compileCondition));
  const firstVariant = rules.length;
  const draw = variants.length === 0 ? null : compileDraw(linkId, variants);
  return {
    choose: (visitor) => {
      const rule = tests.findIndex((conditions) => areAll(conditions, visitor));
      if (rule !== -1) return destinations[rule]!;
      return draw === null ? destinations.at(-1)! : destinations[firstVariant + draw(visitor.identity)]!;
    },
    bytes: bytesOf(link),
  };
}

/** All destinations of a link: those of its rules, those of its variants, and the default. */
export function destinationsOf({ url, rules, variants }: Omit<RoutedLink, 'linkId'>): Destination[] {
  return [
    ...rules.map(({ url, name }, index) => ({ url, name, by: 'rule', index }) as const),
    ...variants.map(({ url, name }, index) => ({ url, name, by: 'variant', index }) as const),
    { url, name: DEFAULT_NAME, by: 'default', index: null },
  ];
}

function areAll(conditions: readonly Holds[], visitor: VisitorFacts): boolean {
  for (const holds of conditions) if (!holds(visitor)) return false;
  return true;
}

// Estimates of what each takes in memory, besides its text: objects, functions, slots of sets.
const ROUTES_BYTES = 400;
const DESTINATION_BYTES = 200;
const CONDITION_BYTES = 400;
const VALUE_BYTES = 48;
// Its numbers are an array in an object.
const NETWORK_BYTES = 200;

function bytesOf({ rules, variants }: RoutedLink): number {
  let bytes = ROUTES_BYTES;
  for (const { name, url } of [...rules, ...variants]) bytes += DESTINATION_BYTES + 2 * name.length + url.length;
  for (const rule of rules) for (const condition of rule.if) bytes += bytesOfCondition(condition);
  return bytes;
}

function bytesOfCondition(condition: Condition): number {
  const values = Object.values(condition).flat();
  const each = condition.type === 'address' ? NETWORK_BYTES : VALUE_BYTES;
  return values.reduce<number>((sum, value) => sum + each + String(value).length, CONDITION_BYTES);
}
