import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-5';
import { expect, it } from 'vitest';
import { curlOf } from '../../scripts/docs/reference/curl.ts';
import { resourcesOf, type ApiDocument } from '../../scripts/docs/reference/document.ts';
import { pythonOf } from '../../scripts/docs/reference/python.ts';
import { requestOf, type ExampleRequest } from '../../scripts/docs/reference/request.ts';
import { typescriptOf } from '../../scripts/docs/reference/typescript.ts';
import { ROOT } from './support/project.ts';

/** The examples of the reference send the requests that the API document has as examples, which other tests send. */

const document = JSON.parse(readFileSync(join(ROOT, 'public/assets/openapi.json'), 'utf8')) as ApiDocument;
const ORIGIN = 'https://go.example.com';
const requests = resourcesOf(document)
  .flatMap(({ endpoints }) => endpoints)
  .map((endpoint) => [endpoint.operation.operationId, requestOf(endpoint, ORIGIN)] as const);

const FILE = 'the content of the file';

/** The body of a request, as a server gets it. */
function bodyOf({ body }: ExampleRequest): unknown {
  if (body === null) return null;
  if (body.kind === 'json') return body.value;
  return body.kind === 'file' ? FILE : Object.fromEntries(body.fields);
}

it.each(requests)('an example in TypeScript sends the request of %s', async (_, request) => {
  const { outputText, diagnostics = [] } = ts.transpileModule(typescriptOf(request), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    reportDiagnostics: true,
  });
  expect(diagnostics).toEqual([]);
  const sent: { url: string; init: RequestInit }[] = [];
  const fetch = async (url: string, init: RequestInit = {}) => {
    sent.push({ url, init });
    return new Response('{}', { headers: { Location: '/' } });
  };
  const code = outputText.replace(/^import .*$/m, '').replace(/^export .*$/m, '');
  const run = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor;
  await run('fetch', 'readFile', 'console', code)(fetch, async () => FILE, { log: () => {} });
  const [{ url, init } = { url: '', init: {} as RequestInit }] = sent;
  const read = init.body instanceof URLSearchParams ? Object.fromEntries(init.body) : (init.body ?? null);
  expect([url, init.method ?? 'GET', parsed(read)]).toEqual([request.url, request.method, bodyOf(request)]);
  expectCredential(request, new Headers(init.headers));
});

it.each(requests)('an example in curl sends the request of %s', (_, request) => {
  const script = `curl() { printf '%s\\0' "$@"; }\n${curlOf(request)}`;
  const args = execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1);
  const of = (flag: string) => args.flatMap((arg, index) => (arg === flag ? [args[index + 1] ?? ''] : []));
  const url = args.find((arg) => arg.startsWith(ORIGIN));
  const data = of('-d')[0];
  const file = of('--data-binary')[0]?.replace(/^@links\.\w+$/, FILE);
  const fields = of('--data-urlencode').map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]);
  const body = data ?? file ?? (fields.length > 0 ? Object.fromEntries(fields) : null);
  expect([url, of('-X')[0] ?? (body === null ? 'GET' : 'POST'), parsed(body)]).toEqual([
    request.url,
    request.method,
    bodyOf(request),
  ]);
  const headers = new Headers(of('-H').map((line) => line.split(': ') as [string, string]));
  if (of('-u').length > 0) headers.set('Authorization', `Basic ${btoa(of('-u')[0] ?? '')}`);
  expectCredential(request, headers);
});

const parsed = (body: unknown) =>
  typeof body === 'string' && /^[[{]/.test(body) ? (JSON.parse(body) as unknown) : body;

function expectCredential({ credential }: ExampleRequest, headers: Headers): void {
  const expected = {
    apiKey: ['API_KEY', null],
    bearer: [null, 'Bearer ACCESS_TOKEN'],
    basic: [null, `Basic ${btoa('USER:PASSWORD')}`],
    none: [null, null],
  };
  expect([headers.get('X-API-Key'), headers.get('Authorization')]).toEqual(expected[credential]);
}

it.each([
  [
    'createLink',
    `import requests

response = requests.post(
    "https://go.example.com/v1/links",
    headers={"X-API-Key": "API_KEY"},
    json={
        "url": "https://example.com/page",
        "client_id": "acme",
        "campaign_name": "Spring 2026",
        "metadata": "{\\"team\\":\\"web\\"}",
        "sec_id": "print-2026",
    },
)
print(response.status_code, response.json())`,
  ],
  [
    'createToken',
    `import requests

response = requests.get(
    "https://go.example.com/tokens/create_token",
    auth=("USER", "PASSWORD"),
)
print(response.status_code, response.json())`,
  ],
  [
    'followLink',
    `import requests

response = requests.get(
    "https://go.example.com/spring-sale",
    allow_redirects=False,
)
print(response.status_code, response.headers["Location"])`,
  ],
])('an example in Python sends the request of %s', (id, code) => {
  expect(pythonOf(requests.find(([each]) => each === id)![1])).toBe(code);
});

it('an example in Python writes null, true and false as Python does', () => {
  const body = { kind: 'json', value: { none: null, yes: [true, false], text: "it's" } } as const;
  const code = pythonOf({ method: 'PATCH', url: 'https://a.example/', credential: 'none', body, response: 'nothing' });
  expect(code).toContain('json={"none": None, "yes": [True, False], "text": "it\'s"},');
});
