import { CREDENTIALS, type ExampleRequest } from './request.ts';

/** Writes a request as Python with the package `requests`. */
export function pythonOf({ method, url, credential, body, response }: ExampleRequest): string {
  const headers = {
    ...((credential === 'apiKey' || credential === 'bearer') && {
      [CREDENTIALS[credential].name]: CREDENTIALS[credential].value,
    }),
    ...(body?.kind === 'file' && { 'Content-Type': body.type }),
  };
  const options = [
    write(url, '    '),
    ...(credential === 'basic' ? ['auth=("USER", "PASSWORD")'] : []),
    ...(Object.keys(headers).length === 0 ? [] : [`headers=${write(headers, '    ')}`]),
    ...bodyOption(body),
    ...(response === 'location' ? ['allow_redirects=False'] : []),
    ...(response === 'lines' ? ['stream=True'] : []),
  ];
  const name = `requests.${method.toLowerCase()}`;
  const call =
    options.length === 1
      ? `response = ${name}(${options[0]})`
      : `response = ${name}(\n${options.map((option) => `    ${option},\n`).join('')})`;
  return `import requests\n\n${call}\n${RESULTS[response]}`;
}

function bodyOption(body: ExampleRequest['body']): string[] {
  if (body === null) return [];
  if (body.kind === 'file') return [`data=open(${write(body.name, '')}, "rb")`];
  if (body.kind === 'json') return [`json=${write(body.value, '    ')}`];
  return [`data=${write(Object.fromEntries(body.fields), '    ')}`];
}

const RESULTS: Readonly<Record<ExampleRequest['response'], string>> = {
  json: 'print(response.status_code, response.json())',
  text: 'print(response.text)',
  bytes: 'image = response.content',
  lines: 'for line in response.iter_lines():\n    print(line)',
  location: 'print(response.status_code, response.headers["Location"])',
  nothing: 'print(response.status_code)',
};

/** A value as source text; dictionaries and lists on one line if they are short. */
function write(value: unknown, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => write(item, `${indent}    `))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${write(item, `${indent}    `)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const short = `${open}${parts.join(', ')}${close}`;
  if (short.length <= 60 && !short.includes('\n')) return short;
  return `${open}\n${parts.map((part) => `${indent}    ${part},\n`).join('')}${indent}${close}`;
}
