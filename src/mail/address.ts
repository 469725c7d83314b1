/** Addresses of mail. */

const MAX_ADDRESS = 254;
// Of RFC 5322 the form without quotes and comments, so that no address has a character that ends a header.
const ADDRESS =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const MAX_LOCAL_PART = 64;

/** An address as it was typed, without spaces around it; null for a text that is none. */
export function parseAddress(text: string): string | null {
  if (text.length > 4 * MAX_ADDRESS) return null;
  const address = text.trim();
  return address.length <= MAX_ADDRESS && address.indexOf('@') <= MAX_LOCAL_PART && ADDRESS.test(address)
    ? address
    : null;
}
