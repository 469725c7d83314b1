/** The length of the mark of a visitor, in characters. */
export const MARK_LENGTH = 8;

/** The most characters of a `User-Agent` that are read: those of browsers have less than half as many. */
export const MAX_USER_AGENT = 400;
