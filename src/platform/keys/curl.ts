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

/** A request that changes something, with an API key. */
export function curlChange(method: 'PATCH' | 'DELETE', url: string, fields?: object): string {
  const body = fields ? ` \\\n  -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(fields))}` : '';
  return `curl -X ${method} ${quoted(url)} ${KEY}${body}`;
}

/** Saves what a GET request with an API key answers. */
export function curlSave(url: string, file: string): string {
  return `${curlGet(url)} -o ${quoted(file)}`;
}

/** A request for a link's info in the published interface, with an access token. */
export function curlInfo(origin: string, { id, clientId, secId }: { id: string; clientId: string; secId: string }) {
  return `curl ${quoted(`${origin}/info/${id}/${clientId}/${secId}`)} \\\n  -H 'Authorization: Bearer ACCESS_TOKEN'`;
}

/** A request for tokens by a user's name and a password, which `-u` takes as they are. */
export function curlTokens(origin: string, name: string, password: string): string {
  return `curl -u ${quoted(`${name}:${password}`)} ${origin}/tokens/create_token`;
}

/** Creates a link with these fields. `--form-string` sends texts as they are, even if they begin with `@`. */
export function curlCreate(origin: string, fields: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
  return [`curl ${origin}/v1/links ${KEY}`, ...given.map((text) => `--form-string ${quoted(text)}`)].join(' \\\n  ');
}
