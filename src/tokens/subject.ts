/** The most characters of a subject: https://openid.net/specs/openid-connect-core-1_0.html#IDToken */
export const MAX_SUBJECT = 255;

// Control characters, and halves of characters, which no database keeps apart.
const NOT_TEXT = /[\p{Cc}\p{Cs}]/u;

/** True for a text by which a provider can know a person. */
export const isSubject = (text: unknown): text is string =>
  typeof text === 'string' && text !== '' && text.length <= MAX_SUBJECT && !NOT_TEXT.test(text);
