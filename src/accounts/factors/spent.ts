/** The tables with what a user can spend once for one thing: the codes of an app, recovery codes, and uses of passkeys. */
const TABLES = ['totp_seeds', 'recovery_codes', 'passkeys'] as const;

/** True if such a thing of a user was spent for something, in SQL. */
export const wasSpentFor = (
  userId: string,
  spentFor: string,
  tables: readonly (typeof TABLES)[number][] = TABLES,
): string =>
  `(${tables.map((table) => `EXISTS (SELECT 1 FROM ${table} WHERE user_id = ${userId} AND spent_by = ${spentFor})`).join(' OR ')})`;
