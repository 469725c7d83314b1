import { AppError } from '../../errors.ts';
import type { Role } from '../roles.ts';
import type { RoleRule } from './provider.ts';

/** Roles by claims: rules such as `groups=links-admins → owner`, one a line. */

const MAX_TEXT = 4000;
const MAX_RULES = 20;
const RULE = /^([^\s=]{1,100})\s*=\s*(\S(?:.{0,198}\S)?)\s*(?:→|->|=>)\s*(owner|member)$/u;

/** Reads the rules of a form. Throws `invalid_role` beside the field `roles`. */
export function parseRules(text: string): readonly RoleRule[] {
  if (text.length > MAX_TEXT) throw invalid(`This must be at most ${MAX_TEXT} characters long.`);
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length > MAX_RULES) throw invalid(`This must be at most ${MAX_RULES} lines.`);
  return lines.map((line) => {
    const [, claim = '', value = '', role] = RULE.exec(line) ?? [];
    if (role !== 'owner' && role !== 'member')
      throw invalid('Each line must be a claim, its value and a role, such as groups=links-admins → owner.');
    return { claim, value, role };
  });
}

/** The rules as a form shows them. */
export const rulesText = (rules: readonly RoleRule[]): string =>
  rules.map(({ claim, value, role }) => `${claim}=${value} → ${role}`).join('\n');

/** The role of a person by the first rule that fits, else `member`; null without rules, which leave roles as they are. */
export function roleBy(rules: readonly RoleRule[], claims: Readonly<Record<string, unknown>>): Role | null {
  if (rules.length === 0) return null;
  return rules.find(({ claim, value }) => has(claimOf(claims, claim), value))?.role ?? 'member';
}

/** A claim by its name, or by the names on the way to it with dots between, such as `realm_access.roles`. */
export function claimOf(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, part) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, part)
          ? (value as Readonly<Record<string, unknown>>)[part]
          : undefined,
      claims,
    );
}

const has = (claim: unknown, value: string): boolean =>
  Array.isArray(claim) ? claim.some((one) => isValue(one, value)) : isValue(claim, value);

const isValue = (claim: unknown, value: string): boolean =>
  typeof claim === 'string' || typeof claim === 'number' || typeof claim === 'boolean'
    ? String(claim) === value
    : false;

const invalid = (sentence: string) =>
  new AppError('invalid_role', sentence, { faults: [{ field: 'roles', sentence }] });
