/** The length of the mark of a visitor, in characters. */
export const MARK_LENGTH = 8;

/** How many characters of a `User-Agent` are read: those of browsers have less than half as many. */
export const MAX_USER_AGENT = 400;
