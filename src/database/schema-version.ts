// Generated from the names in `migrations/` by `npm run types`; do not edit.

/** The number of the newest migration that this code knows. */
export const SCHEMA_VERSION = 34;
