import { parseDomainName } from '../../network/hosts.ts';

// Longer texts are refused as they are.
const MAX_CHARACTERS = 2048;

const AUTHORITY = /^[^/?#\\\s]*/;
const PORT = /:\d{1,5}$/;

/** A destination as it was typed, with `https://` before it if it begins with a domain name: `example.com/page`. */
export function withScheme(typed: string): string {
  if (typed.length > MAX_CHARACTERS) return typed;
  const text = typed.trim();
  const [authority = ''] = AUTHORITY.exec(text) ?? [];
  return parseDomainName(authority.replace(PORT, '')) === null ? typed : `https://${text}`;
}
