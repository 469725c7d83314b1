/** The bounds of a file of links. The scripts of the pages read these too, so that nothing is imported here. */

/** Of a file in one request. */
export const MAX_ROWS = 5000;
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Of a file that a page sends in pieces; it has `MAX_FILE_BYTES` too. */
export const MAX_ROWS_IN_PIECES = 100_000;

/** Of a file that a form carries from one page to the next. */
export const MAX_FORM_FILE_BYTES = 2 * 1024 * 1024;

/** Of a piece. 75 of the most rows are as many creates as a user may have in a minute. */
export const PIECE = { maxRows: 1000, maxBytes: 1024 * 1024 } as const;
