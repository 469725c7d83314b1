import * as z from 'zod';

/** A running service, as programs use it. */
export interface Service {
  readonly origin: string;
  /** True if the release has an operation, such as `POST /v1/keys`. */
  has(operation: string): boolean;
  /** True if the body of an operation has a field. */
  takes(operation: string, field: string): boolean;
  /** Sends a request. Follows no redirect. Throws if the status is not the expected one. */
  send(operation: string, request?: Sent): Promise<Received>;
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** At most one of these three is the body. */
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly text?: string;
  /** 200 by default. */
  readonly status?: number;
}

interface Received {
  readonly headers: Headers;
  /** Parses the body, which is JSON. Throws if it is something else. */
  as<T>(schema: z.ZodType<T>): T;
}

/** The operations of 1.0.0, which had no API document of its own, and the fields of its creates. */
const FIRST_OPERATIONS = ['POST /v1/links', 'POST /shortener/encode', 'POST /tokens/refresh_token'];
const FIRST_FIELDS = ['url', 'client_id', 'campaign_name', 'custom_domain', 'metadata', 'sec_id'];

const schemaShape = z.object({ $ref: z.string().optional(), properties: z.record(z.string(), z.unknown()).optional() });
const documentShape = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        requestBody: z.object({ content: z.record(z.string(), z.object({ schema: schemaShape })) }).optional(),
      }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), schemaShape) }),
});

/** Opens the service at an origin, and reads what it can do from its API document. */
export async function openService(origin: string): Promise<Service> {
  const operations = await readOperations(origin);
  return {
    origin,
    has: (operation) => operations.has(operation),
    takes: (operation, field) => operations.get(operation)?.has(field) ?? false,
    send: (operation, request) => send(origin, operation, request),
  };
}

async function readOperations(origin: string): Promise<Map<string, ReadonlySet<string>>> {
  const response = await fetch(`${origin}/openapi.json`);
  const text = await response.text();
  if (response.status === 404) return new Map(FIRST_OPERATIONS.map((name) => [name, new Set(FIRST_FIELDS)]));
  const { paths, components } = documentShape.parse(JSON.parse(text));
  const operations = new Map<string, ReadonlySet<string>>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const schemas = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
      const fields = schemas.flatMap(({ $ref, properties }) =>
        Object.keys(properties ?? components.schemas[$ref?.split('/').at(-1) ?? '']?.properties ?? {}),
      );
      operations.set(`${method.toUpperCase()} ${path}`, new Set(fields));
    }
  }
  return operations;
}

async function send(origin: string, operation: string, request: Sent = {}): Promise<Received> {
  const [method = '', path = ''] = operation.split(' ');
  const { status = 200, headers, ...rest } = request;
  const { body, type } = bodyOf(rest);
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { ...(type && { 'Content-Type': type }), ...headers },
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  if (response.status !== status) {
    throw new Error(`${operation} returned ${response.status} instead of ${status}: ${text.slice(0, 1000)}`);
  }
  return { headers: response.headers, as: (schema) => schema.parse(JSON.parse(text)) };
}

function bodyOf({ json, form, text }: Sent): { body?: string | FormData; type?: string } {
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' };
  if (text !== undefined) return { body: text };
  if (form === undefined) return {};
  const body = new FormData();
  for (const [name, value] of Object.entries(form)) body.set(name, value);
  return { body };
}
