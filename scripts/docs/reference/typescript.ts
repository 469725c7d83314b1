import { CREDENTIALS, type ExampleRequest } from './request.ts';

/** Writes a request as TypeScript for Node, Deno, Bun and Workers, with nothing to install. */
export function typescriptOf(request: ExampleRequest): string {
  const { method, url, credential, body, response } = request;
  const headers = [
    ...(credential === 'apiKey' || credential === 'bearer'
      ? [[CREDENTIALS[credential].name, literal(CREDENTIALS[credential].value)]]
      : []),
    ...(credential === 'basic' ? [['Authorization', "`Basic ${btoa('USER:PASSWORD')}`"]] : []),
    ...(body?.kind === 'json' ? [['Content-Type', literal('application/json')]] : []),
    ...(body?.kind === 'file' ? [['Content-Type', literal(body.type)]] : []),
  ];
  const written = headers.map(([name = '', value]) => `${/^\w+$/.test(name) ? name : literal(name)}: ${value}`);
  const options = [
    ...(method === 'GET' ? [] : [`method: ${literal(method)}`]),
    ...(response === 'location' ? ["redirect: 'manual'"] : []),
    ...(written.length === 0 ? [] : [`headers: { ${written.join(', ')} }`]),
    ...bodyOption(body),
  ];
  const call =
    options.length === 0
      ? `const response = await fetch(${literal(url)});`
      : `const response = await fetch(${literal(url)}, {\n${options.map((option) => `  ${option},\n`).join('')}});`;
  return [...(body?.kind === 'file' ? ["import { readFile } from 'node:fs/promises';\n"] : []), call, RESULTS[response]]
    .filter((line) => line !== '')
    .join('\n');
}

function bodyOption(body: ExampleRequest['body']): string[] {
  if (body === null) return [];
  if (body.kind === 'file') return [`body: await readFile(${literal(body.name)}, 'utf8')`];
  const value = body.kind === 'json' ? body.value : Object.fromEntries(body.fields);
  const text = write(value, '  ');
  return [body.kind === 'json' ? `body: JSON.stringify(${text})` : `body: new URLSearchParams(${text})`];
}

const RESULTS: Readonly<Record<ExampleRequest['response'], string>> = {
  json: 'console.log(response.status, await response.json());',
  text: 'console.log(await response.text());',
  bytes: 'const image = new Uint8Array(await response.arrayBuffer());',
  lines:
    'const lines = response.body!.pipeThrough(new TextDecoderStream());\nfor await (const text of lines) console.log(text);',
  location: "console.log(response.status, response.headers.get('Location'));",
  nothing: 'console.log(response.status);',
};

/** A value as source text; objects on one line if they are short. */
function write(value: unknown, indent: string): string {
  if (typeof value === 'string') return literal(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => write(item, `${indent}  `))
    : Object.entries(value).map(
        ([name, item]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : literal(name)}: ${write(item, `${indent}  `)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const short = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (parts.length === 0) return open + close;
  if (short.length <= 60 && !short.includes('\n')) return short;
  return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}${close}`;
}

const literal = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;
