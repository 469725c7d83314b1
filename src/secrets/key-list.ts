/** Parses a JSON list of keys; null if it is not a list, or one of them is not valid. */
export function parseKeyList<Key>(text: string, parseKey: (jwk: unknown) => Key | null): readonly Key[] | null {
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return null;
    const keys = list.map(parseKey);
    return keys.every((key) => key !== null) ? keys : null;
  } catch {
    return null;
  }
}

/** True if a value is 32 bytes as unpadded base64url: 43 characters, the last with 4 bits. */
export function isOctets32(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(value);
}
