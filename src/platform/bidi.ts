const IS_ASCII = /^\p{ASCII}*$/u;

/**
 * A name within plain text, isolated so that it does not change the direction of the rest, as `<bdi>` does in HTML:
 * between the characters FSI and PDI (https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates). Older names
 * may hold a PDI.
 */
export function isolated(name: string): string {
  return IS_ASCII.test(name) ? name : `\u2068${name.replace(/\p{Bidi_Control}/gu, '')}\u2069`;
}
