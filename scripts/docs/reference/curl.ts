import { CREDENTIALS, type ExampleRequest } from './request.ts';

/** Writes a request as a command of curl for POSIX shells. */
export function curlOf({ method, url, credential, body, response }: ExampleRequest): string {
  const isPlain = method === 'GET' || (method === 'POST' && body !== null);
  const parts = [
    `curl ${isPlain ? '' : `-X ${method} `}${/[?&+]/.test(url) ? quote(url) : url}`,
    ...(credential === 'basic' ? [`-u ${quote('USER:PASSWORD')}`] : []),
    ...(credential === 'apiKey' || credential === 'bearer'
      ? [`-H ${quote(`${CREDENTIALS[credential].name}: ${CREDENTIALS[credential].value}`)}`]
      : []),
    ...bodyParts(body),
    ...(response === 'location' ? ['-i'] : []),
    ...(response === 'lines' ? ['-N'] : []),
    ...(response === 'bytes' ? ['-o qr.png'] : []),
  ];
  return parts.join(' \\\n  ');
}

function bodyParts(body: ExampleRequest['body']): string[] {
  if (body === null) return [];
  if (body.kind === 'form') return body.fields.map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`);
  if (body.kind === 'file') return [`-H ${quote(`Content-Type: ${body.type}`)}`, `--data-binary @${body.name}`];
  return [`-H ${quote('Content-Type: application/json')}`, `-d ${quote(JSON.stringify(body.value, null, 2))}`];
}

// In single quotes a shell reads everything as it is, except for these quotes.
const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
