import { STATUS_CODES } from 'node:http';
import { parseArgs } from 'node:util';

// As much of curl as the commands need that `npm start` prints and the pages show, for machines that have none.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
    'no-buffer': { type: 'boolean', short: 'N' },
    'max-time': { type: 'string' },
    include: { type: 'boolean', short: 'i' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    request: { type: 'string', short: 'X' },
    user: { type: 'string', short: 'u' },
    data: { type: 'string', short: 'd' },
    form: { type: 'string', short: 'F', multiple: true, default: [] },
  },
});
// https://curl.se/docs/manpage.html#EXIT
const TIMED_OUT = 28;

const [url] = positionals;
if (url === undefined || positionals.length > 1) throw new Error('curl: one URL, please');

const body = new FormData();
for (const field of values.form) body.set(...pair(field, '='));
const headers = values.header.map((header) => pair(header, ': '));
if (values.user !== undefined) {
  headers.push(['Authorization', `Basic ${Buffer.from(values.user).toString('base64')}`]);
}
const timeout = values['max-time'] === undefined ? null : AbortSignal.timeout(Number(values['max-time']) * 1000);
try {
  const response = await fetch(url, {
    redirect: 'manual',
    headers,
    signal: timeout,
    ...(values.data !== undefined && { method: 'POST', body: values.data }),
    ...(values.form.length > 0 && { method: 'POST', body }),
    ...(values.request !== undefined && { method: values.request }),
  });
  if (values.include) {
    const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`);
    process.stdout.write(`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n${lines.join('')}\r\n`);
  }
  for await (const chunk of response.body ?? []) process.stdout.write(chunk);
} catch (error) {
  if (timeout?.aborted !== true) throw error;
  process.exitCode = TIMED_OUT;
}

function pair(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + separator.length)];
}
