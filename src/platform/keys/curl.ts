/** Commands to paste into a shell, with placeholders in capitals for what is secret. */

/** A text as one word of a POSIX shell. */
function quoted(text: string): string {
  return /^[A-Za-z0-9._~:/=?&-]+$/.test(text) && !/[?&]/.test(text)
    ? text
    : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const KEY = `-H 'X-API-Key: API_KEY'`;

/** Asks for something by an API key. */
export function curlGet(url: string): string {
  return `curl ${quoted(url)} ${KEY}`;
}

/** Asks for a link's info as the published interface has it, by an access token. */
export function curlInfo(origin: string, { id, clientId, secId }: { id: string; clientId: string; secId: string }) {
  return `curl ${quoted(`${origin}/info/${id}/${clientId}/${secId}`)} \\\n  -H 'Authorization: Bearer ACCESS_TOKEN'`;
}

/** Makes a link of these fields. `--form-string` takes texts for what they are, also those that begin with `@`. */
export function curlCreate(origin: string, fields: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
  return [`curl ${origin}/v1/links ${KEY}`, ...given.map((text) => `--form-string ${quoted(text)}`)].join(' \\\n  ');
}
