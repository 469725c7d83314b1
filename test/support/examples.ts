import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { NOW, ORIGIN } from '../../scripts/reference/examples.ts';
import { OPERATIONS, type Documented, type Operation } from './documented.ts';
import { openDomainIsolate, serveHosts, thisService } from './domains.ts';
import { LOOKED_UP_HOST, lookedUpPage } from './example-world.ts';

/** The requests in the API document's examples, sent unchanged or with a change. */

type Sent = readonly [name: string, type: string | undefined, documented: Documented];

/** All examples: one for each operation and type of its body. */
export const EXAMPLES: readonly Sent[] = OPERATIONS.flatMap((documented): Sent[] => {
  const types = Object.keys(documented.operation.requestBody?.content ?? {});
  if (types.length === 0) return [[documented.name, undefined, documented]];
  return types.map((type) => [`${documented.name} as ${type}`, type, documented]);
});

/**
 * Sets the time that all examples have, at which their invite is valid, and serves the hosts of their domains and of
 * what is looked up.
 */
export function atExampleTime(): void {
  vi.setSystemTime(NOW);
  serveHosts((host) => (host === LOOKED_UP_HOST ? lookedUpPage : thisService));
  // An example is sent more often than a user looks up destinations.
  vi.spyOn(env.LOOKUP_LIMIT, 'limit').mockResolvedValue({ success: true });
}

export interface Change {
  /** The media type of the body; by default the first documented one. */
  readonly type?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The origin of the request; by default the service's own. */
  readonly origin?: string;
  /** The value of every path parameter. */
  readonly pathParameter?: string;
  /** Replaces or extends the parameters of the query. */
  readonly query?: Readonly<Record<string, string>>;
  /** The fields of the body. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The whole body, in place of fields. */
  readonly body?: string;
  /** Settings of the isolate. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Sends the example of an operation to a new isolate, which remembers nothing. */
export function sendExample({ method, path, operation }: Documented, change: Change = {}): Promise<Response> {
  const parameters = (operation.parameters ?? []).filter(({ example }) => example !== undefined);
  const given = (place: string) =>
    parameters.filter((each) => each.in === place).map(({ name, example }) => [name, String(example)] as const);
  const inPath = new Map(given('path'));
  const url = new URL(change.origin ?? originOf(operation));
  url.pathname = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(change.pathParameter ?? inPath.get(name) ?? ''),
  );
  for (const [name, value] of [...given('query'), ...Object.entries(change.query ?? {})])
    url.searchParams.set(name, value);
  const type = change.type ?? Object.keys(operation.requestBody?.content ?? {})[0];
  const example = operation.requestBody?.content[type ?? '']?.example;
  const body = change.body ?? (type === undefined ? undefined : toBody(type, example, change.fields));
  const ownType = typeof body === 'string' && type !== undefined ? { 'Content-Type': type } : {};
  const headers = { ...ownType, ...Object.fromEntries(given('header')), ...change.headers };
  return openDomainIsolate({ PUBLIC_URL: ORIGIN, ...change.settings })(url.href, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
}

/** The origin that an operation is sent to: an example of its own server, if it has one. */
function originOf({ servers }: Operation): string {
  const [server] = servers ?? [];
  return server?.url.replaceAll(/\{(\w+)\}/g, (_, name: string) => server.variables?.[name]?.default ?? '') ?? ORIGIN;
}

function toBody(type: string, example: unknown, change?: Change['fields']): string | FormData | URLSearchParams {
  if (typeof example === 'string') return example;
  const fields = { ...Object(example), ...change };
  if (type === 'application/json') return JSON.stringify(fields);
  const form = type === 'multipart/form-data' ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  return form;
}
