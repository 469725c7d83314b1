/** Commands to paste into a shell, with placeholders in capitals for secrets. */

/** A text as one word of a POSIX shell. */
function quoted(text: string): string {
  return /^[A-Za-z0-9._~:/=?&-]+$/.test(text) && !/[?&]/.test(text)
    ? text
    : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const KEY = `-H 'X-API-Key: API_KEY'`;

/** A GET request with an API key. */
export function curlGet(url: string): string {
  return `curl ${quoted(url)} ${KEY}`;
}

/** A request for a link's info in the published interface, with an access token. */
export function curlInfo(origin: string, { id, clientId, secId }: { id: string; clientId: string; secId: string }) {
  return `curl ${quoted(`${origin}/info/${id}/${clientId}/${secId}`)} \\\n  -H 'Authorization: Bearer ACCESS_TOKEN'`;
}

/** Creates a link with these fields. `--form-string` sends texts as they are, even if they begin with `@`. */
export function curlCreate(origin: string, fields: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
  return [`curl ${origin}/v1/links ${KEY}`, ...given.map((text) => `--form-string ${quoted(text)}`)].join(' \\\n  ');
}
