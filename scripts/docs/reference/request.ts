import type { Endpoint, Operation } from './document.ts';

/** A request that shows an operation, which its example in each language sends. */
export interface ExampleRequest {
  readonly method: string;
  readonly url: string;
  readonly credential: keyof typeof CREDENTIALS | 'none';
  readonly body: ExampleBody | null;
  /** The kind of the response. */
  readonly response: 'json' | 'text' | 'bytes' | 'lines' | 'location' | 'nothing';
}

type ExampleBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly fields: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'file'; readonly type: string; readonly name: string };

export const CREDENTIALS = {
  apiKey: { name: 'X-API-Key', value: 'API_KEY' },
  bearer: { name: 'Authorization', value: 'Bearer ACCESS_TOKEN' },
  basic: { name: 'Authorization', value: 'Basic' },
} as const;

/** @param origin of the service */
export function requestOf({ method, path, operation }: Endpoint, origin: string): ExampleRequest {
  const given = (place: string) =>
    (operation.parameters ?? []).flatMap(({ name, in: at, example }) =>
      at === place && example !== undefined ? [[name, textOf(example)] as const] : [],
    );
  const inPath = new Map(given('path'));
  const query = new URLSearchParams(given('query').map(([name, value]) => [name, value])).toString();
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath.get(name) ?? ''));
  return {
    method,
    url: origin + address + (query === '' ? '' : `?${query}`),
    credential: credentialOf(operation),
    body: bodyOf(operation),
    response: responseOf(operation),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function credentialOf({ security = [] }: Operation): ExampleRequest['credential'] {
  const names = new Set(security.flatMap((each) => Object.keys(each)));
  const accepted = (['apiKey', 'bearer', 'basic'] as const).find((name) => names.has(name));
  return accepted === undefined || security.some((each) => Object.keys(each).length === 0) ? 'none' : accepted;
}

const FILES: Readonly<Record<string, string>> = { 'text/csv': 'links.csv', 'application/x-ndjson': 'links.ndjson' };

function bodyOf({ requestBody }: Operation): ExampleBody | null {
  const content = requestBody?.content;
  if (content === undefined) return null;
  const file = Object.keys(content).find((type) => FILES[type] !== undefined);
  if (file !== undefined) return { kind: 'file', type: file, name: FILES[file] ?? '' };
  const json = content['application/json'];
  if (json !== undefined) return { kind: 'json', value: json.example };
  const { example } = content['application/x-www-form-urlencoded'] ?? {};
  const fields = Object.entries((example ?? {}) as Record<string, unknown>);
  return { kind: 'form', fields: fields.map(([name, value]) => [name, textOf(value)]) };
}

function responseOf({ responses }: Operation): ExampleRequest['response'] {
  const [, success] = Object.entries(responses).find(([status]) => status < '300') ?? [];
  if (success === undefined) return 'location';
  const types = Object.keys(success.content ?? {});
  if (types.length === 0) return 'nothing';
  if (types.some((type) => type.endsWith('json'))) return 'json';
  if (types.includes('text/event-stream')) return 'lines';
  return types[0]?.startsWith('image/png') ? 'bytes' : 'text';
}
