/** The number of the newest file in `migrations/` that this code knows. */
export const SCHEMA_VERSION = 12;

/** Selects the number of the newest migration that code must know to write to a database. */
export const SELECT_OLDEST_MIGRATION = 'SELECT oldest_migration FROM schema_support';
