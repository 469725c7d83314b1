/** Conditions in SQL on a link's domain, a row of `domains`. */

/**
 * True if a domain serves its links, in SQL: a target on it would lead in circles. The text must be that of the index's
 * condition, or the planner does not use the index.
 */
export const IS_SERVING = `status <> 'pending'`;

/** True if a domain takes the links of a file, in SQL: those on a pending one wait until it is verified. */
export const TAKES_FILES = `status <> 'lost'`;

/** True if a domain takes new links, in SQL. */
export const IS_ACTIVE = `${IS_SERVING} AND status = 'active'`;
