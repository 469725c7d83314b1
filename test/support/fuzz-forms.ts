/** Form bodies, written by hand so that they can hold what no encoder would write. */

type Texts = readonly (readonly [name: string, value: string])[];

const BOUNDARY = 'terse-fuzz';
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

export function toMultipart(texts: Texts): string {
  const parts = texts.map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

export function toUrlencoded(texts: Texts): string {
  return texts.map((pair) => pair.map((word) => encodeURIComponent(word.toWellFormed())).join('=')).join('&');
}
